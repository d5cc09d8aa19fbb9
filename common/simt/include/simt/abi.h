/* SPDX-License-Identifier: MIT */
/*
 * abi.h - what the device headers call in the runtime. Valid C11 and C++.
 *
 * The runtime is compiled without hooks. So a lane that calls one of these functions does nothing
 * that the emulator sees, except where the comment says that the lane stops.
 */
#ifndef SIMT_ABI_H
#define SIMT_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../cuda_runtime_api.h"

#ifdef __cplusplus
#define SIMT_NOTHROW noexcept
extern "C" {
#else
#define SIMT_NOTHROW
#endif

/* A thread's coordinates. `const` lets the compiler ask once: they never change for a thread. */
uint3 simt_thread_idx(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_block_idx(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_block_dim(void) SIMT_NOTHROW __attribute__((const));
uint3 simt_grid_dim(void) SIMT_NOTHROW __attribute__((const));

/* Runs `call(args)` once for each thread of the grid. Errors go to cudaGetLastError(). */
void simt_launch(uint3 grid, uint3 block, size_t shared_bytes, cudaStream_t stream,
                 void (*call)(void *), void *args);
cudaError_t simt_launched(void); /* how the last one went, for who returns it */

/* A thread copies its arguments, which are in host memory: until it says 0, hooks do nothing. */
void simt_quiet(int on) SIMT_NOTHROW;

/* The thread that calls this has come to its end. */
void simt_thread_end(void) SIMT_NOTHROW __attribute__((noreturn));

/* What memcpy() and its like are called in a .cu file. A lane stops before each of the accesses. */
void *simt_memcpy(void *to, const void *from, size_t bytes) SIMT_NOTHROW;
void *simt_memmove(void *to, const void *from, size_t bytes) SIMT_NOTHROW;
void *simt_memset(void *to, int value, size_t bytes) SIMT_NOTHROW;
int simt_memcmp(const void *a, const void *b, size_t bytes) SIMT_NOTHROW;

/*
 * A barrier is known by its code address and the calls that led there. That needs a compiler that
 * copies no code: see the flags of simtcc. Lanes may meet in a warp operation from several places.
 */

/* Stops the lane at __syncthreads(). Returns how many threads of the block came with `vote`. */
int simt_barrier(int vote, int line) SIMT_NOTHROW;

/* simtcc puts these calls at a `return;` of a device function, and in front of the statement of a
 * kernel's body that holds one, or a barrier: see translate/returns.c. The lane goes on. */
void simt_return(void) SIMT_NOTHROW;
void simt_passed(void) SIMT_NOTHROW;

enum simt_op {
    SIMT_SHFL_IDX,
    SIMT_SHFL_UP,
    SIMT_SHFL_DOWN,
    SIMT_SHFL_XOR,
    SIMT_BALLOT,
    SIMT_SYNCWARP,
    SIMT_MATCH_ANY,
    SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_REDUCE_MIN, /* of unsigned numbers */
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_INT, /* of signed ones */
    SIMT_REDUCE_MAX_INT
};

/* Stops the lane until all lanes of `mask` are here: a vote, a match, a sum or __syncwarp(). */
uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, int line) SIMT_NOTHROW;

/* A shuffle of `bytes` bytes: a GPU needs two instructions to move 8. `arg` is the source lane, the
 * delta or the xor mask. */
uint64_t simt_shuffle(enum simt_op op, unsigned mask, uint64_t value, unsigned bytes, int arg,
                      int width, int line) SIMT_NOTHROW;

/* Steps of this block so far, plus the calls of this function: it always moves on. */
long long simt_clock(void) SIMT_NOTHROW;

/* Stops the lane. Returns the lanes that stopped at the same place with it. */
unsigned simt_active_mask(void) SIMT_NOTHROW;

/* Stops the lane before an atomic on `bytes` bytes; the caller does the operation on return. */
void simt_atomic(const volatile void *address, unsigned bytes) SIMT_NOTHROW;

/* A fence of the lane. `device` is 0 for one that is for its own block only. */
void simt_fence(int device) SIMT_NOTHROW;

/* Half precision: round to nearest even, and back. A double rounds once, straight to half. */
uint16_t simt_half_from_double(double value) SIMT_NOTHROW __attribute__((const));
float simt_half_to_float(uint16_t bits) SIMT_NOTHROW __attribute__((const));

/* The same for bfloat16: the upper half of a float. */
uint16_t simt_bfloat16_from_double(double value) SIMT_NOTHROW __attribute__((const));
float simt_bfloat16_to_float(uint16_t bits) SIMT_NOTHROW __attribute__((const));

/* __trap(): ends the launch. Does not return inside a kernel. */
void simt_trap(const char *what) SIMT_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
