/* SPDX-License-Identifier: MIT */
/*
 * global.c - pictures of global memory (04, 07): which sectors the lanes of a load ask for, and
 * which elements go as packs of 16 bytes.
 */
#include <stdio.h>
#include <string.h>

#include "pictures.h"
#include "svg.h"

enum { SECTOR = 32, PACK = 16, WORD = 4 };

bool is_buffer(const trace_array_t *array)
{
    return array->space == TRACE_GLOBAL && strcmp(array->name, "__device__ variables") != 0;
}

/* The first load of warp 0 from a buffer; NULL if there is none. */
static const trace_step_t *first_load(const trace_t *t)
{
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        if (s->kind == TRACE_LOAD && s->warp == 0 && s->block == 0 && s->lane_count > 0 &&
            s->lanes[0].array >= 0 && is_buffer(&t->arrays[s->lanes[0].array]))
            return s;
    }
    return NULL;
}

/* The place of a lane's sector among those that the load asks for, lowest first. */
static int rank(const trace_step_t *load, long long sector)
{
    int lower = 0;
    for (unsigned i = 0; i < load->lane_count; i++) {
        bool first = load->lanes[i].sector < sector;
        for (unsigned j = 0; j < i && first; j++)
            first = load->lanes[j].sector != load->lanes[i].sector;
        lower += first;
    }
    return lower;
}

enum {
    ACROSS = SVG_LANES * WORD / SECTOR,
    SECTOR_WIDE = SVG_LANE * SECTOR / WORD,
    SECTOR_ROW = 21
};

static int sector_rows(const trace_step_t *load)
{
    return ((int)load->sectors + ACROSS - 1) / ACROSS;
}

/* The sectors of a load, four in a row: each word in it has a lane that asked, or none. */
static void draw_sectors_of(const source_t *source, int y)
{
    enum { HIGH = 17 };
    const trace_t *t = &source->trace;
    const trace_step_t *load = first_load(t);
    svg_text("bold end", SVG_LEFT - 8, y + 13, "%s", source->name);
    svg_text("small end", SVG_LEFT - 8, y + 29, "%u bytes a lane", load->bytes);
    svg_text("small end", SVG_LEFT - 8, y + 44, "%u sectors", load->sectors);
    svg_text("small end", SVG_LEFT - 8, y + 59, "%g %% used",
             100.0 * load->bytes_used / (SECTOR * load->sectors));
    for (int i = 0; i < (int)load->sectors; i++)
        svg_rect("vain", svg_column(0) + i % ACROSS * SECTOR_WIDE + 1.5,
                 y + i / ACROSS * SECTOR_ROW, SECTOR_WIDE - 3, HIGH);
    for (unsigned i = 0; i < load->lane_count; i++) {
        const trace_lane_t *lane = &load->lanes[i];
        const int sector = rank(load, lane->sector);
        const unsigned in_sector = (t->arrays[lane->array].phase + lane->offset) % SECTOR;
        const double byte = (SECTOR_WIDE - 3.0) / SECTOR, w = byte * lane->bytes;
        const double x = svg_column(0) + sector % ACROSS * SECTOR_WIDE + 1.5 + byte * in_sector;
        const int top = y + sector / ACROSS * SECTOR_ROW;
        svg_rect("act", x, top, w, HIGH);
        svg_text("small on middle", x + w / 2, top + 13, lane->bytes > WORD ? "lane %u" : "%u",
                 lane->lane);
        if (in_sector > 0)
            svg_line("cut", x, top, x, top + HIGH);
    }
}

bool draw_sectors(const source_t *sources, int count)
{
    enum { TOP = 34, LEAST = 62, GAP = 14 };
    int height = TOP;
    for (int i = 0; i < count; i++) {
        const trace_step_t *load = first_load(&sources[i].trace);
        if (load == NULL)
            return false;
        height += SECTOR_ROW * sector_rows(load) + GAP;
        if (SECTOR_ROW * sector_rows(load) < LEAST)
            height += LEAST - SECTOR_ROW * sector_rows(load);
    }
    char says[600];
    size_t end = (size_t)snprintf(says, sizeof says, "The first load of warp 0 in");
    for (int i = 0; i < count; i++) {
        const trace_step_t *load = first_load(&sources[i].trace);
        end += (size_t)snprintf(
            says + end, sizeof says - end,
            "%s %s: 32 lanes ask for %u bytes each, %u sectors, %u of %u bytes used",
            i == 0 ? "" : ";", sources[i].name, load->bytes, load->sectors, load->bytes_used,
            SECTOR * load->sectors);
    }
    snprintf(says + end, sizeof says - end, ".");
    svg_open(height, "The sectors of a load", says);
    svg_text(
        "soft end", SVG_WIDTH - 12, 18,
        "a box: a sector of 32 bytes that moves; a number: the lane that asked; hatched: unused");
    int y = TOP;
    for (int i = 0; i < count; i++) {
        const int high = SECTOR_ROW * sector_rows(first_load(&sources[i].trace));
        draw_sectors_of(&sources[i], y);
        y += (high > LEAST ? high : LEAST) + GAP;
    }
    svg_close();
    return true;
}

/* ---- head, packs and tail ---- */

/* How the elements of an array went: packs, and single ones before the first pack and after. */
typedef struct {
    unsigned packs, before, after;
    long long first_pack; /* its offset */
} parts_t;

/* The steps of all warps that load from or store to an array. */
static bool touches(const trace_step_t *s, int array)
{
    return (s->kind == TRACE_LOAD || s->kind == TRACE_STORE) && s->lane_count > 0 &&
           s->lanes[0].array == array;
}

static parts_t find_parts(const trace_t *t, int array)
{
    parts_t p = {.first_pack = -1};
    for (size_t i = 0; i < t->step_count; i++) {
        for (unsigned l = 0; touches(&t->steps[i], array) && l < t->steps[i].lane_count; l++) {
            const trace_lane_t *lane = &t->steps[i].lanes[l];
            if (lane->bytes < PACK)
                continue;
            p.packs++;
            if (p.first_pack < 0 || lane->offset < p.first_pack)
                p.first_pack = lane->offset;
        }
    }
    for (size_t i = 0; i < t->step_count; i++) {
        for (unsigned l = 0; touches(&t->steps[i], array) && l < t->steps[i].lane_count; l++) {
            const trace_lane_t *lane = &t->steps[i].lanes[l];
            if (lane->bytes < PACK)
                *(lane->offset < p.first_pack ? &p.before : &p.after) += 1;
        }
    }
    return p;
}

/* An array of which less is touched is a result, and no picture. */
static bool is_shown(const trace_t *t, int array)
{
    const parts_t p = find_parts(t, array);
    return is_buffer(&t->arrays[array]) && p.packs + p.before + p.after > 4;
}

static void draw_array(const trace_t *t, int array, int y)
{
    enum { HIGH = 16 };
    const trace_array_t *a = &t->arrays[array];
    const int start = (int)(a->phase % PACK);
    svg_text("end", SVG_LEFT - 8, y + 12, "%s", a->name);
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        for (unsigned l = 0; touches(s, array) && l < s->lane_count; l++) {
            const trace_lane_t *lane = &s->lanes[l];
            const double x = svg_column(0) + SVG_LANE * (double)(start + lane->offset) / WORD;
            const double w = SVG_LANE * (double)lane->bytes / WORD;
            const bool pack = lane->bytes == PACK;
            svg_rect(pack ? "act" : "w1", x + 1, y, w - 2, HIGH);
            svg_text(pack ? "small on middle" : "small on-w middle", x + w / 2, y + 12,
                     pack ? "thread %u" : "%u", s->warp * TRACE_LANES + lane->lane);
        }
    }
    for (int word = 0; word <= SVG_LANES; word += PACK / WORD)
        svg_line("edge", svg_column(word), y - 4, svg_column(word), y + HIGH + 4);
}

bool draw_parts(const source_t *sources, int count)
{
    enum { TOP = 44, TITLE = 20, ROW = 26, GAP = 8 };
    int height = TOP;
    for (int i = 0; i < count; i++) {
        int arrays = 0;
        for (size_t a = 0; a < sources[i].trace.array_count; a++)
            arrays += is_shown(&sources[i].trace, (int)a);
        if (arrays == 0)
            return false;
        height += TITLE + GAP + ROW * arrays;
    }
    svg_open(
        height, "Head, packs and tail",
        "Arrays of floats from one 16-byte boundary to the next. Packs of four floats begin at a "
        "boundary; what lies before the first and after the last goes one by one.");
    svg_text("soft end", SVG_WIDTH - 12, 18,
             "a column: 4 bytes; a long line: a 16-byte boundary; in a box: its thread");
    int y = TOP - 14;
    for (int i = 0; i < count; i++) {
        const trace_t *t = &sources[i].trace;
        int shown = 0;
        while (!is_shown(t, shown))
            shown++;
        const parts_t p = find_parts(t, shown);
        if (p.packs > 0)
            svg_text("bold", SVG_LEFT, y + 12, "%s: head %u, %u packs of 4, tail %u",
                     sources[i].name, p.before, p.packs, p.after);
        else
            svg_text("bold", SVG_LEFT, y + 12, "%s: one by one", sources[i].name);
        y += TITLE;
        for (size_t a = 0; a < t->array_count; a++) {
            if (!is_shown(t, (int)a))
                continue;
            draw_array(t, (int)a, y);
            y += ROW;
        }
        y += GAP;
    }
    svg_close();
    return true;
}

/* ---- who reads what, and when ---- */

enum { LOOP_ROWS = 3, LOOP_HIGH = 17, TURNS = 8 };

/* Does a step of block 0 load from a buffer in the loop that most of its loads are in? */
static bool is_turn(const trace_t *t, const trace_step_t *s, unsigned instruction)
{
    return s->kind == TRACE_LOAD && s->block == 0 && s->lane_count > 0 &&
           s->instruction == instruction && s->lanes[0].array >= 0 &&
           is_buffer(&t->arrays[s->lanes[0].array]);
}

/* The word that thread 0 reads in a turn of the loop, which counts from 1; -1: there is none. */
static long long begin_of(const trace_t *t, unsigned instruction, unsigned turn)
{
    for (size_t i = 0; i < t->step_count; i++)
        if (is_turn(t, &t->steps[i], instruction) && t->steps[i].warp == 0 &&
            t->steps[i].round == turn && t->steps[i].lanes[0].lane == 0)
            return t->steps[i].lanes[0].offset / WORD;
    return -1;
}

/* Rows of 32 words from one word on: the thread that reads each, in the colour of its turn. */
static void draw_window(const trace_t *t, unsigned instruction, long long first, int y)
{
    for (int r = 0; r < LOOP_ROWS; r++) {
        svg_text("small soft end", SVG_LEFT - 8, y + LOOP_HIGH * r + 13, "float %lld",
                 first + SVG_LANES * r);
        svg_boxes(y + LOOP_HIGH * r + 0.5, LOOP_HIGH - 1);
    }
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        for (unsigned l = 0; is_turn(t, s, instruction) && l < s->lane_count; l++) {
            const trace_lane_t *lane = &s->lanes[l];
            const long long word = lane->offset / WORD - first;
            if (word < 0 || word >= LOOP_ROWS * SVG_LANES)
                continue;
            char classes[4];
            snprintf(classes, sizeof classes, "w%u", (s->round - 1) % TURNS);
            const double x = svg_column((int)(word % SVG_LANES)), w = SVG_LANE * lane->bytes / WORD;
            const int top = y + LOOP_HIGH * (int)(word / SVG_LANES);
            svg_rect(classes, x + 0.5, top + 0.5, w - 1, LOOP_HIGH - 1);
            svg_text("small on-w middle", x + w / 2, top + 13,
                     lane->bytes > WORD ? "thread %u" : "%u", s->warp * TRACE_LANES + lane->lane);
        }
    }
}

bool draw_loop(const source_t *sources, int count)
{
    enum { TOP = 72, GAP = 40, APART = 8, WINDOW = LOOP_ROWS * LOOP_HIGH };
    long long second[SOURCES_MAX];
    int height = TOP - GAP + 14;
    for (int i = 0; i < count; i++) {
        const trace_t *t = &sources[i].trace;
        const trace_step_t *load = first_load(t);
        second[i] = load == NULL ? -1 : begin_of(t, load->instruction, 2);
        if (second[i] < 0)
            return false;
        if (second[i] < LOOP_ROWS * SVG_LANES)
            second[i] = 0; /* it is in the window of the first turn */
        height += WINDOW + (second[i] > 0 ? APART + WINDOW : 0) + GAP;
    }
    svg_open(height, "Who reads what in a loop over the grid",
             "Rows of 32 floats of an array, each with the number of the thread that reads it and "
             "in the colour of the turn of its loop. In a grid-stride loop neighbours are read by "
             "neighbouring threads in the same turn, and far behind them the same threads begin "
             "their second turn. Where each thread has a stretch, neighbours are read by one "
             "thread, turn after turn.");
    svg_text("soft", SVG_LEFT, 18, "a number: the thread of block 0 that reads it; colour: turn");
    for (int turn = 0; turn < TURNS; turn++) {
        char classes[4];
        snprintf(classes, sizeof classes, "w%d", turn);
        const int x = svg_column(0) + 19 * turn;
        svg_rect(classes, x + 417, 5, 18, 16);
        svg_text("small on-w middle", x + 426, 17, "%d", turn + 1);
    }
    int y = TOP;
    for (int i = 0; i < count; i++) {
        const trace_t *t = &sources[i].trace;
        const unsigned instruction = first_load(t)->instruction;
        svg_text("bold", SVG_LEFT, y - 10, "%s", sources[i].name);
        draw_window(t, instruction, 0, y);
        y += WINDOW;
        if (second[i] > 0) {
            draw_window(t, instruction, second[i], y + APART);
            y += APART + WINDOW;
        }
        y += GAP;
    }
    svg_close();
    return true;
}
