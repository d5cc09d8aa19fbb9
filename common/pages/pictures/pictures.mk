# SPDX-License-Identifier: MIT
#
# pictures.mk - draws the pictures of the lessons: `make pictures`, part of `make plot`. Read by the
# root Makefile. Traces come from the emulator, so it is for DEVICE=cpu.
#
#   build/cpu/pages/pictures    common/pages/pictures/*.c and the reader of traces
#   build/cpu/pages/style.h     style.css, which the charts of plot.py read as it is
#
# pictures.sh names the programs and what they run.

PICTURES_SRC := $(ROOT)/common/pages/pictures
PICTURES := $(BUILD)/pages/pictures
PICTURE_PROGRAMS := $(addprefix $(BUILD)/,$(sort $(shell \
    sed -n 's/^trace [^ ]* \([^ ]*\) .*/\1/p' '$(PICTURES_SRC)/pictures.sh')))

$(BUILD)/pages/style.h: $(PICTURES_SRC)/style.css
	@mkdir -p $(@D)
	@sed '1d; s/.*/"&\\n"/' $< >$@

$(PICTURES): $(wildcard $(PICTURES_SRC)/*.[ch] $(ROOT)/common/pages/trace/trace.h \
    $(ROOT)/common/simt/include/simt/trace_format.h) $(ROOT)/common/pages/trace/read.c $(BUILD)/pages/style.h \
    $(BUILD)/tools
	$(call show,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -I$(@D) $(filter %.c,$^) -o $@ -lm

.PHONY: pictures
pictures: $(PICTURES) $(PICTURE_PROGRAMS)
	@BUILD='$(BUILD)' sh '$(PICTURES_SRC)/pictures.sh' '$(ROOT)'
