/* SPDX-License-Identifier: MIT */
/*
 * findings.c - reports races and reads of unwritten memory. The launch continues after these, so
 * one mistake may occur a million times, and at many pairs of places. They are collected and
 * reported when the launch ends: one message for each kernel and kind of mistake, with one pair as
 * the example and a fix for all pairs (suggestion.c). SIMT_CHECK=all shows every pair. At exit a
 * line for each says why the run has failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { MOST_CAUSES = 32 };

static void findings_at_exit(void);

static struct finding findings[MOST_FINDINGS];
static size_t finding_count;

/* What is reported: a kind of mistake of one kernel. */
static struct cause {
    const struct kernel *kernel;
    enum finding_kind kind;
    struct suggestion suggestion;
} causes[MOST_CAUSES];
static size_t cause_count;

/* ---- while the kernel runs ---- */

/* The entry of these two places, `pc` before `then_pc` in program order. NULL if there are too
 * many. */
static struct finding *entry_of(enum finding_kind kind, uint32_t pc, uint32_t then_pc)
{
    found_one();
    size_t i = 0;
    while (i < finding_count && (findings[i].kernel != sim.kernel || findings[i].kind != kind ||
                                 findings[i].pc != pc || findings[i].then_pc != then_pc))
        i++;
    if (i == MOST_FINDINGS)
        return NULL;
    if (i == finding_count) {
        message_findings(findings_report, findings_at_exit);
        findings[finding_count++] =
            (struct finding){.kind = kind, .kernel = sim.kernel, .pc = pc, .then_pc = then_pc};
    }
    findings[i].times++;
    return &findings[i];
}

/* A barrier orders different rounds or lines, not what one instruction does in all threads at
 * once. */
static enum finding_kind kind_of(const struct conflict *c, int order)
{
    if (c->then.block < first_block)
        return RACE_OF_LAUNCHES;
    if (c->was == ACT_COPY || c->is == ACT_COPY)
        return c->was == ACT_COPY ? RACE_OF_COPY : RACE_OF_PROXY;
    if (c->then.block != c->now.block)
        return RACE_OF_BLOCKS;
    const bool stores = c->was == ACT_WRITE && c->is == ACT_WRITE && c->then.pc == c->now.pc;
    return c->one_instruction || (stores && order == 0) ? RACE_AT_ONCE : RACE_IN_BLOCK;
}

void finding_race(const struct conflict *met)
{
    struct conflict c = *met;
    const bool of_copy = met->was == ACT_COPY || met->is == ACT_COPY;
    const int order = of_copy ? -1 : order_in_program(&met->then, &met->now);
    if (order > 0) {
        c.then = met->now, c.now = met->then;
        c.was = met->is, c.is = met->was;
    }
    c.when = steps_made();
    struct finding *f = entry_of(kind_of(met, order), c.then.pc, c.now.pc);
    const bool across =
        f && f->kind == RACE_IN_BLOCK && c.then.thread / WARP_SIZE != c.now.thread / WARP_SIZE;
    if (f && f->kind == RACE_IN_BLOCK)
        f->locked |= order_by_atomic(&met->then, &met->now);
    if (f && f->kind == RACE_OF_BLOCKS)
        f->locked |= order_has_atomic();
    if (!f || (f->conflict.region && (f->across || !across)))
        return;
    f->across = across;
    f->conflict = c;
    f->fresh = true;
}

void finding_unwritten(const struct epoch *now, const struct region *r, uintptr_t address,
                       uint32_t bytes)
{
    struct finding *f = entry_of(UNWRITTEN, now->pc, now->pc);
    if (!f || f->conflict.region)
        return;
    f->conflict = (struct conflict){
        .then = *now, .now = *now, .address = address, .bytes = bytes, .when = steps_made()};
    f->conflict.region = r;
    f->fresh = true;
}

/* ---- variables without a value ---- */

void finding_no_start(const char *name, unsigned line, uintptr_t pc)
{
    enum { MOST = 64 };
    static uintptr_t reported[MOST];
    static size_t count;
    char place[4096];
    size_t i = 0;
    while (i < count && reported[i] != pc)
        i++;
    if (i < count || i == MOST || !watching)
        return;
    reported[count++] = pc;
    found_one();
    places_text(pc, place, sizeof place);
    message_begin();
    fprintf(message,
            "%s has no value in %s, declared at %s\n"
            "    line %u reads it, and nothing has been stored in it: on a GPU it may be anything\n"
            "    give it a value to start from, such as 0 for a sum",
            name, sim.kernel->name, place, line);
    message_end();
    message_failed("%s has no value in %s, declared at %s", name, sim.kernel->name, place);
}

/* ---- parts of a message ---- */

/* tile[1][25], or "4-byte element 5 of the 1024-byte allocation". */
static void print_element(const struct conflict *c)
{
    const struct region *r = c->region;
    const size_t index = (size_t)(c->address - r->low) / c->bytes;
    char name[256];
    if (r->space == SPACE_SHARED && r->name[0] != '(') {
        symbols_shared_element(r, c->address, c->bytes, name, sizeof name);
        fprintf(message, "%s", name);
    } else if (r->space == SPACE_SHARED)
        fprintf(message, "dynamic shared memory, %u-byte element %zu", c->bytes, index);
    else if (r->space == SPACE_MODULE)
        fprintf(message, "a __device__ variable at 0x%zx", (size_t)c->address);
    else if (!buffer_element(r, c->address, c->bytes))
        fprintf(message, "%u-byte element %zu of the %zu-byte allocation", c->bytes, index,
                r->bytes);
}

static void print_block(const struct epoch *s)
{
    const uint3 b = nth_block(s->block - first_block);
    fprintf(message, "block (%u,%u,%u)", b.x, b.y, b.z);
}

static const char *const acts[] = {
    [ACT_READ] = "read", [ACT_WRITE] = "written", [ACT_ATOMIC] = "atomic", [ACT_COPY] = "copied"};

static void print_act(enum act act, const struct epoch *s, const struct place *at, bool with_block)
{
    const uint3 t = sim.thread_idx[s->thread];
    char text[4096];
    fprintf(message, "\n    %s by thread (%u,%u,%u)", acts[act], t.x, t.y, t.z);
    if (with_block) {
        fprintf(message, " of ");
        print_block(s);
    }
    fprintf(message, " at %s", place_print(at, text, sizeof text));
}

/* By the previous launch, whose blocks may have had another shape. */
static void print_act_before(enum act act, const struct epoch *s, const struct place *at)
{
    char text[4096];
    fprintf(message, "\n    %s by the previous launch", acts[act]);
    if (s->pc != 0)
        fprintf(message, ", at %s", place_print(at, text, sizeof text));
}

/* The same for a listener, as numbers. */
static void report_access(const struct conflict *c, const struct epoch *by, enum act act)
{
    static const enum stop whys[] = {[ACT_READ] = STOP_READ,
                                     [ACT_WRITE] = STOP_WRITE,
                                     [ACT_ATOMIC] = STOP_ATOMIC,
                                     [ACT_COPY] = STOP_WRITE};
    message_found.when = c->when;
    message_access((struct found_access){.why = whys[act],
                                         .block = number_of(nth_block(by->block - first_block)),
                                         .thread = by->thread,
                                         .pc = order_pc(by->pc),
                                         .address = c->address,
                                         .bytes = c->bytes,
                                         .region = c->region});
}

static void print_race(const struct finding *f, const char *fix)
{
    const struct conflict *c = &f->conflict;
    const bool blocks = c->then.block != c->now.block;
    message_begin();
    fprintf(message, "race on ");
    print_element(c);
    fprintf(message, " in %s", f->kernel->name);
    if (!blocks) {
        fprintf(message, ", ");
        print_block(&c->now);
    }
    if (f->kind == RACE_OF_LAUNCHES) {
        print_act_before(c->was, &c->then, &f->at[0]);
    } else {
        print_act(c->was, &c->then, &f->at[0], blocks);
        report_access(c, &c->then, c->was);
    }
    print_act(c->is, &c->now, &f->at[1], blocks);
    report_access(c, &c->now, c->is);
    fprintf(message, "\n    %s", fix);
    message_end();
}

static void print_unwritten(const struct finding *f, const char *more)
{
    const struct conflict *c = &f->conflict;
    const enum space space = c->region->space;
    const bool of_host = space == SPACE_HOST || space == SPACE_MANAGED;
    message_begin();
    fprintf(message, "read of unwritten %s memory",
            space == SPACE_SHARED    ? "shared"
            : space == SPACE_HOST    ? "pinned"
            : space == SPACE_MANAGED ? "managed"
                                     : "global");
    if (space == SPACE_SHARED) {
        fprintf(message, ": ");
        print_element(c);
    }
    fprintf(message, " in %s, ", f->kernel->name);
    print_block(&c->now);
    if (space != SPACE_SHARED) { /* its name is longer */
        fprintf(message, "\n    ");
        print_element(c);
    }
    print_act(ACT_READ, &c->now, &f->at[0], false);
    report_access(c, &c->now, ACT_READ);
    if (of_host)
        fprintf(message, "\n    a driver may give zeros, but CUDA does not promise them");
    fprintf(message, "%s", more);
    message_end();
}

/* ---- the end of a launch ---- */

/* One call of addr2line finds the lines of all new entries. */
static void find_places(void)
{
    static struct place places[2 * MOST_FINDINGS];
    size_t count = 0, done = 0;
    for (size_t i = 0; i < finding_count; i++)
        if (!findings[i].at[0].pc) {
            places[count++].pc = order_pc(findings[i].pc);
            places[count++].pc = order_pc(findings[i].then_pc);
        }
    places_find(places, count);
    for (size_t i = 0; i < finding_count; i++)
        if (!findings[i].at[0].pc) {
            findings[i].at[0] = places[done++];
            findings[i].at[1] = places[done++];
        }
    memset(places, 0, sizeof places);
}

/* Does another finding of the kernel say more? A race explains a read that came too early better
 * than "unwritten" does; and if all threads store at once, a barrier for a read on the same line
 * would not help. */
static bool is_part_of_another(const struct finding *f)
{
    for (size_t i = 0; i < finding_count; i++) {
        const struct finding *g = &findings[i];
        if (g->kernel != f->kernel || g->kind == f->kind)
            continue;
        if (f->kind == UNWRITTEN && (g->pc == f->pc || g->then_pc == f->pc))
            return true;
        if (f->kind != UNWRITTEN && g->kind == RACE_AT_ONCE && place_same(&g->at[0], &f->at[0]) &&
            place_same(&g->at[0], &f->at[1]))
            return true;
    }
    return false;
}

static size_t group_of(const struct finding *f, const struct finding **group)
{
    size_t count = 0;
    for (size_t i = 0; i < finding_count; i++)
        if (findings[i].kernel == f->kernel && findings[i].kind == f->kind &&
            !is_part_of_another(&findings[i]))
            group[count++] = &findings[i];
    return count;
}

/* The cause that a finding belongs to, added if it is new. NULL: there are too many. */
static struct cause *cause_of(const struct finding *f)
{
    size_t i = 0;
    while (i < cause_count && (causes[i].kernel != f->kernel || causes[i].kind != f->kind))
        i++;
    if (i == MOST_CAUSES)
        return NULL;
    if (i == cause_count)
        causes[cause_count++] = (struct cause){.kernel = f->kernel, .kind = f->kind};
    return &causes[i];
}

/* Has another instance of the same template been reported in the same words? */
static const struct cause *reported_before(const struct cause *c)
{
    for (const struct cause *other = causes; other < c; other++)
        if (other->kind == c->kind && strcmp(other->kernel->name, c->kernel->name) == 0 &&
            strcmp(other->suggestion.brief, c->suggestion.brief) == 0)
            return other;
    return NULL;
}

static void print_message(const struct finding *f, const char *fix)
{
    if (f->kind == UNWRITTEN)
        print_unwritten(f, fix);
    else
        print_race(f, fix);
}

/* Every pair by itself, once per pair of lines. */
static void print_pairs(const struct finding **group, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct suggestion suggestion;
        size_t same = 0;
        while (!place_same(&group[same]->at[0], &group[i]->at[0]) ||
               !place_same(&group[same]->at[1], &group[i]->at[1]))
            same++;
        suggestion_find(&suggestion, &group[i], 1);
        if (same == i)
            print_message(group[i], suggestion.text);
    }
}

/* A message is due when the kind is new, or when the fix now needs more than before. */
static void report_cause(const struct finding *f)
{
    static const struct finding *group[MOST_FINDINGS];
    const char *check = getenv("SIMT_CHECK");
    const size_t count = group_of(f, group);
    struct cause *c = count > 0 ? cause_of(f) : NULL;
    if (!c)
        return;
    const struct suggestion before = c->suggestion;
    suggestion_find(&c->suggestion, group, count);
    if (before.brief[0] != '\0' && c->suggestion.across <= before.across)
        return;
    if (check && strcmp(check, "all") == 0)
        print_pairs(group, count);
    else if (!reported_before(c))
        print_message(c->suggestion.example, c->suggestion.text);
}

/* At the end of a launch, or when something ends it early. Races come first: the rest may follow
 * from them. */
void findings_report(void)
{
    find_places();
    for (enum finding_kind kind = 0; kind < FINDING_KINDS; kind++)
        for (size_t i = 0; i < finding_count; i++)
            if (findings[i].kind == kind && findings[i].fresh) {
                report_cause(&findings[i]);
                findings[i].fresh = false;
            }
}

/* ---- the end of the process ---- */

static unsigned long long times_of(const struct cause *c)
{
    unsigned long long times = 0;
    for (size_t i = 0; i < finding_count; i++)
        if (findings[i].kind == c->kind && findings[i].kernel == c->kernel)
            times += findings[i].times;
    for (const struct cause *other = c + 1; other < causes + cause_count; other++)
        if (reported_before(other) == c)
            times += times_of(other);
    return times;
}

static void findings_at_exit(void)
{
    findings_report();
    for (const struct cause *c = causes; c < causes + cause_count; c++)
        if (!reported_before(c))
            fprintf(stderr, "simt: failed: %s in %s, %llu time%s: %s\n",
                    c->kind == UNWRITTEN ? "read of unwritten memory" : "race", c->kernel->name,
                    times_of(c), times_of(c) == 1 ? "" : "s", c->suggestion.brief);
    if (finding_count == MOST_FINDINGS)
        fprintf(stderr, "simt: only %d pairs of places are kept; there may be more\n",
                (int)MOST_FINDINGS);
}
