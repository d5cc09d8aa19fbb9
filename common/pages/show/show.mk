# SPDX-License-Identifier: MIT
#
# show.mk - writes the page of one small launch: make -f common/pages/show/show.mk show
#
#   build/show/03_no_bank_conflict.html      STEP=03; or VARIANT=, KERNEL=, TASK= as in trace.mk
#   build/show/03_no_bank_conflict.f64.html  TYPE=f64; so with OP=, N=, ROWS=, COLS=, SEED=
#   build/show/02_no_divergence-03_no_bank_conflict.html      A=02 B=03: two kernels side by side
#
# make -f common/pages/show/show.mk watch KERNEL=my.cu, or TASK=03: the same at each save; watch.sh
#
# `make show-03` and its like call this file. It prints the page's name; OPEN=1 opens it.

SHOW_MK := $(lastword $(MAKEFILE_LIST))
# A=05.best is STEP=05 VARIANT=best. A is recorded by this make, and B by a make of its own.
step_of = $(firstword $(subst _, ,$(firstword $(subst ., ,$1))))
variant_of = $(word 2,$(subst ., ,$1))
ifneq ($(A)$(B),)
ifeq ($(and $(A),$(B)),)
$(error A, B: give both of two kernels to compare, as A=02 B=03 or A=05 B=05.xor)
endif
override STEP := $(call step_of,$(A))
override VARIANT := $(call variant_of,$(A))
endif
include $(dir $(SHOW_MK))../trace/trace.mk
.DEFAULT_GOAL := show

SHOW_SRC := $(ROOT)/common/pages/show
SHOW_BUILD := $(BUILD)/pages/show
SHOW := $(SHOW_BUILD)/show

$(SHOW_BUILD)/%.o: $(SHOW_SRC)/%.c $(BUILD)/tools
	$(compile_c)
$(SHOW): $(SHOW_BUILD)/show.o $(TRACE_BUILD)/read.o
	$(link)
-include $(SHOW_BUILD)/show.d

tools: $(SHOW)

.PHONY: show
show: record $(SHOW)
	@other=$(if $(B),$$($(MAKE) --no-print-directory -f $(TRACE_MK) trace \
	    STEP='$(call step_of,$(B))' VARIANT='$(call variant_of,$(B))')) && \
	    OPEN='$(OPEN)' sh '$(SHOW_SRC)/show.sh' '$(SHOW)' '$(BUILD_DIR)/show' '$(TRACE)' $$other

.PHONY: watch
watch: $(SHOW)
	@exec env MAKE='$(MAKE)' TASK='$(TASK)' OPEN='$(OPEN)' \
	    sh '$(SHOW_SRC)/watch.sh' '$(TRACE_SOURCE)' \
	    '$(BUILD_DIR)/show/$(basename $(notdir $(TRACE))).html'
