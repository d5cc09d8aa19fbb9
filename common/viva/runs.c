/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "harness/fnv.h"

enum { MOST_LINES = 1024 };

/* The line if it is in the file that was asked about, or its copy; else 0. */
static unsigned own_line(const viva_t *v, const run_t *run, int file, unsigned line)
{
    const char *name = file >= 0 ? after(run->trace.files[file], "/") : "";
    const char *copy = text("%d.cu", run->change == CHANGE_SIZE ? 0 : run->number);
    return strcmp(name, copy) == 0 || strcmp(name, after(v->source, "/")) == 0 ? line : 0;
}

static void keep_own_lines(const viva_t *v, run_t *run)
{
    trace_t *t = &run->trace;
    for (size_t i = 0; i < t->step_count; i++)
        t->steps[i].line = own_line(v, run, t->steps[i].file, t->steps[i].line);
    for (size_t i = 0; i < t->finding_count; i++)
        for (unsigned k = 0; k < t->findings[i].access_count; k++) {
            trace_access_t *a = &t->findings[i].access[k];
            a->line = own_line(v, run, a->file, a->line);
        }
}

/* How many accesses a line of the source can have: its [ of memory, and its shuffles. */
static unsigned accesses_in(const char *code)
{
    const char *const comment = strstr(code, "//"), *part[PARTS];
    const char *at = comment ? text("%.*s", (int)(comment - code), code) : code;
    unsigned count = 0;
    for (; (at = match("(^|[^].A-Za-z0-9_])[A-Za-z0-9_]*\\[|__shfl", at, part)) != NULL; count++)
        at += strlen(part[0]);
    return count;
}

/* Makes `round` the number of the execution of the source line by a warp: a line has several
 * instructions if it is in two instances of a template, in a function that is called twice, or in
 * an unrolled loop, too; and an execution of s[i] + s[j] is two steps, one directly after the
 * other. Where both may be, the steps lose their line. */
static void count_executions(const viva_t *v, trace_t *t, trace_step_t *first)
{
    const trace_step_t wanted = *first, *const end = t->steps + t->step_count;
    char code[MOST_LINE];
    const unsigned most = accesses_in(source_line(v->source, wanted.line, code, sizeof code));
    unsigned steps = 0, executions = 0, longest = 0;
    bool several = false; /* instructions */
    for (unsigned warp = 0; warp < t->warps; warp++) {
        trace_step_t last = wanted;
        unsigned size = 0, round = 0; /* of its last execution */
        bool broken = false;          /* the warp has done something else since */
        for (trace_step_t *s = first; s < end; s++) {
            const bool other = size > 0 && s->instruction != last.instruction;
            if (s->warp != warp || !is_like(s, &wanted)) {
                broken = broken || (s->warp == warp && s->lane_count > 0 && s->kind != TRACE_EXIT);
                continue;
            }
            size =
                other && !broken && size < most && s->bytes == last.bytes && s->round == last.round
                    ? size + 1
                    : 1;
            round += size == 1;
            longest = size > longest ? size : longest;
            several = several || other;
            broken = false;
            last = *s;
            s->round = round;
            steps++;
        }
        executions += round;
    }
    const bool alike = longest > 1 && steps == longest * executions;
    for (trace_step_t *s = first; several && most > 1 && !alike && s < end; s++)
        if (is_like(s, &wanted))
            s->line = 0;
}

static void count_all_executions(const viva_t *v, trace_t *t)
{
    for (trace_step_t *s = t->steps, *first; s < t->steps + t->step_count; s++) {
        if (s->line == 0 || (s->kind > TRACE_ATOMIC && s->kind != TRACE_SHUFFLE))
            continue;
        for (first = t->steps; !is_like(first, s);)
            first++;
        if (first == s)
            count_executions(v, t, s);
    }
}

/* Without a sandbox only the trace knows the outputs: all of them if there was one block. Applies
 * the stores to each array, and sums the bytes up. */
static void sum_stores(run_t *run)
{
    const trace_t *t = &run->trace;
    uint64_t sum = fnv_start;
    if (*run->ran.sum || run->ran.launches != 1 || t->grid[0] * t->grid[1] * t->grid[2] != 1)
        return;
    for (size_t a = 0; a < t->array_count; a++) {
        const size_t bytes = t->arrays[a].bytes;
        uint8_t *memory = calloc(bytes + TRACE_VALUE, 1);
        for (size_t i = 0; memory && i < t->step_count; i++)
            for (unsigned k = 0; k < t->steps[i].lane_count; k++) {
                const trace_lane_t *l = &t->steps[i].lanes[k];
                if ((t->steps[i].kind == TRACE_STORE || t->steps[i].kind == TRACE_ATOMIC) &&
                    t->steps[i].space == TRACE_GLOBAL && l->array == (int)a && l->offset >= 0 &&
                    (size_t)l->offset + l->bytes <= bytes)
                    memcpy(memory + l->offset, l->after,
                           l->bytes < TRACE_VALUE ? l->bytes : TRACE_VALUE);
            }
        sum = memory ? fnv_add(sum, memory, bytes) : sum;
        free(memory);
    }
    snprintf(run->ran.sum, sizeof run->ran.sum, "%llu", (unsigned long long)sum);
}

/* ---- races ---- */

/* Do two threads use an element in these steps without a barrier between, and one writes it? */
static bool is_race(const trace_step_t *a, const trace_step_t *b)
{
    if (a->kind > TRACE_ATOMIC || b->kind > TRACE_ATOMIC || a->epoch != b->epoch ||
        (a->kind == b->kind && a->kind != TRACE_STORE))
        return false;
    for (unsigned i = 0; i < a->lane_count; i++)
        for (unsigned k = 0; k < b->lane_count; k++)
            if (a->lanes[i].array == b->lanes[k].array && a->lanes[i].index == b->lanes[k].index &&
                (a->warp != b->warp || a->lanes[i].lane != b->lanes[k].lane))
                return true;
    return false;
}

static bool is_pair(const unsigned pair[2], unsigned line, unsigned other)
{
    return (pair[0] == line && pair[1] == other) || (pair[0] == other && pair[1] == line);
}

/* Of a copy without a barrier: "no", or the lines if all races have the same ones. The emulator
 * reports one race of several, so all steps are compared. */
static void find_race(run_t *run)
{
    const trace_t *t = &run->trace;
    unsigned pair[2] = {0, 0};
    if (run->change != CHANGE_BARRIER || t->step_count > MOST_STEPS ||
        (t->finding_count == 0 && *run->ran.fault))
        return;
    for (size_t i = 0; i < t->finding_count; i++) {
        const trace_access_t *a = t->findings[i].access;
        if (t->findings[i].access_count != 2 || !begins(t->findings[i].title, "race") ||
            (i > 0 && !is_pair(pair, a[0].line, a[1].line)))
            return;
        pair[0] = a[0].line;
        pair[1] = a[1].line;
    }
    for (size_t i = 0; t->finding_count > 0 && i < t->step_count; i++)
        for (size_t k = 0; k <= i; k++)
            if (!is_pair(pair, t->steps[i].line, t->steps[k].line) &&
                is_race(&t->steps[i], &t->steps[k]))
                return;
    if (t->finding_count == 0 || (pair[0] > 0 && pair[1] > 0))
        run->race = answer_read(t->finding_count == 0 ? "no" : text("%u %u", pair[0], pair[1]));
}

unsigned block_of(const run_t *run)
{
    return run->trace.block_count > 0 ? run->trace.blocks[0].number : 0;
}

bool run_read(const viva_t *v, run_t *run, const char *ending)
{
    char message[TRACE_MESSAGE];
    const char *path = text("%s/%d.%s", v->folder, run->number, ending);
    if (!trace_read(&run->trace, path, message)) {
        trace_free(&run->trace);
        if (run->number == 0)
            fprintf(stderr, "viva: %s\n", message);
        return false;
    }
    keep_own_lines(v, run);
    what_ran(path, &run->ran);
    sum_stores(run);
    run->places = memory((run->trace.step_count + 1) * sizeof *run->places);
    trace_places(&run->trace, run->places);
    return true;
}

/* ---- other inputs ---- */

/* Of what each line does: a sum over its lanes, in any order. */
static void sum_lines(const trace_t *t, uint64_t sums[MOST_LINES])
{
    for (const trace_step_t *s = t->steps; s < t->steps + t->step_count; s++)
        for (unsigned k = 0; k < s->lane_count; k++) {
            const trace_lane_t *l = &s->lanes[k];
            const long long what = s->kind == TRACE_SHUFFLE ? l->source : l->index;
            const long long parts[] = {s->kind,  s->space, s->warp, s->round,
                                       s->epoch, l->lane,  what};
            if (s->kind <= TRACE_ATOMIC || s->kind == TRACE_SHUFFLE)
                sums[s->line % MOST_LINES] += fnv_add(fnv_start, parts, sizeof parts);
        }
}

/* Steps of a line that does something else with other inputs lose it: its counts do not follow from
 * the source. */
static void drop_lines(run_t *run)
{
    static uint64_t sums[INPUTS][MOST_LINES];
    memset(sums, 0, sizeof sums);
    for (int k = 0; k < INPUTS - 1; k++)
        if (run->inputs[k])
            sum_lines(&run->inputs[k]->trace, sums[k]);
    for (int k = 0; k < INPUTS; k++)
        for (size_t i = 0; run->inputs[k] && i < run->inputs[k]->trace.step_count; i++) {
            unsigned *const line = &run->inputs[k]->trace.steps[i].line, at = *line % MOST_LINES;
            for (int other = 1; other < INPUTS - 1; other++)
                *line = sums[other][at] == sums[0][at] ? *line : 0;
        }
}

/* Reads one trace; NULL: there is none. */
static run_t *read_one(const viva_t *v, run_t *run, const char *ending)
{
    if (!run_read(v, run, ending))
        return NULL;
    count_all_executions(v, &run->trace);
    find_race(run);
    return run;
}

/* `2,1,44,,"Remove the barrier in line 44. With n = 256: "`, and its traces. */
static bool read_row(const viva_t *v, char *line, run_t *run)
{
    char *cell[5];
    if (csv_split(line, cell, 5) != 5)
        return false;
    const run_t row = {.number = atoi(cell[0]),
                       .change = (change_t)atoi(cell[1]),
                       .line = (unsigned)strtoul(cell[2], NULL, 10),
                       .options = cell[3],
                       .phrase = cell[4]};
    *run = row;
    run->inputs[0] = read_one(v, run, "trace");
    for (int k = 1; k < INPUTS && run->inputs[0]; k++) {
        run_t *const other = memory(sizeof *other);
        *other = row;
        run->inputs[k] = read_one(v, other, text("trace.%d", k));
    }
    if (run->inputs[0])
        drop_lines(run);
    return run->inputs[0] != NULL;
}

bool runs_read(viva_t *v)
{
    const char *rows = file_read(text("%s/runs", v->folder));
    v->count = 0;
    for (; rows && *rows && v->count < MOST_RUNS; rows = next_line(rows))
        v->count += read_row(v, until(rows, "\n"), &v->runs[v->count]);
    for (run_t *size = v->runs; size < v->runs + v->count; size++)
        for (run_t *run = v->runs; run < v->runs + v->count; run++)
            for (int k = 0; k < INPUTS; k++)
                if (size->change == CHANGE_SIZE && strcmp(size->options, run->options) == 0 &&
                    run->inputs[k])
                    run->inputs[k]->base = size->inputs[k];
    return v->count > 0 && v->runs[0].number == 0;
}
