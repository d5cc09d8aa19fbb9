# SPDX-License-Identifier: MIT
#
# quiz.mk - builds the quiz and asks: make -f common/quiz/quiz.mk quiz
#
#   LESSON=03 LEVEL=2 N=10 SEED=7 KIND=stride    what is asked; see build/cpu/quiz/quiz --help
#   RESULTS=file                                 where the answers go; default: quiz.csv here, with
#                                                a SEED. Without one it is practice: no file
#
# The emulator answers, so it is built for the cpu. `make quiz` calls this file. trace.mk includes it
# for a picture of a question, and grade.mk for marks.

ifndef ROOT
override DEVICE := cpu
include $(dir $(lastword $(MAKEFILE_LIST)))../build.mk
.DEFAULT_GOAL := quiz
endif

QUIZ_SRC := $(ROOT)/common/quiz
QUIZ_BUILD := $(BUILD)/quiz
QUIZ_PROGRAM := $(QUIZ_BUILD)/quiz
QUIZ_OBJ := $(basename $(wildcard $(QUIZ_SRC)/*.c $(QUIZ_SRC)/*.cu) $(ROOT)/common/simt/driver/text)
QUIZ_OBJ := $(QUIZ_OBJ:$(ROOT)/common/%=$(QUIZ_BUILD)/objects/%.o)

$(QUIZ_BUILD)/objects/%.o: $(ROOT)/common/%.c $(BUILD)/tools
	$(compile_c)
$(QUIZ_BUILD)/objects/%.o: $(ROOT)/common/%.cu $(CU_NEEDS)
	$(compile_cu)
$(QUIZ_PROGRAM): $(QUIZ_OBJ) $(SIMT_LIB)
	$(link)
-include $(QUIZ_OBJ:.o=.d)

QUIZ_RESULTS = $(or $(RESULTS),$(if $(SEED),$(ROOT)/quiz.csv))

.PHONY: quiz quiz-program
quiz-program: $(QUIZ_PROGRAM)
quiz: $(QUIZ_PROGRAM)
	@'$(QUIZ_PROGRAM)' $(if $(LESSON),--lesson '$(LESSON)') $(if $(LEVEL),--level '$(LEVEL)') \
	    $(if $(N),--count '$(N)') $(if $(SEED),--seed '$(SEED)') $(if $(KIND),--kind '$(KIND)') \
	    $(if $(QUIZ_RESULTS),--results '$(QUIZ_RESULTS)')
