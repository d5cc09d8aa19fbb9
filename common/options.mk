# SPDX-License-Identifier: MIT
#
# options.mk - make's variables as options of a step program: N=1M TYPE=i32 gives -n 1M -t i32.

OPTIONS = $(strip $(if $(N),-n '$(N)') $(if $(TYPE),-t '$(TYPE)') $(if $(OP),-o '$(OP)') \
          $(if $(ROWS),--rows '$(ROWS)') $(if $(COLS),--cols '$(COLS)') \
          $(if $(INPUT),--input '$(abspath $(INPUT))') $(if $(SEED),--seed '$(SEED)') $(ARGS))
