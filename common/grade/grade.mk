# SPDX-License-Identifier: MIT
#
# grade.mk - builds the grader and runs it: make -f common/grade/grade.mk grade
#
# Marks always come from the emulator, so all of this is built for the cpu. `make grade` calls this
# file; the user sets the variables below.
#
#   TASK='03 04'           exercises, bugs (bug-03a) and open tasks (open-scan); if it is empty,
#                          all exercises
#   SUBMISSION=file        one file, with one TASK; default: each exercise.cu
#   DIR=folder             of a class; STUDENT=name: only this one again; PICK=best, of several files
#                          of one exercise, else the last by name; JOBS=: so many at a time, else as
#                          many as there are cores; MARKS=file: not DIR.marks/marks.csv;
#                          TASK=quiz QUIZ='SEED=7 LEVEL=2 N=10': the answers of a quiz
#   SEED= SECONDS= FORMAT= OUTPUT=   see build/cpu/grade/grade --help
#
# A name that a student chose goes through the environment, and make never expands it: build.mk.

ASKED_DEVICE := $(if $(filter undefined,$(origin DEVICE)),any,$(DEVICE))
override DEVICE := cpu
include $(dir $(lastword $(MAKEFILE_LIST)))../build.mk
ifeq ($(filter any cpu gpu,$(ASKED_DEVICE)),)
$(error DEVICE: '$(ASKED_DEVICE)' is not a device; accepted are cpu and gpu)
endif
SPEED := $(strip $(if $(filter any,$(ASKED_DEVICE)), \
    $(and $(HAVE_NVCC),$(HAVE_GPU)),$(filter gpu,$(ASKED_DEVICE))))
.DEFAULT_GOAL := grader

GRADE := $(ROOT)/common/grade
GRADE_BUILD := $(BUILD)/grade
GRADER := $(GRADE_BUILD)/grade

# Kinds of programs: the grader, what it starts in a sandbox (enter, build), what a submission is
# linked with (build.c does it), and the unit tests.
CHILD_OBJ := $(addprefix $(GRADE_BUILD)/protect/,child.o called.o host.o filter.o)
POLICY_OBJ := $(addprefix $(GRADE_BUILD)/protect/,policy.o harmless.o symbols.o accepted.o)
GRADE_OBJ := $(wildcard $(addprefix $(GRADE)/,*.c tasks/*.c protect/*.c report/*.c platforms/*.c))
GRADE_OBJ := $(patsubst $(GRADE)/%.c,$(GRADE_BUILD)/%.o,$(GRADE_OBJ))
GRADE_OBJ := $(filter-out %/child.o %/called.o %/host.o %/enter.o %/filter.o %/build.o \
    $(POLICY_OBJ),$(GRADE_OBJ))
GRADE_TESTS := $(addprefix $(GRADE_BUILD)/tests/,test_grade test_formats box)

# An exercise has its own C file. Nothing lists these files: list.c is generated from what exists.
TASK_SOURCES := $(wildcard $(ROOT)/[0-9][0-9]_*/*/task.c)
TASK_LIST := $(GRADE_BUILD)/list.c
TASK_OBJ := $(patsubst $(ROOT)/%.c,$(GRADE_BUILD)/%.o,$(TASK_SOURCES)) \
    $(TASK_LIST:.c=.o) $(addprefix $(GRADE_BUILD)/tasks/,task.o simple.o)
GRADE_OBJ := $(sort $(GRADE_OBJ) $(TASK_OBJ))

# One object of the harness, not all of libharness.a: PrairieLearn builds for each submission. And
# what reads C++ and texts in simtcc.
GRADE_HARNESS := $(BUILD)/harness/dtype.o
GRADE_TEXTS := $(addprefix $(SIMT_BUILD)/,translate/tokens.o driver/text.o driver/process.o)

# One line for all that is built; V=1 shows the commands.
ANNOUNCED = $(eval ANNOUNCED := @:)@echo '  BUILD   the grader; once, some seconds' >&2
show = $(if $(V),,$(ANNOUNCED))

.PHONY: grader grade grade-class handout gradescope FORCE
grader: $(GRADER) $(GRADE_BUILD)/head

# All that tests/run.sh runs. It builds nothing itself; the file's time shows when this was built.
.PHONY: grade-tests
grade-tests: grader $(GRADE_TESTS) $(CONFINED)
	@touch $(GRADE_BUILD)/built

$(GRADE_BUILD)/%.o: $(GRADE)/%.c $(BUILD)/tools
	$(compile_c)
$(GRADE_BUILD)/%.o: $(ROOT)/%.c $(BUILD)/tools
	$(compile_c)
$(TASK_LIST:.c=.o): $(TASK_LIST)
	$(compile_c)
# Also anew when a task has come or gone.
$(TASK_LIST): $(TASK_SOURCES) $(GRADE)/tasks/task.h \
    $(if $(subst x$(TASK_SOURCES),,x$(file <$(TASK_LIST).names)),FORCE)
	$(Q)mkdir -p $(@D) && printf '%s' '$(TASK_SOURCES)' >$@.names && { \
	    names=$$(sed -n 's/^const struct task \(task_[a-z0-9]*\) = {$$/\1/p' $(TASK_SOURCES) | \
	        LC_ALL=C sort) && echo '#include "grade/tasks/task.h"' && \
	    printf 'extern const struct task %s;\n' $$names && \
	    echo 'const struct task *const tasks[] = {' && printf '    &%s,\n' $$names && \
	    echo '};' && echo 'const size_t task_count = sizeof tasks / sizeof *tasks;'; } >$@
FORCE:

$(GRADER): $(GRADE_OBJ) $(GRADE_HARNESS) $(GRADE_TEXTS)
# Runs a submission once, for its trace, or a changed step for its counters: common/viva/, lab.sh.
CONFINED := $(GRADE_BUILD)/confined
$(CONFINED): $(GRADE_BUILD)/once/confined.o $(filter-out %/grade.o,$(GRADE_OBJ)) $(GRADE_HARNESS) \
    $(GRADE_TEXTS)
.PHONY: confined
confined: $(CONFINED) $(GRADE_BUILD)/head
$(GRADE_TESTS): $$@.o $(filter-out %/grade.o,$(GRADE_OBJ)) $(GRADE_HARNESS) $(GRADE_TEXTS)
$(GRADE_BUILD)/tests/box: $(GRADE_BUILD)/protect/filter.o
$(GRADER) $(GRADE_TESTS) $(CONFINED):
	$(link)

# That of a submission's program has no libraries.
$(GRADE_BUILD)/enter: $(addprefix $(GRADE_BUILD)/protect/,enter.o filter.o processes.o)
	$(Q)$(CC) -static $^ -o $@ || { echo 'grade: the C library as libc.a is missing: the package' \
	    'glibc-static of Fedora and its like; Debian has it with gcc' >&2; exit 1; }

# In the sandbox: the steps of a submission, and the judgement of its text and its symbols.
$(GRADE_BUILD)/build: $(GRADE_BUILD)/protect/build.o $(GRADE_TEXTS)
$(GRADE_BUILD)/policy: $(POLICY_OBJ) $(GRADE_TEXTS)
$(GRADE_BUILD)/build $(GRADE_BUILD)/policy:
	$(link)

# The emulator's proof that each access of a program has its hook.
PROVER := $(wildcard $(ROOT)/common/simt/verify/*.[ch])
$(GRADE_BUILD)/hooked: $(PROVER) $(BUILD)/tools
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 -O1 -D_POSIX_C_SOURCE=200809L $(filter %.c,$^) -o $@

# All C++ headers of accepted.txt at once, but <execution>.
STDCPP := $(GRADE_BUILD)/include/bits/stdc++.h
$(STDCPP): $(GRADE)/protect/accepted.txt
	$(Q)mkdir -p $(@D) && { echo '#pragma once' && sed -n '/^\[headers\]/,/^$$/p' $< | tr ' ' '\n' | \
	    sed '/[].*/]/d; /^$$/d; /^execution$$/d; s/.*/#include <&>/'; } >$@

# simtcc precompiles the headers, but cannot do so in a sandbox. So one file is compiled here, as
# submissions are, and what is the same for all of them is kept.
SAMPLE := $(ROOT)/02_no_divergence/bugs/bug-02b.cu
$(GRADE_BUILD)/head: $(addprefix $(GRADE_BUILD)/,enter hooked policy build) $(CHILD_OBJ) \
    $(SIMT_LIB) $(SIMT_TOOLS) $(ROOT)/common/simt/simtcc $(GRADE)/protect/given.h \
    $(wildcard $(GRADE)/protect/include/*) $(STDCPP) \
    $(wildcard $(addprefix $(SIMT_INCLUDE)/,*.h simt/*))
	$(Q)rm -rf $@ && mkdir -p $@ && cp $(SAMPLE) $@/ && cd $@ && \
	    COURSE='$(ROOT)' BUILD='$(BUILD)' SUBMISSION=$(notdir $(SAMPLE)) \
	    $(GRADE_BUILD)/build --record >messages.record 2>&1 || true

# ---- what to grade ----
# The handed-out file implies the name of its task: 03_no_bank_conflict/exercise/exercise.cu is 03,
# .../capstone/exercise.cu is capstone, .../bugs/bug-03a.cu is bug-03a.
HANDED_OUT := $(patsubst $(ROOT)/%,%,$(sort $(wildcard $(addprefix $(ROOT)/[0-9][0-9]_*/, \
    */exercise.cu bugs/bug-[0-9][0-9][a-z].cu))))
task_of = $(foreach d,$(notdir $(patsubst %/,%,$(dir $1))),$(if $(filter bugs,$d), \
    $(basename $(notdir $1)),$(if $(filter exercise,$d),$(firstword $(subst _, ,$1)),$d)))
file_of = $(firstword $(foreach f,$(HANDED_OUT),$(if $(filter $1,$(call task_of,$f)),$f)))
TASKS := $(strip $(foreach f,$(HANDED_OUT),$(call task_of,$f)))
define THERE_ARE
there are
  exercises:  $(filter-out bug-% open-%,$(TASKS))
  open tasks: $(filter open-%,$(TASKS))
  bugs:       bug-01a and others: common/docs/BUGS.md
endef
UNKNOWN := $(filter-out $(TASKS) $(if $(filter grade-class,$(MAKECMDGOALS)),quiz),$(TASK))
ifneq ($(UNKNOWN),)
$(error $(NEWLINE)TASK: '$(UNKNOWN)' is not an exercise; $(THERE_ARE))
endif
CHOSEN := $(or $(TASK),$(filter-out bug-% open-%,$(TASKS)))

# A path as seen from here. $(abspath) would split one with spaces.
absolute = $(if $(filter /%,$(firstword $1)),$1,$(CURDIR)/$1)

ifneq ($(SUBMISSION),)
ifneq ($(words $(CHOSEN)),1)
$(error SUBMISSION: it is one file; name its exercise: TASK=03; $(THERE_ARE))
endif
FILES := "$(CHOSEN)=$$SUBMISSION"
else
FILES := $(foreach t,$(CHOSEN),'$t=$(patsubst $(CURDIR)/%,%,$(ROOT)/$(call file_of,$t))')
endif

# A file may be named as seen from here, or from where `make -C` was called.
export SUBMISSION OUTPUT DIR STUDENT MARKS
find_submission = [ -f "$$SUBMISSION" ] || ! [ -f "$$CALLED_FROM/$$SUBMISSION" ] || \
    SUBMISSION=$$CALLED_FROM/$$SUBMISSION; \
    if [ -n "$$SUBMISSION" ] && ! [ -f "$$SUBMISSION" ]; then \
    printf "SUBMISSION: there is no file '%s'\n" "$$SUBMISSION" >&2; exit 2; fi

RUN_GRADER = '$(GRADER)' --course '$(ROOT)' --build '$(abspath $(BUILD))'
OPTIONS_OF_ALL = $(if $(SECONDS),--seconds '$(SECONDS)') $(if $(PICK),--pick '$(PICK)')
OPTIONS_OF_FILES = $(OPTIONS_OF_ALL) $(if $(SEED),--seed '$(SEED)') \
    $(if $(FORMAT),--format '$(FORMAT)') $${OUTPUT:+--output "$$OUTPUT"}

# Fewer than all points are not a failure of make.
grade: grader
	@$(find_submission); $(RUN_GRADER) $(OPTIONS_OF_FILES) $(FILES); status=$$?; \
	    [ $$status -le 1 ] || exit $$status
ifneq ($(SPEED),)
	@$(find_submission); for f in $(FILES); do \
	    NVCC='$(NVCC)' ARCH='$(ARCH)' CC='$(CC)' CUDA_HOME='$(CUDA_HOME)' GRADER='$(GRADER)' \
	    sh '$(GRADE)/report/speed.sh' '$(BUILD_DIR)/gpu/grade' "$${f%%=*}" "$${f#*=}"; done
endif

JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
include $(ROOT)/common/quiz/quiz.mk
grade-class: grader $(QUIZ_PROGRAM)
	@GRADE_CXX='$(GRADE_CXX)' GRADER='$(GRADER)' \
	    NVCC='$(NVCC)' ARCH='$(ARCH)' CC='$(CC)' CUDA_HOME='$(CUDA_HOME)' $(RUN_GRADER) \
	    $(if $(SPEED),--speed '$(BUILD_DIR)/gpu/grade') --quiz '$(QUIZ_PROGRAM)' \
	    --questions '$(QUIZ)' $(if $(TASK),--only '$(TASK)') $(if $(SEED),--seed '$(SEED)') \
	    $(if $(FORMAT),--format '$(FORMAT)') --jobs '$(JOBS)' $(OPTIONS_OF_ALL) \
	    --class "$$DIR" --marks "$$MARKS" $${STUDENT:+--student "$$STUDENT"}

# ---- for teachers ----
handout:
	@sh $(GRADE)/platforms/handout.sh '$(BUILD_DIR)/handout'

gradescope:
	@TASK='$(TASK)' VISIBILITY='$(VISIBILITY)' \
	    sh $(GRADE)/platforms/handout.sh '$(BUILD_DIR)/handout' gradescope

-include $(patsubst %.o,%.d,$(GRADE_OBJ) $(CHILD_OBJ) $(POLICY_OBJ)) $(GRADE_TESTS:=.d) \
    $(GRADE_BUILD)/once/confined.d
