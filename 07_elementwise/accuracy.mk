# SPDX-License-Identifier: MIT
#
# accuracy.mk - a second main for three forms of GELU:
#
#   build/<cpu|gpu>/accuracy/gelu_erf    07_elementwise/kernel.cu
#   build/<cpu|gpu>/accuracy/gelu_tanh   07_elementwise/gelu_tanh.cu, too rough for a variant
#   build/<cpu|gpu>/accuracy/gelu_fast   07_elementwise/variants/gelu_fast.cu

GELU_FORMS := $(addprefix $(BUILD)/accuracy/gelu_,erf tanh fast)
accuracy accuracy-07 tests: $(GELU_FORMS)

$(BUILD)/accuracy/gelu.o: $(ROOT)/07_elementwise/accuracy.c $(BUILD)/tools
	$(compile_c)

$(BUILD)/accuracy/gelu_tanh.o: $(ROOT)/07_elementwise/gelu_tanh.cu $(CU_NEEDS)
	$(compile_cu)

$(BUILD)/accuracy/gelu_erf: $(BUILD)/07_elementwise.o
$(BUILD)/accuracy/gelu_tanh: $(BUILD)/accuracy/gelu_tanh.o
$(BUILD)/accuracy/gelu_fast: $(BUILD)/07_elementwise.gelu_fast.o
$(GELU_FORMS): %: $(BUILD)/accuracy/gelu.o $(HARNESS) $(SIMT_LIB)
	$(link)

-include $(BUILD)/accuracy/gelu.d $(BUILD)/accuracy/gelu_tanh.d
