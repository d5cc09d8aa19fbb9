/* SPDX-License-Identifier: MIT */
/*
 * tree.c - pictures of a tree in shared memory (01 to 03): which lanes add in which round, and
 * which banks the loads of a round meet. A round lies between two __syncthreads() and stores sums.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pictures.h"
#include "svg.h"

enum { ROUNDS_MAX = 16, WARPS_MAX = 32 };

typedef struct {
    uint32_t adds[WARPS_MAX]; /* by warp: the lanes that store a sum */
    const trace_step_t *load; /* the left operand in the lowest warp */
    long long stride;         /* from it to the right one */
} round_t;

static unsigned count_lanes(uint32_t lanes)
{
    unsigned n = 0;
    for (; lanes != 0; lanes &= lanes - 1)
        n++;
    return n;
}

/* The rounds of block 0, in the order of time; how many there are, 0 where one lacks its loads. */
static int find_rounds(const trace_t *t, round_t *rounds)
{
    int n = 0;
    for (int i = 0; i < ROUNDS_MAX; i++)
        rounds[i] = (round_t){.load = NULL};
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->block != 0 || s->epoch < 1 || s->epoch > ROUNDS_MAX || s->warp >= WARPS_MAX ||
            s->space != TRACE_SHARED || s->lane_count == 0)
            continue;
        round_t *r = &rounds[s->epoch - 1];
        if (s->kind == TRACE_STORE) {
            r->adds[s->warp] |= s->act;
            n = (int)s->epoch;
        } else if (s->kind == TRACE_LOAD && r->load == NULL) {
            r->load = s;
        } else if (s->kind == TRACE_LOAD && r->stride == 0 && s->warp == r->load->warp) {
            r->stride = llabs(s->lanes[0].index - r->load->lanes[0].index);
            if (s->lanes[0].index < r->load->lanes[0].index)
                r->load = s; // the compiler may load the right one first
        }
    }
    for (int i = 0; i < n; i++)
        if (rounds[i].load == NULL || rounds[i].stride == 0)
            return 0;
    return n;
}

/* How many warps add in a round, and the lanes of all of them. */
static unsigned busy(const round_t *r, unsigned *lanes)
{
    unsigned warps = 0;
    *lanes = 0;
    for (int w = 0; w < WARPS_MAX; w++) {
        warps += r->adds[w] != 0;
        *lanes += count_lanes(r->adds[w]);
    }
    return warps;
}

/* The 32 lanes of a warp in a round, 2 units each: a high bar adds, a low one does not. */
static void draw_lanes(uint32_t adds, double x, double y)
{
    for (int lane = 0; lane < TRACE_LANES;) {
        const int first = lane;
        const bool on = adds >> lane & 1;
        while (lane < TRACE_LANES && (adds >> lane & 1) == on)
            lane++;
        svg_rect(on ? "act" : "idle", x + 2 * first, on ? y : y + 13, 2 * (lane - first),
                 on ? 16 : 3);
    }
}

bool draw_warps(const source_t *source, int count)
{
    enum { LEFT = 68, CELL = 68, ROW = 22, TOP = 52 };
    const trace_t *t = &source->trace;
    round_t rounds[ROUNDS_MAX];
    const int n = count == 1 ? find_rounds(t, rounds) : 0;
    if (n == 0)
        return false;
    unsigned all_warps = 0, all_lanes = 0;
    for (int r = 0; r < n; r++) {
        unsigned lanes;
        all_warps += busy(&rounds[r], &lanes);
        all_lanes += lanes;
    }
    char says[400];
    snprintf(
        says, sizeof says,
        "%s: %d rounds of a block, one below the other, and its %u warps side by side. A high "
        "bar is a lane that adds. Its warps make %u additions, with %.1f of 32 lanes at work on "
        "average.",
        source->name, n, t->warps, all_warps, (double)all_lanes / all_warps);
    svg_open(TOP + ROW * n + 30, "Warps by rounds", says);
    svg_text("bold", LEFT, 18, "%s", source->name);
    svg_text("soft end", SVG_WIDTH - 8, 18, "a high bar: a lane that adds; time runs down");
    for (unsigned w = 0; w < t->warps; w++)
        svg_text("small soft middle", LEFT + CELL * w + 32, TOP - 10, "warp %u", w);
    svg_text("small soft end", SVG_WIDTH - 8, TOP - 10, "warps x lanes");
    for (int r = 0; r < n; r++) {
        const int y = TOP + ROW * r;
        unsigned lanes;
        const unsigned warps = busy(&rounds[r], &lanes);
        svg_text("small end", LEFT - 8, y + 13, "stride %lld", rounds[r].stride);
        for (unsigned w = 0; w < t->warps; w++)
            draw_lanes(rounds[r].adds[w], LEFT + CELL * w, y);
        svg_text("small end", SVG_WIDTH - 8, y + 13, "%u x %g", warps, (double)lanes / warps);
    }
    svg_text("bold", LEFT, TOP + ROW * n + 18,
             "The block's %u warps make %u additions, with %.1f of 32 lanes at work on average.",
             t->warps, all_warps, (double)all_lanes / all_warps);
    svg_close();
    return true;
}

bool draw_banks(const source_t *source, int count)
{
    enum { ROW = 14, LEAST = 28, GAP = 8, TOP = 46 };
    const trace_t *t = &source->trace;
    round_t rounds[ROUNDS_MAX];
    const int n = count == 1 ? find_rounds(t, rounds) : 0;
    if (n == 0)
        return false;
    int height = TOP;
    unsigned most = 0;
    for (int r = 0; r < n; r++) {
        const int rows = (int)rounds[r].load->wavefronts;
        height += (rows * ROW > LEAST ? rows * ROW : LEAST) + GAP;
        most = rounds[r].load->wavefronts > most ? rounds[r].load->wavefronts : most;
    }
    char says[400];
    snprintf(says, sizeof says,
             "%s: the left operand of warp 0 in each of %d rounds. Below each of the 32 banks are "
             "the lanes that it serves, a row for each wavefront. The highest tower has %u rows.",
             source->name, n, most);
    svg_open(height, "Banks and wavefronts", says);
    svg_text("bold", SVG_LEFT, 18, "%s", source->name);
    svg_text("soft end", SVG_WIDTH - 12, 18,
             "warp 0 loads the left operand; in a cell: the lane; a row: one wavefront");
    svg_numbers("bank", TOP - 8);
    int y = TOP;
    for (int r = 0; r < n; r++) {
        const trace_step_t *load = rounds[r].load;
        const int rows = (int)load->wavefronts;
        const int h = rows * ROW > LEAST ? rows * ROW : LEAST;
        svg_text("bold end", SVG_LEFT - 8, y + 11, "stride %lld", rounds[r].stride);
        svg_text("small end", SVG_LEFT - 8, y + 24, "%d wavefront%s", rows, rows > 1 ? "s" : "");
        svg_boxes(y + 0.5, ROW - 1);
        for (unsigned l = 0; l < load->lane_count; l++) {
            const trace_lane_t *lane = &load->lanes[l];
            const trace_array_t *array = &t->arrays[lane->array];
            const int x = svg_column((int)((array->phase + lane->offset) / 4 % SVG_LANES));
            char classes[4];
            snprintf(classes, sizeof classes, "w%d", lane->wavefront % 8);
            svg_rect(classes, x + 0.5, y + ROW * lane->wavefront + 0.5, SVG_LANE - 1, ROW - 1);
            svg_text("small on-w middle", x + SVG_LANE / 2.0, y + ROW * lane->wavefront + 11, "%u",
                     lane->lane);
        }
        y += h + GAP;
    }
    svg_close();
    return true;
}
