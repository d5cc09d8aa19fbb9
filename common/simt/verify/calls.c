/* SPDX-License-Identifier: MIT */
/*
 * calls.c - what a call does: it may be a hook, or give an address to a function that uses it
 * without one. The latter is judged when all functions are known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* ---- accesses ---- */

bool telling;
reach_t place;

static void report(const line_t *l, const char *what)
{
    if (telling && !in_glue)
        finding("%s: 0x%llx: %s %s: %s", function, (unsigned long long)l->address, l->op, l->args,
                what);
}

void check_access(state_t *s, const line_t *l, value_t at, uint64_t bytes, int kind)
{
    for (int k = READ; k <= WRITE; k++) {
        if (!(kind & k) || at.free_of_hooks || hook_use(s, at, bytes, k))
            continue;
        uint64_t *const far = k == READ ? &place.reads : &place.writes;
        if (at.unknown == RESULT)
            *far = !in_glue && at.number + bytes > *far ? at.number + bytes : *far;
        else
            report(l, k == READ ? "a load without a hook" : "a store without a hook");
    }
}

/* ---- hooks ---- */

/* A call of one of the hooks: true. */
static bool is_hook(state_t *s, const char *name)
{
    if (strcmp(name, "simt_type_mismatch") == 0) /* it ends the launch, or does nothing */
        return true;
    if (!starts_with(name, "__tsan_"))
        return false;
    name += starts_with(name + 7, "unaligned_") ? 17 : 7;
    name += starts_with(name, "volatile_") ? 9 : 0;
    const bool vptr = starts_with(name, "vptr_");
    name += vptr ? 5 : 0;
    const int kind = starts_with(name, "read") ? READ : WRITE;
    const char *bytes = name + (kind == READ ? 4 : 5);
    const value_t length = s->reg[RSI];
    if (vptr && kind == READ)
        s->vptr = s->reg[RDI];
    if (vptr)
        hook_add(s, s->reg[RDI], 8, kind);
    else if (starts_with(name, "read") || starts_with(name, "write"))
        hook_add(s, s->reg[RDI],
                 *bytes == '_' ? (length.unknown ? ANY_NUMBER : length.number)
                               : (uint64_t)atoi(bytes),
                 kind);
    return true;
}

/* Announces an access that a call of the headers makes next: true. */
static bool is_announcement(state_t *s, const char *name)
{
    static const struct {
        const char *name;
        int kinds;
    } all[] = {{"simt_atomic", READ | WRITE},
               {"simt_block_atomic", READ | WRITE},
               {"simt_strong_load", READ},
               {"simt_strong_store", WRITE},
               {"simt_post", WRITE}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) != 0)
            continue;
        const value_t bytes = s->reg[RSI];
        s->hooks = 0;
        for (int kind = READ; kind <= WRITE && !bytes.unknown; kind++)
            if (all[i].kinds & kind)
                hook_add(s, s->reg[RDI], bytes.number, ANNOUNCED * kind);
        return true;
    }
    return false;
}

/* How many bytes from `at` on were announced. */
static uint64_t announced(const state_t *s, value_t at, int kind)
{
    uint64_t far = 0;
    for (int i = 0; i < s->hooks; i++) {
        const uint64_t from = at.number - s->hook[i].at.number;
        if (s->hook[i].kind == ANNOUNCED * kind && s->hook[i].at.unknown == at.unknown &&
            from < s->hook[i].bytes && s->hook[i].bytes - from > far)
            far = s->hook[i].bytes - from;
    }
    return far;
}

/* ---- other functions ---- */

/* Calls that give a function an address that may be anywhere, and what was announced there. */
typedef struct {
    const char *caller, *callee; /* "": through a pointer */
    uint64_t caller_at, address;
    bool own_place; /* it is so many bytes into the place of the caller's own result */
    uint64_t offset;
    reach_t announced;
} call_t;
static call_t *calls;
static int call_count;

/* The functions that do so, or that pass the address on to one: by this call. */
typedef struct {
    const char *name;
    uint64_t at;
    reach_t reach;
    const call_t *by; /* NULL: the function itself */
} placed_t;
static placed_t *placed;
static int placed_count;

/* A member of the headers that touches what was announced. */
bool is_raw(const char *name)
{
    return starts_with(name, "_ZN4simt3raw") || starts_with(name, "_ZN4simt10narrow_raw");
}

static bool is_through_pointer(const char *callee)
{
    return !*callee || starts_with(callee, "__x86_indirect_thunk");
}

/* A virtual function gets its object first, unless it returns a struct. */
static bool is_method(const state_t *s)
{
    return equal(s->reg[RDI], s->vptr) && !equal(s->reg[RSI], s->vptr);
}

static void record_call(const state_t *s, const line_t *l)
{
    const bool through_pointer = is_through_pointer(l->callee);
    const value_t to = s->reg[RDI];
    if (!telling || to.free_of_hooks || (through_pointer && (is_method(s) || s->short_rdi)))
        return;
    calls = grown(calls, call_count, sizeof *calls);
    calls[call_count++] = (call_t){.caller = strdup(function),
                                   .caller_at = function_at,
                                   .callee = through_pointer ? "" : l->callee,
                                   .address = l->address,
                                   .own_place = to.unknown == RESULT,
                                   .offset = to.number,
                                   .announced = {announced(s, to, READ), announced(s, to, WRITE)}};
}

void do_call(state_t *s, const line_t *l)
{
    const bool hook = is_hook(s, l->callee) || is_announcement(s, l->callee);
    if (strcmp(l->callee, "memcpy") == 0 || strcmp(l->callee, "memmove") == 0 ||
        strcmp(l->callee, "memset") == 0) {
        const value_t n = s->reg[RDX];
        const uint64_t bytes = n.unknown ? ANY_NUMBER : n.number;
        check_access(s, l, s->reg[RDI], bytes, WRITE);
        if (l->callee[3] != 's')
            check_access(s, l, s->reg[RSI], bytes, READ);
    } else if (!hook) {
        record_call(s, l);
    }
    static const int lost[] = {RAX, RCX, RDX, RSI, RDI, R8, R8 + 1, R8 + 2, R8 + 3};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        s->reg[lost[i]] = unknown(l->address, (uint64_t)lost[i]);
    s->short_rdi = false;
    if (hook)
        return;
    s->vptr = unknown(l->address, 3);
    if (!is_raw(l->callee))
        s->hooks = 0;
}

/* Adds a function, or what it does more. False if that was known. */
static bool placed_add(const char *name, uint64_t at, reach_t reach, const call_t *by)
{
    int i = 0;
    while (i < placed_count && strcmp(placed[i].name, name) != 0)
        i++;
    if (i == placed_count) {
        placed = grown(placed, placed_count, sizeof *placed);
        placed[placed_count++] = (placed_t){strdup(name), at, {0, 0}, by};
    }
    reach_t *const r = &placed[i].reach;
    if (r->reads + r->writes > ANY_NUMBER) /* a function that calls itself further on */
        return false;
    const bool more = reach.reads > r->reads || reach.writes > r->writes;
    r->reads = reach.reads > r->reads ? reach.reads : r->reads;
    r->writes = reach.writes > r->writes ? reach.writes : r->writes;
    return more;
}

void function_reaches(reach_t reach)
{
    placed_add(function, function_at, reach, NULL);
}

/* What a call may do with the address in rdi that was not announced: the most of what its callee
 * does, or through a pointer, that of any function that takes a place for its result and whose
 * address the program has. */
static reach_t beyond(const call_t *call)
{
    reach_t most = {0, 0};
    for (int i = 0; i < placed_count; i++) {
        const placed_t *p = &placed[i];
        const bool may_be =
            *call->callee ? strcmp(p->name, call->callee) == 0 : !is_raw(p->name) && is_held(p->at);
        if (may_be && p->reach.reads > call->announced.reads && p->reach.reads > most.reads)
            most.reads = p->reach.reads;
        if (may_be && p->reach.writes > call->announced.writes && p->reach.writes > most.writes)
            most.writes = p->reach.writes;
    }
    return most;
}

/* Of the calls that pass the address on, the last: each is of a function that was placed before. */
static void report_call(const call_t *call)
{
    for (int i = placed_count - 1; i >= 0; i--)
        if (*call->callee && placed[i].by && strcmp(placed[i].name, call->callee) == 0)
            call = placed[i].by;
    finding("%s: 0x%llx: %s uses the address that it gets here without a hook", call->caller,
            (unsigned long long)call->address,
            *call->callee ? call->callee : "a function called through a pointer");
}

/* A function that writes its result to memory is called with memory in the caller's stack, or with
 * that of the caller's own result. */
void examine_calls(void)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < call_count; i++) {
            reach_t far = beyond(&calls[i]);
            far.reads += far.reads ? calls[i].offset : 0;
            far.writes += far.writes ? calls[i].offset : 0;
            if (calls[i].own_place && far.reads + far.writes > 0)
                more |= placed_add(calls[i].caller, calls[i].caller_at, far, &calls[i]);
        }
    }
    for (int i = 0; i < call_count; i++) {
        const reach_t far = beyond(&calls[i]);
        if (!calls[i].own_place && far.reads + far.writes > 0)
            report_call(&calls[i]);
    }
}
