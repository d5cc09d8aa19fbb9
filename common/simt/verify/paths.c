/* SPDX-License-Identifier: MIT */
/* paths.c - follows the paths through a function until nothing changes. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static const site_t *site; /* of the function */
static int sites;
static bool returns_place; /* the function returns the address that it got in rdi */

static line_t *line_at(uint64_t address)
{
    int low = 0, high = lines - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (line[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return lines && line[low].address == address ? &line[low] : NULL;
}

static bool ends_path(const line_t *l)
{
    return starts_with_any(l->op, "jmp ret ud2 hlt") ||
           is_one_of(l->callee,
                     "__ubsan_handle_out_of_bounds_abort "
                     "__ubsan_handle_divrem_overflow_abort _Unwind_Resume simt_thread_end exit "
                     "abort __assert_fail __cxa_throw __cxa_rethrow __stack_chk_fail "
                     "__cxa_bad_cast __cxa_throw_bad_array_new_length _exit _Exit longjmp "
                     "__longjmp_chk") ||
           (starts_with(l->callee, "_ZSt") && strstr(l->callee, "__throw_"));
}

static void begin_block(line_t *to, const line_t *last_from)
{
    to->leader = true;
    if (to <= last_from && !to->back)
        to->back = calloc(1, sizeof *to->back);
}

/* Of a function that jumps by table the text does not show all blocks where control may continue:
 * any block that is not reached without its pads may be one. */
static void find_blocks(void)
{
    bool by_table = false;
    line[0].leader = true;
    for (int i = 0; i < lines; i++) {
        line_t *to = *line[i].op == 'j' ? line_at(line[i].target) : NULL;
        by_table |= *line[i].op == 'j' && !to;
        if (to)
            begin_block(to, &line[i]);
        if (i + 1 < lines && (*line[i].op == 'j' || ends_path(&line[i])))
            line[i + 1].leader = true;
    }
    site = sites_of(line[0].address, line[lines - 1].address + 1, &sites);
    sites = by_table ? 0 : sites;
    for (int k = 0; k < sites; k++) {
        line_t *pad = line_at(site[k].pad);
        if (pad)
            begin_block(pad, &line[lines - 1]);
    }
    for (int i = 0; i < lines; i++)
        if (line[i].leader)
            line[i].before = calloc(1, sizeof *line[i].before);
}

/* What is known at the start of a block, by all paths. */
static bool enter(line_t *l, state_t *now, const state_t *elsewhere)
{
    state_t *s = l->before;
    if (now->reached)
        merge(s, now, l->address);
    if (l->back && l->back->reached)
        merge(s, l->back, l->address);
    if (l->hidden && elsewhere->reached)
        merge(s, elsewhere, l->address);
    state_copy(now, s);
    state_enter(now, l->address);
    const uint64_t print = now->reached ? fingerprint(now) : 0;
    const bool changed = print != l->print;
    l->print = print;
    s->reached = false;
    if (l->back)
        l->back->reached = false;
    return changed;
}

static void jump(const line_t *from, line_t *to, const state_t *now)
{
    merge(to <= from ? to->back : to->before, now, to->address);
}

/* The call may throw an exception. What it has pushed is gone then, so the stack pointer is only
 * known if it is the same in all calls. */
static void throw(const line_t *l, const state_t *now, const state_t *elsewhere)
{
    static state_t thrown;
    for (int k = 0; k < sites; k++) {
        const bool covered = l->address - site[k].from < site[k].to - site[k].from;
        line_t *pad = covered ? line_at(site[k].pad) : NULL;
        if (!pad)
            continue;
        state_copy(&thrown, now);
        thrown.hooks = 0;
        if (elsewhere->reached)
            thrown.reg[RSP] = elsewhere->reg[RSP];
        jump(l, pad, &thrown);
    }
}

/* The end of the loop in which g++ touches the pages of a large frame: %rsp is what %r11 is. */
static bool ends_probes(const line_t *l)
{
    return l > line && !l->leader && strcmp(l->op, "jne") == 0 && strcmp(l[-1].op, "cmp") == 0 &&
           strcmp(l[-1].args, "%r11,%rsp") == 0;
}

/* One time through all lines. `elsewhere` takes what is known if control may continue at a place
 * that the text does not show: after a jump by table, or when a call throws an exception. */
static bool pass(const state_t *first, state_t *elsewhere)
{
    static state_t now, next;
    bool changed = false;
    next.reached = false;
    state_copy(&now, first);
    for (int i = 0; i < lines; i++) {
        line_t *l = &line[i];
        if (l->leader)
            changed |= enter(l, &now, elsewhere);
        if (!now.reached)
            continue;
        execute(&now, l);
        line_t *to = *l->op == 'j' ? line_at(l->target) : NULL;
        if (to)
            jump(l, to, &now);
        else if (*l->op == 'j' || starts_with(l->op, "call"))
            merge(&next, &now, 1);
        if (starts_with(l->op, "call"))
            throw(l, &now, elsewhere);
        if (ends_probes(l))
            now.reg[RSP] = now.reg[R8 + 3];
        if (starts_with(l->op, "ret"))
            returns_place &= now.reg[RAX].unknown == RESULT && now.reg[RAX].number == 0;
        if (ends_path(l))
            now.reached = false;
    }
    state_copy(elsewhere, &next);
    return changed;
}

/* Passes until nothing changes. False if that does not come. Two blocks may each take back what the
 * other has found, for ever, so from some pass on nothing is taken back. */
static bool settle(const state_t *first, state_t *elsewhere)
{
    enum { MOST_PASSES = 150, MOST_RESOLVING = 50 };
    joins_resolve = true;
    for (int i = 0; i < MOST_PASSES; i++) {
        joins_resolve &= i < MOST_RESOLVING;
        if (!pass(first, elsewhere))
            return true;
    }
    return false;
}

/* Marks the blocks that no path has reached. */
static bool find_hidden(void)
{
    bool any = false;
    for (int i = 0; i < lines; i++)
        if (line[i].leader && !line[i].print)
            any = line[i].hidden = true;
    return any;
}

static state_t at_entry(void)
{
    state_t s = {.reached = true};
    for (int r = 0; r < REGISTERS; r++)
        s.reg[r] = unknown(0xabc, (uint64_t)r);
    s.reg[RSP] = (value_t){.unknown = STACK, .free_of_hooks = true};
    s.reg[RDI] = (value_t){.unknown = RESULT};
    return s;
}

void examine(void)
{
    static state_t first, elsewhere;
    find_blocks();
    joins_forget();
    first = at_entry();
    elsewhere.reached = false;
    telling = false;
    bool settled = settle(&first, &elsewhere);
    if (find_hidden())
        settled = settle(&first, &elsewhere);
    telling = returns_place = true;
    place = (reach_t){0, 0};
    pass(&first, &elsewhere);
    if (!settled)
        finding("%s: its paths are too many to be proven", function);
    if (place.reads + place.writes > 0 && !returns_place && !is_raw(function))
        finding("%s: an access without a hook, by its first argument", function);
    if (place.reads + place.writes > 0)
        function_reaches(place);
    for (int i = 0; i < lines; i++) {
        free(line[i].before);
        free(line[i].back);
    }
}
