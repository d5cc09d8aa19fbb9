# SPDX-License-Identifier: MIT
#
# ablate.mk - builds the programs of ablations: make -f common/measure/ablate.mk PROGRAMS='...'
#
#   build/<cpu|gpu>/NN_step.variant                    as the course has it
#   build/<cpu|gpu>/ablate/NAME-VALUE/NN_step.variant  from NN_step.variant.cu, the copy beside it
#
# common/measure/ablate.sh makes the copies and calls this.

.DEFAULT_GOAL := all
include $(dir $(lastword $(MAKEFILE_LIST)))../build.mk

COPIES := $(filter $(BUILD)/ablate/%,$(PROGRAMS))
.PHONY: all
all: $(PROGRAMS)

# A source may include files of its own folder; its copy finds them there.
$(COPIES:=.o): COMPILE_CU += -I$(ROOT)/$(dir $(call source_of,$(basename $(@F))))
$(COPIES:=.o): %.o: %.cu $(CU_NEEDS)
	$(compile_cu)

$(COPIES): %: %.o $(HARNESS) $(SIMT_LIB)
	$(call show,LINK,$@)
	$(Q)$(LINK) $^ -o $@ $(LDLIBS)

-include $(COPIES:=.d)
