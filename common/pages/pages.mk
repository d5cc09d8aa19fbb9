# SPDX-License-Identifier: MIT
#
# pages.mk - the programs that write and compare pages. Read by the root Makefile.
#
#   build/<cpu|gpu>/pages/tables    common/pages/tables/*.c
#   build/<cpu|gpu>/pages/zh        common/pages/zh/zh.c
#   build/<cpu|gpu>/pages/slide     common/pages/slide.c, for make diff

PAGE_TOOLS := $(addprefix $(BUILD)/pages/,tables zh slide)

$(PAGE_TOOLS): $(BUILD)/pages/%: $$(wildcard $(ROOT)/common/pages/$$*.c $(ROOT)/common/pages/$$*/*.[ch]) \
    $(addprefix $(ROOT)/common/simt/driver/,text.c process.c inside.h) $(BUILD)/tools
	@mkdir -p $(@D)
	$(call show,CC,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(filter %.c,$^) -o $@ -lm
