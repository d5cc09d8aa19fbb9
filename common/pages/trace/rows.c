/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines and kinds come in the order of the source, rounds in that of time. */
int compare_places(const trace_step_t *a, const trace_step_t *b)
{
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int compare_rows(const void *left, const void *right)
{
    const row_t *a = left, *b = right;
    const int place = compare_places(a->first, b->first);
    return place ? place : (a->round > b->round) - (a->round < b->round);
}

static bool is_shown(const trace_step_t *s, bool barriers)
{
    return s->kind <= TRACE_ATOMIC || s->kind == TRACE_SHUFFLE || s->kind == TRACE_VOTE ||
           (barriers && s->kind == TRACE_LEAVE);
}

static void add(row_t *row, const trace_step_t *s)
{
    row->steps++;
    row->requests += s->requests;
    row->wavefronts += s->wavefronts;
    row->sectors += s->sectors;
    row->ideal += s->wavefronts_ideal + s->sectors_ideal;
    row->lanes += s->lane_count;
}

void add_row(row_t *sum, const row_t *row)
{
    sum->steps += row->steps;
    sum->requests += row->requests;
    sum->wavefronts += row->wavefronts;
    sum->sectors += row->sectors;
    sum->ideal += row->ideal;
    sum->lanes += row->lanes;
}

/* Sorted: one row for each step, and then those of one line, kind and round together. */
bool table_make(table_t *table, const trace_t *t, bool barriers)
{
    table->rows = calloc(t->step_count + 1, sizeof *table->rows);
    if (!table->rows)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < t->step_count; i++)
        if (is_shown(&t->steps[i], barriers)) {
            table->rows[n] = (row_t){.first = &t->steps[i], .round = t->steps[i].round};
            add(&table->rows[n++], &t->steps[i]);
        }
    qsort(table->rows, n, sizeof *table->rows, compare_rows);
    for (size_t i = 0; i < n; i++) {
        row_t *last = table->count > 0 ? &table->rows[table->count - 1] : NULL;
        if (last && compare_rows(last, &table->rows[i]) == 0)
            add_row(last, &table->rows[i]);
        else
            table->rows[table->count++] = table->rows[i];
    }
    return true;
}

const char *kind_of(const trace_step_t *s, char text[TRACE_TEXT])
{
    static const char *const spaces[] = {"shared ", "global ", "constant "};
    const bool memory = s->kind <= TRACE_ATOMIC;
    snprintf(text, TRACE_TEXT, "%s%s, %u B", memory ? spaces[s->space] : "", s->name, s->bytes);
    return text;
}

const char *source_line(const char *path, unsigned number, char *text, int bytes)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    text[0] = '\0';
    for (unsigned i = 0; file && i < number; i++)
        if (!fgets(text, bytes, file))
            text[0] = '\0';
    if (file)
        fclose(file);
    text[strcspn(text, "\n")] = '\0';
    return text + strspn(text, " \t");
}

bool what_ran(const char *path, ran_t *ran)
{
    char name[4096];
    *ran = (ran_t){0};
    snprintf(name, sizeof name, "%s.what", path);
    FILE *file = fopen(name, "r");
    if (!file)
        return false;
    if (fgets(ran->what, sizeof ran->what, file))
        ran->what[strcspn(ran->what, "\n")] = '\0';
    const bool counted =
        fscanf(file, "%llu %31[^\n] %1023[^\n]", &ran->launches, ran->sum, ran->fault) > 0;
    fclose(file);
    return counted;
}
