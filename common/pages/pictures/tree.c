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
    enum { LEFT = 74, CELL = 67, ROW = 22, TOP = 52 };
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
             "%u warps make %u additions; of 32 lanes, %.1f work on average.", t->warps, all_warps,
             (double)all_lanes / all_warps);
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
    svg_text("small soft end", SVG_WIDTH - 12, 18,
             "left operand of warp 0; a number: the lane; a row: a wavefront");
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

/* ---- a tile, word by word ---- */

enum { WORD_ROWS_MAX = 64, WORD_HIGH = 17 };

/* Words as rows of 32 banks: bit b of row r is the word of bank b. */
typedef struct {
    uint32_t filled[WORD_ROWS_MAX]; /* an element was stored here before the first round */
    int rows;
} tile_t;

static int word_of(const trace_t *t, const trace_lane_t *lane)
{
    return (int)(t->arrays[lane->array].phase + lane->offset) / 4;
}

static tile_t find_tile(const trace_t *t)
{
    tile_t tile = {.rows = 0};
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        for (unsigned l = 0; s->kind == TRACE_STORE && s->space == TRACE_SHARED && s->block == 0 &&
                             s->epoch == 0 && l < s->lane_count;
             l++) {
            const int word = word_of(t, &s->lanes[l]), row = word / SVG_LANES;
            if (row >= WORD_ROWS_MAX)
                continue;
            tile.filled[row] |= 1U << word % SVG_LANES;
            if (row >= tile.rows)
                tile.rows = row + 1;
        }
    }
    return tile;
}

static void draw_tile_of(const source_t *source, const tile_t *tile, const trace_step_t *load,
                         int y)
{
    svg_text("bold", SVG_LEFT, y - 8, "%s", source->name);
    svg_text("end", SVG_WIDTH - 12, y - 8, "one load of %u lanes: %u wavefront%s", load->lane_count,
             load->wavefronts, load->wavefronts > 1 ? "s" : "");
    for (int r = 0; r < tile->rows; r++) {
        const int top = y + WORD_HIGH * r;
        svg_text("small soft end", SVG_LEFT - 8, top + 13, "word %d", SVG_LANES * r);
        for (int b = 0; b < SVG_LANES; b++) {
            const bool last = r == tile->rows - 1 && tile->filled[r] >> b == 0;
            if (!last)
                svg_rect(tile->filled[r] >> b & 1 ? "room" : "vain", svg_column(b) + 0.5, top + 0.5,
                         SVG_LANE - 1, WORD_HIGH - 1);
        }
    }
    for (unsigned l = 0; l < load->lane_count; l++) {
        const trace_lane_t *lane = &load->lanes[l];
        const int word = word_of(&source->trace, lane);
        const int x = svg_column(word % SVG_LANES), top = y + WORD_HIGH * (word / SVG_LANES);
        char classes[4];
        snprintf(classes, sizeof classes, "w%d", lane->wavefront % 8);
        svg_rect(classes, x + 0.5, top + 0.5, SVG_LANE - 1, WORD_HIGH - 1);
        svg_text("small on-w middle", x + SVG_LANE / 2.0, top + 13, "%u", lane->lane);
    }
}

bool draw_tile(const source_t *sources, int count)
{
    enum { TOP = 78, GAP = 42 };
    round_t rounds[SOURCES_MAX][ROUNDS_MAX] = {{{.load = NULL}}};
    tile_t tile[SOURCES_MAX];
    int height = TOP - GAP + 16, shown = 0;
    for (int i = 0; i < count; i++) {
        const int n = find_rounds(&sources[i].trace, rounds[i]);
        tile[i] = find_tile(&sources[i].trace);
        height += WORD_HIGH * tile[i].rows + GAP;
        if (n == 0)
            return false;
        for (int r = 0; i == 0 && r < n; r++) // the last of the dearest, where all lanes are seen
            if (rounds[0][r].load->wavefronts >= rounds[0][shown].load->wavefronts)
                shown = r;
        if (shown >= n)
            return false;
    }
    char says[400];
    size_t end = (size_t)snprintf(says, sizeof says,
                                  "Shared memory as rows of 32 banks, and the words that the lanes "
                                  "of a warp load at stride %lld.",
                                  rounds[0][shown].stride);
    for (int i = 0; i < count; i++)
        end += (size_t)snprintf(says + end, sizeof says - end, " %s: %u wavefronts.",
                                sources[i].name, rounds[i][shown].load->wavefronts);
    svg_open(height, "A tile and its banks", says);
    svg_text("soft end", SVG_WIDTH - 12, 18,
             "a box: a word of shared memory; a number: the lane that loads it; hatched: unused");
    svg_numbers("bank", 38);
    int y = TOP;
    for (int i = 0; i < count; i++) {
        draw_tile_of(&sources[i], &tile[i], rounds[i][shown].load, y);
        y += WORD_HIGH * tile[i].rows + GAP;
    }
    svg_close();
    return true;
}
