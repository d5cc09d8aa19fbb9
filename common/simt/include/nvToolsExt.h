/* SPDX-License-Identifier: MIT */
/* nvToolsExt.h - the older name of nvtx3/nvToolsExt.h. */
#include "nvtx3/nvToolsExt.h"
