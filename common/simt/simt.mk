# SPDX-License-Identifier: MIT
#
# simt.mk - builds the emulator: $(BUILD)/simt/libsimt.a, and simtcc's program.
# An object is in the folder of its part: $(BUILD)/simt/machine/warp.o.
# Include it with ROOT and BUILD set (absolute paths), or run it alone: make -f simt.mk

SIMT_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
ROOT ?= $(abspath $(SIMT_DIR)/../..)
BUILD ?= $(ROOT)/build/cpu
SIMT_BUILD := $(BUILD)/simt

# How to turn a .cu file into an object for the CPU, and what a program needs to link it.
SIMTCC := SIMT_BUILD='$(SIMT_BUILD)' $(ROOT)/common/simt/simtcc
SIMT_INCLUDE := $(ROOT)/common/simt/include
SIMT_LIB := $(SIMT_BUILD)/libsimt.a
SIMT_TOOLS := $(SIMT_BUILD)/driver/simtcc
SIMT_LDLIBS := -lstdc++ -lm -ldl -lpthread

SIMT_SRC := $(ROOT)/common/simt
SIMT_FILES := $(filter-out $(SIMT_SRC)/tests/% $(SIMT_SRC)/verify/%,$(wildcard $(SIMT_SRC)/*/*.[cS]))
SIMT_OBJ := $(patsubst $(SIMT_SRC)/%,$(SIMT_BUILD)/%.o,$(basename $(SIMT_FILES)))
SIMT_TOOL_OBJ := $(filter $(SIMT_BUILD)/driver/% $(SIMT_BUILD)/translate/%,$(SIMT_OBJ))
SIMT_OBJ := $(filter-out $(SIMT_TOOL_OBJ),$(SIMT_OBJ))
SIMT_CFLAGS = -std=c11 $(if $(filter $(SIMT_TOOL_OBJ),$@),-O2,-O3) -g1 -fno-strict-aliasing \
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes

# The names that programs need. All others are hidden: a program may have its own sim or
# lane_stop(). The code has its own section, so that a message about a signal can distinguish it
# from the program's. A program that another compiler links asks for it as -lcudart.
SIMT_NAMES := simt_* cuda* nvtx* __tsan_* __ubsan_* __assert_fail
OBJCOPY ?= objcopy

SIMT_QUIET := $(if $(V),,@)
# A makefile that prints its own line about the build sets ANNOUNCED.
simt_show = $(if $(V),,$(or $(ANNOUNCED),@printf '  %-7s %s\n' '$1' '$2' >&2))

.PHONY: simt
simt: $(SIMT_LIB) $(SIMT_TOOLS)

$(SIMT_LIB): $(SIMT_OBJ)
	$(call simt_show,AR,$(notdir $@))
	$(SIMT_QUIET)$(CC) -r -nostdlib -o $(@D)/simt.o $^
	$(SIMT_QUIET)$(OBJCOPY) -w $(SIMT_NAMES:%=--keep-global-symbol='%') \
	    --rename-section .text=simt_runtime $(@D)/simt.o
	$(SIMT_QUIET)echo 'INPUT(-lsimt -lm -ldl -lpthread)' | \
	    tee $(addprefix $(@D)/libcuda,.a rt.a rt_static.a devrt.a) >/dev/null
	$(SIMT_QUIET)rm -f $@ && $(AR) rcs $@ $(@D)/simt.o

$(SIMT_TOOLS): $(SIMT_TOOL_OBJ)
	$(call simt_show,LD,$(notdir $@))
	$(SIMT_QUIET)$(CC) -o $@ $^

# Older versions had a file where the translator's folder is now: remove it.
define simt_folder
@if [ -f $(@D) ]; then rm -f $(@D) 2>/dev/null; fi; mkdir -p $(@D)
endef

$(SIMT_BUILD)/%.o: $(SIMT_SRC)/%.c
	$(simt_folder)
	$(call simt_show,CC,common/simt/$*.c)
	$(SIMT_QUIET)$(CC) $(SIMT_CFLAGS) -MMD -MP -c -o $@ $<

$(SIMT_BUILD)/%.o: $(SIMT_SRC)/%.S
	$(simt_folder)
	$(call simt_show,AS,common/simt/$*.S)
	$(SIMT_QUIET)$(CC) -MMD -MP -c -o $@ $<

# simtcc for a user's makefiles: $(PREFIX)/bin/simtcc, and what it needs in $(PREFIX)/lib/simt; the
# emulator recognizes its own headers by `.../simt/include/` in the path.
PREFIX ?= /usr/local
SIMT_HOME := $(DESTDIR)$(PREFIX)/lib/simt
.PHONY: install
install: $(SIMT_LIB) $(SIMT_TOOLS)
	$(SIMT_QUIET)mkdir -p '$(SIMT_HOME)/driver' '$(DESTDIR)$(PREFIX)/bin'
	$(SIMT_QUIET)cp -R '$(SIMT_SRC)/include' '$(SIMT_SRC)/simtcc' '$(SIMT_SRC)/simtcc.cmake' \
	    $(SIMT_BUILD)/lib*.a '$(SIMT_HOME)/'
	$(SIMT_QUIET)cp $(SIMT_TOOLS) '$(SIMT_HOME)/driver/'
	$(SIMT_QUIET)ln -sf ../lib/simt/simtcc '$(DESTDIR)$(PREFIX)/bin/simtcc'
	@echo '$(DESTDIR)$(PREFIX)/bin/simtcc'

-include $(SIMT_OBJ:.o=.d) $(SIMT_TOOL_OBJ:.o=.d)
