# SPDX-License-Identifier: MIT
#
# viva.mk - asks about a kernel: make -f common/viva/viva.mk viva KERNEL=my.cu
#
#   KERNEL=my.cu, or STEP=03 (and VARIANT=), or TASK=03 SUBMISSION=my.cu   N=5 SEED=7 TYPE= OP=
#   LIST=1    asks nothing: the questions and their answers, as CSV
#   FOLDER=   of the copies and the traces; default: one for each file, seed and N
#   STUDENT=name TIME=10    in a room: her own questions, ten minutes, answers to viva.csv or LOG=
#   viva-class DIR=folder TASK=03 SEED=7    a sheet for each student; ANSWERS=typed.csv: their marks
#
#   predict STEP=03    the questions of the lesson's page
#
# `make viva` and `make predict-03` call this file. A submission runs in the grader's sandbox, a KERNEL as in `make run`.

VIVA_MK := $(lastword $(MAKEFILE_LIST))
VIVA_N := $(or $(N),5)
VIVA_SEED := $(SEED)
export LOG ANSWERS STUDENT
# Sizes and blocks are those of the copies.
override N :=
override SEED :=
override BLOCK :=
include $(dir $(VIVA_MK))../pages/trace/trace.mk
.DEFAULT_GOAL := viva

VIVA_BUILD := $(BUILD)/viva
VIVA := $(VIVA_BUILD)/viva
VIVA_SRC := $(wildcard $(ROOT)/common/viva/*.c) $(ROOT)/common/quiz/talk.c \
    $(ROOT)/common/grade/report/text.c $(addprefix $(ROOT)/common/simt/driver/,text.c process.c)
VIVA_OBJ := $(VIVA_SRC:$(ROOT)/common/%.c=$(VIVA_BUILD)/objects/%.o)

$(VIVA_OBJ): $(VIVA_BUILD)/objects/%.o: $(ROOT)/common/%.c $(BUILD)/tools
	$(compile_c)
$(VIVA): $(VIVA_OBJ) $(TRACE_BUILD)/rows.o $(TRACE_BUILD)/read.o
	$(link)
-include $(VIVA_OBJ:.o=.d)

tools: $(VIVA)

# What viva.sh starts: in a sandbox, or a program of the file itself.
.PHONY: viva
viva: $(VIVA) $(if $(TASK),$(CONFINED) $(GRADE_BUILD)/head,$(TRACE_PROGRAM))
	+@BUILD='$(BUILD)' TASK='$(TASK)' PROGRAM='$(TRACE_PROGRAM)' MINUTES='$(TIME)' \
	    LOG="$${LOG:-$(ROOT)/viva.csv}" ASKED='$(if $(TYPE), TYPE=$(TYPE))$(if $(OP), OP=$(OP))' \
	    sh '$(ROOT)/common/viva/viva.sh' '$(VIVA)' $(if $(LIST),list,ask) '$(TRACE_SOURCE)' \
	    '$(VIVA_BUILD)/$(notdir $(TRACE_FOLDER))' '$(VIVA_SEED)' '$(VIVA_N)' $(OPTIONS)

# Programs of the copies, FOLDER/1.cu and others: viva.sh asks for them.
COPIES := $(if $(filter copies,$(MAKECMDGOALS)),$(basename $(wildcard $(FOLDER)/[1-9].cu)))
.PHONY: copies
copies: $(COPIES)
$(COPIES:=.o): %.o: %.cu $(CU_NEEDS)
	$(compile_cu)
$(COPIES): %: %.o $(HARNESS) $(SIMT_LIB)
	$(link)

.PHONY: predict
predict: $(VIVA)
	+@sh '$(ROOT)/common/viva/predict.sh' '$(VIVA)' '$(VIVA_BUILD)/predict/$(STEP)' '$(TRACE_STEP)' \
	    $(if $(LIST),--list)

.PHONY: viva-class
viva-class: $(VIVA) $(GRADER) $(CONFINED) $(GRADE_BUILD)/head
	+@BUILD='$(BUILD)' TASK='$(TASK)' sh '$(ROOT)/common/viva/class.sh' '$(VIVA)' '$(VIVA_SEED)' \
	    '$(VIVA_N)'
