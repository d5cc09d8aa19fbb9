/* SPDX-License-Identifier: MIT */
/*
 * suggestion.c - how to fix all findings of a kernel at once.
 *
 * Two accesses of a block that race need a barrier between them. So each pair of places is a gap in
 * the program, and one barrier serves all gaps that overlap:
 *
 *     14  s[tid] = x;               14 to 17 and 15 to 18 overlap from 15 to 17:
 *     15  s[tid + 256] = y;         one barrier there serves both
 *     17  a = s[255 - tid];
 *     18  b = s[511 - tid];
 *
 * A gap that goes back in the program belongs to a loop, from one iteration to the next, or to a
 * function that is called again. It needs __syncthreads() if any of its pairs is of two warps, else
 * __syncwarp() will do.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"

enum { MOST_GAPS = 24, MOST_REPORTED = 3 };

struct gap {
    const struct finding *after;  /* a barrier comes after the first place of this one, */
    const struct finding *before; /* before the second place of this one */
    bool loop, across;
};

/* ---- the gaps ---- */

static int32_t first(const struct finding *f)
{
    return (int32_t)f->pc;
}

static int32_t then(const struct finding *f)
{
    return (int32_t)f->then_pc;
}

static bool in_loop(const struct finding *f)
{
    return then(f) <= first(f);
}

static bool ends_before(const struct finding *a, const struct finding *b)
{
    return in_loop(a) != in_loop(b) ? in_loop(b) : then(a) < then(b);
}

/* Takes a pair into a gap if one barrier can serve both. */
static bool take(struct gap *g, const struct finding *f)
{
    if (g->loop != in_loop(f))
        return false;
    if (g->loop ? then(f) > first(g->after) || first(f) < then(g->before)
                : then(f) <= first(g->after) || first(f) >= then(g->before))
        return false;
    if (first(f) > first(g->after))
        g->after = f;
    if (then(f) < then(g->before))
        g->before = f;
    g->across |= f->across;
    return true;
}

/* As few gaps as possible, those of loops last. Each begins with the remaining pair that ends
 * first. */
static size_t find_gaps(struct gap *gaps, const struct finding *const *group, size_t count)
{
    bool done[MOST_FINDINGS] = {false};
    size_t gap_count = 0;
    while (gap_count < MOST_GAPS) {
        size_t next = count;
        for (size_t i = 0; i < count; i++)
            if (!done[i] && (next == count || ends_before(group[i], group[next])))
                next = i;
        if (next == count)
            break;
        struct gap *g = &gaps[gap_count++];
        *g = (struct gap){group[next], group[next], in_loop(group[next]), group[next]->across};
        for (size_t i = 0; i < count; i++)
            done[i] |= take(g, group[i]);
    }
    return gap_count;
}

/* ---- words ---- */

static void add(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, bytes - used, format, args);
    va_end(args);
}

#define ADD(text, ...) add(text, sizeof text, __VA_ARGS__)

/* The message has already named the file of its example; other files are named here. */
static const char *line_of(const struct place *p, const struct suggestion *r, char *out,
                           size_t bytes)
{
    const bool imagined = r->example->conflict.then.pc == 0; /* see early.c: it has no place */
    const char *file = r->example->at[imagined].file;
    if (p->file && file && strcmp(p->file, file) == 0)
        snprintf(out, bytes, "line %u", p->line);
    else
        place_print(p, out, bytes);
    return out;
}

static const char *sync_of(bool across)
{
    return across ? "__syncthreads()" : "__syncwarp()";
}

static void add_gap(struct suggestion *r, const struct gap *g)
{
    const char *sync = sync_of(g->across);
    const bool again = g->loop && symbols_function(order_pc(g->after->pc)) ==
                                      symbols_function(order_pc(g->before->then_pc));
    const struct place *after = &g->after->at[0], *before = &g->before->at[1];
    char a[512], b[512];
    line_of(after, r, a, sizeof a);
    line_of(before, r, b, sizeof b);
    if (again)
        ADD(r->text, "add %s after %s,\n    before %s runs again (a loop, or a second call)", sync,
            a, place_same(after, before) ? "it" : b);
    else if (!g->loop && place_same(after, before))
        ADD(r->text, "%s both reads and writes: split it, with %s between", a, sync);
    else
        ADD(r->text, "add %s after %s, before %s", sync, a, b);
}

/* ", 71, 72": the lines of the gaps inside one line, or of the others. */
static void add_lines(struct suggestion *r, const struct gap *gaps, size_t count, bool inside)
{
    const bool alone = r->text[strlen(r->text) - 1] == ':';
    const char *between = !inside ? "\n    after "
                          : alone ? "\n    between the read and the write of "
                                  : "\n    and between the read and the write of ";
    char line[512], last[512] = "";
    for (size_t i = 0; i < count; i++) {
        const struct place *after = &gaps[i].after->at[0];
        if (inside != (!gaps[i].loop && place_same(after, &gaps[i].before->at[1])))
            continue;
        line_of(after, r, line, sizeof line);
        if (strcmp(line, last) != 0)
            ADD(r->text, "%s%s", between, last[0] && !strncmp(line, "line ", 5) ? line + 5 : line);
        memcpy(last, line, sizeof last);
        between = ", ";
    }
}

/* The barriers of a block, or of a warp: one by one, or as a list of lines if there are many, as in
 * Harris' last warp. Returns how many. */
static size_t add_gaps(struct suggestion *r, const struct gap *gaps, size_t count, bool across)
{
    struct gap some[MOST_GAPS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (gaps[i].across == across)
            some[n++] = gaps[i];
    if (n > MOST_REPORTED) {
        ADD(r->text, "add %s at %zu places:", sync_of(across), n);
        add_lines(r, some, n, false);
        add_lines(r, some, n, true);
        return n;
    }
    for (size_t i = 0; i < n; i++) {
        ADD(r->text, "%s", i > 0 ? "\n    and " : "");
        add_gap(r, &some[i]);
    }
    return n;
}

static void suggest_block(struct suggestion *r, const struct finding *const *group, size_t count)
{
    struct gap gaps[MOST_GAPS];
    const size_t gap_count = find_gaps(gaps, group, count);
    size_t of_block = 0;
    for (size_t i = 0; i < gap_count; i++)
        of_block += gaps[i].across;
    r->across = of_block > 0;

    if (r->across) {
        ADD(r->text, "no barrier between: ");
        add_gaps(r, gaps, gap_count, true);
        ADD(r->text, "\n    all threads of the block must reach it, so it goes outside of any if");
    }
    if (of_block < gap_count) {
        ADD(r->text, "%slanes of a warp do not run in lockstep\n    ", of_block ? "\n    " : "");
        add_gaps(r, gaps, gap_count, false);
    }
    if (r->example->locked)
        ADD(r->text, "\n    or is it under a lock? then __threadfence() before each atomic that "
                     "passes it on");

    char line[256];
    if (gap_count == 1)
        ADD(r->brief, "add %s after %s", sync_of(r->across),
            line_of(&gaps[0].after->at[0], r, line, sizeof line));
    else if (of_block == 0 || of_block == gap_count)
        ADD(r->brief, "add %s at %zu places", sync_of(r->across), gap_count);
    else
        ADD(r->brief, "add barriers at %zu places", gap_count);
}

static void suggest_unwritten(struct suggestion *r, const struct finding *const *group,
                              size_t count)
{
    char line[512];
    size_t reported = 0;
    for (size_t i = 0; i < count && reported < MOST_REPORTED; i++) {
        size_t same = 0;
        while (!place_same(&group[same]->at[0], &group[i]->at[0]))
            same++;
        if (same != i || group[i] == r->example)
            continue;
        ADD(r->text, "%s%s", reported++ == 0 ? "\n    and by " : ", ",
            line_of(&group[i]->at[0], r, line, sizeof line));
    }
    ADD(r->brief, "%s", place_print(&r->example->at[0], line, sizeof line));
}

#define OTHER_WIDTHS "atomics of different widths are not atomic to each other"

/* Blocks of one cluster, or of a cooperative launch, have a barrier. */
static void suggest_blocks(struct suggestion *r)
{
    const struct conflict *c = &r->example->conflict;
    const unsigned blocks = volume(sim.cluster);
    const bool one_cluster =
        (c->then.block - first_block) / blocks == (c->now.block - first_block) / blocks;
    const bool one_line = place_same(&r->example->at[0], &r->example->at[1]);
    const bool stores = c->was != ACT_READ && c->is != ACT_READ;
    if (c->was == ACT_ATOMIC && c->is == ACT_ATOMIC && c->then.width != c->now.width) {
        ADD(r->text, OTHER_WIDTHS "\n    let every access to the word use its full width");
        ADD(r->brief, OTHER_WIDTHS);
        return;
    }
    if (c->was == ACT_ATOMIC && c->is == ACT_ATOMIC) {
        ADD(r->text, "a block-scope atomic is not atomic to other blocks\n"
                     "    give it device scope: atomicAdd(), thread_scope_device");
        ADD(r->brief, "a block-scope atomic is not atomic to other blocks");
        return;
    }
    ADD(r->text, "blocks run in any order: %s",
        one_cluster       ? "a cluster barrier orders these two,\n"
                            "    or a wait with sem_acquire and scope_cluster"
        : sim.cooperative ? "a grid-wide sync orders them"
        : r->example->locked || one_line || stores
            ? "only __threadfence(), then an atomic, orders them"
            : "no __syncthreads() or fence makes one wait for another\n"
              "    end the kernel between these lines, or launch a cooperative grid and sync it");
    if (one_line)
        ADD(r->text, "\n    one element per block, or atomicAdd(), needs no order");
    ADD(r->brief, "blocks run in any order");
}

/* `group` has one or more findings of one kernel and one kind. */
void suggestion_find(struct suggestion *r, const struct finding *const *group, size_t count)
{
    char line[256];
    *r = (struct suggestion){.example = group[0]};
    for (size_t i = 1; i < count && group[0]->kind == RACE_IN_BLOCK; i++) {
        const struct finding *f = group[i], *e = r->example;
        if (f->across > e->across || (f->across == e->across && ends_before(f, e)))
            r->example = f;
    }
    switch (group[0]->kind) {
    case RACE_IN_BLOCK:
        suggest_block(r, group, count);
        break;
    case RACE_AT_ONCE:
        ADD(r->text, "different values from one instruction: which one remains is undefined\n"
                     "    no barrier helps: use one element per thread, or atomicAdd()");
        ADD(r->brief, "use one element per thread, or atomicAdd()");
        break;
    case RACE_OF_COPY:
        ADD(r->text,
            "the copy may not have arrived: wait for it before line %u\n"
            "    or it starts too early: start it after all threads are past that line",
            r->example->at[1].line);
        ADD(r->brief, "wait for the copy before line %u", r->example->at[1].line);
        break;
    case RACE_OF_PROXY:
        ADD(r->brief, "fence_proxy_async() before line %u", r->example->at[1].line);
        ADD(r->text,
            "a bulk copy takes another path than loads and stores, and may overtake these:\n"
            "    %s, in the thread that stored or in this one",
            r->brief);
        break;
    case RACE_OF_LAUNCHES:
        line_of(&r->example->at[1], r, line, sizeof line);
        ADD(r->brief, "cudaGridDependencySynchronize() before %s", line);
        ADD(r->text,
            "that launch may still be running: %s,\n"
            "    in this thread, or in one that it then meets at a barrier",
            r->brief);
        break;
    case RACE_OF_BLOCKS:
        suggest_blocks(r);
        break;
    default:
        suggest_unwritten(r, group, count);
    }
}
