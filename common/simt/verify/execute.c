/* SPDX-License-Identifier: MIT */
/* execute.c - what an instruction does with what is known, and whether its accesses have hooks. */
#include <string.h>

#include "inside.h"

/* A repeated move may begin with a few words apart, so that its address is not known here. It takes
 * the rest of the last hook of a range. */
static void access_range(state_t *s, const line_t *l, value_t at, int kind)
{
    for (int i = s->hooks - 1; i >= 0 && !at.free_of_hooks; i--)
        if (s->hook[i].kind == kind && s->hook[i].bytes > 16) {
            s->hook[i] = s->hook[--s->hooks];
            return;
        }
    check_access(s, l, at, ANY_NUMBER, kind);
}

/* ---- values ---- */

static uint64_t hash(value_t v)
{
    return mix(v.unknown ? v.unknown : 1, v.number);
}

/* A number of 32 bits with its sign. */
static value_t extended(value_t v)
{
    return v.unknown ? unknown(hash(v), 33) : number((uint64_t)(int64_t)(int32_t)v.number);
}

/* The value that lands in a register; the same operation on the same values gives the same. */
static value_t computed(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const operand_t *to = &o[count - 1], *from = &o[0];
    const value_t fresh = unknown(l->address, (uint64_t)to->reg);
    const char *op = l->op;
    value_t a = number(0), b = s->reg[to->reg];
    const int bytes = starts_with(op, "movabs") ? 8 : to->bytes;
    if (from->kind == MEMORY && !starts_with(op, "lea")) {
        const int w = width(l, o, count);
        if (from->at.unknown == 0 && from->at.free_of_hooks) /* a constant: always the same */
            a = unknown(from->at.number, 2);
        else if (from->at.unknown != STACK || (w != 8 && w != 4))
            a = unknown(l->address, 1);
        else
            a = slot_get(s, l, (int64_t)from->at.number, w);
        a.free_of_hooks |= w == 8 && equal(from->at, s->vptr);
    } else if (from->kind == REGISTER) {
        if (from->reg == NONE)
            return fresh;
        a = s->reg[from->reg];
    } else {
        a = from->at;
    }
    const value_t both = unknown(mix(hash(a), hash(b)), (uint64_t)(op[0] * 256 + op[2]));
    if (starts_with(op, "movslq"))
        return extended(a);
    if (starts_with(op, "xor") && from->kind == REGISTER && from->reg == to->reg)
        return number(0);
    if (bytes == 4) { /* the upper half becomes 0 */
        if (strcmp(op, "mov") == 0 || starts_with(op, "movl"))
            return a.unknown ? unknown(hash(a), 32) : number((uint32_t)a.number);
        if (starts_with(op, "lea"))
            return unknown(hash(a), 34);
        return count == 2 && starts_with_any(op, "add sub and shl shr or") ? both : fresh;
    }
    if (bytes != 8)
        return fresh;
    if (strcmp(op, "mov") == 0 || starts_with_any(op, "movabs movq lea"))
        return a;
    if (starts_with(op, "add"))
        return sum(b, a, 1);
    if (starts_with(op, "sub"))
        return sum(b, a, (uint64_t)-1);
    if (starts_with(op, "neg"))
        return sum(number(0), b, (uint64_t)-1);
    if (starts_with(op, "shl") && count == 2 && from->kind == IMMEDIATE)
        return sum(number(0), b, 1ull << (a.number & 63));
    /* For an object of 32 bytes' alignment. What lies below is as far from there on any path, and
     * nobody goes from there to what lies above. */
    if (starts_with(op, "and") && b.unknown == STACK && to->reg == RSP && from->kind == IMMEDIATE)
        return (value_t){STACK, b.number & a.number, true};
    if (starts_with(op, "and") && b.free_of_hooks)
        return (value_t){fresh.unknown, 0, true};
    if (starts_with(op, "imul") && count == 3 && from->kind == IMMEDIATE && o[1].kind == REGISTER)
        return sum(number(0), s->reg[o[1].reg], a.number);
    return starts_with_any(op, "and or shr sar") ? both : fresh;
}

/* ---- instructions ---- */

/* movs and stos, once or rcx times. */
static void do_string(state_t *s, const line_t *l, bool moves, int bytes)
{
    const bool repeated = starts_with(l->op, "rep");
    if (repeated) {
        access_range(s, l, s->reg[RDI], WRITE);
        if (moves)
            access_range(s, l, s->reg[RSI], READ);
    } else {
        check_access(s, l, s->reg[RDI], (uint64_t)bytes, WRITE);
        if (moves)
            check_access(s, l, s->reg[RSI], (uint64_t)bytes, READ);
    }
    const value_t n = s->reg[RCX];
    const value_t all = !repeated   ? number((uint64_t)bytes)
                        : n.unknown ? unknown(l->address, RCX)
                                    : number(n.number * (uint64_t)bytes);
    s->reg[RDI] = sum(s->reg[RDI], all, 1);
    if (moves)
        s->reg[RSI] = sum(s->reg[RSI], all, 1);
    if (repeated)
        s->reg[RCX] = number(0);
}

/* Whether rdi is written, and as a number of 32 bits. */
static void follow_rdi(state_t *s, const char *op, const operand_t *o, int count)
{
    const bool exchanges = is_exchange(op);
    for (int i = 0; i < count && kind_of_last(op, count) != READ; i++)
        if (o[i].kind == REGISTER && o[i].reg == RDI && (i == count - 1 || exchanges))
            s->short_rdi = o[i].bytes == 4 && !exchanges;
}

/* The width of a string instruction's element. */
static int element(const line_t *l)
{
    const char last = l->op[strlen(l->op) - 1];
    return strstr(l->args, "%rax") || last == 'q'  ? 8
           : strstr(l->args, "%al") || last == 'b' ? 1
           : strstr(l->args, "%ax") || last == 'w' ? 2
                                                   : 4;
}

static void check_operands(state_t *s, const line_t *l, const operand_t *o, int count)
{
    for (int i = 0; i < count; i++) {
        const value_t at = o[i].at;
        if (o[i].kind != MEMORY || starts_with(l->op, "lea"))
            continue;
        if (at.unknown == THREAD_LOCAL && (at.number == 0 || at.number == 0x28))
            continue; /* the system's own: its address, the guard of the stack */
        check_access(s, l, at, (uint64_t)width(l, o, count),
                     i < count - 1 ? READ : kind_of_last(l->op, count));
    }
}

static bool is_general(const operand_t *o)
{
    return o->kind == REGISTER && o->reg != NONE;
}

static value_t pop(state_t *s, const line_t *l)
{
    const value_t at = s->reg[RSP];
    s->reg[RSP] = sum(at, number(8), 1);
    return at.unknown == STACK ? slot_get(s, l, (int64_t)at.number, 8) : unknown(l->address, 4);
}

/* push, pop and leave: true. */
static bool moves_stack(state_t *s, const line_t *l, const operand_t *o)
{
    if (starts_with(l->op, "push")) {
        s->reg[RSP] = sum(s->reg[RSP], number(-8ull), 1);
        if (s->reg[RSP].unknown == STACK)
            slot_set(s, (int64_t)s->reg[RSP].number, 8,
                     is_general(o) ? s->reg[o->reg] : unknown(l->address, 2));
    } else if (starts_with(l->op, "pop")) {
        const value_t top = pop(s, l);
        if (is_general(o))
            s->reg[o->reg] = top;
    } else if (starts_with(l->op, "leave")) {
        s->reg[RSP] = s->reg[RBP];
        s->reg[RBP] = pop(s, l);
    } else {
        return false;
    }
    return true;
}

/* What an instruction writes to registers that its text does not name. */
static void write_hidden(state_t *s, const line_t *l, int count)
{
    const char *op = l->op;
    const bool factor = is_factor(op, count);
    if (starts_with(op, "cltq"))
        s->reg[RAX] = extended(s->reg[RAX]);
    else if (factor || starts_with_any(op, "cmpxchg cwtl cbtw"))
        s->reg[RAX] = unknown(l->address, RAX);
    if (factor || starts_with_any(op, "cqto cltd cwtd"))
        s->reg[RDX] = unknown(l->address, RDX);
}

/* The last operand is in the stack. */
static void write_slot(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const int w = width(l, o, count);
    const int64_t at = (int64_t)o[count - 1].at.number;
    const bool immediate = o[0].kind == IMMEDIATE, known = immediate || is_general(o);
    const value_t from = is_general(o) ? s->reg[o[0].reg] : o[0].at;
    const bool adds = starts_with(l->op, "add"), subtracts = starts_with(l->op, "sub");
    if (immediate ? starts_with(l->op, "mov") : known && strcmp(l->op, "mov") == 0)
        slot_set(s, at, w, from);
    else if (w == 8 && known && count == 2 && (adds || subtracts))
        slot_set(s, at, w, sum(slot_get(s, l, at, w), from, adds ? 1 : (uint64_t)-1));
    else
        slot_forget(s, at, w);
}

static void write_last(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const operand_t *last = &o[count - 1];
    const bool exchanges = is_exchange(l->op);
    const value_t old = exchanges && is_general(last) ? s->reg[last->reg] : unknown(l->address, 5);
    if (exchanges && is_general(last))
        s->reg[last->reg] =
            starts_with(l->op, "xchg") && is_general(o) ? s->reg[o[0].reg] : unknown(l->address, 6);
    else if (is_general(last))
        s->reg[last->reg] = computed(s, l, o, count);
    else if (last->kind == MEMORY && last->at.unknown == STACK)
        write_slot(s, l, o, count);
    if (exchanges && is_general(o))
        s->reg[o[0].reg] = old;
}

void execute(state_t *s, const line_t *l)
{
    const char *op = l->op;
    if (starts_with_any(op, "nop endbr data16 cs prefetch"))
        return;
    if (strstr(l->args, "%es:(%rdi)")) {
        do_string(s, l, strstr(l->args, "%ds:(%rsi)") != NULL, element(l));
        return;
    }
    operand_t o[4] = {{.kind = NOTHING}};
    const int count = operands(s, l, o);
    follow_rdi(s, op, o, count);
    if (starts_with(l->args, "%fs:0x0,%r") &&
        count == 2) { /* the address of all thread-local memory */
        s->reg[o[1].reg] = (value_t){THREAD_LOCAL, 0, false};
        return;
    }
    check_operands(s, l, o, count);
    write_hidden(s, l, count);
    if (starts_with(op, "call"))
        do_call(s, l);
    else if (!moves_stack(s, l, o) && *op != 'j' && count > 0 && kind_of_last(op, count) != READ)
        write_last(s, l, o, count);
}
