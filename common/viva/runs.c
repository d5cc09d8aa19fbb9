/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "harness/fnv.h"
#include "simt/driver/inside.h"

enum { MOST_LINES = 1024 };

static const char *base_of(const char *path)
{
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* The line if it is in the file that was asked about, or its copy; else 0. */
static unsigned own_line(const viva_t *v, const run_t *run, int file, unsigned line)
{
    const char *name = file >= 0 ? base_of(run->trace.files[file]) : "";
    const char *copy = text("%d.cu", run->change == CHANGE_SIZE ? 0 : run->number);
    return strcmp(name, copy) == 0 || strcmp(name, base_of(v->source)) == 0 ? line : 0;
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
    unsigned count = 0;
    for (const char *c = code; *c && strncmp(c, "//", 2) != 0; c++) {
        const char *name = c;
        while (name > code && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        count += *c == '[' && (c == code || c[-1] != ']') && (name == code || name[-1] != '.');
        count += strncmp(c, "__shfl", 6) == 0;
    }
    return count;
}

/* Steps of the same line, kind and space; what is in [] is of each warp. An execution of
 * s[i] + s[j] is two steps, one directly after the other. */
typedef struct {
    unsigned most; /* steps of an execution */
    trace_step_t *last[TRACE_LANES];
    unsigned last_round[TRACE_LANES]; /* as the trace counts: of its instruction */
    unsigned size[TRACE_LANES], round[TRACE_LANES];
    bool broken[TRACE_LANES];    /* it has done something else since */
    unsigned instructions, full; /* how many; the steps of each execution */
    bool differs;                /* not all have as many */
} place_t;

static void end_execution(place_t *p, unsigned warp)
{
    const unsigned size = p->size[warp];
    p->differs = p->differs || (size > 0 && p->full > 0 && size != p->full);
    p->full = size > 0 ? size : p->full;
    p->size[warp] = 0;
}

static void add_step(place_t *p, trace_step_t *s)
{
    trace_step_t *const last = p->last[s->warp];
    const bool goes_on = last && !p->broken[s->warp] && p->size[s->warp] < p->most &&
                         s->instruction != last->instruction && s->bytes == last->bytes &&
                         s->round == p->last_round[s->warp];
    if (!goes_on) {
        end_execution(p, s->warp);
        p->round[s->warp]++;
    }
    p->instructions += last && s->instruction != last->instruction;
    p->last_round[s->warp] = s->round;
    p->size[s->warp]++;
    p->broken[s->warp] = false;
    p->last[s->warp] = s;
    s->round = p->round[s->warp];
}

/* Makes `round` the number of the execution of the source line by a warp: a line has several
 * instructions if it is in two instances of a template, in a function that is called twice, or in
 * an unrolled loop, too. Where both may be, the steps lose their line. */
static void count_executions(const viva_t *v, trace_t *t, size_t first)
{
    const trace_step_t wanted = t->steps[first];
    char code[MOST_LINE];
    place_t p = {.most = accesses_in(source_line(v->source, wanted.line, code, sizeof code))};
    for (size_t i = first; i < t->step_count; i++) {
        trace_step_t *const s = &t->steps[i];
        if (is_like(s, &wanted))
            add_step(&p, s);
        else if (s->lane_count > 0 && s->kind != TRACE_EXIT)
            p.broken[s->warp] = true;
    }
    for (unsigned warp = 0; warp < TRACE_LANES; warp++)
        end_execution(&p, warp);
    const bool is_clear = p.instructions == 0 || p.most < 2 || (p.full > 1 && !p.differs);
    for (size_t i = first; i < t->step_count && !is_clear; i++)
        if (is_like(&t->steps[i], &wanted))
            t->steps[i].line = 0;
}

static bool count_all_executions(const viva_t *v, trace_t *t)
{
    bool *const counted = calloc(t->step_count + 1, sizeof *counted);
    for (size_t i = 0; counted && i < t->step_count; i++) {
        const trace_step_t s = t->steps[i];
        if (counted[i] || s.line == 0 || (s.kind > TRACE_ATOMIC && s.kind != TRACE_SHUFFLE))
            continue;
        for (size_t k = i; k < t->step_count; k++)
            counted[k] = counted[k] || is_like(&t->steps[k], &s);
        count_executions(v, t, i);
    }
    free(counted);
    return counted != NULL;
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
        if (t->findings[i].access_count != 2 || strncmp(t->findings[i].title, "race", 4) != 0 ||
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
        answer_read(t->finding_count == 0 ? "no" : text("%u %u", pair[0], pair[1]), run->race);
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
    run->places = calloc(run->trace.step_count + 1, sizeof *run->places);
    if (!run->places)
        return false;
    trace_places(&run->trace, run->places);
    return true;
}

/* ---- other inputs ---- */

/* Of what each line does: a sum over its lanes, in any order. */
static void sum_lines(const trace_t *t, uint64_t sums[MOST_LINES])
{
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        for (unsigned k = 0; k < s->lane_count; k++) {
            const trace_lane_t *l = &s->lanes[k];
            const long long parts[] = {s->kind,
                                       s->space,
                                       s->warp,
                                       s->round,
                                       s->epoch,
                                       l->lane,
                                       s->kind == TRACE_SHUFFLE ? l->source : l->index};
            if (s->kind <= TRACE_ATOMIC || s->kind == TRACE_SHUFFLE)
                sums[s->line % MOST_LINES] += fnv_add(fnv_start, parts, sizeof parts);
        }
    }
}

/* Steps of a line that does something else with other inputs lose it: its counts do not follow from
 * the source. */
static void drop_lines(run_t *run)
{
    static uint64_t own[MOST_LINES], sums[MOST_LINES];
    bool varies[MOST_LINES] = {false};
    memset(own, 0, sizeof own);
    sum_lines(&run->trace, own);
    for (int k = 0; k < OTHERS - 1; k++) {
        memset(sums, 0, sizeof sums);
        if (run->others[k])
            sum_lines(&run->others[k]->trace, sums);
        for (unsigned line = 0; line < MOST_LINES; line++)
            varies[line] = varies[line] || sums[line] != own[line];
    }
    for (int k = -1; k < OTHERS; k++) {
        trace_t *const t = k < 0 ? &run->trace : run->others[k] ? &run->others[k]->trace : NULL;
        for (size_t i = 0; t && i < t->step_count; i++)
            if (varies[t->steps[i].line % MOST_LINES])
                t->steps[i].line = 0;
    }
}

/* The run of one trace; NULL: there is none. */
static run_t *read_one(const viva_t *v, run_t *run, const char *ending)
{
    if (!run || !run_read(v, run, ending) || !count_all_executions(v, &run->trace))
        return NULL;
    find_race(run);
    return run;
}

static bool read_all(const viva_t *v, run_t *run)
{
    for (int k = 0; k < OTHERS; k++) {
        run_t *const other = malloc(sizeof *other);
        if (other)
            *other = *run;
        run->others[k] = read_one(v, other, text("trace.%d", k + 1));
    }
    if (!read_one(v, run, "trace"))
        return false;
    drop_lines(run);
    return true;
}

/* `2,1,44,,"Remove the barrier in line 44. With n = 256: "` */
static bool read_row(char *line, run_t *run)
{
    char *cell[5];
    if (csv_split(line, cell, 5) != 5)
        return false;
    *run = (run_t){.number = atoi(cell[0]),
                   .change = (change_t)atoi(cell[1]),
                   .line = (unsigned)strtoul(cell[2], NULL, 10)};
    snprintf(run->options, sizeof run->options, "%s", cell[3]);
    snprintf(run->phrase, sizeof run->phrase, "%s", cell[4]);
    return true;
}

bool runs_read(viva_t *v)
{
    char line[2 * MOST_PATH];
    FILE *file = fopen(text("%s/runs", v->folder), "r");
    v->count = 0;
    while (file && v->count < MOST_RUNS && fgets(line, sizeof line, file))
        if (read_row(line, &v->runs[v->count]) && read_all(v, &v->runs[v->count]))
            v->count++;
    if (file)
        fclose(file);
    for (int i = 0; i < v->count; i++)
        for (int k = 0; k < v->count && v->runs[i].change == CHANGE_SIZE; k++)
            if (strcmp(v->runs[i].options, v->runs[k].options) == 0) {
                v->runs[k].base = &v->runs[i];
                for (int other = 0; other < OTHERS; other++)
                    if (v->runs[k].others[other])
                        v->runs[k].others[other]->base = v->runs[i].others[other];
            }
    return v->count > 0 && v->runs[0].number == 0;
}
