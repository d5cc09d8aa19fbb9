// SPDX-License-Identifier: MIT
//
// cuda_pipeline_primitives.h - asynchronous copies of one thread into shared memory, in groups that
// it commits and waits for.
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

#include "simt/async_copy.hpp"

// Copies 4, 8 or 16 bytes; the last `zeros` of them are not read, and become 0.
SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes)
        simt_trap("__pipeline_memcpy_async() copies 4, 8 or 16 bytes");
    else if (((uintptr_t)to | (uintptr_t)from) % bytes != 0)
        simt_trap("__pipeline_memcpy_async() of an address that is no multiple of its bytes");
    for (size_t i = bytes - zeros; i < bytes; i++)
        ((char *)to)[i] = 0;
    if (zeros < bytes)
        simt_async_copy(to, from, (unsigned)(bytes - zeros), nullptr);
}

SIMT_FN(void, __pipeline_commit, (), simt_bulk_commit())

// Waits until all groups but the last `pending` have arrived.
SIMT_FN(void, __pipeline_wait_prior, (size_t pending), simt_bulk_wait((unsigned)pending))

#endif
