/* SPDX-License-Identifier: MIT */
/*
 * probe.h - run a step once more, on other elements or in other surroundings, to find out what is
 * wrong with it. Used by explain*.c and, for its case_t, by check.h.
 */
#ifndef PROBE_H
#define PROBE_H

#include "device.h"
#include "sets.h"

/*
 * What else is tried if the step asks for scratch, whose contents are undefined: a graph of the
 * launch, on other data each time; a run on random bytes; and one on what earlier launches have
 * left, that of the previous case and one that was aborted.
 */
typedef enum { AGAIN_NOT, AGAIN_GRAPH, AGAIN_RANDOM, AGAIN_LEFT } again_t;

/* What a launch has left in its scratch. */
typedef struct {
    unsigned char *bytes; /* `count` of them, owned */
    size_t count;
} leftover_t;

/* One run of one step: the input, and how far each buffer is off a 256-byte boundary. */
typedef struct {
    const input_t *input;
    size_t in_offset[MAX_INPUTS]; /* in elements */
    size_t out_offset;
    size_t spare_bytes; /* of scratch, beyond what the step asks for */
    int sms;            /* how many the emulator shows; 0: all */
    again_t again;
    leftover_t *left; /* of the previous case, and then of this one; may be NULL */
} case_t;

/* What the memory holds before the run: bytes of scratch and output, elements around the inputs. */
typedef struct {
    int scratch, output;
    double around;
} surroundings_t;

/* Those of a check, except around the inputs: nothing that shows in a sum. */
extern const surroundings_t PROBE_USUAL;

/* The budget of a program for runs, and the cost of one on n elements; a GPU does more at once. */
enum { PROBE_BUDGET = 600 };
size_t probe_cost(const device_t *device, size_t n);

/*
 * Run the case and copy its output to h_out (host, large enough). False if the step or the device
 * reports an error.
 */
bool probe_run(const case_t *test, const surroundings_t *surroundings, void *h_out);

#endif
