# SPDX-License-Identifier: MIT
#
# accuracy.mk - a second main for three forms of GELU, each a program of the course or of its tests:
#
#   build/<cpu|gpu>/accuracy/gelu_erf    07_elementwise/kernel.cu
#   build/<cpu|gpu>/accuracy/gelu_tanh   common/tests/faults/map_gelu_rough.cu
#   build/<cpu|gpu>/accuracy/gelu_fast   07_elementwise/variants/gelu_fast.cu

include $(dir $(lastword $(MAKEFILE_LIST)))../common/tests/tests.mk
.DEFAULT_GOAL := gelu

PARTS := $(filter-out %/main.o,$(HARNESS)) # the harness without its own main
FORMS := $(addprefix $(BUILD)/accuracy/gelu_,erf tanh fast)

.PHONY: gelu
gelu: $(FORMS)

$(BUILD)/accuracy/gelu.o: $(ROOT)/07_elementwise/accuracy.c $(BUILD)/tools
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q)$(COMPILE_C) -MMD -MP -c $< -o $@

$(BUILD)/accuracy/gelu_erf: $(BUILD)/07_elementwise.o
$(BUILD)/accuracy/gelu_tanh: $(BUILD)/faults/map_gelu_rough.o
$(BUILD)/accuracy/gelu_fast: $(BUILD)/07_elementwise.gelu_fast.o
$(FORMS): %: $(BUILD)/accuracy/gelu.o $(PARTS) $(SIMT_LIB)
	$(call show,LINK,$@)
	$(Q)$(LINK) $^ -o $@ $(LDLIBS)

-include $(BUILD)/accuracy/gelu.d
