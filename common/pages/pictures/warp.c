/* SPDX-License-Identifier: MIT */
/*
 * warp.c - pictures of what a warp is and does: its shuffles (05), and its place between lane and
 * grid (01).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "svg.h"

/* ---- shuffles ---- */

enum { SHUFFLES_MAX = 8 };

/* The shuffles of warp 0 before it first waits for other warps. */
static int find_shuffles(const trace_t *t, const trace_step_t **shuffles)
{
    int n = 0;
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->warp != 0 || s->block != 0)
            continue;
        if (s->kind == TRACE_ARRIVE || n == SHUFFLES_MAX)
            break;
        if (s->kind == TRACE_SHUFFLE && s->lane_count == TRACE_LANES)
            shuffles[n++] = s;
    }
    return n;
}

/* A row of lanes: how many lanes' values each one holds; NULL: all are of use. */
static void draw_holders(const uint32_t *holds, const trace_step_t *before, int y)
{
    for (int l = 0; l < TRACE_LANES; l++) {
        unsigned n = 0;
        for (uint32_t left = holds[l]; left != 0; left &= left - 1)
            n++;
        const bool used = before == NULL || before->lanes[l].used;
        svg_rect(used ? "act" : "vain", svg_column(l) + 1, y, SVG_LANE - 2, 16);
        if (used)
            svg_text("small on middle", svg_column(l) + SVG_LANE / 2.0, y + 12, "%u", n);
    }
}

bool draw_shuffles(const source_t *source, int count)
{
    enum { TOP = 46, ROW = 16, GAP = 40 };
    const trace_step_t *shuffles[SHUFFLES_MAX];
    const int n = count == 1 ? find_shuffles(&source->trace, shuffles) : 0;
    if (n == 0)
        return false;
    uint32_t holds[TRACE_LANES], next[TRACE_LANES];
    svg_open(TOP + ROW + n * (ROW + GAP) + 12, "Shuffles of a warp",
             "The 32 lanes of a warp, a row after each of its shuffles. An arrow goes from the "
             "lane that "
             "gives a value to the lane that gets it; a lane shows how many lanes' values it "
             "holds. The lanes that are still of use halve each time, until lane 0 holds all 32; "
             "what the others get is hatched.");
    svg_text("soft end", SVG_WIDTH - 12, 18,
             "in a lane: how many lanes' values it holds; hatched: it is unused");
    svg_numbers("lane", TOP - 8);
    for (int l = 0; l < TRACE_LANES; l++)
        holds[l] = 1U << l;
    draw_holders(holds, NULL, TOP);
    for (int i = 0; i < n; i++) {
        const int from = TOP + i * (ROW + GAP) + ROW, to = from + GAP;
        const trace_step_t *s = shuffles[i];
        svg_text("end", SVG_LEFT - 8, from + GAP / 2 + 4, "offset %d",
                 abs(s->lanes[0].source - s->lanes[0].lane));
        for (unsigned l = 0; l < s->lane_count; l++) {
            const trace_lane_t *lane = &s->lanes[l];
            next[l] = holds[l] | (lane->out_of_range ? 0 : holds[lane->source]);
            if (!lane->out_of_range)
                svg_line(lane->used ? "way" : "lost", svg_column(lane->source) + SVG_LANE / 2.0,
                         from + 1, svg_column(lane->lane) + SVG_LANE / 2.0, to - 2);
        }
        memcpy(holds, next, sizeof holds);
        draw_holders(holds, s, to);
    }
    svg_close();
    return true;
}

/* ---- grid, block, warp, lane ---- */

enum { LEFT = SVG_LEFT, WIDE = SVG_LANE * SVG_LANES, HIGH = 28 };

static bool lies_in(const trace_array_t *array, trace_space_t space)
{
    return space == TRACE_GLOBAL ? is_buffer(array) : array->space == space;
}

/* What lies in a memory, side by side. */
static void draw_memory(const trace_t *t, trace_space_t space, const char *name, int y)
{
    int arrays = 0, i = 0;
    for (size_t a = 0; a < t->array_count; a++)
        arrays += lies_in(&t->arrays[a], space);
    svg_text("small end", LEFT - 8, y + 16, "%s", name);
    for (size_t a = 0; a < t->array_count; a++) {
        const trace_array_t *array = &t->arrays[a];
        if (!lies_in(array, space))
            continue;
        const double w = (double)WIDE / arrays, x = LEFT + w * i++;
        svg_rect("room", x + 1, y, w - 2, HIGH - 4);
        if (array->type == TRACE_UNKNOWN)
            svg_text("small middle", x + w / 2, y + 16, "%s: %zu bytes", array->name, array->bytes);
        else
            svg_text("small middle", x + w / 2, y + 16, "%s: %zu elements of %s", array->name,
                     array->length, trace_type_name(array->type));
    }
}

/* So many boxes, the first of them looked into: lines go from it to both ends of what is below. */
static void draw_boxes(const char *of, unsigned count, int y, int below)
{
    const double w = (double)WIDE / count;
    for (unsigned i = 0; i < count; i++) {
        svg_rect(i == 0 ? "act" : "frame", LEFT + w * i + 1, y, w - 2, HIGH);
        svg_text(i == 0 ? "on middle" : "middle", LEFT + w * (i + 0.5), y + 18, "%s %u", of, i);
    }
    svg_line("edge", LEFT + 1, y + HIGH, LEFT + 1, below);
    svg_line("edge", LEFT + w - 1, y + HIGH, LEFT + WIDE - 1, below);
}

bool draw_places(const source_t *source, int count)
{
    enum { GRID = 12, BLOCK = 126, WARP = 240, STEP = HIGH + 4 };
    const trace_t *t = &source->trace;
    if (count != 1 || t->warps > TRACE_LANES)
        return false;
    const unsigned blocks = t->grid[0] * t->grid[1] * t->grid[2];
    char says[400];
    snprintf(
        says, sizeof says,
        "A grid of %u blocks shares global memory; a block of %u warps shares its shared memory; "
        "a warp has 32 lanes, and each of them has its own registers.",
        blocks, t->warps);
    svg_open(WARP + 2 * STEP + 18, "Grid, block, warp, lane, and their memories", says);
    draw_memory(t, TRACE_GLOBAL, "global memory", GRID);
    svg_text("bold end", LEFT - 8, GRID + STEP + 12, "the grid");
    svg_text("small soft end", LEFT - 8, GRID + STEP + 25, "its %u blocks", blocks);
    draw_boxes("block", blocks, GRID + STEP, BLOCK - 4);
    draw_memory(t, TRACE_SHARED, "shared memory", BLOCK);
    svg_text("bold end", LEFT - 8, BLOCK + STEP + 12, "block 0");
    svg_text("small soft end", LEFT - 8, BLOCK + STEP + 25, "its %u warps", t->warps);
    draw_boxes("warp", t->warps, BLOCK + STEP, WARP - 4);
    svg_text("small end", LEFT - 8, WARP + 16, "registers");
    svg_text("bold end", LEFT - 8, WARP + STEP + 12, "warp 0");
    svg_text("small soft end", LEFT - 8, WARP + STEP + 25, "its 32 lanes");
    for (int l = 0; l < TRACE_LANES; l++) {
        svg_rect("room", svg_column(l) + 1, WARP, SVG_LANE - 2, HIGH - 4);
        svg_rect("act", svg_column(l) + 1, WARP + STEP, SVG_LANE - 2, HIGH);
        svg_text("small on middle", svg_column(l) + SVG_LANE / 2.0, WARP + STEP + 18, "%d", l);
    }
    svg_close();
    return true;
}
