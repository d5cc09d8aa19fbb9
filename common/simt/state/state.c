/* SPDX-License-Identifier: MIT */
/*
 * state.c - the machine, and what each thread may ask of it: its coordinates.
 */
#include "state.h"

struct machine sim = {.local_bytes = SIZE_MAX};
struct warp warps_of_block[MAX_WARPS];

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
