# SPDX-License-Identifier: MIT
#
# tests.mk - the programs of the test suite: make -f common/tests/tests.mk faults unit
#
#   build/<cpu|gpu>/faults/NAME    common/tests/faults/NAME.cu: a wrong kernel, or a control
#   build/<cpu|gpu>/unit/test_X    common/tests/unit/test_X.c, with the harness, under sanitizers
#
# The folders are the only lists. run.sh calls this; it runs what comes out.

.DEFAULT_GOAL := all
include $(dir $(lastword $(MAKEFILE_LIST)))../build.mk
TESTS := $(ROOT)/common/tests

FAULTS := $(patsubst $(TESTS)/faults/%.cu,$(BUILD)/faults/%,$(wildcard $(TESTS)/faults/*.cu))

.PHONY: all faults unit
all: faults unit
faults: $(FAULTS)

$(FAULTS:=.o): $(BUILD)/faults/%.o: $(TESTS)/faults/%.cu $(CU_NEEDS)
	$(compile_cu)

$(FAULTS): %: %.o $(HARNESS) $(SIMT_LIB)
	$(call show,LINK,$@)
	$(Q)$(LINK) $^ -o $@ $(LDLIBS)

-include $(FAULTS:=.d)
