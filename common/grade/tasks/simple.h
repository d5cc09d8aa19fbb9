/* SPDX-License-Identifier: MIT */
/*
 * simple.h - what the bugs to be found (NN_name/bugs/task.c) compute, if several compute the same:
 * a sum, a maximum, the sums of blocks, a map. The macros are parts of a struct task.
 */
#ifndef SIMPLE_H
#define SIMPLE_H

#include "task.h"

/* The file `name`.cu of a lesson, which a change of at most so many lines can fix. */
#define BUG(bug, lesson, lines, text)                                                              \
    .name = bug, .title = text, .folder = lesson "/bugs", .file = bug ".cu", .repair = lines

/* integers: from -8 to 8, so that the sum of a million of them has no rounding. */
void integers(rng_t *rng, const char *data, const size_t *size, void *const *in);
/* d_out[0] is the sum. */
void check_sum(const size_t *size, const void *const *in, const void *const *out,
               struct comparison *c);
#define SUM                                                                                        \
    .size_names = {"n"}, .data_sets = "random", .in = {{"d_in", ELEM_F32, count_n}},               \
    .out = {{"d_out", ELEM_F32, count_one}}, .make_inputs = integers, .check = check_sum

/* d_out[b] is the sum of the elements 256 * b to 256 * b + 255. */
size_t count_blocks(const size_t *size);
void check_block_sums(const size_t *size, const void *const *in, const void *const *out,
                      struct comparison *c);
#define BLOCK_SUMS                                                                                 \
    .size_names = {"n"}, .data_sets = "random", .in = {{"d_in", ELEM_F32, count_n}},               \
    .out = {{"d_out", ELEM_F32, count_blocks}}, .make_inputs = integers, .check = check_block_sums

/* Negative floats, of which d_out[0] is the largest; minus infinity for none. */
void negatives(rng_t *rng, const char *data, const size_t *size, void *const *in);
void check_max(const size_t *size, const void *const *in, const void *const *out,
               struct comparison *c);
#define MAXIMUM                                                                                    \
    .size_names = {"n"}, .data_sets = "random", .in = {{"d_in", ELEM_F32, count_n}},               \
    .out = {{"d_out", ELEM_F32, count_one}}, .make_inputs = negatives, .check = check_max

/* n floats to n floats: the rest is the task's own. */
#define MAP                                                                                        \
    .size_names = {"n"}, .data_sets = "random", .in = {{"d_in", ELEM_F32, count_n}},               \
    .out = {{"d_out", ELEM_F32, count_n}}

#endif
