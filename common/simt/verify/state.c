/* SPDX-License-Identifier: MIT */
/*
 * state.c - what is known at a place of the program: values, what the stack holds, hooks that no
 * instruction has used yet. And what of it is known where paths join.
 */
#include <string.h>

#include "inside.h"

/* ---- values ---- */

uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15f39cc060u);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) | 1;
}
value_t unknown(uint64_t a, uint64_t b)
{
    return (value_t){.unknown = mix(a, b)};
}
value_t number(uint64_t n)
{
    return (value_t){.number = n};
}
value_t sum(value_t a, value_t b, uint64_t times)
{
    const bool difference = times == (uint64_t)-1; /* of two places in the stack: a number */
    return (value_t){.unknown = a.unknown + times * b.unknown,
                     .number = a.number + times * b.number,
                     .free_of_hooks = difference
                                          ? a.free_of_hooks && !b.free_of_hooks
                                          : a.free_of_hooks || (times == 1 && b.free_of_hooks)};
}
bool equal(value_t a, value_t b)
{
    return a.unknown == b.unknown && a.number == b.number && a.free_of_hooks == b.free_of_hooks;
}

unsigned bits_of(value_t v)
{
    unsigned bits = 0;
    if (v.unknown)
        return v.bits ? v.bits : 64;
    while (bits < 64 && v.number >> bits)
        bits++;
    return bits;
}

/* ---- the stack ---- */

/* Most have few of the slots that there may be. */
void state_copy(state_t *to, const state_t *from)
{
    memcpy(to, from, offsetof(state_t, slot) + (size_t)from->slots * sizeof *from->slot);
}

static void slot_remove(state_t *s, int i)
{
    s->slots--;
    memmove(&s->slot[i], &s->slot[i + 1], (size_t)(s->slots - i) * sizeof *s->slot);
}

/* The first slot from `i` on that has some of these bytes. */
static int slot_overlapping(const state_t *s, int64_t at, int bytes, int i)
{
    while (i < s->slots && !(s->slot[i].at < at + bytes && at < s->slot[i].at + s->slot[i].bytes))
        i++;
    return i < s->slots ? i : NONE;
}

void slot_forget(state_t *s, int64_t at, int bytes)
{
    for (int i = 0; (i = slot_overlapping(s, at, bytes, i)) != NONE;)
        slot_remove(s, i);
}

static int slot_find(const state_t *s, int64_t at, int bytes, int likely)
{
    if (likely < s->slots && s->slot[likely].at == at && s->slot[likely].bytes == bytes)
        return likely;
    for (int i = 0; i < s->slots; i++)
        if (s->slot[i].at == at && s->slot[i].bytes == bytes)
            return i;
    return NONE;
}

void slot_set(state_t *s, int64_t at, int bytes, value_t value)
{
    slot_forget(s, at, bytes);
    if (s->slots == SLOTS || bytes > 8)
        return;
    int i = s->slots++;
    for (; i > 0 && s->slot[i - 1].at > at; i--)
        s->slot[i] = s->slot[i - 1];
    s->slot[i].at = at;
    s->slot[i].bytes = bytes;
    s->slot[i].value = value;
}

value_t slot_get(state_t *s, const line_t *l, int64_t at, int bytes)
{
    int known = slot_find(s, at, bytes, 0);
    for (int more = 2 * bytes; known == NONE && more <= 8; more *= 2) /* the lower part */
        known = slot_find(s, at, more, 0);
    if (known != NONE)
        return s->slot[known].value;
    const value_t v = unknown(l->address, (uint64_t)at);
    if (slot_overlapping(s, at, bytes, 0) == NONE)
        slot_set(s, at, bytes, v);
    return v;
}

/* ---- hooks ---- */

void hook_add(state_t *s, value_t at, uint64_t bytes, int kind)
{
    if (s->hooks < HOOKS && !at.free_of_hooks)
        s->hook[s->hooks++] = (hook_t){at, bytes, kind, 0};
}

/* Takes `bytes` from `at` on out of the hooks of this kind. False if a byte is in none. g++ copies
 * 25 bytes as 16, and then the last 16: so what takes bytes of a hook may begin with bytes of it
 * that are used. */
bool hook_use(state_t *s, value_t at, uint64_t bytes, int kind)
{
    for (int i = 0; i < s->hooks; i++) {
        hook_t *h = &s->hook[i];
        const uint64_t from = at.number - h->at.number, again = h->at.number - at.number;
        if (h->kind != kind || h->at.unknown != at.unknown)
            continue;
        const hook_t old = *h;
        if (again > 0 && again <= old.behind && again < bytes)
            return hook_use(s, old.at, bytes - again, kind);
        if (from >= old.bytes)
            continue;
        const uint64_t used = bytes < old.bytes - from ? bytes : old.bytes - from;
        *h = s->hook[--s->hooks];
        if (from > 0)
            s->hook[s->hooks++] = (hook_t){old.at, from, kind, old.behind};
        if (from + used < old.bytes && s->hooks < HOOKS)
            s->hook[s->hooks++] =
                (hook_t){sum(old.at, number(from + used), 1), old.bytes - from - used, kind,
                         used + (from > 0 ? 0 : old.behind)};
        at.number += used;
        bytes -= used;
        return bytes == 0 || hook_use(s, at, bytes, kind);
    }
    return false;
}

/* ---- where paths join ---- */

/* Names of a block's unknowns, beside the registers' numbers. */
#define VPTR 100
#define IN_STACK (1ull << 40)

/* The values on which two paths do not agree where they join. */
typedef struct {
    int count;
    struct {
        value_t old, from, *into;
        value_t fresh, apart; /* apart: from - old */
    } item[REGISTERS + SLOTS];
} join_t;

/* A block's unknown may go round a loop and come back to the block unchanged, or by way of another
 * block. Then it is no value of its own: it is what else comes to the block. So that this is seen,
 * `is` has what the block knew in its place when it was entered last; 0, 0: it was needed. When
 * nothing changes any more, no state has an unknown that is not needed, because one of the paths
 * into each loop has not seen it. So what is proven then does not depend on this table. */
enum { JOINS = 1 << 14 };
static struct join {
    uint64_t fresh;
    bool needed; /* since the block was entered last */
    value_t is;
} joins[JOINS];
static int join_count;
bool joins_resolve;

void joins_forget(void)
{
    if (join_count > 0)
        memset(joins, 0, sizeof joins);
    join_count = 0;
}

/* NULL: the block has made none, or there is no room. */
static struct join *join_of(uint64_t fresh, bool add)
{
    uint64_t i = (fresh >> 20) % JOINS;
    while (joins[i].fresh && joins[i].fresh != fresh)
        i = (i + 1) % JOINS;
    if (!joins[i].fresh && (!add || join_count > JOINS / 2))
        return NULL;
    join_count += !joins[i].fresh;
    joins[i].fresh = fresh;
    return &joins[i];
}

static value_t resolved(value_t v)
{
    enum { MOST_STEPS = 8 };
    for (int i = 0; i < MOST_STEPS && v.unknown && v.number == 0 && !v.joined; i++) {
        const struct join *j = join_of(v.unknown, false);
        if (!j || (!j->is.unknown && !j->is.number))
            break;
        v = j->is;
    }
    return v;
}

static void needs(uint64_t fresh)
{
    struct join *j = join_of(fresh, true);
    if (j)
        *j = (struct join){.fresh = fresh, .needed = true};
}

static bool is_pure(value_t v, uint64_t unknown_of)
{
    return v.unknown == unknown_of && v.number == 0;
}

/* At the start of the block, when all that comes to it has been joined. */
static void enter_value(value_t *v, uint64_t block, uint64_t name)
{
    const uint64_t fresh = unknown(block, name).unknown;
    struct join *j = join_of(fresh, false);
    v->joined = false;
    if (j)
        j->is = j->needed || is_pure(*v, fresh) ? number(0) : *v;
    if (j)
        j->needed = false;
}

void state_enter(state_t *s, uint64_t block)
{
    for (int r = 0; r < REGISTERS; r++)
        enter_value(&s->reg[r], block, (uint64_t)r);
    for (int i = 0; i < s->slots; i++)
        enter_value(&s->slot[i].value, block, (uint64_t)s->slot[i].at + IN_STACK);
}

static void compare(join_t *m, value_t *into, value_t from, uint64_t block, uint64_t name)
{
    const value_t fresh = unknown(block, name);
    if (equal(*into, from)) {
        into->joined |= from.joined;
        return;
    }
    const bool may = joins_resolve && !into->joined && !from.joined;
    if (joins_resolve) {
        *into = resolved(*into);
        from = resolved(from);
    }
    if (may && (equal(*into, from) || is_pure(from, fresh.unknown)))
        return;
    if (may && is_pure(*into, fresh.unknown)) {
        *into = from;
        return;
    }
    needs(fresh.unknown);
    m->item[m->count].old = *into;
    m->item[m->count].from = from;
    m->item[m->count].into = into;
    m->item[m->count].apart = sum(from, *into, (uint64_t)-1);
    m->item[m->count++].fresh = fresh;
}

/* Each becomes an unknown. One that on both paths is as many times another, and as much more, still
 * is: it becomes that many times the other's unknown, and as much more. So p + i and p + j are
 * known to stay as far apart as a loop that counts i and j keeps them, by a number or a stride.
 * That is so if between the paths it grows by as many times what the other grows by. */
static void join(join_t *m)
{
    for (int v = 0; v < m->count; v++) {
        const value_t old = m->item[v].old, apart = m->item[v].apart;
        value_t joined = m->item[v].fresh;
        for (uint64_t times = 16; times >= 1; times /= 2) {
            int i = 0;
            while (i < m->count && (times * m->item[i].apart.number != apart.number ||
                                    times * m->item[i].apart.unknown != apart.unknown))
                i++;
            if (i == m->count)
                continue;
            joined = sum(sum(old, m->item[i].old, -times), m->item[i].fresh, times);
            break;
        }
        joined.free_of_hooks = old.free_of_hooks && m->item[v].from.free_of_hooks;
        joined.joined = true;
        *m->item[v].into = joined;
    }
}

/* Adds what is known on one more path to a block to what is known on the others. Of hooks, those
 * count that were called on each. */
void merge(state_t *into, const state_t *from, uint64_t block)
{
    static join_t m;
    m.count = 0;
    if (!into->reached) {
        state_copy(into, from);
        return;
    }
    for (int r = 0; r < REGISTERS; r++)
        compare(&m, &into->reg[r], from->reg[r], block, (uint64_t)r);
    for (int i = 0; i < into->slots; i++) {
        const int k = slot_find(from, into->slot[i].at, into->slot[i].bytes, i);
        if (k == NONE)
            slot_remove(into, i--);
        else
            compare(&m, &into->slot[i].value, from->slot[k].value, block,
                    (uint64_t)into->slot[i].at + IN_STACK);
    }
    join(&m);
    into->short_rdi &= from->short_rdi;
    if (!equal(into->vptr, from->vptr))
        into->vptr = unknown(block, VPTR);
    for (int i = 0; i < into->hooks; i++) {
        const hook_t *h = &into->hook[i];
        int k = 0;
        while (k < from->hooks &&
               (!equal(from->hook[k].at, h->at) || from->hook[k].bytes != h->bytes ||
                from->hook[k].kind != h->kind || from->hook[k].behind != h->behind))
            k++;
        if (k == from->hooks)
            into->hook[i--] = into->hook[--into->hooks];
    }
}

static uint64_t print_of(value_t v, uint64_t name)
{
    return mix(mix(v.unknown, v.number), name * 256 + v.free_of_hooks + 2u * v.bits + v.minus);
}

/* A sum, because the order of hooks may change. */
uint64_t fingerprint(const state_t *s)
{
    uint64_t print = print_of(s->vptr, s->short_rdi + VPTR);
    for (int r = 0; r < REGISTERS; r++)
        print += print_of(s->reg[r], (uint64_t)r + 2);
    for (int i = 0; i < s->slots; i++)
        print +=
            mix(print_of(s->slot[i].value, (uint64_t)s->slot[i].at), (uint64_t)s->slot[i].bytes);
    for (int i = 0; i < s->hooks; i++)
        print += mix(print_of(s->hook[i].at, s->hook[i].bytes),
                     (uint64_t)s->hook[i].kind + 8 * s->hook[i].behind);
    return print;
}
