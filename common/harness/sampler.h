/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - time a piece of work that may be much shorter than the clock can tell.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "arena.h"
#include "stats.h"

/*
 * Time `work` on the slots of `arena` in turn: `reps` samples, each between two CUDA events. A
 * sample is one launch where that takes a millisecond or more, else about a millisecond of
 * launches, captured in a CUDA graph so that their cost on the host does not count. Where the
 * device has no graphs they are launched one after the other. Returns microseconds of one launch.
 */
stats_t sampler_time(const arena_t *arena, arena_work_fn work, size_t reps);

#endif
