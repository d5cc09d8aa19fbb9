// SPDX-License-Identifier: MIT
// cuda_pipeline.h - the primitives, under the name by which programs include them.
#include "cuda_pipeline_primitives.h"
