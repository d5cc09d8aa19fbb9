/* SPDX-License-Identifier: MIT */
/*
 * shapes.h - the sizes that a step is checked with. Used by cases.c alone.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "cases.h"

enum { SHAPES_MAX = 160 };

/*
 * Fill `shapes` (room for SHAPES_MAX) with the sizes of a level and return how many there are.
 * Small ones are for every problem. Larger ones are for the GPU, or, where the emulator would take
 * seconds, for the step's lead alone.
 */
size_t shapes_list(const problem_t *problem, bool lead, level_t level, bool emulated,
                   shape_t *shapes);

#endif
