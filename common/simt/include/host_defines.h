/* SPDX-License-Identifier: MIT */
/* host_defines.h - an older name for the keywords that CUDA adds to C++. */
#include "simt/qualifiers.h"
