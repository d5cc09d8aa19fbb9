/* SPDX-License-Identifier: MIT */
/*
 * pictures.h - the pictures of the lessons, one function each. They read traces by trace.h, draw by
 * svg.h, and know nothing of the kernels but what the trace says. pictures.sh names the programs.
 */
#ifndef PICTURES_H
#define PICTURES_H

#include "../trace/trace.h"

enum { SOURCES_MAX = 3 };

/* A trace and the name that the picture gives to it. */
typedef struct {
    const char *name;
    const char *path;
    trace_t trace;
} source_t;

/* Memory of cudaMalloc. Without optimisation kernels read constants of the program as well. */
bool is_buffer(const trace_array_t *array);

/* Each draws on stdout; false, and nothing is drawn, where a trace has not what it shows. */
bool draw_warps(const source_t *sources, int count);    /* warps across, rounds down: who adds */
bool draw_banks(const source_t *sources, int count);    /* the left operand of each round */
bool draw_tile(const source_t *sources, int count);     /* words by banks, and one load of each */
bool draw_sectors(const source_t *sources, int count);  /* the first load of each: lanes, sectors */
bool draw_loop(const source_t *sources, int count);     /* who reads what in which turn */
bool draw_parts(const source_t *sources, int count);    /* head, packs and tail of each */
bool draw_race(const source_t *sources, int count);     /* two threads, a barrier and none */
bool draw_shuffles(const source_t *sources, int count); /* the shuffles of a warp */
bool draw_places(const source_t *sources, int count);   /* grid, block, warp, lane; memories */

#endif
