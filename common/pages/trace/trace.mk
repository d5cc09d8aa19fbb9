# SPDX-License-Identifier: MIT
#
# trace.mk - records a trace of one small launch, and reports it: make -f common/pages/trace/trace.mk
#
#   trace     writes $(TRACE), which may be given, and prints its name
#   report    prints its table: a row for each source line and round
#   tools     builds what reads traces
#
# What runs: STEP=03 (and VARIANT=), or KERNEL=my.cu, or TASK=03 (and SUBMISSION=my.cu: default
# exercise.cu), or QUIZ='stride 6 1', a question of the quiz. How: N= TYPE= OP= ROWS= COLS= SEED=,
# and BLOCK=64 for another BLOCK_SIZE. `make report-03` and the like call this file. Traces come
# from the emulator, so all of it is for the cpu.

override DEVICE := cpu
TRACE_MK := $(lastword $(MAKEFILE_LIST))
ifdef TASK
include $(dir $(TRACE_MK))../../grade/grade.mk
else
include $(dir $(TRACE_MK))../../build.mk
endif
.DEFAULT_GOAL := trace

TRACE_SRC := $(ROOT)/common/pages/trace
TRACE_BUILD := $(BUILD)/pages/trace
TRACE_REPORT := $(TRACE_BUILD)/report

# ---- the source, and what a program of it is called ----
ifeq ($(MAKECMDGOALS),tools)
else ifdef TASK
ifneq ($(words $(TASK)),1)
$(error TASK: '$(TASK)': give one exercise of: $(TASKS))
endif
TRACE_SOURCE := $(call absolute,$(or $(SUBMISSION),$(call file_of,$(TASK))))
TRACE_NAME := exercise_$(TASK).$(basename $(notdir $(TRACE_SOURCE)))
else ifdef KERNEL
TRACE_SOURCE := $(KERNEL_FILE)
TRACE_NAME := $(basename $(notdir $(KERNEL_FILE)))
TRACE_PROGRAM := $(KERNEL_PROGRAM)
else ifdef QUIZ
include $(ROOT)/common/quiz/quiz.mk
TRACE_SOURCE := $(QUIZ_SRC)/pattern.cu
TRACE_NAME := quiz
TRACE_PROGRAM := $(QUIZ_PROGRAM)
else
TRACE_STEP := $(filter $(STEP)_%,$(STEPS))
ifeq ($(TRACE_STEP),)
$(error $(NEWLINE)STEP: '$(STEP)' is not one of $(foreach s,$(STEPS),$(firstword $(subst _, ,$s)));$(NEWLINE)$\
give a step (make report-03), KERNEL=my.cu, or TASK=03)
endif
TRACE_NAME := $(TRACE_STEP)$(if $(VARIANT),.$(VARIANT))
ifeq ($(filter $(TRACE_NAME),$(STEPS) $(VARIANTS)),)
$(error $(NEWLINE)VARIANT: $(TRACE_STEP) has no variant '$(VARIANT)' for the emulator; it has$(NEWLINE)$\
$(patsubst $(TRACE_STEP).%,%,$(filter $(TRACE_STEP).%,$(VARIANTS))))
endif
TRACE_SOURCE := $(ROOT)/$(if $(VARIANT),$(call source_of,$(TRACE_NAME)),$(TRACE_STEP)/kernel.cu)
TRACE_PROGRAM := $(BUILD)/$(TRACE_NAME)
# With two million floats the loop of 04 and 05 runs twice; with what one block handles, once.
TRACE_N := $(if $(VARIANT)$(BLOCK)$(N)$(ROWS)$(COLS)$(INPUT)$(ARGS),,$(if $(filter 04 05,$(STEP)),-n 2M))
endif
# Make expands the name of a prerequisite twice, and a shell reads it.
ifneq ($(findstring $$,$(TRACE_SOURCE))$(findstring ',$(TRACE_SOURCE)),)
$(error the name of a file with $$ or ' in it cannot be taken here: rename the file)
endif
# Two files of the same name in two folders are two programs.
TRACE_FOLDER := $(TRACE_BUILD)/$(firstword $(shell printf '%s' '$(TRACE_SOURCE)' | cksum))
TRACE_BLOCK := $(if $(BLOCK),.block_$(BLOCK))
TRACE_OPTIONS := $(if $(QUIZ),--show '$(QUIZ)',--once $(TRACE_N) $(OPTIONS))

# Another BLOCK_SIZE: a copy, whose lines keep the name of the original file.
ifdef BLOCK
ifneq ($(shell { [ '$(BLOCK)' -ge 1 ] && [ '$(BLOCK)' -le 1024 ] && echo fine; } 2>/dev/null),fine)
$(error BLOCK: '$(BLOCK)' is not a number of threads; accepted are 1 to 1024)
endif
ifneq ($(shell grep -c '^.define BLOCK_SIZE ' '$(TRACE_SOURCE)'),1)
$(error BLOCK: '$(TRACE_SOURCE)' has no line '#define BLOCK_SIZE 256', so its block is fixed)
endif
TRACE_PROGRAM := $(TRACE_FOLDER)/$(TRACE_NAME)$(TRACE_BLOCK)
$(TRACE_PROGRAM).cu: $(TRACE_SOURCE)
	@mkdir -p $(@D)
	@sed 's/^#define BLOCK_SIZE .*/#define BLOCK_SIZE $(BLOCK)/' '$<' >$@
$(TRACE_PROGRAM).o: COMPILE_CU += -I$(dir $(TRACE_SOURCE)) -ffile-prefix-map=$(TRACE_PROGRAM).cu=$(TRACE_SOURCE)
$(TRACE_PROGRAM).o: $(TRACE_PROGRAM).cu $(CU_NEEDS)
	$(compile_cu)
endif

# An exercise has no `step`: a separate program calls its solve.
ifdef TASK
TRACE_OPTIONS := $(TASK) $(OPTIONS)
ifndef BLOCK
TRACE_PROGRAM := $(TRACE_FOLDER)/$(TRACE_NAME)
$(TRACE_PROGRAM).o: $(TRACE_SOURCE) $(CU_NEEDS)
	$(compile_cu)
endif
ONCE_OBJ := $(GRADE_BUILD)/once/once.o $(TASK_OBJ)
$(TRACE_PROGRAM): $(TRACE_PROGRAM).o $(ONCE_OBJ) $(GRADE_HARNESS) $(SIMT_LIB)
	$(link)
-include $(ONCE_OBJ:.o=.d)
else ifdef BLOCK
$(TRACE_PROGRAM): $(TRACE_PROGRAM).o $(HARNESS) $(SIMT_LIB)
	$(link)
endif

# ---- readers of traces ----
$(TRACE_BUILD)/%.o: $(TRACE_SRC)/%.c $(BUILD)/tools
	$(compile_c)
$(TRACE_REPORT): $(TRACE_BUILD)/report.o $(TRACE_BUILD)/rows.o $(TRACE_BUILD)/read.o
	$(link)
-include $(TRACE_BUILD)/report.d $(TRACE_BUILD)/rows.d $(TRACE_BUILD)/read.d

.PHONY: tools
tools: $(TRACE_REPORT)

# ---- the trace; what was asked for is in its name, so that TYPE=f64 leaves that of f32 ----
TRACE_ASKED := $(subst /,_,$(if $(TYPE),.$(TYPE))$(if $(OP),.$(OP))$(if $(N),.n$(N))$\
    $(if $(ROWS),.rows$(ROWS))$(if $(COLS),.cols$(COLS))$(if $(SEED),.seed$(SEED)))
TRACE := $(if $(KERNEL)$(SUBMISSION),$(TRACE_FOLDER),$(TRACE_BUILD))/$(TRACE_NAME)$(TRACE_BLOCK)$(TRACE_ASKED).trace

.PHONY: trace report record
record: $(TRACE_PROGRAM)
	@sh '$(TRACE_SRC)/record.sh' '$(TRACE)' '$(TRACE_PROGRAM)' $(TRACE_OPTIONS)

trace: record
	@echo '$(TRACE)'

report: record $(TRACE_REPORT)
	@cd '$(ROOT)' && '$(TRACE_REPORT)' '$(TRACE)'
