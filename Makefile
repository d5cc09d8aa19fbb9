# SPDX-License-Identifier: MIT
#
# A course in CUDA C, from a naive reduction to the limit of the memory. `make` prints help.
# A lesson is a folder NN_name with a kernel.cu and a Makefile of two lines; nothing lists it.

.DEFAULT_GOAL := help

# To grade, nothing of the rest of this file is needed, and reading it takes longer than some tests.
ifneq ($(filter grade grade-class,$(MAKECMDGOALS)),)
ifeq ($(filter-out grade grade-class,$(MAKECMDGOALS)),)
GRADES := yes
endif
endif
ifdef GRADES
include common/grade/grade.mk
else

include common/build.mk
include common/pages/pages.mk
include common/pages/pictures/pictures.mk
include common/tests/tests.mk
-include $(STEPS:%=%/accuracy.mk)

export BUILD DEVICE DEVICE_WHY OPTIONS OP STEPS VARIANTS NEEDING CC CXX FULL

.PHONY: help start run test bench counters ablate accuracy tune plot tables diff format lint clean build
help:
	@sed -n 's/^#: \{0,1\}//p' '$(ROOT)/Makefile'

#: Learning
#:   make start                 the first kernel, if you have never written one
#:   make run                   climb the ladder: check each lesson, compare them
#:   make run-03                one lesson; sass-03 shows its machine code
#:   make run KERNEL=my.cu      the same for your own file
#:   make diff A=02 B=03        what a lesson changes; a variant: B=05.best
#:   make report-03             what each line asks of memory, round by round
#:   make show-03               a page to step through that launch; OPEN=1 opens it
#:   make show A=02 B=03        two of them side by side
#:   make watch KERNEL=my.cu    run and show at each save, in an open page; TASK=03
#:   make try-03                the kernel with gaps to fill, before the answer
#:   make predict-03            the questions on its page; the emulator answers
#:   make quiz-03               predict the counters: LEVEL=1|2|3 N=10 KIND=stride
#:   make viva KERNEL=my.cu     five questions about your own kernel; TASK=03
#:                              SUBMISSION=my.cu; viva-03; SEED=7 N=10
#:   make grade TASK=03         an exercise: SUBMISSION=exercise_03.cu
#:                              TASK=host, bug-03a, open-scan as well
#:   make answers LESSON=03     the answers to a lesson's questions; LESSON=bugs
#:   report and show also take KERNEL=my.cu, TASK=03, BLOCK=64, VARIANT=name
#:
#: In class
#:   make diff A=02 B=03 SLIDE=1            the change on one screen
#:   make quiz-03 SEED=7                    the same questions for everyone
#:   make lab LESSON=03 ROW='block of 512'  a step of a report: predict, measure;
#:                                          KERNEL=my.cu instead of ROW
#:   make grade-lab REPORT=report.md        measures each of its steps again
#:   make handout                           the course without its solutions
#:   make grade-class DIR=submissions       also gradescope: common/grade/README.md
#:   make viva-class DIR=submissions        questions on each file: TASK=03 SEED=7
#:                                          and, with ANSWERS=typed.csv, marks
#:   make site                              the course for the web: build/site/
#:
#: On a GPU
#:   make bench counters        measure all lessons to common/results/
#:   make bench CCCL=DIR        with the CUB of another CCCL: DIR/cub/cub.cuh
#:   make ablate-03             what each idea in a lesson is worth; ablate: all
#:   make accuracy              errors of the sums; which bits never change
#:   make tune                  the best limits of 05/faster/best here
#:   make many                  the sum of 05 on several GPUs, by NCCL
#:
#: For maintainers
#:   make test                  sizes, types, alignments, bad input, planted faults
#:   make test FULL=1           all: variants, answers, site, platforms
#:   make test ONLY=rows        the cases with that in their name
#:   make tables plot           rewrite tables, draw figures and pictures
#:   make trace-03              what report and show read
#:   make install               simtcc, for your programs: PREFIX=~/.local
#:   make format lint clean
#:
#: Options: N=1M TYPE=i32 OP=max VARIANT=name INPUT=x.npy SEED=7 DEVICE=cpu|gpu
#:   V=1 ARGS=...; GPU=name: tables, plot, run show common/results/name, not h200
#: In a lesson (cd 03_no_bank_conflict): make run test bench ablate sass profile

build: $(STEP_PROGRAMS) $(VARIANT_PROGRAMS)
	@$(if $(RELEASES),$(foreach p,$(NEEDING),\
	    echo "skip $p: it needs $(call needs_of,$p); $(NEEDING_WHY)" >&2;))

# One file and one compiler, as a reader would do it by hand.
start: $(BUILD)/start
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(BUILD)/start
$(BUILD)/start: 01_naive/start/start.cu $(CU_NEEDS) $(SIMT_LIB)
	$(call show,$(CU_LABEL),$<)
	$(Q)cd $(<D) && $(COMPILE_CU) $(<F) -o $(abspath $@)

ifdef KERNEL
run: $(KERNEL_PROGRAM)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(KERNEL_PROGRAM) $(OPTIONS) || { status=$$?; [ $$status != 1 ] || \
	    echo 'step through it: make show KERNEL=$(KERNEL)$(FAULT:%= FAULT=%)' >&2; exit $$status; }
else ifdef VARIANT
run:
	@echo 'make run: a variant belongs to a lesson; name it: make run-NN VARIANT=$(VARIANT)' >&2; exit 2
else
run: $(STEP_PROGRAMS)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@sh common/pages/ladder.sh
endif

# run-03 runs the step whose folder begins with 03; so do test-03, bench-03 and sass-03.
define step_targets
.PHONY: run-$(1) test-$(1) bench-$(1) sass-$(1)
run-$(1) test-$(1) bench-$(1) sass-$(1): %-$(1):
	@$$(MAKE) --no-print-directory -C $(2) $$* $$(if $$(INPUT),INPUT='$$(abspath $$(INPUT))') \
	    $$(if $$(KERNEL),KERNEL='$$(abspath $$(KERNEL))') $$(if $$(CCCL),CCCL='$$(CCCL)')
endef
NUMBERS := $(foreach s,$(STEPS),$(firstword $(subst _, ,$(s))))
$(foreach s,$(STEPS),$(eval $(call step_targets,$(firstword $(subst _, ,$(s))),$(s))))

# A report about one small launch in the emulator: report-03; report KERNEL=my.cu; report TASK=03.
LOOKS := report trace
.PHONY: $(LOOKS) $(foreach look,$(LOOKS),$(NUMBERS:%=$(look)-%))
$(LOOKS) $(foreach look,$(LOOKS),$(NUMBERS:%=$(look)-%)):
	@$(MAKE) --no-print-directory -f common/pages/trace/trace.mk $(firstword $(subst -, ,$@)) \
	    STEP='$(word 2,$(subst -, ,$@))'

# A page that steps through it: show-03; show KERNEL=my.cu; show A=02 B=03.
.PHONY: show $(NUMBERS:%=show-%)
show $(NUMBERS:%=show-%):
	@$(MAKE) --no-print-directory -f common/pages/show/show.mk STEP='$(word 2,$(subst -, ,$@))'

# The reader's own file: checked, counted and redrawn each time it is saved.
.PHONY: watch
watch:
ifeq ($(KERNEL)$(TASK),)
	@echo 'make watch: give the file to watch: KERNEL=my.cu, or TASK=03 SUBMISSION=my.cu' >&2; exit 2
else
	@$(MAKE) --no-print-directory -f common/pages/show/show.mk watch
endif

# The kernel of a lesson with gaps to fill in: try_03.cu.
.PHONY: $(NUMBERS:%=try-%)
$(NUMBERS:%=try-%):
	@TRY='$(TRY)' sh common/pages/try.sh '$(@:try-%=%)'

# Questions that the emulator answers: quiz; quiz-03 for those of a lesson.
.PHONY: quiz $(NUMBERS:%=quiz-%)
quiz $(NUMBERS:%=quiz-%):
	@$(MAKE) --no-print-directory -f common/quiz/quiz.mk quiz \
	    LESSON='$(or $(word 2,$(subst -, ,$@)),$(LESSON))'

# Those of a page's "Predict": predict-03.
.PHONY: $(NUMBERS:%=predict-%)
$(NUMBERS:%=predict-%):
	@$(MAKE) --no-print-directory -f common/viva/viva.mk predict STEP='$(@:predict-%=%)'

# Questions about one kernel, which it answers itself, and copies with a change: viva-03.
.PHONY: viva viva-class $(NUMBERS:%=viva-%)
viva:
ifeq ($(KERNEL)$(TASK),)
	@echo 'make viva: give a file of your own: KERNEL=my.cu, or TASK=03 SUBMISSION=my.cu' >&2; exit 2
else
	@$(MAKE) --no-print-directory -f common/viva/viva.mk viva
endif
viva-class:
	@$(MAKE) --no-print-directory -f common/viva/viva.mk viva-class
$(NUMBERS:%=viva-%): viva-%:
	@$(MAKE) --no-print-directory -f common/viva/viva.mk viva STEP='$*'

# What the tests of traces and pages need.
.PHONY: trace-tools
trace-tools: | $(BUILD)/tools $(SIMT_LIB) $(SIMT_TOOLS) # else each make below builds them, too
	@$(MAKE) --no-print-directory -f common/pages/show/show.mk tools
	@$(MAKE) --no-print-directory -f common/quiz/quiz.mk quiz-program
	@$(MAKE) --no-print-directory -f common/viva/viva.mk tools
tests: $(if $(filter cpu,$(DEVICE)),trace-tools)

# A number without a step.
run-% test-% bench-% sass-% ablate-% accuracy-% report-% trace-% show-% try-% quiz-% predict-% viva-%:
	@echo "make $@: there is no step '$*'; the steps are: $(NUMBERS)" >&2; exit 2

# FULL=1 adds what takes long. What can be built is tested, even if something else cannot.
test: $(if $(FULL),build,$(STEP_PROGRAMS))
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(MAKE) --no-print-directory -k tests; echo $$? >$(BUILD)/tests.status
	@BUILT=$$(cat $(BUILD)/tests.status) $(if $(FULL),,VARIANTS='' LATER='$(VARIANTS)') \
	    WORK='$(SIMT_TESTS)' sh common/tests/run.sh

.PHONY: grade grade-class handout gradescope grade-tests
grade grade-class handout gradescope grade-tests:
	@$(MAKE) --no-print-directory -f common/grade/grade.mk $@
# A handout has no tests of the grader. What both makes need is built first, by one of them.
tests: $(if $(filter cpu,$(DEVICE)),$(if $(wildcard common/grade/tests),grade-tests))
grade-tests: | $(HARNESS) $(SIMT_LIB) $(SIMT_TOOLS)

# Without a GPU the scripts say so, and nothing is built.
ifeq ($(DEVICE),gpu)
bench counters: build
bench: $(BUILD)/bench_cublas $(BUILD)/lone/05_warp_shuffle.best $(BUILD)/lone/06_cub
endif
bench counters:
	@sh common/measure/$@.sh

# Any program can write the head of a results file: the first one does. Only a GPU has such files.
HEAD_WRITER := $(if $(filter gpu,$(DEVICE)),$(firstword $(STEP_PROGRAMS)))

# Two scripts run copies of kernels, each with another #define. They write the copies and name the
# programs, make builds these, and the script runs them.
export ABLATE ?= $(BUILD)/ablate
ablate $(NUMBERS:%=ablate-%):
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@sh common/measure/ablate.sh copy $(call lessons,$@)
	@$(MAKE) --no-print-directory $(HEAD_WRITER) $$(cat '$(ABLATE)/programs') >&2
	@sh common/measure/ablate.sh measure $(call lessons,$@)
lessons = $(if $(filter ablate,$1),$(patsubst %/ablations.txt,%,$(sort $(wildcard $(STEPS:%=%/ablations.txt)))),$\
    $(filter $(1:ablate-%=%)_%,$(STEPS)))

# A step of a work log: predict, measure, explain; and its numbers once more.
.PHONY: lab grade-lab
LAB_LESSON = $(filter $(LESSON)_%,$(STEPS))
lab: export ROW := $(value ROW)
lab: export BASE := $(value BASE)
lab grade-lab: export REPORT := $(value REPORT)
lab grade-lab:
	@[ -n '$(LAB_LESSON)' ] || [ '$@,$(LESSON)' = grade-lab, ] || { \
	    echo "make $@: LESSON: '$(LESSON)' is not a lesson; choose one of:" '$(NUMBERS)' >&2; exit 2; }
	@LESSON='$(LAB_LESSON)' KERNEL='$(KERNEL_FILE)' GPU='$(GPU)' BUILD_DIR='$(BUILD_DIR)' \
	    sh common/measure/lab.sh $(filter-out lab,$(@:grade-lab=grade))

# The answers to the questions of a lesson. A handout has none.
.PHONY: answers
answers:
	@sh common/pages/answers.sh '$(LESSON)'

tune:
	@sh common/measure/tune.sh copy
	@$(MAKE) --no-print-directory $$(cat '$(BUILD)/tune/programs') >&2
	@sh common/measure/tune.sh measure

# The programs that reduce a vector, for accuracy; those of one step for accuracy-05. Looked up once.
SUMS = $(eval SUMS := $(filter $(STEPS) $(VARIANTS),$(sort $(foreach s,$\
    $(shell grep -l '\.reduce = ' $(STEPS:%=%/kernel.cu) $(VARIANT_SOURCES)),$(call program_of,$s)))))$(SUMS)
sums_of = $(filter $(patsubst accuracy-%,%,$(1:accuracy=))%,$(SUMS))
accuracy $(NUMBERS:%=accuracy-%): $(HEAD_WRITER) $$(patsubst %,$(BUILD)/accuracy/%,$$(call sums_of,$$@))
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@PROGRAMS='$(call sums_of,$@)' sh common/measure/accuracy.sh \
	    $(filter $(@:accuracy-%=%)_%,$(STEPS))

# The same sum on several GPUs: 06_cub/many_gpus/.
.PHONY: many
many:
	@$(MAKE) --no-print-directory -f 06_cub/many_gpus/many.mk

tables: $(PAGE_TOOLS)
	@sh common/pages/tables.sh

plot:
	@$(MAKE) --no-print-directory DEVICE=cpu pictures
	@BUILD_DIR='$(BUILD_DIR)' sh common/pages/plot.sh

# The pages of `make show` for the site: for each lesson, and for each beside the previous one. One
# after the other, because each of the makes may build the emulator.
.PHONY: site shown
shown:
	@before=; for step in $(NUMBERS); do \
	    for pages in "show-$$step" $${before:+"show A=$$before B=$$step"}; do \
	        printf '  SHOW    %s\n' "$$pages" >&2; \
	        $(MAKE) --no-print-directory $$pages >/dev/null || exit; \
	    done; \
	    before=$$step; \
	done

site:
	@BUILD_DIR='$(BUILD_DIR)' sh common/pages/python.sh site >/dev/null
	@$(MAKE) --no-print-directory shown
	@BUILD_DIR='$(BUILD_DIR)' sh common/pages/site/site.sh '$(BUILD_DIR)/show' '$(BUILD_DIR)/site'
	@echo '$(BUILD_DIR)/site/index.html'

diff: $(if $(SLIDE),$(BUILD)/pages/slide)
	@SLIDE='$(SLIDE)' sh common/pages/diff.sh '$(A)' '$(B)'

SOURCES = git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.hpp'
format:
	@files=$$($(SOURCES)) && echo "$$files" | xargs clang-format -i

lint: $(PAGE_TOOLS)
	@sh common/tests/lint.sh

clean:
	rm -rf '$(BUILD_DIR)'

endif
