/* SPDX-License-Identifier: MIT */
/*
 * trace.h - reads what SIMT_TRACE wrote: every warp instruction of one block that accessed memory
 * or synchronized lanes, in the order in which the emulator executed them. Reports, pictures and
 * the page of `make show` all read traces through this header only.
 *
 * A trace of one small launch, unchecked and once, with buffers that begin on a 256-byte boundary:
 *
 *     SIMT_TRACE=03.trace build/cpu/03_no_bank_conflict --once -n 256 -t f32 -o sum
 *
 * `make trace-03` does that, with N= TYPE= OP= (and KERNEL=, VARIANT=, or TASK= and SUBMISSION=),
 * and prints the name of the file. common/simt/include/simt/trace_format.h describes the file; a
 * program that reads traces needs only this header.
 *
 *     trace_t t;
 *     char message[TRACE_MESSAGE];
 *     if (!trace_read(&t, "03.trace", message)) ... the message is one sentence
 *     for (size_t i = 0; i < t.step_count; i++) ... t.steps[i]
 *     trace_free(&t);
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_MESSAGE = 600, TRACE_LANES = 32, TRACE_VALUE = 16, TRACE_TEXT = 160 };
enum { TRACE_NONE = -1 }; /* there is no such file, array, step, wavefront, ... */

typedef enum {
    TRACE_LOAD,
    TRACE_STORE,
    TRACE_ATOMIC,
    TRACE_ARRIVE, /* lanes have reached __syncthreads() and wait there */
    TRACE_LEAVE,  /* all have arrived: the waiting lanes of this warp continue. A step per warp */
    TRACE_SHUFFLE,
    TRACE_VOTE, /* votes, matches, __reduce_..._sync: each lane gives a value and gets one */
    TRACE_SYNCWARP,
    TRACE_EXIT,    /* lanes have left the kernel */
    TRACE_FINDING, /* a mistake was found: see trace_finding_t */
    TRACE_KINDS
} trace_kind_t;

typedef enum { TRACE_SHARED, TRACE_GLOBAL, TRACE_CONSTANT, TRACE_SPACES } trace_space_t;

/* The type of an array's elements. For TRACE_UNKNOWN only the width of the accesses is known. */
typedef enum {
    TRACE_UNKNOWN,
    TRACE_F32,
    TRACE_F64,
    TRACE_F16,
    TRACE_BF16,
    TRACE_I8,
    TRACE_I16,
    TRACE_I32,
    TRACE_I64,
    TRACE_U8,
    TRACE_U16,
    TRACE_U32,
    TRACE_U64,
    TRACE_TYPES
} trace_type_t;

/*
 * An array that the traced block has touched. Its name is that of the source for a shared array
 * ("s_data"; "(dynamic)" for extern __shared__), that of the harness for a buffer ("the input",
 * "the output", "the scratch"), else "allocation of 1024 bytes at file.cu:31".
 */
typedef struct {
    const char *name;
    trace_space_t space;
    trace_type_t type;
    unsigned element_bytes; /* of the type; of its first access if the type is unknown */
    unsigned columns;       /* elements in its last dimension, 33 for s_tile[32][33]; else 1 */
    size_t bytes, length;   /* of all of it, and elements: bytes / element_bytes */
    unsigned phase; /* address of its first byte modulo 128: byte b is in bank (phase + b) / 4 % 32,
                       and in sector (phase % 32 + b) / 32, counted from that of byte 0 */
} trace_array_t;

/*
 * What one lane did in a step. For a load, store or atomic: array, offset, bytes, before, after,
 * wavefront or sector. For a shuffle: `before` is what the lane gave, `after` what it got, `source`
 * the lane that it read from; for a vote: what it gave and got. Other kinds have only the lane.
 */
typedef struct {
    uint8_t lane;
    int array;                   /* into trace_t.arrays, or TRACE_NONE */
    long long offset;            /* bytes from the start of the array */
    long long index;             /* offset / element_bytes: the element that the source names */
    unsigned bytes;              /* of this access: 16 for a float4; for a shuffle, of its value */
    uint8_t before[TRACE_VALUE]; /* the memory before the step, little-endian; the first 16 bytes */
    uint8_t after[TRACE_VALUE];  /* ... and after it: with 32 atomics on one word, after all 32 */
    bool unwritten;    /* shared memory that the block had not written: `before` is garbage,
                          and so is what a load got */
    int wavefront;     /* shared memory: which wavefront of this request serves the lane, from 0 */
    long long sector;  /* global memory: the first sector that it touches, from that of element 0 */
    int source;        /* of a shuffle: the lane whose value it reads; itself if out of range */
    bool out_of_range; /* of a shuffle: the source is past the edge, so it gets its own value */
    bool used; /* of a shuffle: does any store, atomic or vote of this warp depend on what it got?
                  Lane 16 of a shuffle down by 16 gets a value that is not needed */
} trace_lane_t;

/* One warp instruction. */
typedef struct {
    trace_kind_t kind;
    const char *name;     /* as in the source: "load", "__shfl_down_sync", "__syncthreads" */
    unsigned block;       /* into trace_t.blocks */
    unsigned warp;        /* of its block */
    int file;             /* into trace_t.files, or TRACE_NONE */
    unsigned line;        /* 0: unknown, as for an exit */
    unsigned instruction; /* a number for each place in the machine code: s[i] + s[j] has two */
    unsigned round;       /* how often this warp has executed this instruction, from 1. For ARRIVE:
                             which opening of the barrier the lanes wait for */
    unsigned epoch;       /* __syncthreads() that this warp has left before this step */
    uint32_t act;         /* lanes that take part: bit l is lane l. In `lanes`, in this order */
    uint32_t idle;        /* lanes that are elsewhere in the code: masked off */
    uint32_t wait;        /* lanes that wait at __syncthreads(); in ARRIVE those of `act` too */
    uint32_t left;        /* lanes that have left the kernel; in EXIT those of `act` too */
    trace_lane_t *lanes;  /* popcount(act) of them */
    unsigned lane_count;
    trace_space_t space; /* of a load, store or atomic */
    unsigned bytes;      /* of each lane's access, or of the shuffled value */
    /* What it costs, as in SIMT_REPORT. 0 for all kinds except loads, stores and atomics. */
    unsigned requests;   /* 1; more for a struct that is moved in pieces */
    unsigned wavefronts; /* shared memory */
    unsigned wavefronts_ideal;
    unsigned sectors;       /* global memory: different 32-byte sectors that are asked for */
    unsigned sectors_ideal; /* the fewest that could hold these bytes */
    unsigned bytes_used;    /* different bytes that the lanes asked for, of 32 * sectors */
    int finding;            /* of TRACE_FINDING: into trace_t.findings */
} trace_step_t;

/* One of the accesses that a finding is about. */
typedef struct {
    trace_kind_t kind;             /* load, store or atomic */
    unsigned block_number, thread; /* of the grid; of the block */
    int step;      /* its step in this trace, or TRACE_NONE: another block, or refused */
    unsigned lane; /* thread % 32 */
    int file;
    unsigned line;
    int array; /* TRACE_NONE: there is no array */
    long long offset, index;
    unsigned bytes;
} trace_access_t;

/*
 * A mistake that the emulator found: a race has two accesses, in program order; a read of unwritten
 * memory and an access outside its array have one; a skipped barrier, a shuffle's mask or an
 * endless loop none. It is in the trace right after the later access. The last step of a kernel
 * that was stopped is the finding that stopped it.
 */
typedef struct {
    const char *title; /* its first line, "race on s_data[128] in reduce_kernel, block (0,0,0)" */
    const char *text;  /* the whole message, as printed on stderr: the suggestion comes last */
    bool stopped;      /* the launch ended there */
    trace_access_t access[2];
    unsigned access_count;
} trace_finding_t;

typedef struct {
    unsigned number; /* in the grid: x + gridDim.x * (y + gridDim.y * z) */
    unsigned x, y, z;
    size_t first_step, step_count;
} trace_block_t;

typedef struct {
    const char *name; /* "shared_ld_wavefronts": those of SIMT_COUNTERS */
    unsigned long long value;
} trace_counter_t;

typedef struct {
    const char *kernel; /* "reduce_kernel" */
    unsigned launch;    /* which launch of the program, from 1 */
    unsigned grid[3], block_dim[3];
    unsigned threads, warps; /* of a block */
    const char **files; /* as seen from where the program ran: "03_no_bank_conflict/kernel.cu" */
    size_t file_count;
    trace_array_t *arrays;
    size_t array_count;
    trace_block_t *blocks; /* those that were traced */
    size_t block_count;
    trace_step_t *steps;
    size_t step_count;
    trace_finding_t *findings;
    size_t finding_count;
    trace_counter_t *counters; /* of the whole launch: all blocks, traced or not */
    size_t counter_count;
    bool full; /* the block continued after the last step: a trace holds TRACE_STEPS_MAX of them */
    void *memory; /* what the pointers above point into */
} trace_t;

/*
 * Reads a trace. False, and one sentence that names the file and what is accepted in `message`
 * (TRACE_MESSAGE bytes), if it cannot be read, is cut off, has another version, or if the requested
 * launch or block never happened. Free it in any case.
 */
bool trace_read(trace_t *trace, const char *path, char *message);
void trace_free(trace_t *trace);

/* places[i]: the number that step i has in the page of `make show`, from 0. A warp's TRACE_LEAVE is
 * a step there for the first warp alone, because the barrier opens for all. */
void trace_places(const trace_t *trace, int *places);

const char *trace_kind_name(trace_kind_t kind); /* "load" */
const char *trace_type_name(trace_type_t type); /* "f32"; "?" for TRACE_UNKNOWN */

/*
 * A value as text: "1.5", "-3"; hexadecimal digits if the type is unknown; "1 2 3 4" if `bytes` is
 * several elements. Returns `out`, which has TRACE_TEXT bytes.
 */
const char *trace_value(trace_type_t type, const uint8_t *value, unsigned bytes, char *out);

/* "s_data[64]", "s_tile[1][4]", "the input[3]"; "no array" for TRACE_NONE. Returns `out`. */
const char *trace_element(const trace_t *trace, int array, long long index, char *out);

/* The type of a shuffled value: that of an array of the trace with elements of these bytes. */
trace_type_t trace_guess(const trace_t *trace, unsigned bytes);

#endif
