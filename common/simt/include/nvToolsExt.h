/* SPDX-License-Identifier: MIT */
/* nvToolsExt.h - the older name of nvtx3/nvToolsExt.h. */
#ifndef SIMT_NVTOOLSEXT_OLD_H
#define SIMT_NVTOOLSEXT_OLD_H

#include "nvtx3/nvToolsExt.h"

#endif
