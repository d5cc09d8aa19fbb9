// SPDX-License-Identifier: MIT
// block_store.cuh - the name that programs include.
#include "block_load_store.cuh"
