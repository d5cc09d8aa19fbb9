/* SPDX-License-Identifier: MIT */
/* host_defines.h - an older name for the keywords that CUDA adds to C++. */
#ifndef SIMT_HOST_DEFINES_H
#define SIMT_HOST_DEFINES_H

#include "simt/qualifiers.h"

#endif
