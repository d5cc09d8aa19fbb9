/* SPDX-License-Identifier: MIT */
/*
 * source.c - SIMT_REPORT=source: what each line of a kernel asks of memory, in a table when the
 * program ends; source:2 is about the second launch alone. A line with two accesses has two rows.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/simt/inspect.h"

enum { SITES_MAX = 1 << 11, SLOTS = 2 * SITES_MAX, WIDTH = 80 };

/* One access in the program text, added up over all launches of its kernel. */
struct site {
    struct kernel *kernel;
    uintptr_t pc;
    enum stop why;
    enum space space; /* shared, local, or global for all others */
    uint32_t bytes;
    struct cost cost;
    struct place place;
};

bool source_on;                      /* in this launch */
static unsigned long long chosen;    /* the launch; 0: all */
static struct site table[SITES_MAX]; /* what does not fit is dropped */
static size_t site_count;
static uint16_t slots[SLOTS]; /* by a hash of pc: a site's number from 1; 0: this slot is free */

static bool is_same(const struct site *a, const struct site *b)
{
    return a->pc == b->pc && a->space == b->space && a->kernel == b->kernel && a->bytes == b->bytes;
}

void source_add(uintptr_t pc, enum stop why, enum space space, uint32_t bytes, struct cost cost)
{
    if (space != SPACE_SHARED && space != SPACE_LOCAL)
        space = SPACE_GLOBAL;
    const struct site new = {
        .kernel = sim.kernel, .pc = pc, .why = why, .space = space, .bytes = bytes};
    size_t i = pc * 0x9e3779b97f4a7c15u >> 52;
    while (slots[i] && !is_same(&table[slots[i] - 1], &new))
        i = (i + 1) % SLOTS;
    if (!slots[i]) {
        if (site_count == SITES_MAX)
            return;
        table[site_count++] = new;
        slots[i] = (uint16_t)site_count;
    }
    cost_add(&table[slots[i] - 1].cost, cost);
}

/* Is `a` further above its ideal cost than `b`, or equally far and more expensive? */
static bool is_worse(const struct cost *a, const struct cost *b)
{
    const uint64_t above_a = a->cost - a->ideal, above_b = b->cost - b->ideal;
    return above_a != above_b ? above_a > above_b : a->cost > b->cost;
}

size_t simt_worst_access(int shared, int kind)
{
    const struct site *worst = NULL;
    for (const struct site *s = table; s < table + site_count; s++)
        if (s->space == (shared ? SPACE_SHARED : SPACE_GLOBAL) &&
            (kind == 0 || (s->why == STOP_READ) == (kind == 1)) &&
            (!worst || is_worse(&s->cost, &worst->cost)))
            worst = s;
    return worst ? symbols_offset(worst->pc) : 0;
}

/* ---- the table ---- */

static int compare_places(const struct place *a, const struct place *b)
{
    const int file = strcmp(a->file ? a->file : "", b->file ? b->file : "");
    return file ? file : (a->line > b->line) - (a->line < b->line);
}

static int compare(const void *left, const void *right)
{
    const struct site *a = left, *b = right;
    if (a->kernel != b->kernel)
        return a->kernel->entry < b->kernel->entry ? -1 : 1;
    const int place = compare_places(&a->place, &b->place);
    return place ? place : (a->pc > b->pc) - (a->pc < b->pc);
}

/* By kernel, file, line and address. */
static void sort(void)
{
    static struct place places[SITES_MAX];
    for (size_t i = 0; i < site_count; i++)
        places[i] = (struct place){.pc = table[i].pc};
    places_find(places, site_count);
    for (size_t i = 0; i < site_count; i++)
        table[i].place = places[i];
    qsort(table, site_count, sizeof *table, compare);
}

/* Line `number` of a file without the blanks around it, "" if there is none. */
static const char *source_line(const char *file, unsigned number, char *text, int bytes)
{
    FILE *source = file ? fopen(file, "r") : NULL;
    text[0] = '\0';
    for (unsigned i = 0; source && i < number; i++)
        if (!fgets(text, bytes, source))
            text[0] = '\0';
    if (source)
        fclose(source);
    text[strcspn(text, "\n")] = '\0';
    return text + strspn(text, " \t");
}

static void print_site(const struct site *s)
{
    static const char *const acts[STOP_KINDS] = {"load", "store", "atomic"};
    const struct cost *c = &s->cost;
    char access[64];
    snprintf(access, sizeof access, "%s %s, %u B",
             s->space == SPACE_SHARED  ? "shared"
             : s->space == SPACE_LOCAL ? "local"
                                       : "global",
             acts[s->why], s->bytes);
    printf("       %-24s %9llu %10llu %10llu %6.1f %6.1f\n", access,
           (unsigned long long)c->requests, (unsigned long long)c->cost,
           (unsigned long long)c->ideal, (double)c->cost / (double)c->ideal,
           (double)c->lanes / (double)c->requests);
}

static const char *file_of(const struct site *s)
{
    return s->place.file ? s->place.file : "an unknown file";
}

/* What changes from the last site: kernel, file or line. */
static void print_heads(const struct site *s, const struct site *last)
{
    const char *file = file_of(s);
    char text[512];
    const bool same_kernel = last && last->kernel == s->kernel && strcmp(file_of(last), file) == 0;
    if (!same_kernel)
        printf("\n%-31s %9s %10s %10s %6s %6s\n%s\n", s->kernel->name, "requests", "cost", "ideal",
               "times", "lanes", places_relative(file));
    if (s->place.file && (!same_kernel || last->place.line != s->place.line))
        printf("%5u  %.*s\n", s->place.line, WIDTH - 7,
               source_line(file, s->place.line, text, sizeof text));
}

static void source_print(void)
{
    sort();
    for (size_t i = 0; i < site_count; i++) {
        print_heads(&table[i], i > 0 ? &table[i - 1] : NULL);
        print_site(&table[i]);
    }
    char which[32] = "all launches";
    if (chosen)
        snprintf(which, sizeof which, "launch %llu", chosen);
    printf("\ncost: wavefronts of shared memory, sectors of global and local memory, in %s.\n"
           "ideal: what such requests cost at best. times: cost / ideal. lanes: of 32, mean.\n",
           which);
}

/* source, or source:N for launch N. Is it wanted? */
static bool read_setting(const char *report)
{
    char *end;
    if (!report || strncmp(report, "source", 6) != 0)
        return false;
    chosen = report[6] == ':' ? strtoull(report + 7, &end, 10) : 0;
    if (report[6] && !(chosen && !*end)) {
        fprintf(stderr, "simt: SIMT_REPORT: '%s': source, or source:N for launch N\n", report);
        exit(2);
    }
    atexit(source_print);
    return true;
}

/* Called as each launch begins; the first is number 1. */
void source_launch(unsigned long long number)
{
    static bool wanted;
    if (number == 1)
        wanted = read_setting(getenv("SIMT_REPORT"));
    source_on = wanted && (!chosen || chosen == number);
}
