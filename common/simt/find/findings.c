/* SPDX-License-Identifier: MIT */
/*
 * findings.c - tells of races and of reads of unwritten memory. The launch goes on after these, so
 * one mistake may be met a million times: each place of the program is told once, and how often it
 * was met is told at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { MOST_FINDINGS = 64, PLACE_BYTES = 512, KIND_RACE = 1, KIND_UNWRITTEN = 2 };

static struct finding {
    int kind;
    uint32_t pc, other_pc;
    uint64_t times;
    size_t same_as; /* another instance of a template, at the same lines */
    bool waits;     /* an unwritten read that is not told yet ... */
    bool hidden;    /* ... or never, because a race tells more */
    struct conflict read;
    char place[PLACE_BYTES], other_place[PLACE_BYTES];
} findings[MOST_FINDINGS];
static size_t finding_count;

static void place_text(uint32_t pc, char *out)
{
    char place[4096];
    snprintf(out, PLACE_BYTES, "%s", places_text(order_pc(pc), place, sizeof place));
}

static bool same_pcs(const struct finding *f, int kind, uint32_t pc, uint32_t other_pc)
{
    return f->kind == kind &&
           ((f->pc == pc && f->other_pc == other_pc) || (f->pc == other_pc && f->other_pc == pc));
}

static bool same_lines(const struct finding *a, const struct finding *b)
{
    return a->kind == b->kind &&
           ((strcmp(a->place, b->place) == 0 && strcmp(a->other_place, b->other_place) == 0) ||
            (strcmp(a->place, b->other_place) == 0 && strcmp(a->other_place, b->place) == 0));
}

/* At the end of the process. */
static void print_summary(void)
{
    for (size_t i = 0; i < finding_count; i++) {
        const struct finding *f = &findings[i];
        if (f->times < 2 || f->hidden)
            continue;
        fprintf(stderr, "simt: %llu times: %s at %s", (unsigned long long)f->times,
                f->kind == KIND_RACE ? "race" : "read of unwritten memory", f->place);
        if (f->pc != f->other_pc)
            fprintf(stderr, " with %s", f->other_place);
        fprintf(stderr, "\n");
    }
    if (finding_count == MOST_FINDINGS)
        fprintf(stderr, "simt: %d places are told, there may be more\n", (int)MOST_FINDINGS);
}

/* Counts a finding. Returns it if it is the first one at its place, otherwise NULL. */
static struct finding *finding_new(int kind, uint32_t pc, uint32_t other_pc)
{
    size_t i = 0;
    while (i < finding_count && !same_pcs(&findings[i], kind, pc, other_pc))
        i++;
    if (i == MOST_FINDINGS)
        return NULL;
    struct finding *f = &findings[i];
    if (i < finding_count) {
        findings[f->same_as].times++;
        return NULL;
    }
    message_at_exit(print_summary);
    *f = (struct finding){.kind = kind, .pc = pc, .other_pc = other_pc};
    place_text(pc, f->place);
    place_text(other_pc, f->other_place);
    finding_count++;
    while (!same_lines(&findings[f->same_as], f))
        f->same_as++;
    findings[f->same_as].times++;
    return f->same_as == i ? f : NULL;
}

/* ---- parts of a message ---- */

/* s_data[5], or "4-byte element 5 of the 1024-byte allocation". */
static void print_element(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const size_t index = (size_t)(address - r->low) / bytes;
    if (r->space == SPACE_SHARED && r->name[0] != '(' && r->bytes <= bytes)
        fprintf(stderr, "%s", r->name);
    else if (r->space == SPACE_SHARED && r->name[0] != '(')
        fprintf(stderr, "%s[%zu]", r->name, index);
    else if (r->space == SPACE_SHARED)
        fprintf(stderr, "dynamic shared memory, %u-byte element %zu", bytes, index);
    else if (r->space == SPACE_MODULE)
        fprintf(stderr, "a __device__ variable at 0x%zx", (size_t)address);
    else
        fprintf(stderr, "%u-byte element %zu of the %zu-byte allocation", bytes, index, r->bytes);
}

static void print_thread(const struct stamp *s)
{
    const uint3 t = sim.thread_idx[s->thread];
    fprintf(stderr, "thread (%u,%u,%u)", t.x, t.y, t.z);
}

static void print_block(const struct stamp *s)
{
    const unsigned k = s->block - first_block;
    fprintf(stderr, "block (%u,%u,%u)", k % sim.grid.x, k / sim.grid.x % sim.grid.y,
            k / sim.grid.x / sim.grid.y);
}

static const char *const acts[] = {
    [ACT_READ] = "read", [ACT_WRITE] = "written", [ACT_ATOMIC] = "atomic"};

static void print_act(enum act act, const struct stamp *s, const char *place, bool with_block)
{
    fprintf(stderr, "\n    %s by ", acts[act]);
    print_thread(s);
    if (with_block) {
        fprintf(stderr, " of ");
        print_block(s);
    }
    fprintf(stderr, " at %s", place);
}

/* What is missing between the two. */
static const char *advice(const struct conflict *c)
{
    if (c->one_instruction)
        return "different values from one instruction: which one stays is not defined";
    if (c->then.block != c->now.block)
        return "blocks run in any order: only __threadfence(), then an atomic, orders them";
    if (c->then.thread / WARP_SIZE == c->now.thread / WARP_SIZE)
        return "lanes of one warp do not run in step\n"
               "    add __syncwarp() between, or __syncthreads() where other warps use it too";
    return "no barrier between: add __syncthreads()";
}

/* ---- messages ---- */

void finding_race(const struct conflict *c)
{
    const struct finding *f = finding_new(KIND_RACE, c->now.pc, c->then.pc);
    if (!f)
        return;
    const bool blocks = c->then.block != c->now.block;
    message_begin();
    fprintf(stderr, "race on ");
    print_element(c->region, c->address, c->bytes);
    fprintf(stderr, " in %s", sim.kernel->name);
    if (!blocks) {
        fprintf(stderr, ", ");
        print_block(&c->now);
    }
    print_act(c->was, &c->then, f->other_place, blocks);
    print_act(c->is, &c->now, f->place, blocks);
    fprintf(stderr, "\n    %s", advice(c));
    message_end();
}

/* Is told at the end of the block: if it turns out that the write only came too late, then a race
 * with it says more. */
void finding_unwritten(const struct stamp *now, const struct region *r, uintptr_t address,
                       uint32_t bytes)
{
    struct finding *f = finding_new(KIND_UNWRITTEN, now->pc, now->pc);
    if (!f)
        return;
    f->waits = true;
    f->read = (struct conflict){.now = *now, .address = address, .bytes = bytes, .region = r};
}

static void print_unwritten(const struct finding *f)
{
    const struct conflict *c = &f->read;
    message_begin();
    fprintf(stderr, "read of unwritten %s memory: ",
            c->region->space == SPACE_SHARED ? "shared" : "global");
    print_element(c->region, c->address, c->bytes);
    fprintf(stderr, " in %s, ", sim.kernel->name);
    print_block(&c->now);
    print_act(ACT_READ, &c->now, f->place, false);
    message_end();
}

/* At the end of a block. */
void findings_block(void)
{
    for (size_t i = 0; i < finding_count; i++) {
        struct finding *f = &findings[i];
        if (!f->waits)
            continue;
        f->waits = false;
        bool races = false;
        for (size_t k = 0; k < finding_count; k++)
            races |= findings[k].kind == KIND_RACE &&
                     (findings[k].pc == f->pc || findings[k].other_pc == f->pc);
        if (races)
            f->hidden = true;
        else
            print_unwritten(f);
    }
}
