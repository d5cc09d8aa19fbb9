# SPDX-License-Identifier: MIT
#
# A course in CUDA C, from a naive reduction to the limit of the memory. `make` prints help.

.DEFAULT_GOAL := help
include common/build.mk
include common/options.mk

# Compile on all cores unless the caller said how many.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
endif

export BUILD DEVICE DEVICE_WHY OPTIONS OP STEPS VARIANTS CC CXX FULL

.PHONY: help run test bench counters ablate accuracy tune plot tables diff format lint clean build
help:
	@echo 'make run           climb the ladder: check every step and compare them'
	@echo 'make run-03        one step; so do test-03 and bench-03'
	@echo 'make run KERNEL=my.cu    a file of yours'
	@echo 'make test          prove it: sizes, types, alignments, bad input, planted faults'
	@echo 'make test FULL=1   and all variants: some minutes'
	@echo 'make diff A=02 B=03  what a lesson changes'
	@echo 'make bench         measure the ladder to common/results/        (gpu)'
	@echo 'make counters      record counters of Nsight Compute there     (gpu)'
	@echo 'make ablate-03     what each idea of a step is worth alone; make ablate: of all'
	@echo 'make tune          find the best cuts of 05/faster/best here   (gpu)'
	@echo 'make accuracy      errors of the sums, and which bits are the same every run'
	@echo 'make tables plot   rewrite the tables of the READMEs, draw the figures'
	@echo 'make grade TASK=03 SUBMISSION=my.cu   grade exercises; common/grade/README.md'
	@echo 'make format lint clean'
	@echo 'Options: N=1M TYPE=i32 OP=max INPUT=x.npy SEED=7 DEVICE=cpu|gpu V=1 ARGS=...'
	@echo 'In a lesson (cd 03_no_bank_conflict): make run test bench ablate sass profile'

build: $(STEP_PROGRAMS) $(VARIANT_PROGRAMS)

ifdef KERNEL
run: $(KERNEL_PROGRAM)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(KERNEL_PROGRAM) $(OPTIONS)
else ifdef VARIANT
run:
	@echo 'make run: a variant belongs to a lesson; name it: make run-NN VARIANT=$(VARIANT)' >&2; exit 2
else
run: $(STEP_PROGRAMS)
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@sh common/pages/ladder.sh
endif

# run-03 runs the step whose folder begins with 03; so do test-03, bench-03 and ablate-03.
define step_targets
.PHONY: run-$(1) test-$(1) bench-$(1) ablate-$(1)
run-$(1) test-$(1) bench-$(1) ablate-$(1): %-$(1):
	@$$(MAKE) --no-print-directory -C $(2) $$* $$(if $$(INPUT),INPUT='$$(abspath $$(INPUT))') \
	    $$(if $$(KERNEL),KERNEL='$$(abspath $$(KERNEL))') \
	    $$(if $$(ABLATIONS),ABLATIONS='$$(abspath $$(ABLATIONS))')
endef
$(foreach s,$(STEPS),$(eval $(call step_targets,$(firstword $(subst _, ,$(s))),$(s))))

# A number that no step has.
run-% test-% bench-% ablate-% accuracy-%:
	@echo "make $@: there is no step '$*'; there are: $(STEPS)" >&2; exit 2

# The variants' turn comes with FULL=1.
test: $(if $(FULL),build,$(STEP_PROGRAMS))
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@$(if $(FULL),,VARIANTS='') sh common/tests/run.sh

.PHONY: grade grade-class handout gradescope
grade grade-class handout gradescope:
	@$(MAKE) --no-print-directory -f common/grade/grade.mk $@

# Without a GPU the scripts say so, and nothing is built before.
bench counters: $(if $(filter gpu,$(DEVICE)),build)
tune: $(if $(filter gpu,$(DEVICE)),$(HARNESS))
bench counters tune:
	@sh common/$@.sh

ablate:
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@sh common/measure/ablate.sh $(patsubst %/ablations.txt,%,$(sort $(wildcard [0-9][0-9]_*/ablations.txt)))

accuracy:
	@echo 'device $(DEVICE): $(DEVICE_WHY)' >&2
	@sh common/measure/accuracy.sh

$(foreach s,$(STEPS),accuracy-$(firstword $(subst _, ,$(s)))): accuracy-%:
	@sh common/measure/accuracy.sh $(filter $*_%,$(STEPS))

tables:
	@sh common/pages/tables.sh

plot:
	@BUILD_DIR='$(BUILD_DIR)' sh common/pages/plot.sh

diff:
	@sh common/pages/diff.sh '$(A)' '$(B)'

SOURCES = git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.hpp'
format:
	@files=$$($(SOURCES)) && echo "$$files" | xargs clang-format -i

lint:
	@sh common/tests/lint.sh

clean:
	rm -rf '$(BUILD_DIR)'
