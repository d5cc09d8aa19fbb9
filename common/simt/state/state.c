/* SPDX-License-Identifier: MIT */
/*
 * state.c - the machine itself, the coordinates that a thread may ask for, and names.
 */
#include "state.h"

struct machine sim = {.local_bytes = SIZE_MAX};

uint3 simt_thread_idx(void)
{
    return sim.thread_idx[sim.warp ? sim.warp->first + sim.lane : 0];
}
uint3 simt_block_idx(void)
{
    return sim.block_idx;
}
uint3 simt_block_dim(void)
{
    return sim.block;
}
uint3 simt_grid_dim(void)
{
    return sim.grid;
}

uint3 nth_block(uint64_t n)
{
    const uint3 c = sim.cluster, g = sim.grid;
    const unsigned rank = (unsigned)(n % volume(c));
    const uint64_t cluster = n / volume(c);
    const unsigned across = g.x / c.x, down = g.y / c.y; /* clusters in a row, rows in a plane */
    return (uint3){(unsigned)(cluster % across) * c.x + rank % c.x,
                   (unsigned)(cluster / across % down) * c.y + rank / c.x % c.y,
                   (unsigned)(cluster / across / down) * c.z + rank / c.x / c.y};
}

const char *warp_call_name(enum simt_op op)
{
    static const char *const names[] = {[SIMT_SHFL_IDX] = "__shfl_sync",
                                        [SIMT_SHFL_UP] = "__shfl_up_sync",
                                        [SIMT_SHFL_DOWN] = "__shfl_down_sync",
                                        [SIMT_SHFL_XOR] = "__shfl_xor_sync",
                                        [SIMT_BALLOT] = "a vote",
                                        [SIMT_SYNCWARP] = "__syncwarp",
                                        [SIMT_MATCH_ANY] = "__match_any_sync",
                                        [SIMT_MATCH_ALL] = "__match_all_sync",
                                        [SIMT_REDUCE_ADD] = "__reduce_add_sync",
                                        [SIMT_REDUCE_AND] = "__reduce_and_sync",
                                        [SIMT_REDUCE_OR] = "__reduce_or_sync",
                                        [SIMT_REDUCE_XOR] = "__reduce_xor_sync",
                                        [SIMT_REDUCE_MIN] = "__reduce_min_sync",
                                        [SIMT_REDUCE_MAX] = "__reduce_max_sync",
                                        [SIMT_REDUCE_MIN_INT] = "__reduce_min_sync",
                                        [SIMT_REDUCE_MAX_INT] = "__reduce_max_sync"};
    return names[op];
}
