// SPDX-License-Identifier: MIT
// cuda_pipeline.h - the primitives, under the name by which programs include them.
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
