// SPDX-License-Identifier: MIT
// block_load.cuh - the name that programs include.
#include "block_load_store.cuh"
