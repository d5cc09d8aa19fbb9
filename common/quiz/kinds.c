/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "quiz.h"

/* ---- drawing ---- */

static int pick(rng_t *rng, int least, int most)
{
    return least + (int)rng_below(rng, (size_t)(most - least + 1));
}

static int power(rng_t *rng, int least, int most) /* exponents */
{
    return 1 << pick(rng, least, most);
}

static void draw_stride(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 1 ? power(rng, 0, 5) : pick(rng, 1, 40);
    arg[1] = c->level == 3 ? pick(rng, 2, 5) : 1;
    if (c->level == 1 && rng_below(rng, 2))
        arg[0]++;
}

static void draw_pitch(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 1 ? pick(rng, 32, 36) : pick(rng, 15, 36);
    arg[1] = c->level == 1 ? WARP : power(rng, 2, 4);
    arg[2] = c->level == 3;
}

static void draw_words(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = 8 << (c->level - 1);
    arg[1] = c->level == 1 ? 64 : 96;
    arg[2] = pick(rng, 1, 99999);
}

static void draw_wide(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = power(rng, c->level == 1 ? 0 : 1, 2);
    arg[1] = c->level == 1 ? pick(rng, 1, 4) : pick(rng, 1, c->level == 2 ? 9 : 32);
}

static void draw_sectors(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 1 ? power(rng, 0, 4) : pick(rng, 1, 12);
    arg[1] = c->level == 3 ? pick(rng, 2, 5) : 1;
    arg[2] = c->level == 1 ? WARP : WARP * pick(rng, 1, 4);
}

static void draw_aligned(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 1 ? 4 : power(rng, 0, 3);
    arg[1] = pick(rng, 0, c->level == 1 ? 8 : 33);
    arg[2] = c->level == 3 ? WARP * pick(rng, 2, 8) : WARP;
}

static void draw_packs(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = power(rng, 0, 2);
    arg[2] = power(rng, 5, 8);
    arg[3] = c->level == 1 ? 1 : pick(rng, 1, PATTERN_BLOCKS);
    const int turn = arg[0] * arg[2] * arg[3];
    arg[1] = c->level == 1   ? turn
             : c->level == 2 ? pick(rng, turn / 2, turn)
                             : pick(rng, turn, 3 * turn);
}

static void draw_lanes(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[2] = c->level == 1 ? 64 : WARP * pick(rng, 2, 8);
    arg[0] = c->level == 1 ? pick(rng, 0, 1) : c->level == 2 ? pick(rng, 0, 2) : pick(rng, 1, 3);
    arg[1] = c->level == 1 && arg[0] == 0 ? power(rng, 1, 5) : pick(rng, 2, arg[2] - 1);
    if (arg[0] == 0 && c->level > 1)
        arg[1] = pick(rng, 2, 100);
}

static void draw_tree(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    const int form = c->level == 1 ? 2 : pick(rng, 0, c->level);
    const int newest = *c->lesson ? atoi(c->lesson) - 1 : form; /* form 0 is the tree of 01 */
    arg[0] = form < newest ? form : newest;
    arg[1] = power(rng, 5, c->level == 1 ? 7 : 8);
    arg[2] = c->level == 1 ? 1 : pick(rng, 1, PATTERN_BLOCKS);
}

static void draw_shuffles(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 3 ? WARP : power(rng, 1, 5);
    arg[1] = WARP * (c->level == 1 ? 1 : pick(rng, 2, 8));
    arg[2] = c->level == 3;
}

static void draw_atomics(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS])
{
    arg[0] = c->level == 1 ? 1 : pick(rng, 2, c->level == 2 ? WARP : 100);
    arg[1] = pick(rng, 1, c->level == 1 ? 4 : 32);
    arg[2] = WARP * pick(rng, 1, 8);
    arg[3] = c->level == 1 ? 1 : pick(rng, 1, PATTERN_BLOCKS);
}

/* ---- asking ---- */

#define IN "    " /* before a line of code */

static void guard(FILE *out, int every)
{
    if (every > 1)
        fprintf(out, "if (tid %% %d == 0) ", every);
}

/* "s_data[3 * tid]" */
static void element(FILE *out, const char *array, int stride)
{
    stride == 1 ? fprintf(out, "%s[tid]", array) : fprintf(out, "%s[%d * tid]", array, stride);
}

static void ask_stride(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out, "One warp, float s_data[] in shared memory. tid is 0 to 31:\n\n" IN);
    guard(out, arg[1]);
    fprintf(out, "x = ");
    element(out, "s_data", arg[0]);
    fprintf(out, ";\n\nHow many wavefronts does this load take?\n");
}

static void ask_pitch(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(
        out,
        "One warp, a block of %d x %d threads (.x is 0 to %d, .y is 0 to %d), float s_tile[] in "
        "shared memory:\n\n" IN "x = s_tile[threadIdx.x * %d + %s];\n\n"
        "How many wavefronts does this load take?\n",
        arg[1], WARP / arg[1], arg[1] - 1, WARP / arg[1] - 1, arg[0],
        arg[2] ? "(threadIdx.y ^ threadIdx.x)" : "threadIdx.y");
}

static void list_indices(FILE *out, const int arg[PATTERN_ARGS])
{
    const struct indices p = pattern_indices(arg[1], arg[2]);
    for (int lane = 0; lane < arg[0]; lane++)
        fprintf(out, "%s%4d%s", lane % 16 == 0 ? IN : "", p.index[lane],
                lane % 16 == 15 || lane == arg[0] - 1 ? "\n" : "");
}

static void ask_words(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out, "The first %d lanes of a warp load these words (of 4 bytes) of shared memory:\n\n",
            arg[0]);
    list_indices(out, arg);
    fprintf(out, "\nHow many wavefronts does this load take?\n");
}

static const char *pack_name(int width)
{
    return width == 1 ? "float" : width == 2 ? "float2" : "float4";
}

static void ask_wide(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out, "One warp, %s s_data[] in shared memory. tid is 0 to 31:\n\n" IN "%s x = ",
            pack_name(arg[0]), pack_name(arg[0]));
    element(out, "s_data", arg[1]);
    fprintf(out, ";\n\nHow many wavefronts does this load take?\n");
}

static void ask_sectors(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out,
            "A block of %d threads. const float *d_in begins at a multiple of 256 bytes:\n\n" IN,
            arg[2]);
    guard(out, arg[1]);
    fprintf(out, "x = ");
    element(out, "d_in", arg[0]);
    fprintf(out, ";\n\nHow many sectors do the loads of all warps ask for?\n");
}

static void ask_aligned(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out,
            "A block of %d threads. The elements have %d byte%s; d_in begins at a multiple of 256 "
            "bytes, and a sector at one of 32:\n\n" IN "x = d_in[tid + %d];\n\n"
            "How many sectors do the loads of all warps ask for?\n",
            arg[2], arg[0], arg[0] == 1 ? "" : "s", arg[1]);
}

static void ask_gather(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out,
            "The first %d lanes of a warp load these elements of a float array in global memory, "
            "which begins at a multiple of 256 bytes, and a sector at one of 32:\n\n",
            arg[0]);
    list_indices(out, arg);
    fprintf(out, "\nHow many sectors does this load ask for?\n");
}

static void ask_packs(FILE *out, const int arg[PATTERN_ARGS])
{
    const int width = arg[0];
    fprintf(out,
            "%d block%s of %d threads; n is %d; i is the number of the thread in the grid, 0 to "
            "%d:\n\n" IN,
            arg[3], arg[3] == 1 ? "" : "s", arg[2], arg[1], arg[2] * arg[3] - 1);
    if (width == 1)
        fprintf(out, "for (p = i; p < n; p += %d) sum += d_in[p];\n", arg[2] * arg[3]);
    else
        fprintf(out,
                "for (p = i; p < n / %d; p += %d)\n" IN
                "    sum += total(((const %s *)d_in)[p]); // of the pack's floats\n" IN
                "if (i < n %% %d) sum += d_in[n / %d * %d + i]; // what no pack holds\n",
                width, arg[2] * arg[3], pack_name(width), width, width, width);
    fprintf(out, "\nHow many requests do the loads of all warps make?\n");
}

static void ask_condition(FILE *out, const int arg[PATTERN_ARGS])
{
    const char *const form[] = {"tid %% %d == 0", "tid < %d", "tid / %d %% 2 == 0",
                                "(tid & %d) == 0"};
    fprintf(out, "A block of %d threads:\n\n" IN "if (", arg[2]);
    fprintf(out, form[arg[0]], arg[1]);
    fprintf(out, ") d_out[tid] = 1.0f;\n\n");
}

static void ask_lanes(FILE *out, const int arg[PATTERN_ARGS])
{
    ask_condition(out, arg);
    fprintf(out, "How many lanes are busy at the store, in all warps together?\n");
}

static void ask_warps(FILE *out, const int arg[PATTERN_ARGS])
{
    ask_condition(out, arg);
    fprintf(out, "How many requests does the store make, in all warps together?\n");
}

static void show_tree(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out, "%d block%s of %d threads:\n\n" IN "s_data[tid] = x;\n" IN "__syncthreads();\n",
            arg[2], arg[2] == 1 ? "" : "s", arg[1]);
    if (arg[0] >= 2)
        fprintf(out,
                IN "for (stride = %d; stride > %d; stride /= 2) {\n" IN
                   "    if (tid < stride) s_data[tid] += s_data[tid + stride];\n",
                arg[1] / 2, arg[0] == 3 ? 16 : 0);
    else
        fprintf(out, IN "for (stride = 1; stride < %d; stride *= 2) {\n%s", arg[1],
                arg[0] == 0
                    ? IN "    if (tid % (2 * stride) == 0) s_data[tid] += s_data[tid + stride];\n"
                    : IN "    left = 2 * stride * tid;\n" IN
                         "    if (left < blockDim.x) s_data[left] += s_data[left + stride];\n");
    fprintf(out, IN "    __syncthreads();\n" IN "}\n" IN
                    "if (tid == 0) d_out[blockIdx.x] = s_data[0];\n\n");
}

static void ask_tree(FILE *out, const int arg[PATTERN_ARGS])
{
    show_tree(out, arg);
    fprintf(out, "How many requests do the loads of shared memory make, in all warps together?\n");
}

static void ask_barriers(FILE *out, const int arg[PATTERN_ARGS])
{
    show_tree(out, arg);
    fprintf(out, "How often does a warp come to a barrier, all warps and both lines together?\n");
}

static void ask_shuffles(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out, "A block of %d threads", arg[1]);
    if (arg[0] < WARP)
        fprintf(out, "; the last argument cuts each warp into groups of %d lanes", arg[0]);
    fprintf(out,
            ":\n\n" IN "for (offset = %d; offset > 0; offset /= 2)\n" IN
            "    x += __shfl_down_sync(0xffffffff, x, offset",
            arg[0] / 2);
    arg[0] < WARP ? fprintf(out, ", %d);\n", arg[0]) : fprintf(out, ");\n");
    if (arg[2])
        fprintf(out,
                IN "if (lane == 0) s_warp[warp] = x;\n" IN "__syncthreads();\n" IN
                   "if (warp == 0) {\n" IN "    x = lane < %d ? s_warp[lane] : 0.0f;\n" IN
                   "    for (offset = 16; offset > 0; offset /= 2)\n" IN
                   "        x += __shfl_down_sync(0xffffffff, x, offset);\n" IN "}\n",
                arg[1] / WARP);
    fprintf(out, "\nHow many shuffles are executed, as instructions of warps?\n");
}

static void ask_atomics(FILE *out, const int arg[PATTERN_ARGS])
{
    fprintf(out,
            "%d block%s of %d threads, int *d_count in global memory. An atomic of a warp is one "
            "request; lanes that hit the same address take turns:\n\n" IN,
            arg[3], arg[3] == 1 ? "" : "s", arg[2]);
    guard(out, arg[0]);
    if (arg[1] == 1)
        fprintf(out, "atomicAdd(&d_count[0], 1);");
    else
        fprintf(out, "atomicAdd(&d_count[tid %% %d], 1);", arg[1]);
    fprintf(out, "\n\nHow many requests do the atomics make, in all warps together?\n");
}

/* ---- the kinds, in the order of enum pattern ---- */

#define THREADS                                                                                    \
    {                                                                                              \
        "threads", WARP, PATTERN_THREADS, WARP, false                                              \
    }
#define BLOCKS                                                                                     \
    {                                                                                              \
        "blocks", 1, PATTERN_BLOCKS, 1, false                                                      \
    }
#define SEED_OF_INDICES                                                                            \
    {                                                                                              \
        "seed", 0, 99999, 1, false                                                                 \
    }
#define TREE                                                                                       \
    {                                                                                              \
        {"form", 0, 3, 1, false}, {"threads", WARP, PATTERN_THREADS, 1, true}, BLOCKS              \
    }
#define CONDITION                                                                                  \
    {                                                                                              \
        {"form", 0, 3, 1, false}, {"a", 1, PATTERN_THREADS, 1, false}, THREADS                     \
    }
#define LIST                                                                                       \
    {                                                                                              \
        {"lanes", 1, WARP, 1, false}, {"range", 1, 4096, 1, false}, SEED_OF_INDICES                \
    }

static const char why_words[] =
    "Word w lies in bank w % 32. The bank that is asked for most different words decides; lanes "
    "that want the same word share it.";
static const char why_sectors[] =
    "A sector is 32 bytes that begin at a multiple of 32. Each request counts the different "
    "sectors that its lanes touch, and each warp makes a request of its own.";
static const char why_requests[] =
    "A warp makes one request for each instruction that at least one of its lanes takes part in.";

const struct kind kinds[PATTERNS] = {
    [PATTERN_STRIDE] = {"stride",
                        "03",
                        "shared_ld_wavefronts",
                        "wavefronts",
                        {{"stride", 0, 128, 1, false}, {"every", 1, WARP, 1, false}},
                        draw_stride,
                        ask_stride,
                        why_words},
    [PATTERN_PITCH] = {"pitch",
                       "03",
                       "shared_ld_wavefronts",
                       "wavefronts",
                       {{"pitch", 1, 96, 1, false},
                        {"columns", 1, WARP, 1, true},
                        {"swizzle", 0, 1, 1, false}},
                       draw_pitch,
                       ask_pitch,
                       why_words},
    [PATTERN_WORDS] = {"words", "03", "shared_ld_wavefronts", "wavefronts", LIST, draw_words,
                       ask_words, why_words},
    [PATTERN_WIDE] = {"wide",
                      "", /* no lesson says how wide loads are split */
                      "shared_ld_wavefronts",
                      "wavefronts",
                      {{"width", 1, 4, 1, true}, {"stride", 1, 32, 1, false}},
                      draw_wide,
                      ask_wide,
                      "A wavefront moves at most 128 bytes: 8 bytes a lane go in two halves of the "
                      "warp, 16 in four quarters. In each part the bank that is asked for most "
                      "different words decides."},
    [PATTERN_SECTORS] = {"sectors",
                         "04 07",
                         "global_ld_sectors",
                         "sectors",
                         {{"stride", 0, 64, 1, false}, {"every", 1, 64, 1, false}, THREADS},
                         draw_sectors,
                         ask_sectors,
                         why_sectors},
    [PATTERN_ALIGNED] = {"aligned",
                         "04 06 07",
                         "global_ld_sectors",
                         "sectors",
                         {{"bytes", 1, 8, 1, true}, {"offset", 0, 64, 1, false}, THREADS},
                         draw_aligned,
                         ask_aligned,
                         why_sectors},
    [PATTERN_GATHER] = {"gather", "04 07", "global_ld_sectors", "sectors", LIST, draw_words,
                        ask_gather, why_sectors},
    [PATTERN_PACKS] = {"packs",
                       "04 06 07",
                       "global_ld_requests",
                       "requests",
                       {{"width", 1, 4, 1, true}, {"n", 1, 16384, 1, false}, THREADS, BLOCKS},
                       draw_packs,
                       ask_packs,
                       why_requests},
    [PATTERN_LANES] = {"lanes", "01 02", "memory_lanes", "lanes", CONDITION, draw_lanes, ask_lanes,
                       "A lane is busy where the condition is true for its tid."},
    [PATTERN_WARPS] = {"warps", "01 02 05", "global_st_requests", "requests", CONDITION, draw_lanes,
                       ask_warps, why_requests},
    [PATTERN_TREE] = {"tree", "01 02 03", "shared_ld_requests", "requests", TREE, draw_tree,
                      ask_tree,
                      "In a round each warp with a busy lane makes two requests, one for each "
                      "operand. The last line is one more, in each block."},
    [PATTERN_BARRIERS] = {"barriers", "01 02 05", "barriers", "barriers", TREE, draw_tree,
                          ask_barriers,
                          "Every warp of the block comes to every barrier, busy or not: the one "
                          "before the loop, and one in each round."},
    [PATTERN_SHUFFLES] = {"shuffles",
                          "05 06",
                          "shuffles",
                          "shuffles",
                          {{"width", 2, WARP, 1, true}, THREADS, {"whole_block", 0, 1, 1, false}},
                          draw_shuffles,
                          ask_shuffles,
                          "A warp executes one shuffle for each turn of the loop, and every warp "
                          "that comes to the loop does."},
    [PATTERN_ATOMICS] = {"atomics",
                         "06", /* its second page adds by them */
                         "atomic_requests",
                         "requests",
                         {{"every", 1, PATTERN_THREADS, 1, false},
                          {"counters", 1, PATTERN_THREADS, 1, false},
                          THREADS,
                          BLOCKS},
                         draw_atomics,
                         ask_atomics,
                         "A warp makes one request for each atomic that at least one of its lanes "
                         "takes part in, to however many addresses."},
};
