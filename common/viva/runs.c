/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "harness/fnv.h"
#include "simt/driver/inside.h"

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

bool run_read(viva_t *v, run_t *run)
{
    char message[TRACE_MESSAGE];
    const char *path = text("%s/%d.trace", v->folder, run->number);
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
        if (read_row(line, &v->runs[v->count]) && run_read(v, &v->runs[v->count]))
            v->count++;
    if (file)
        fclose(file);
    for (int i = 0; i < v->count; i++)
        for (int k = 0; k < v->count && v->runs[i].change == CHANGE_SIZE; k++)
            v->runs[k].base = &v->runs[i];
    return v->count > 0 && v->runs[0].number == 0;
}
