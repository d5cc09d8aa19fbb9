/* SPDX-License-Identifier: MIT */
/*
 * report.c - the requests of each source line of a kernel, round by round: the table of `make
 * report-03`. And traces as CSV, for scripts.
 *
 *     report TRACE             the table
 *     report --rows TRACE      the same as CSV, and the barriers: a request for each warp
 *     report --lanes TRACE     a row for each lane of each step
 *
 * A round is how often a warp had executed the instruction, so row 3 of a loop is its third round.
 * Exit status: 0, or 2 if the trace cannot be read.
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, KIND_WIDTH = 29 };

/* ---- the table ---- */

static void print_numbers(const row_t *row)
{
    const trace_step_t *s = row->first;
    const bool memory = s->kind <= TRACE_ATOMIC;
    char wavefronts[24] = "", sectors[24] = "", ideal[24] = "";
    if (memory && s->space == TRACE_SHARED)
        snprintf(wavefronts, sizeof wavefronts, "%llu", row->wavefronts);
    if (memory && s->space == TRACE_GLOBAL)
        snprintf(sectors, sizeof sectors, "%llu", row->sectors);
    if (memory && s->space != TRACE_CONSTANT)
        snprintf(ideal, sizeof ideal, "%llu", row->ideal);
    printf(" %9llu %10s %8s %7s %6.1f\n", memory ? row->requests : row->steps, wavefronts, sectors,
           ideal, (double)row->lanes / (double)row->steps);
}

/* Rows `from` to `to` are one line and kind: each round, and below them their sum. */
static void print_rounds(const row_t *from, const row_t *to)
{
    row_t sum = {.first = from->first};
    char text[TRACE_TEXT];
    printf("       %-*s", KIND_WIDTH - 7, kind_of(from->first, text));
    for (const row_t *row = from; row < to; row++) {
        if (row > from)
            printf("%*s", KIND_WIDTH, "");
        printf(to - from > 1 ? " %5u" : "      ", row->round);
        print_numbers(row);
        add_row(&sum, row);
    }
    if (to - from > 1) {
        printf("%*s %5s", KIND_WIDTH, "", "all");
        print_numbers(&sum);
    }
}

static void print_sums(const table_t *table, const trace_t *t)
{
    unsigned long long met[TRACE_KINDS] = {0};
    printf("\nin all\n");
    for (int space = 0; space < TRACE_SPACES; space++)
        for (int kind = 0; kind <= TRACE_ATOMIC; kind++) {
            row_t sum = {0};
            for (size_t i = 0; i < table->count; i++) {
                const trace_step_t *s = table->rows[i].first;
                if ((int)s->space != space || (int)s->kind != kind)
                    continue;
                sum.first = s;
                add_row(&sum, &table->rows[i]);
            }
            if (!sum.first)
                continue;
            printf("       %-6s %-21s",
                   space == TRACE_SHARED   ? "shared"
                   : space == TRACE_GLOBAL ? "global"
                                           : "const.",
                   trace_kind_name((trace_kind_t)kind));
            print_numbers(&sum);
        }
    for (size_t i = 0; i < t->step_count; i++)
        met[t->steps[i].kind]++;
    printf("       %llu times a warp passed __syncthreads(), %llu shuffles\n", met[TRACE_LEAVE],
           met[TRACE_SHUFFLE]);
}

static void print_table(const table_t *table, const trace_t *t)
{
    const row_t *rows = table->rows;
    char text[512];
    int file = -2;
    unsigned line = 0;
    for (size_t i = 0, next; i < table->count; i = next) {
        const trace_step_t *s = rows[i].first;
        if (s->file != file) {
            const char *name = s->file >= 0 ? t->files[s->file] : "an unknown file";
            printf("%s", i ? "\n" : "");
            printf("%-*s", KIND_WIDTH, name);
            if (strlen(name) > KIND_WIDTH)
                printf("\n%*s", KIND_WIDTH, "");
            printf(" round  requests wavefronts  sectors   ideal  lanes\n");
            line = 0;
        }
        if (s->line != line)
            printf(
                "%5u  %.*s\n", s->line, WIDTH - 7,
                source_line(s->file >= 0 ? t->files[s->file] : NULL, s->line, text, sizeof text));
        file = s->file;
        line = s->line;
        for (next = i + 1; next < table->count && compare_places(rows[next].first, s) == 0; next++)
            ;
        print_rounds(&rows[i], &rows[next]);
    }
    print_sums(table, t);
    printf("\nround: how often a warp has met it. wavefronts: of shared memory. sectors: of\n"
           "global memory, 32 bytes. ideal: what such requests cost at best. lanes: of 32,\n"
           "the mean.\n");
}

static void print_head(const trace_t *t, const ran_t *ran)
{
    const int used = printf("%s<<<%ux%ux%u, %ux%ux%u>>>", t->kernel, t->grid[0], t->grid[1],
                            t->grid[2], t->block_dim[0], t->block_dim[1], t->block_dim[2]);
    const int more =
        snprintf(NULL, 0, ", %s, launch %u of %llu, block 0", ran->what, t->launch, ran->launches);
    fputs(used + more > WIDTH ? ",\n    " : ", ", stdout);
    printf("%s%slaunch %u", ran->what, ran->what[0] ? ", " : "", t->launch);
    if (ran->launches > 0)
        printf(" of %llu", ran->launches);
    for (size_t i = 0; i < t->block_count; i++)
        printf("%s %u", i ? "," : ", block", t->blocks[i].number);
    if (t->full)
        printf(", its first %zu steps", t->step_count);
    printf("\n\n");
}

/* Which other launch could be shown. */
static void print_next(const trace_t *t, const ran_t *ran)
{
    if (ran->launches > t->launch)
        printf("The next launch: put SIMT_TRACE_LAUNCH=%u before make.\n", t->launch + 1);
}

static void print_findings(const trace_t *t)
{
    for (size_t i = 0; i < t->finding_count; i++)
        printf("\n%s%s\n", t->findings[i].stopped ? "stopped: " : "", t->findings[i].text);
}

/* ---- CSV ---- */

static void print_csv_rows(const table_t *table, const trace_t *t)
{
    printf("file,line,kind,space,bytes,round,requests,wavefronts,sectors,ideal,lanes\n");
    for (size_t i = 0; i < table->count; i++) {
        const row_t *row = &table->rows[i];
        const trace_step_t *s = row->first;
        const bool memory = s->kind <= TRACE_ATOMIC;
        printf("%s,%u,%s,%s,%u,%u,%llu,%llu,%llu,%llu,%.3f\n",
               s->file >= 0 ? t->files[s->file] : "", s->line, trace_kind_name(s->kind),
               !memory                    ? ""
               : s->space == TRACE_SHARED ? "shared"
               : s->space == TRACE_GLOBAL ? "global"
                                          : "constant",
               s->bytes, row->round, memory ? row->requests : row->steps, row->wavefronts,
               row->sectors, row->ideal, (double)row->lanes / (double)row->steps);
    }
}

static void print_csv_lanes(const trace_t *t)
{
    char before[TRACE_TEXT], after[TRACE_TEXT];
    printf("step,block,warp,kind,line,round,lane,array,index,offset,bytes,before,after,wavefront,"
           "sector,source\n");
    for (size_t i = 0; i < t->step_count; i++) {
        const trace_step_t *s = &t->steps[i];
        for (unsigned k = 0; k < s->lane_count; k++) {
            const trace_lane_t *l = &s->lanes[k];
            const trace_array_t *a = l->array != TRACE_NONE ? &t->arrays[l->array] : NULL;
            const trace_type_t type = a ? a->type : trace_guess(t, l->bytes);
            printf("%zu,%u,%u,%s,%u,%u,%u,%s,", i, t->blocks[s->block].number, s->warp,
                   trace_kind_name(s->kind), s->line, s->round, l->lane, a ? a->name : "");
            if (a)
                printf("%lld,%lld", l->index, l->offset);
            else
                printf(",");
            printf(",%u,%s,%s,", l->bytes, trace_value(type, l->before, l->bytes, before),
                   trace_value(type, l->after, l->bytes, after));
            if (l->wavefront != TRACE_NONE)
                printf("%d", l->wavefront);
            printf(",");
            if (a && a->space == TRACE_GLOBAL)
                printf("%lld", l->sector);
            printf(",");
            if (l->source != TRACE_NONE)
                printf("%d", l->source);
            printf("\n");
        }
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc == 3 ? argv[1] : "", *path = argc > 1 ? argv[argc - 1] : "";
    const bool rows = strcmp(mode, "--rows") == 0, lanes = strcmp(mode, "--lanes") == 0;
    char message[TRACE_MESSAGE];
    trace_t t;
    table_t table = {0};
    if (argc < 2 || argc > 3 || (argc == 3 && !rows && !lanes)) {
        fprintf(stderr, "usage: report [--rows | --lanes] TRACE\n");
        return 2;
    }
    const bool fine = trace_read(&t, path, message) && table_make(&table, &t, rows);
    if (!fine)
        fprintf(stderr, "report: %s\n", message);
    else if (lanes)
        print_csv_lanes(&t);
    else if (rows)
        print_csv_rows(&table, &t);
    else {
        ran_t ran;
        what_ran(path, &ran);
        print_head(&t, &ran);
        print_table(&table, &t);
        print_next(&t, &ran);
        print_findings(&t);
    }
    free(table.rows);
    trace_free(&t);
    return fine ? 0 : 2;
}
