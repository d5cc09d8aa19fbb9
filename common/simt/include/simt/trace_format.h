/* SPDX-License-Identifier: MIT */
/*
 * trace_format.h - the file that SIMT_TRACE names: what its lines mean. count/trace_file.c writes
 * it, common/pages/trace/ reads it, and both include this header. Valid C11 and C++.
 *
 *     SIMT_TRACE=file          traces blocks of one launch of the program; `-` is stdout
 *     SIMT_TRACE_LAUNCH=1      which launch, from 1
 *     SIMT_TRACE_BLOCK=0       which blocks of its grid, as `0,1`; or `last`
 *
 * A trace is text. A line is a word that says what it is, then fields separated by one space; if
 * the last field may contain spaces, it extends to the end of the line. Numbers are decimal, lanes
 * a mask of 8 hexadecimal digits (bit l is lane l), values hexadecimal digits, the highest byte
 * first, and `-` means none. Files and arrays are given by the numbers of their `file` and `array`
 * lines, from 0.
 *
 *     simt-trace 1                      the first line: the format and its version
 *     kernel NAME
 *     launch NUMBER GX GY GZ BX BY BZ   its grid and its block
 *     asked BLOCKS                      as in SIMT_TRACE_BLOCK
 *     file PATH                         as seen from where the program ran. On stdout, of a program
 *                                       that cannot find its lines: `code address 0x1234`
 *     array SPACE TYPE EACH COLUMNS BYTES PHASE NAME
 *         SPACE shared, global or constant; TYPE of TRACE_TYPE_LIST, with EACH bytes an element (0:
 *         not known) and COLUMNS elements in a row (1: the array has one dimension). PHASE is the
 *         address of its first byte modulo 128; in shared memory it is counted from the first array
 *     block NUMBER X Y Z                what follows belongs to this one
 *     step KIND WARP FILE LINE INSTRUCTION ROUND ACT IDLE WAIT LEFT BYTES REQUESTS COST IDEAL NAME
 *         one warp instruction; the masks hold after it. FILE - and LINE 0: not known. INSTRUCTION
 *         is a number for each place in the machine code. ROUND counts how often this warp has
 *         executed it, from 1; lanes that reach a barrier in several groups, for the same opening,
 *         are in one round. COST is wavefronts in shared memory, sectors in global memory. NAME is
 *         that of the function called, or -
 *     lane LANE ARRAY OFFSET BEFORE AFTER WAVEFRONT     of a load, store or atomic, in ACT's order
 *         AFTER is `=` where it is BEFORE. Of more than 16 bytes the first 16 are shown. WAVEFRONT
 *         is which of the request serves the lane, from 0; - in global memory
 *     lane LANE BEFORE AFTER SOURCE     of a shuffle: what the lane gave and got, from which lane;
 *                                       SOURCE `!` is past the edge: it got its own
 *     lane LANE BEFORE AFTER            of a vote
 *     finding STOPPED ACCESSES LINES    after a step of kind finding: 1 if the launch ends here
 *     access KIND BLOCK THREAD STEP FILE LINE ARRAY OFFSET BYTES    so many; STEP counts the steps
 *                                       of this file from 0
 *     text LINE                         so many: the message
 *     counter NAME VALUE                of the launch, all blocks
 *     full                              the block continued after TRACE_STEPS_MAX steps
 *     end                               the last line
 *
 * If the launch never happened, `never LAUNCHES` replaces everything from `kernel` on: how many
 * there were. A reader refuses a file without `end`.
 */
#ifndef SIMT_TRACE_FORMAT_H
#define SIMT_TRACE_FORMAT_H

#define TRACE_FORMAT "simt-trace"
enum { TRACE_VERSION = 1, TRACE_STEPS_MAX = 1 << 16 };

/* KIND, in the order of trace_kind_t of the reader. */
#define TRACE_KIND_LIST(X)                                                                         \
    X(LOAD, "load")                                                                                \
    X(STORE, "store")                                                                              \
    X(ATOMIC, "atomic")                                                                            \
    X(ARRIVE, "arrive")                                                                            \
    X(LEAVE, "leave")                                                                              \
    X(SHUFFLE, "shuffle")                                                                          \
    X(VOTE, "vote")                                                                                \
    X(SYNCWARP, "syncwarp")                                                                        \
    X(EXIT, "exit")                                                                                \
    X(FINDING, "finding")

#define TRACE_SPACE_LIST(X)                                                                        \
    X(SHARED, "shared")                                                                            \
    X(GLOBAL, "global")                                                                            \
    X(CONSTANT, "constant")

/* TYPE. simtcc encodes the type of a shared array by its number here: types.hpp. */
#define TRACE_TYPE_LIST(X)                                                                         \
    X(UNKNOWN, "?")                                                                                \
    X(F32, "f32")                                                                                  \
    X(F64, "f64")                                                                                  \
    X(F16, "f16")                                                                                  \
    X(BF16, "bf16")                                                                                \
    X(I8, "i8")                                                                                    \
    X(I16, "i16")                                                                                  \
    X(I32, "i32")                                                                                  \
    X(I64, "i64")                                                                                  \
    X(U8, "u8")                                                                                    \
    X(U16, "u16")                                                                                  \
    X(U32, "u32")                                                                                  \
    X(U64, "u64")

#endif
