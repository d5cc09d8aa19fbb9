# SPDX-License-Identifier: MIT
#
# tests.mk - the programs of the test suite: make tests. Read by the root Makefile.
#
#   build/<cpu|gpu>/tests/runner   common/tests/runner.c: runs the cases that heads of files describe
#   build/<cpu|gpu>/tests/quiz     common/tests/quiz.c: answers of make quiz, counted by hand
#   build/<cpu|gpu>/faults/NAME    common/tests/faults/NAME.cu: wrong kernels of one kind, and a
#                                  control; what they share is in reduce.cuh, rows.cuh, map.cuh
#   build/<cpu|gpu>/right/NAME     common/tests/right/NAME.cu: a right design that no lesson has
#   build/<cpu|gpu>/unit/test_X    common/tests/unit/test_X.c, with the harness, under sanitizers
#   build/<cpu|gpu>/same_bits/X    program X with the main of common/tests/same_bits.c
#   build/cpu/simt/tests-c++/      the emulator's own: common/simt/tests/tests.mk
#
# The folders are the only lists. run.sh calls this and runs what comes out.

TESTS := $(ROOT)/common/tests

.PHONY: tests faults right unit
tests: $(BUILD)/tests/runner $(BUILD)/tests/quiz faults right unit $(BUILD)/start $(BUILD)/accuracy/faults/order_changes
tests: $(BUILD)/lone/05_warp_shuffle $(PAGE_TOOLS)
tests: $(patsubst %,$(BUILD)/same_bits/%,$(STEPS) $(if $(FULL),$(VARIANTS)) faults/order_changes)
ifeq ($(DEVICE),cpu)
include $(ROOT)/common/simt/tests/tests.mk
tests: $(PICTURES) $(PICTURE_PROGRAMS) simt-tests
endif

$(BUILD)/tests/runner $(BUILD)/tests/quiz: $(BUILD)/tests/%: $(TESTS)/%.c $(BUILD)/tools
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $< -o $@

# ---- planted faults and right designs: built as every other step is ----
FAULTS := $(patsubst $(TESTS)/%.cu,$(BUILD)/%,$(wildcard $(TESTS)/faults/*.cu))
# Without FULL=1 those that run without it.
RIGHTS := $(patsubst $(TESTS)/%.cu,$(BUILD)/%,$(shell grep -l '^// $(if $(FULL),,Run: )' $(TESTS)/right/*.cu))
faults: $(FAULTS)
right: $(RIGHTS)

$(FAULTS:=.o) $(RIGHTS:=.o): $(BUILD)/%.o: $(TESTS)/%.cu $(CU_NEEDS)
	$(compile_cu)

$(FAULTS) $(RIGHTS): %: %.o $(HARNESS) $(SIMT_LIB)
	$(link)

# ---- every program once more, to see whether its bits stay the same ----
$(BUILD)/tests/same_bits.o: $(TESTS)/same_bits.c $(BUILD)/tools
	$(compile_c)

$(BUILD)/same_bits/%: $(BUILD)/%.o $(BUILD)/tests/same_bits.o $(HARNESS) $(SIMT_LIB)
	$(link)
$(BUILD)/same_bits/06_cub.cublas: LDLIBS += -lcublas

# ---- unit tests: the harness without its main, on host functions instead of CUDA's ----
# clang's libraries for the sanitizers may be a separate package.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
# Looked up once, when the first unit test is compiled.
ifeq ($(origin SANITIZE),undefined)
SANITIZE = $(eval SANITIZE := $(shell program=$$(mktemp) && echo 'int main(void) { return 0; }' | \
    $(CC) $(SANITIZERS) -x c - -o $$program 2>/dev/null && echo '$(SANITIZERS)'; rm -f $$program))$\
    $(SANITIZE)
endif
UNIT_C := $(wildcard $(TESTS)/unit/*.c)
UNIT_TESTS := $(patsubst $(TESTS)/%.c,$(BUILD)/%,$(filter $(TESTS)/unit/test_%,$(UNIT_C)))
UNIT_HELPERS := $(patsubst $(TESTS)/%.c,$(BUILD)/%.o,$(filter-out $(TESTS)/unit/test_%,$(UNIT_C)))
UNIT_HARNESS := $(patsubst $(BUILD)/%,$(BUILD)/unit/%,$(filter-out %/main.o,$(HARNESS_OBJ)))
UNIT_COMPILE = $(CC) -std=c11 $(WARNINGS) -O1 -g1 $(SANITIZE) -DSIMT=1 -I$(ROOT)/common \
               -I$(ROOT)/common/harness -I$(ROOT)/common/simt/include
UNIT_NEEDS := $(TESTS)/tests.mk $(BUILD)/tools
unit: $(UNIT_TESTS)
	$(if $(SANITIZE),,@echo 'skip unit: the sanitizers; $(CC) links none (Debian: libclang-rt-dev) or SANITIZE is empty')

# The recipe of an object: the harness's own are compiled once more, with the sanitizers.
define compile_unit
@mkdir -p $(@D)
$(call show,CC,$<)
$(Q)$(UNIT_COMPILE) -MMD -MP -c $< -o $@
endef

$(UNIT_HARNESS): $(BUILD)/unit/%.o: $(ROOT)/common/%.c $(UNIT_NEEDS)
	$(compile_unit)

$(UNIT_HELPERS) $(UNIT_TESTS:=.o): $(BUILD)/%.o: $(TESTS)/%.c $(UNIT_NEEDS)
	$(compile_unit)

$(UNIT_TESTS): private LINK = $(CC) $(SANITIZE)
$(UNIT_TESTS): private LDLIBS = -lm
$(UNIT_TESTS): %: %.o $(UNIT_HELPERS) $(UNIT_HARNESS)
	$(link)

-include $(BUILD)/tests/same_bits.d $(FAULTS:=.d) $(RIGHTS:=.d) $(UNIT_TESTS:=.d) $(UNIT_HELPERS:.o=.d) $(UNIT_HARNESS:.o=.d)
