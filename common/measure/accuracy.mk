# SPDX-License-Identifier: MIT
#
# accuracy.mk - a second main for the programs of the course:
#
#   build/<cpu|gpu>/accuracy/NN_step.variant   its object, with common/measure/accuracy.c as main
#   build/gpu/bench_cublas                     common/measure/bench_cublas.c with the harness
#
#   make -f common/measure/accuracy.mk PROGRAMS='05_warp_shuffle faults/order_changes'

include $(dir $(lastword $(MAKEFILE_LIST)))../tests/tests.mk
.DEFAULT_GOAL := accuracy

ACCURACY := $(PROGRAMS:%=$(BUILD)/accuracy/%)
PARTS := $(filter-out %/main.o,$(HARNESS)) # the harness without its own main

.PHONY: accuracy bench_cublas
accuracy: $(ACCURACY)
bench_cublas: $(BUILD)/bench_cublas

$(BUILD)/accuracy.o $(BUILD)/bench_cublas.o: $(BUILD)/%.o: $(ROOT)/common/measure/%.c $(BUILD)/tools
	@mkdir -p $(@D)
	$(call show,CC,$<)
	$(Q)$(COMPILE_C) -MMD -MP -c $< -o $@

$(ACCURACY): $(BUILD)/accuracy/%: $(BUILD)/%.o $(BUILD)/accuracy.o $(PARTS) $(SIMT_LIB)
	@mkdir -p $(@D)
	$(call show,LINK,$@)
	$(Q)$(LINK) $^ -o $@ $(LDLIBS)

$(BUILD)/bench_cublas: $(BUILD)/bench_cublas.o $(PARTS)
	$(call show,LINK,$@)
	$(Q)$(LINK) $^ -o $@ $(LDLIBS)
$(BUILD)/accuracy/06_cub.cublas $(BUILD)/bench_cublas: LDLIBS += -lcublas

-include $(BUILD)/accuracy.d $(BUILD)/bench_cublas.d
