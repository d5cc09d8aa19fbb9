# SPDX-License-Identifier: MIT
#
# predict.mk - asks the questions of a lesson's page: make -f common/quiz/predict.mk predict STEP=03
#
#   LIST=1    asks nothing: each question's number, the page's answer, the emulator's
#
# `make predict-03` calls this file.

PREDICT_MK := $(lastword $(MAKEFILE_LIST))
include $(dir $(PREDICT_MK))../pages/trace/trace.mk
.DEFAULT_GOAL := predict

PREDICT_BUILD := $(BUILD)/predict
PREDICT := $(PREDICT_BUILD)/predict

$(PREDICT_BUILD)/%.o: $(ROOT)/common/quiz/%.c $(BUILD)/tools
	$(compile_c)
$(PREDICT): $(PREDICT_BUILD)/predict.o $(PREDICT_BUILD)/talk.o $(TRACE_BUILD)/rows.o $(TRACE_BUILD)/read.o
	$(link)
-include $(PREDICT_BUILD)/predict.d $(PREDICT_BUILD)/talk.d

tools: $(PREDICT)

.PHONY: predict
predict: $(PREDICT)
	+@sh '$(ROOT)/common/quiz/predict.sh' '$(PREDICT)' '$(PREDICT_BUILD)/$(STEP)' '$(TRACE_STEP)' \
	    $(if $(LIST),--list)
