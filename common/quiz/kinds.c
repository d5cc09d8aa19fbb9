/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "quiz.h"

/* ---- drawing, where ranges are not enough ---- */

static int pick(rng_t *rng, int least, int most)
{
    return least + (int)rng_below(rng, (size_t)(most - least + 1));
}

static void draw_stride(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    if (c->level == 1 && rng_below(rng, 2))
        arg[0]++;
}

static void draw_packs(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    const int turn = arg[0] * arg[2] * arg[3];
    arg[1] = c->level == 1   ? turn
             : c->level == 2 ? pick(rng, turn / 2, turn)
                             : pick(rng, turn, 3 * turn);
}

static void draw_lanes(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[2] = c->level == 1 ? 64 : WARP * pick(rng, 2, 8);
    arg[0] = c->level == 1 ? pick(rng, 0, 1) : c->level == 2 ? pick(rng, 0, 2) : pick(rng, 1, 3);
    arg[1] = c->level == 1 && arg[0] == 0 ? 1 << pick(rng, 1, 5) : pick(rng, 2, arg[2] - 1);
    if (arg[0] == 0 && c->level > 1)
        arg[1] = pick(rng, 2, 100);
}

/* Form 0 is the tree of 01, and so on. */
static void draw_tree(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    const int newest = *c->lesson ? atoi(c->lesson) - 1 : arg[0];
    (void)rng;
    arg[0] = arg[0] < newest ? arg[0] : newest;
}

/* ---- the code, and what it needs to be understood ---- */

#define IN "    " /* before a line of code */

static const char *guard(int every)
{
    return every > 1 ? text("if (tid %% %d == 0) ", every) : "";
}

/* "s_data[3 * tid]" */
static const char *element(const char *array, int stride)
{
    return stride == 1 ? text("%s[tid]", array) : text("%s[%d * tid]", array, stride);
}

/* "2 blocks" */
static const char *counted(int count, const char *what)
{
    return text("%d %s%s", count, what, count == 1 ? "" : "s");
}

static const char *show_stride(const int arg[PATTERN_ARGS])
{
    return text("One warp, float s_data[] in shared memory. tid is 0 to 31:\n\n" IN "%sx = %s;\n",
                guard(arg[1]), element("s_data", arg[0]));
}

static const char *show_pitch(const int arg[PATTERN_ARGS])
{
    return text("One warp, a block of %d x %d threads (.x is 0 to %d, .y is 0 to %d), float "
                "s_tile[] in shared memory:\n\n" IN "x = s_tile[threadIdx.x * %d + %s];\n",
                arg[1], WARP / arg[1], arg[1] - 1, WARP / arg[1] - 1, arg[0],
                arg[2] ? "(threadIdx.y ^ threadIdx.x)" : "threadIdx.y");
}

/* The indices of the lanes, 16 in a line. */
static const char *show_list(const int arg[PATTERN_ARGS], const char *format)
{
    const struct indices p = pattern_indices(arg[1], arg[2]);
    const char *list = text(format, arg[0]);
    for (int lane = 0; lane < arg[0]; lane++)
        list = text("%s%s%4d%s", list, lane % 16 == 0 ? IN : "", p.index[lane],
                    lane % 16 == 15 || lane == arg[0] - 1 ? "\n" : "");
    return list;
}

static const char *show_words(const int arg[PATTERN_ARGS])
{
    return show_list(arg, "The first %d lanes of a warp load these words (of 4 bytes) of shared "
                          "memory:\n\n");
}

static const char *show_gather(const int arg[PATTERN_ARGS])
{
    return show_list(arg, "The first %d lanes of a warp load these elements of a float array in "
                          "global memory, which begins at a multiple of 256 bytes, and a sector "
                          "at one of 32:\n\n");
}

static const char *pack_name(int width)
{
    return width == 1 ? "float" : width == 2 ? "float2" : "float4";
}

static const char *show_wide(const int arg[PATTERN_ARGS])
{
    const char *pack = pack_name(arg[0]);
    return text("One warp, %s s_data[] in shared memory. tid is 0 to 31:\n\n" IN "%s x = %s;\n",
                pack, pack, element("s_data", arg[1]));
}

static const char *show_sectors(const int arg[PATTERN_ARGS])
{
    return text("A block of %d threads. const float *d_in begins at a multiple of 256 bytes:\n\n" IN
                "%sx = %s;\n",
                arg[2], guard(arg[1]), element("d_in", arg[0]));
}

static const char *show_aligned(const int arg[PATTERN_ARGS])
{
    return text("A block of %d threads. The elements have %s; d_in begins at a multiple of 256 "
                "bytes, and a sector at one of 32:\n\n" IN "x = d_in[tid + %d];\n",
                arg[2], counted(arg[0], "byte"), arg[1]);
}

static const char *show_packs(const int arg[PATTERN_ARGS])
{
    const int width = arg[0], threads = arg[2] * arg[3];
    const char *head = text("%s of %d threads; n is %d; i is the number of the thread in the grid, "
                            "0 to %d:\n\n",
                            counted(arg[3], "block"), arg[2], arg[1], threads - 1);
    if (width == 1)
        return text("%s" IN "for (p = i; p < n; p += %d) sum += d_in[p];\n", head, threads);
    return text("%s" IN "for (p = i; p < n / %d; p += %d)\n" IN
                "    sum += total(((const %s *)d_in)[p]); // of the pack's floats\n" IN
                "if (i < n %% %d) sum += d_in[n / %d * %d + i]; // what no pack holds\n",
                head, width, threads, pack_name(width), width, width, width);
}

static const char *show_condition(const int arg[PATTERN_ARGS])
{
    static const char *const forms[] = {"tid %% %d == 0", "tid < %d", "tid / %d %% 2 == 0",
                                        "(tid & %d) == 0"};
    return text("A block of %d threads:\n\n" IN "if (%s) d_out[tid] = 1.0f;\n", arg[2],
                text(forms[arg[0]], arg[1]));
}

static const char *show_tree(const int arg[PATTERN_ARGS])
{
    static const char *const turns[] = {
        IN "for (stride = 1; stride < %d; stride *= 2) {\n" IN
           "    if (tid %% (2 * stride) == 0) s_data[tid] += s_data[tid + stride];\n",
        IN "for (stride = 1; stride < %d; stride *= 2) {\n" IN "    left = 2 * stride * tid;\n" IN
           "    if (left < blockDim.x) s_data[left] += s_data[left + stride];\n",
        IN "for (stride = %d; stride > 0; stride /= 2) {\n" IN
           "    if (tid < stride) s_data[tid] += s_data[tid + stride];\n",
        IN "for (stride = %d; stride > 16; stride /= 2) {\n" IN
           "    if (tid < stride) s_data[tid] += s_data[tid + stride];\n"};
    return text("%s of %d threads:\n\n" IN "s_data[tid] = x;\n" IN "__syncthreads();\n%s" IN
                "    __syncthreads();\n" IN "}\n" IN "if (tid == 0) d_out[blockIdx.x] = "
                "s_data[0];\n",
                counted(arg[2], "block"), arg[1],
                text(turns[arg[0]], arg[0] < 2 ? arg[1] : arg[1] / 2));
}

static const char *show_shuffles(const int arg[PATTERN_ARGS])
{
    const bool whole = arg[0] == WARP;
    const char *loop = text(
        "A block of %d threads%s:\n\n" IN "for (offset = %d; offset > 0; offset /= 2)\n" IN
        "    x += __shfl_down_sync(0xffffffff, x, offset%s);\n",
        arg[1],
        whole ? "" : text("; the last argument cuts each warp into groups of %d lanes", arg[0]),
        arg[0] / 2, whole ? "" : text(", %d", arg[0]));
    if (!arg[2])
        return loop;
    return text("%s" IN "if (lane == 0) s_warp[warp] = x;\n" IN "__syncthreads();\n" IN
                "if (warp == 0) {\n" IN "    x = lane < %d ? s_warp[lane] : 0.0f;\n" IN
                "    for (offset = 16; offset > 0; offset /= 2)\n" IN
                "        x += __shfl_down_sync(0xffffffff, x, offset);\n" IN "}\n",
                loop, arg[1] / WARP);
}

static const char *show_atomics(const int arg[PATTERN_ARGS])
{
    return text("%s of %d threads, int *d_count in global memory. An atomic of a warp is one "
                "request; lanes that hit the same address take turns:\n\n" IN
                "%satomicAdd(&d_count[%s], 1);\n",
                counted(arg[3], "block"), arg[2], guard(arg[0]),
                arg[1] == 1 ? "0" : text("tid %% %d", arg[1]));
}

/* ---- the kinds, in the order of enum pattern ---- */

/* PATTERN_THREADS and PATTERN_BLOCKS are the most. */
#define THREADS "threads 32 256 multiple"
#define BLOCKS "blocks 1 4: 1 1..4 1..4"
#define TREE "form 0 3: 2 0..2 0..3, threads 32 256 power: 2^5..7 2^5..8 2^5..8, " BLOCKS
#define CONDITION "form 0 3, a 1 256, " THREADS
#define LIST "lanes 1 32: 8 16 32, range 1 4096: 64 96 96, seed 0 99999: 1..99999 1..99999 1..99999"

static const char how_many_wavefronts[] = "How many wavefronts does this load take?";
static const char how_many_sectors[] = "How many sectors do the loads of all warps ask for?";

static const char why_words[] =
    "Word w lies in bank w % 32. The bank that is asked for most different words decides; lanes "
    "that want the same word share it.";
static const char why_sectors[] =
    "A sector is 32 bytes that begin at a multiple of 32. Each request counts the different "
    "sectors that its lanes touch, and each warp makes a request of its own.";
static const char why_requests[] =
    "A warp makes one request for each instruction that at least one of its lanes takes part in.";

const struct kind kinds[PATTERNS] = {
    {"stride", "03", "shared_ld_wavefronts", "wavefronts",
     "stride 0 128: 2^0..5 1..40 1..40, every 1 32: 1 1 2..5", draw_stride, show_stride,
     how_many_wavefronts, why_words},
    {"pitch", "03", "shared_ld_wavefronts", "wavefronts",
     "pitch 1 96: 32..36 15..36 15..36, columns 1 32 power: 32 2^2..4 2^2..4, swizzle 0 1: 0 0 1",
     NULL, show_pitch, how_many_wavefronts, why_words},
    {"words", "03", "shared_ld_wavefronts", "wavefronts", LIST, NULL, show_words,
     how_many_wavefronts, why_words},
    /* No lesson says how wide loads are split. */
    {"wide", "", "shared_ld_wavefronts", "wavefronts",
     "width 1 4 power: 2^0..2 2^1..2 2^1..2, stride 1 32: 1..4 1..9 1..32", NULL, show_wide,
     how_many_wavefronts,
     "A wavefront moves at most 128 bytes: 8 bytes a lane go in two halves of the warp, 16 in four "
     "quarters. In each part the bank that is asked for most different words decides."},
    {"sectors", "04 07", "global_ld_sectors", "sectors",
     "stride 0 64: 2^0..4 1..12 1..12, every 1 64: 1 1 2..5, " THREADS ": 32 1..4*32 1..4*32", NULL,
     show_sectors, how_many_sectors, why_sectors},
    {"aligned", "04 06 07", "global_ld_sectors", "sectors",
     "bytes 1 8 power: 4 2^0..3 2^0..3, offset 0 64: 0..8 0..33 0..33, " THREADS ": 32 32 2..8*32",
     NULL, show_aligned, how_many_sectors, why_sectors},
    {"gather", "04 07", "global_ld_sectors", "sectors", LIST, NULL, show_gather,
     "How many sectors does this load ask for?", why_sectors},
    {"packs", "04 06 07", "global_ld_requests", "requests",
     "width 1 4 power: 2^0..2 2^0..2 2^0..2, n 1 16384, " THREADS ": 2^5..8 2^5..8 2^5..8, " BLOCKS,
     draw_packs, show_packs, "How many requests do the loads of all warps make?", why_requests},
    {"lanes", "01 02", "memory_lanes", "lanes", CONDITION, draw_lanes, show_condition,
     "How many lanes are busy at the store, in all warps together?",
     "A lane is busy where the condition is true for its tid."},
    {"warps", "01 02 05", "global_st_requests", "requests", CONDITION, draw_lanes, show_condition,
     "How many requests does the store make, in all warps together?", why_requests},
    {"tree", "01 02 03", "shared_ld_requests", "requests", TREE, draw_tree, show_tree,
     "How many requests do the loads of shared memory make, in all warps together?",
     "In a round each warp with a busy lane makes two requests, one for each operand. The last "
     "line is one more, in each block."},
    {"barriers", "01 02 05", "barriers", "barriers", TREE, draw_tree, show_tree,
     "How often does a warp come to a barrier, all warps and both lines together?",
     "Every warp of the block comes to every barrier, busy or not: the one before the loop, and "
     "one in each round."},
    {"shuffles", "05 06", "shuffles", "shuffles",
     "width 2 32 power: 2^1..5 2^1..5 32, " THREADS ": 32 2..8*32 2..8*32, whole_block 0 1: 0 0 1",
     NULL, show_shuffles, "How many shuffles are executed, as instructions of warps?",
     "A warp executes one shuffle for each turn of the loop, and every warp that comes to the loop "
     "does."},
    /* The second page of 06 adds by them. */
    {"atomics", "06", "atomic_requests", "requests",
     "every 1 256: 1 2..32 2..100, counters 1 256: 1..4 1..32 1..32, " THREADS
     ": 1..8*32 1..8*32 1..8*32, " BLOCKS,
     NULL, show_atomics, "How many requests do the atomics make, in all warps together?",
     "A warp makes one request for each atomic that at least one of its lanes takes part in, to "
     "however many addresses."},
};
