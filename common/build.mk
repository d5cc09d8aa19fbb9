# SPDX-License-Identifier: MIT
#
# build.mk - how every program of the course is built. Included by the root Makefile and by step.mk.
#
#   build/<cpu|gpu>/03_no_bank_conflict         03_no_bank_conflict/kernel.cu
#   build/<cpu|gpu>/05_warp_shuffle.one_pass    05_warp_shuffle/faster/one_pass.cu
#   build/<cpu|gpu>/kernel/NUMBER/my            KERNEL=/any/path/my.cu; the path gives the number
#
# Each one is the step's object, libharness.a and, on the cpu, the emulator. Built in the same way:
#
#   build/<cpu|gpu>/accuracy/05_warp_shuffle    with the main of common/measure/accuracy.c
#   build/<cpu|gpu>/lone/05_warp_shuffle.best   with the main of common/measure/lone.cu
#   build/<cpu|gpu>/copies/NAME/05_warp_shuffle  a copy of the kernel that a script has changed

# The name of a file is text. Make would run a $(shell ...) in it, here and on its way to other
# programs; a variable that is already expanded is never expanded again.
override SUBMISSION := $(value SUBMISSION)
override DIR := $(value DIR)
override STUDENT := $(value STUDENT)
override OUTPUT := $(value OUTPUT)
override MARKS := $(value MARKS)

ROOT := $(patsubst %/,%,$(dir $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))))
# Before a message: $(error) begins a line with the file's name.
define NEWLINE


endef
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
MAKEFLAGS += -r

# The scripts read and write numbers with a decimal point. And `cd` must not search or print.
export LC_ALL := C
unexport CDPATH

# To make, a space ends a name, and other characters are special to the shell.
ifneq ($(strip $(shell pwd -P | tr -d '\nA-Za-z0-9/._,+@~\200-\377-' | wc -c)),0)
$(error the folder '$(CURDIR)': its path may have letters, digits and . _ , + @ ~ - only, no \
space; move the course to another folder)
endif

# Compile on all cores unless the caller said how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
endif

# ---- tools; each can be set on the command line or in the environment ----
ifeq ($(origin CC),default)
CC := cc
endif
ifeq ($(origin CXX),default)
CXX := c++
endif
ifndef NVCC
NVCC := $(if $(CUDA_HOME),$(CUDA_HOME)/bin/nvcc,nvcc)
endif
ifndef CUDA_HOME
CUDA_HOME := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v $(NVCC) 2>/dev/null)))
endif
ARCH ?= native
# CCCL=DIR takes CUB from there instead of the toolkit: DIR/cub/cub.cuh.
ifdef CCCL
override CCCL := $(abspath $(CCCL))
ifeq ($(wildcard $(CCCL)/cub/version.cuh),)
$(error CCCL: '$(CCCL)' has no cub/version.cuh)
endif
endif
export CCCL
Q := $(if $(V),,@)

# ---- device: gpu when nvcc and a GPU were found, else cpu ----
HAVE_NVCC := $(shell command -v $(NVCC) 2>/dev/null)
HAVE_GPU := $(shell nvidia-smi -L 2>/dev/null | sed -n '/GPU/s/ .UUID.*//p')
ifeq ($(origin DEVICE),undefined)
ifeq ($(HAVE_NVCC),)
DEVICE := cpu
DEVICE_WHY := '$(NVCC)' was not found, so the emulator runs the kernels
else ifeq ($(HAVE_GPU),)
DEVICE := cpu
DEVICE_WHY := nvidia-smi lists no GPU, so the emulator runs the kernels
else
DEVICE := gpu
DEVICE_WHY := nvcc and a GPU were found
endif
else
DEVICE_WHY ?= as asked
endif
ifeq ($(filter cpu gpu,$(DEVICE)),)
$(error DEVICE: '$(DEVICE)' is not a device; accepted are cpu and gpu)
endif

BUILD_DIR ?= $(ROOT)/build
BUILD := $(BUILD_DIR)/$(DEVICE)

# ---- what there is to build: the folders are the only lists ----
STEPS := $(patsubst $(ROOT)/%/kernel.cu,%,$(sort $(wildcard $(ROOT)/[0-9][0-9]_*/kernel.cu)))
# Each further file is a variant: faster/best.cu of 05 is 05_warp_shuffle.best. See results.sh.
VARIANT_SOURCES := $(sort $(shell cd '$(ROOT)' && . common/measure/results.sh && variant_sources '[0-9][0-9]_*'))
program_of = $(firstword $(subst /, ,$1))$(patsubst %,.%,$(filter-out kernel,$(basename $(notdir $1))))
source_of = $(filter $(firstword $(subst ., ,$1))/%/$(lastword $(subst ., ,$1)).cu,$(VARIANT_SOURCES))
VARIANTS := $(foreach s,$(VARIANT_SOURCES),$(call program_of,$s))
# A variant that has a line `// Needs: ...` needs a GPU, or more: on the cpu it is left out. On a GPU
# `// Needs: CUDA 12.8` leaves it out if nvcc is older, `// Needs: CUB 3.4` if CUB is.
ifeq ($(DEVICE),gpu)
RELEASES := $(shell . '$(ROOT)/common/measure/results.sh' && CCCL='$(CCCL)' releases '$(NVCC)')
NEEDING_WHY = nvcc is $(subst /, with CUB ,$(RELEASES))
else
NEEDING_WHY = this is DEVICE=cpu: $(DEVICE_WHY)
endif
NEEDING := $(shell cd '$(ROOT)' && . common/measure/results.sh && \
    left_out '$(if $(filter gpu,$(DEVICE)),$(or $(RELEASES),99.0/99.0),cpu)' $(VARIANT_SOURCES))
NEEDING := $(foreach s,$(NEEDING),$(call program_of,$s))
VARIANTS := $(filter-out $(NEEDING),$(VARIANTS))
needs_of = $(shell sed -n 's,^// Needs: ,,p' '$(ROOT)/$(call source_of,$1)' | paste -s -d, - | sed 's/,/, /g')
STEP_PROGRAMS := $(STEPS:%=$(BUILD)/%)
VARIANT_PROGRAMS := $(VARIANTS:%=$(BUILD)/%)
HARNESS := $(BUILD)/libharness.a
HARNESS_OBJ := $(patsubst $(ROOT)/common/%.c,$(BUILD)/%.o,$(wildcard $(ROOT)/common/harness/*.c))
# On a GPU the harness has one kernel.
HARNESS_CU := $(if $(filter gpu,$(DEVICE)),$(BUILD)/harness/repeats.o)
MEASURE_CU := $(BUILD)/measure/lone.o
MEASURE_OBJ := $(patsubst $(ROOT)/common/%.c,$(BUILD)/%.o,$(wildcard $(ROOT)/common/measure/*.c))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror=switch
# The harness computes as much as some kernels; the other programs run for milliseconds.
CFLAGS ?= $(if $(filter $(HARNESS_OBJ) $(MEASURE_OBJ),$@),-O2,-O1) -g1
NVCCFLAGS ?= -O3 -lineinfo
ALL_CFLAGS = -std=c11 $(WARNINGS) $(CFLAGS) -I$(ROOT)/common
ifeq ($(DEVICE),gpu)
COMPILE_C = $(CC) $(ALL_CFLAGS) -I$(CUDA_HOME)/include
COMPILE_CU = $(NVCC) -std=c++20 -arch=$(ARCH) $(NVCCFLAGS) $(CCCL:%=-I%) -I$(ROOT)/common
LINK = $(NVCC) -arch=$(ARCH)
CU_LABEL := NVCC
LDLIBS := -lm
else
COMPILE_C = $(CC) $(ALL_CFLAGS) -DSIMT=1 -I$(SIMT_INCLUDE)
include $(ROOT)/common/simt/simt.mk
COMPILE_CU = CC='$(CC)' CXX='$(CXX)' $(SIMTCC) -std=c++20 -I$(ROOT)/common
LINK = $(CXX)
CU_LABEL := SIMTCC
LDLIBS = $(SIMT_LDLIBS)
endif

# Quiet lines such as `  NVCC    01_naive/kernel.cu`; V=1 shows the commands instead.
show = @$(if $(Q),printf '  %-7s %s\n' '$(1)' '$(patsubst $(ROOT)/%,%,$(2))' >&2,:)

# ---- a file that changes when the compilers or their options do, or the GPU that `native` is ----
# CFLAGS of this file differ by what is compiled; those of the user do not.
TOOLS := $(strip $(subst ",,$(COMPILE_C) $(filter file,$(origin CFLAGS)) | $(COMPILE_CU) | $(LINK)$\
    $(if $(filter gpu-native,$(DEVICE)-$(ARCH)), | $(HAVE_GPU))))
TOOLS_THEN := $(shell cat $(BUILD)/tools 2>/dev/null)
$(BUILD)/tools: $(if $(subst x$(TOOLS),,x$(TOOLS_THEN)),FORCE) | check-tools
	@mkdir -p $(@D)
	@printf '%s\n' "$(TOOLS)" >$@

.PHONY: FORCE check-tools
FORCE:

NEEDED = $(firstword $(CC)) $(firstword $(if $(filter gpu,$(DEVICE)),$(NVCC),$(CXX)))
INSTALL = Debian, Ubuntu, WSL: sudo apt install gcc g++ make; $(if $(filter gpu,$(DEVICE)),$\
    nvcc: developer.nvidia.com/cuda-downloads,one of another name: make CC=gcc-15 CXX=g++-15)
check-tools:
	@for tool in $(NEEDED); do command -v $$tool >/dev/null || { \
	    echo "'$$tool' was not found, and DEVICE=$(DEVICE) needs it. $(INSTALL)" >&2; \
	    exit $(if $(filter gpu,$(DEVICE)),77,1); }; done

# ---- objects ----
define compile_c
@mkdir -p $(@D)
$(call show,CC,$<)
$(Q)$(COMPILE_C) -MMD -MP -c $< -o $@
endef
$(HARNESS_OBJ) $(MEASURE_OBJ): $(BUILD)/%.o: $(ROOT)/common/%.c $(BUILD)/tools
	$(compile_c)

$(HARNESS): $(HARNESS_OBJ) $(HARNESS_CU)
	$(call show,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The recipe of a .cu file. On the cpu it needs the emulator and its compiler first.
define compile_cu
@mkdir -p $(@D)
$(call show,$(CU_LABEL),$<)
$(Q)$(COMPILE_CU) -MMD -MP -MF $(@:.o=.d) -c $< -o $@
endef
CU_NEEDS := $(BUILD)/tools $(if $(SIMT_LIB),$(SIMT_TOOLS) $(ROOT)/common/simt/simtcc | $(SIMT_LIB))
$(SIMT_OBJ) $(SIMT_TOOL_OBJ): | check-tools

$(HARNESS_CU) $(MEASURE_CU): $(BUILD)/%.o: $(ROOT)/common/%.cu $(CU_NEEDS)
	$(compile_cu)

$(STEPS:%=$(BUILD)/%.o): $(BUILD)/%.o: $(ROOT)/%/kernel.cu $(CU_NEEDS)
	$(compile_cu)

$(VARIANTS:%=$(BUILD)/%.o): $(BUILD)/%.o: $(ROOT)/$$(call source_of,$$*) $(CU_NEEDS)
	$(compile_cu)

# A copy may include files from the folder of its source.
$(BUILD)/copies/%.o: COMPILE_CU += -I$(ROOT)/$(dir $(call source_of,$(*F)))
$(BUILD)/copies/%.o: $(BUILD)/copies/%.cu $(CU_NEEDS)
	$(compile_cu)

ifdef KERNEL
KERNEL_FILE := $(abspath $(KERNEL))
ifeq ($(wildcard $(KERNEL_FILE)),)
$(error $(NEWLINE)KERNEL: there is no file '$(KERNEL)';$(NEWLINE)$\
give the path of a .cu file that defines 'step', without a space)
endif
# Two files of the same name in two folders are two programs.
KERNEL_FOLDER := $(firstword $(shell printf '%s' '$(KERNEL_FILE)' | cksum))
KERNEL_PROGRAM := $(BUILD)/kernel/$(KERNEL_FOLDER)/$(basename $(notdir $(KERNEL_FILE)))
$(KERNEL_PROGRAM).o: $(KERNEL_FILE) $(CU_NEEDS)
	$(compile_cu)
	@! command -v nm >/dev/null || nm $@ | grep -q ' _*step$$' || { rm -f $@; \
	    echo "KERNEL: '$(KERNEL)' does not define 'step', see common/step.h" >&2; \
	    echo 'a file for an exercise goes by TASK=03 SUBMISSION=' >&2; exit 1; }
endif

# ---- programs; libharness.a has a main for those whose objects have none ----
define link
@mkdir -p $(@D)
$(call show,LINK,$@)
$(Q)$(LINK) $^ -o $@ $(LDLIBS)
endef
$(STEP_PROGRAMS) $(VARIANT_PROGRAMS) $(KERNEL_PROGRAM): %: %.o $(HARNESS) $(SIMT_LIB)
	$(link)

$(BUILD)/accuracy/%: $(BUILD)/%.o $(BUILD)/measure/accuracy.o $(HARNESS) $(SIMT_LIB)
	$(link)

$(BUILD)/lone/%: $(BUILD)/%.o $(BUILD)/measure/lone.o $(HARNESS) $(SIMT_LIB)
	$(link)

$(BUILD)/copies/%: $(BUILD)/copies/%.o $(HARNESS) $(SIMT_LIB)
	$(link)

$(BUILD)/bench_cublas: $(BUILD)/measure/bench_cublas.o $(HARNESS)
	$(link)
$(BUILD)/06_cub.cublas $(BUILD)/accuracy/06_cub.cublas $(BUILD)/bench_cublas: LDLIBS += -lcublas

.SECONDARY: # objects stay
-include $(HARNESS_OBJ:.o=.d) $(HARNESS_CU:.o=.d) $(MEASURE_OBJ:.o=.d) $(MEASURE_CU:.o=.d) $(wildcard $(BUILD)/copies/*/*.d)
-include $(STEP_PROGRAMS:=.d) $(VARIANT_PROGRAMS:=.d) $(KERNEL_PROGRAM:=.d)

# ---- make's variables as options of a step program: N=1M TYPE=i32 gives -n 1M -t i32 ----
OPTIONS = $(strip $(if $(N),-n '$(N)') $(if $(TYPE),-t '$(TYPE)') $(if $(OP),-o '$(OP)') \
          $(if $(ROWS),--rows '$(ROWS)') $(if $(COLS),--cols '$(COLS)') \
          $(if $(INPUT),--input '$(abspath $(INPUT))') $(if $(SEED),--seed '$(SEED)') $(ARGS))
