# SPDX-License-Identifier: MIT
#
# many.mk - the programs of this folder: `make many` at the root. WAYS=peer leaves NCCL out, and
# KERNEL=06_cub/kernel.cu uses that launcher instead of 05 best's.
#
# NCCL is the header nccl.h and the library libnccl.so: from NCCL_HOME=folder if it is given, else
# from the toolkit or a system package.

include $(dir $(lastword $(MAKEFILE_LIST)))../../common/build.mk
.DEFAULT_GOAL := many

HERE := $(ROOT)/06_cub/many_gpus
WAYS ?= sum peer
ifneq ($(filter-out sum peer,$(WAYS)),)
$(error WAYS: '$(filter-out sum peer,$(WAYS))' is no way; accepted are sum, by NCCL, and peer)
endif

STEP_OBJECT := $(or $(KERNEL_PROGRAM),$(BUILD)/05_warp_shuffle.best).o
MANY := $(patsubst $(BUILD)/%.o,$(BUILD)/many/%,$(STEP_OBJECT))
PROGRAMS := $(WAYS:%=$(MANY)/%)

NCCL_ROOTS := $(or $(NCCL_HOME),$(CUDA_HOME) /usr/local /usr)
NCCL_HEADER := $(firstword $(wildcard $(NCCL_ROOTS:=/include/nccl.h)))
NCCL_LIBRARY := $(firstword $(wildcard $(foreach folder,lib64 lib lib/*-linux-gnu \
    targets/*-linux/lib,$(foreach name,libnccl.so libnccl.so.2,$(NCCL_ROOTS:=/$(folder)/$(name))))))
NCCL_MISSING := $(if $(NCCL_HEADER),,nccl.h) $(if $(NCCL_LIBRARY),,libnccl.so)
NCCL_MISSING := $(if $(filter sum,$(WAYS)),$(strip $(NCCL_MISSING)))

.PHONY: many programs check-many
many: programs
	@for program in $(PROGRAMS); do $$program $(OPTIONS) || exit; done

# Reports what is missing before anything is built.
check-many:
	@if [ -n '$(NCCL_MISSING)' ]; then \
	    printf '%s\n' 'NCCL is missing: no $(NCCL_MISSING) in $(NCCL_ROOTS)' \
	        '    Debian, Ubuntu: sudo apt install libnccl-dev' \
	        '    or pip install nvidia-nccl-cu13 and NCCL_HOME=.../site-packages/nvidia/nccl' \
	        '    without NCCL: make many WAYS=peer' >&2; fi
	@if [ '$(DEVICE)' = cpu ]; then \
	    printf '%s\n' 'make many needs GPUs and the CUDA toolkit' \
	        '    device cpu: $(DEVICE_WHY)' >&2; fi
	@exit $(if $(NCCL_MISSING)$(filter cpu,$(DEVICE)),77,0)
programs: check-many
ifeq ($(NCCL_MISSING)$(DEVICE),gpu)
programs: $(PROGRAMS)
endif

$(BUILD)/many/many.o: $(HERE)/many.c $(BUILD)/tools
	$(compile_c)
$(BUILD)/many/sum.o: COMPILE_CU += -I$(dir $(NCCL_HEADER))
$(BUILD)/many/sum.o $(BUILD)/many/peer.o: $(BUILD)/many/%.o: $(HERE)/%.cu $(CU_NEEDS)
	$(compile_cu)
$(MANY)/sum: LDLIBS += -Xlinker $(NCCL_LIBRARY) -Xlinker -rpath -Xlinker $(dir $(NCCL_LIBRARY))
$(PROGRAMS): $(MANY)/%: $(BUILD)/many/%.o $(BUILD)/many/many.o $(STEP_OBJECT) $(HARNESS)
	$(link)
-include $(wildcard $(BUILD)/many/*.d)
