# SPDX-License-Identifier: MIT
#
# accuracy.mk - a second main for three forms of GELU, each a program of the course or of its tests:
#
#   build/<cpu|gpu>/accuracy/gelu_erf    07_elementwise/kernel.cu
#   build/<cpu|gpu>/accuracy/gelu_tanh   common/tests/faults/map_gelu_rough.cu
#   build/<cpu|gpu>/accuracy/gelu_fast   07_elementwise/variants/gelu_fast.cu

GELU_FORMS := $(addprefix $(BUILD)/accuracy/gelu_,erf tanh fast)
accuracy accuracy-07 tests: $(GELU_FORMS)

$(BUILD)/accuracy/gelu.o: $(ROOT)/07_elementwise/accuracy.c $(BUILD)/tools
	$(compile_c)

$(BUILD)/accuracy/gelu_erf: $(BUILD)/07_elementwise.o
$(BUILD)/accuracy/gelu_tanh: $(BUILD)/faults/map_gelu_rough.o
$(BUILD)/accuracy/gelu_fast: $(BUILD)/07_elementwise.gelu_fast.o
$(GELU_FORMS): %: $(BUILD)/accuracy/gelu.o $(HARNESS) $(SIMT_LIB)
	$(link)

-include $(BUILD)/accuracy/gelu.d
