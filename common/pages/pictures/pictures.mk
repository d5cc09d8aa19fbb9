# SPDX-License-Identifier: MIT
#
# pictures.mk - draws the pictures of the lessons: `make pictures`, part of `make plot`. Read by the
# root Makefile. Traces come from the emulator, so it is for DEVICE=cpu.
#
#   build/cpu/pages/pictures    common/pages/pictures/*.c and the reader of traces
#
# pictures.sh names the programs and what they run.

PICTURES_SRC := $(ROOT)/common/pages/pictures
PICTURES := $(BUILD)/pages/pictures
PICTURE_PROGRAMS := $(addprefix $(BUILD)/,$(sort $(shell \
    sed -n 's/^trace [^ ]* \([^ ]*\) .*/\1/p' '$(PICTURES_SRC)/pictures.sh')))

$(PICTURES): $(wildcard $(PICTURES_SRC)/*.[ch] $(ROOT)/common/pages/trace/trace.h \
    $(ROOT)/common/simt/include/simt/trace_format.h) $(ROOT)/common/pages/trace/read.c $(BUILD)/tools
	@mkdir -p $(@D)
	$(call show,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter %.c,$^) -o $@ -lm

.PHONY: pictures
pictures: $(PICTURES) $(PICTURE_PROGRAMS)
	@BUILD='$(BUILD)' sh '$(PICTURES_SRC)/pictures.sh' '$(ROOT)'
