# SPDX-License-Identifier: MIT
#
# step.mk - what can be made in a lesson's folder. A lesson's Makefile is a title and one include.

STEP := $(notdir $(CURDIR))
.DEFAULT_GOAL := help
include $(dir $(lastword $(MAKEFILE_LIST)))build.mk

NAME := $(STEP)$(if $(VARIANT),.$(VARIANT))
ifdef VARIANT
ifneq ($(filter $(NAME),$(NEEDING)),)
$(error VARIANT: '$(VARIANT)' needs $(call needs_of,$(NAME)); $(NEEDING_WHY))
endif
ifeq ($(filter $(NAME),$(VARIANTS)),)
HERE := $(patsubst $(STEP).%,%,$(filter $(STEP).%,$(VARIANTS)))
$(error VARIANT: $(STEP) has no variant '$(VARIANT)'; it has $(or $(HERE),none))
endif
endif
PROGRAM := $(or $(KERNEL_PROGRAM),$(BUILD)/$(NAME))

.PHONY: help run test bench report trace show ablate diff sass profile grade clean
help:
	@sed -n '1s/^# //p' Makefile
	@echo 'make run      check this step, then time it'
	@echo 'make test     check it for every size, type, operator and alignment'
	@echo 'make report   what each line asks of memory, round by round; N= BLOCK= TYPE= OP='
	@echo 'make show     the same as a page to step through, in build/show/'
	@echo 'make bench    time it over sizes, as CSV                  (gpu)'
	@echo 'make ablate   what each idea is worth alone: the rows of ablations.txt'
	@echo 'make sass     machine code of a round beside its source; V=1: all of it'
	@echo 'make profile  show memory counters of Nsight Compute      (gpu)'
	@echo 'make grade    grade exercise/exercise.cu, or SUBMISSION=my.cu'
	@echo 'make diff     what it changes; A=01 B=03.unrolled compare others'
	@echo 'make clean    remove what was built'
	@echo 'Each further file in variants/ that defines step is a variant: make run VARIANT=name'
	@echo 'Options: N=1M TYPE=i32 OP=max VARIANT=name KERNEL=my.cu INPUT=x.npy SEED=7'
	@echo '         DEVICE=cpu|gpu V=1 ARGS=...'

run: $(PROGRAM)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(PROGRAM) $(OPTIONS)

test: $(PROGRAM)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(PROGRAM) --check $(OPTIONS)

# SUBMISSION may be relative to here, or to where make was called (make -C).
grade:
	@CALLED_FROM="$$OLD_PWD" $(MAKE) --no-print-directory -f $(ROOT)/common/grade/grade.mk grade \
	    TASK='$(or $(TASK),$(firstword $(subst _, ,$(STEP))))'
grade: export OLD_PWD := $(value PWD)

# The previous lesson and this one; or this one and its VARIANT.
diff:
	@sh $(ROOT)/common/pages/diff.sh '$(A)' '$(B)' $(NAME)

report trace show:
	@$(MAKE) --no-print-directory -C $(ROOT) $@-$(firstword $(subst _, ,$(STEP))) \
	    $(if $(KERNEL),KERNEL='$(abspath $(KERNEL))') $(if $(INPUT),INPUT='$(abspath $(INPUT))')

ablate:
	@$(MAKE) --no-print-directory -C $(ROOT) ablate-$(firstword $(subst _, ,$(STEP))) \
	    $(if $(ABLATIONS),ABLATIONS='$(abspath $(ABLATIONS))')

# This needs nvcc but no GPU. ARCH=sm_80 selects another generation than sm_90.
sass:
	@NVCC='$(NVCC)' ARCH='$(ARCH)' TYPE='$(TYPE)' OP='$(OP)' V='$(V)' sh $(ROOT)/common/pages/sass.sh \
	    '$(or $(KERNEL_FILE),$(if $(VARIANT),$(call source_of,$(NAME)),$(STEP)/kernel.cu))'

ifeq ($(DEVICE),gpu)
bench: $(PROGRAM)
	@$(PROGRAM) --csv $(OPTIONS)

NCU ?= ncu
METRICS := gpu__time_duration.sum,dram__bytes_read.sum
METRICS := $(METRICS),dram__throughput.avg.pct_of_peak_sustained_elapsed
METRICS := $(METRICS),l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
METRICS := $(METRICS),l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
METRICS := $(METRICS),memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
profile: $(PROGRAM)
	$(NCU) --clock-control none --metrics $(METRICS) \
	    $(PROGRAM) --once $(if $(N),,-n 16M) $(if $(TYPE),,-t f32) $(OPTIONS)
else
bench profile:
	@printf '%s\n' "make $@ needs a GPU and the CUDA toolkit" "    device cpu: $(DEVICE_WHY)" >&2; exit 77
endif

clean:
	rm -rf $(BUILD_DIR)/cpu/$(STEP)* $(BUILD_DIR)/gpu/$(STEP)*
