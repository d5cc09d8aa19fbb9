# SPDX-License-Identifier: MIT
#
# grade.mk - builds the grader and runs it: make -f common/grade/grade.mk grade
#
# Marks always come from the emulator, so all of this is built for the cpu. `make grade` calls this
# file; the variables below are those that a user sets.
#
#   TASK=03                exercises, all of them where it is empty
#   SUBMISSION=file        one file, with one TASK; default: each exercise.cu
#   DIR=folder             of a class
#   SEED= SECONDS= FORMAT= OUTPUT=   see build/cpu/grade/grade --help

SPEED := $(filter gpu,$(DEVICE))
override DEVICE := cpu
include $(dir $(lastword $(MAKEFILE_LIST)))../build.mk
.DEFAULT_GOAL := grader

GRADE := $(ROOT)/common/grade
GRADE_BUILD := $(BUILD)/grade
GRADER := $(GRADE_BUILD)/grade

# Three kinds of programs: the grader, what a submission is linked with (protect/build.sh does it),
# and the unit tests.
CHILD_OBJ := $(addprefix $(GRADE_BUILD)/protect/,child.o called.o filter.o)
GRADE_OBJ := $(wildcard $(addprefix $(GRADE)/,*.c tasks/*.c protect/*.c report/*.c))
GRADE_OBJ := $(patsubst $(GRADE)/%.c,$(GRADE_BUILD)/%.o,$(GRADE_OBJ))
GRADE_OBJ := $(filter-out %/child.o %/called.o %/speed.o,$(GRADE_OBJ))
GRADE_TESTS := $(addprefix $(GRADE_BUILD)/tests/,test_grade test_formats test_sandbox)

# Of the harness one object and not all of libharness.a: PrairieLearn builds for each submission.
GRADE_HARNESS := $(BUILD)/harness/dtype.o

.PHONY: grader grade grade-class handout gradescope
grader: $(GRADER) $(GRADE_BUILD)/hooked $(CHILD_OBJ) $(SIMT_LIB) $(SIMT_TOOLS)

# All that tests/run.sh runs. It builds nothing; the file's time tells it what was built.
.PHONY: grade-tests
grade-tests: grader $(GRADE_TESTS)
	@touch $(GRADE_BUILD)/built

$(GRADE_BUILD)/%.o: $(GRADE)/%.c $(BUILD)/tools
	$(compile_c)

$(GRADER): $(GRADE_OBJ) $(GRADE_HARNESS)
$(GRADE_TESTS): $$@.o $(filter-out %/grade.o,$(GRADE_OBJ)) $(GRADE_HARNESS)
$(GRADER) $(GRADE_TESTS):
	$(link)

# The emulator's proof that each access of a program has its hook.
$(GRADE_BUILD)/hooked: $(ROOT)/common/simt/tests/hooked.c $(BUILD)/tools
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 -O1 -D_POSIX_C_SOURCE=200809L $< -o $@

# ---- what to grade ----
# The folder of a task says its name: 03_no_bank_conflict/exercise is 03, .../capstone is capstone.
FOLDERS := $(patsubst $(ROOT)/%/tests.txt,%,$(sort $(wildcard $(ROOT)/[0-9][0-9]_*/*/tests.txt)))
task_of = $(if $(filter exercise,$(notdir $1)),$(firstword $(subst _, ,$1)),$(notdir $1))
folder_of = $(firstword $(foreach f,$(FOLDERS),$(if $(filter $1,$(call task_of,$f)),$f)))
TASKS := $(foreach f,$(FOLDERS),$(call task_of,$f))
UNKNOWN := $(filter-out $(TASKS),$(TASK))
ifneq ($(UNKNOWN),)
$(error TASK: '$(UNKNOWN)' is not an exercise; there are: $(TASKS))
endif
CHOSEN := $(or $(TASK),$(TASKS))

# A path as seen from here. $(abspath) would take one with blanks apart.
absolute = $(if $(filter /%,$(firstword $1)),$1,$(CURDIR)/$1)

ifdef SUBMISSION
ifneq ($(words $(CHOSEN)),1)
$(error SUBMISSION: '$(SUBMISSION)' is one file; name its exercise: TASK=03, one of: $(TASKS))
endif
ifeq ($(shell test -f '$(SUBMISSION)' && echo there),)
$(error SUBMISSION: there is no file '$(SUBMISSION)')
endif
FILES := '$(CHOSEN)=$(call absolute,$(SUBMISSION))'
else
FILES := $(foreach t,$(CHOSEN),'$t=$(call folder_of,$t)/exercise.cu')
endif

RUN_GRADER = cd '$(ROOT)' && '$(GRADER)' \
    --course '$(ROOT)' --build '$(BUILD)' \
    $(if $(SEED),--seed '$(SEED)') $(if $(SECONDS),--seconds '$(SECONDS)') \
    $(if $(FORMAT),--format '$(FORMAT)') $(if $(OUTPUT),--output '$(call absolute,$(OUTPUT))')

# Marks below the full ones are no failure of make.
grade: grader
	@$(RUN_GRADER) $(FILES); status=$$?; [ $$status -le 1 ] || exit $$status
ifneq ($(SPEED),)
	@cd '$(ROOT)' && for f in $(FILES); do \
	    NVCC='$(NVCC)' ARCH='$(ARCH)' CC='$(CC)' CUDA_HOME='$(CUDA_HOME)' \
	    GRADER='$(GRADER)' sh common/grade/report/speed.sh '$(BUILD_DIR)/gpu/grade' \
	    "$${f%%=*}" "$${f#*=}"; done
endif

CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
grade-class: grader
	$(if $(DIR),,$(error DIR: give the folder of the class: make grade-class DIR=submissions))
	@$(RUN_GRADER) --class '$(call absolute,$(DIR))' --jobs $(CORES) \
	    $(if $(TASK),--only '$(TASK)')

# ---- for teachers ----
handout:
	@sh $(GRADE)/platforms/handout.sh '$(BUILD_DIR)/handout'

gradescope:
	@TASK='$(TASK)' sh $(GRADE)/platforms/handout.sh '$(BUILD_DIR)/handout' gradescope

-include $(patsubst %.o,%.d,$(GRADE_OBJ) $(CHILD_OBJ)) $(GRADE_TESTS:=.d)
