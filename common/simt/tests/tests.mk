# SPDX-License-Identifier: MIT
#
# tests.mk - the programs of the emulator's own tests: make simt-tests. Read by the Makefile of this
# part, and by that of all tests. It needs simt.mk's variables, CC and CXX.
#
#   $(SIMT_TESTS)/NAME              tests/NAME.cu, or tests/NAME.c with an object of the emulator
#   $(SIMT_TESTS)/calibrate/NAME    calibrate/NAME.cu
#   $(SIMT_TESTS)/foreign/NAME      tests/foreign/NAME.cu; without FULL=1 those that hooked.sh needs
#   $(SIMT_TESTS)/hooked            verify/: the proof that each access has its hook
#   $(SIMT_TESTS)/runner            runs the cases

SIMT_TESTS := $(SIMT_BUILD)/tests-$(notdir $(firstword $(CXX)))
SIMT_TEST_CU := $(patsubst $(SIMT_SRC)/%.cu,%,$(wildcard $(addprefix $(SIMT_SRC)/,tests/*.cu \
    calibrate/*.cu $(addprefix tests/foreign/,$(if $(FULL),*.cu,by_value.cu loops.cu)))))
SIMT_TEST_CU := $(patsubst tests/%,%,$(SIMT_TEST_CU))

.PHONY: simt-tests
simt-tests: $(addprefix $(SIMT_TESTS)/,$(SIMT_TEST_CU) wide_loads whose hooked)

# All with the same options, so that they share the precompiled headers. A message is an error.
define simt_test_cu
@mkdir -p $(@D)
$(call simt_show,SIMTCC,$(<:$(ROOT)/%=%))
$(SIMT_QUIET)said=$$(CC='$(CC)' CXX='$(CXX)' SIMT_MAP=1 $(SIMTCC) -Wall -Wextra -Wno-sign-compare \
    -I$(SIMT_SRC)/tests $$(sed -n 's,^// OPTIONS ,,p' $<) $< -o $@ 2>&1) && [ -z "$$said" ] || \
    { printf '%s\n' "$$said" >&2; rm -f $@; exit 1; }
endef
SIMT_TEST_NEEDS := $(SIMT_TOOLS) $(SIMT_LIB) $(wildcard $(SIMT_SRC)/tests/*.h) \
    $(shell find $(SIMT_SRC)/include -type f)

$(SIMT_TESTS)/%: $(SIMT_SRC)/tests/%.cu $(SIMT_TEST_NEEDS)
	$(simt_test_cu)
$(SIMT_TESTS)/calibrate/%: $(SIMT_SRC)/calibrate/%.cu $(SIMT_TEST_NEEDS)
	$(simt_test_cu)

define simt_test_c
@mkdir -p $(@D)
$(call simt_show,CC,$(<:$(ROOT)/%=%))
$(SIMT_QUIET)$(CC) -std=c11 -O1 -D_POSIX_C_SOURCE=200809L $(filter %.c %.o,$^) -lstdc++ -o $@
endef
$(SIMT_TESTS)/wide_loads: $(SIMT_SRC)/tests/wide_loads.c $(SIMT_BUILD)/count/wavefronts.o
	$(simt_test_c)
$(SIMT_TESTS)/whose: $(SIMT_SRC)/tests/whose.c $(SIMT_BUILD)/state/symbols.o
	$(simt_test_c)
$(SIMT_TESTS)/hooked: $(wildcard $(SIMT_SRC)/verify/*.[ch])
	$(simt_test_c)
$(SIMT_TESTS)/runner: $(ROOT)/common/tests/runner.c
	$(simt_test_c)
