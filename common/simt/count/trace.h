/* SPDX-License-Identifier: MIT */
/*
 * trace.h - what a trace holds: trace.c records it while a launch runs, and trace_file.c writes it
 * at the launch's end, because only then lines and findings are known. This includes a kernel that
 * was stopped, and one that ends the process by `exit`.
 */
#ifndef SIMT_TRACE_H
#define SIMT_TRACE_H

#include "../include/simt/trace_format.h"
#include "inside.h"

#define KIND(name, text) KIND_##name,
enum kind { TRACE_KIND_LIST(KIND) };
#undef KIND
#define TRACE_TEXT(name, text) text,

enum { MOST_VALUE = 16, MOST_FOUND = 64, NO_STEP = -1, NO_WAVEFRONT = 255 };

/* A shared array, a named buffer in an allocation or all of it, or the variables of a module. */
struct array {
    uintptr_t low;
    size_t bytes;
    enum space space;
    char *name;
    uintptr_t made_at; /* if the name is derived from it */
    const char *type;
    size_t element_bytes;
    unsigned columns;
};

/* What a lane did. A shuffle has neither array nor address. */
struct lane {
    uint8_t lane, wavefront;
    int array;
    uintptr_t address;
    uint32_t bytes;
    unsigned source;
    uint8_t before[MOST_VALUE], after[MOST_VALUE];
};

struct step {
    enum kind kind;
    unsigned block; /* an index of `blocks` */
    size_t number;
    unsigned warp;
    uintptr_t pc; /* 0: not known */
    uint64_t path, when;
    int line; /* if the pc has none */
    unsigned round;
    uint32_t act, idle, wait, left;
    uint32_t bytes;
    struct cost cost;
    const char *name; /* of a function, or NULL */
    size_t first_lane, lane_count;
    long before; /* the previous step of this warp, or NO_STEP */
};

/* A block of the trace: its position; the last step of each warp, and the lanes that are known to
 * wait or to have exited. */
struct traced {
    unsigned number;
    uint3 at;
    long last_step[MAX_WARPS];
    uint32_t known_wait[MAX_WARPS], known_left[MAX_WARPS];
};

struct trace {
    uint64_t launches, chosen; /* the number of this one, and of the one to trace; 0: none */
    const char *chosen_blocks;
    bool full; /* no memory for another step */

    struct array *arrays;
    struct lane *lanes;
    struct step *steps;
    struct traced *blocks;
    size_t array_count, lane_count, step_count, block_count;
    struct found founds[MOST_FOUND];
    size_t found_count;
};
extern struct trace trace;

/* The last step's lanes have stored. */
void trace_settle(void);

/* Of the trace's lists; -1 if there is none. An array that is new is added. */
int trace_array(const struct region *r, uintptr_t address);
int trace_block_index(unsigned number);

#endif
