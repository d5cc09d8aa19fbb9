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

/* What an operation that is named by a text makes of one value, or of two in any order. */
static value_t made(const char *op, value_t a)
{
    uint64_t name = 0;
    while (*op)
        name = name * 256 + (unsigned char)*op++;
    return unknown(hash(a), name);
}
static value_t made_of_two(const char *op, value_t a, value_t b, bool ordered)
{
    const uint64_t x = hash(a), y = hash(b);
    return made(op, number(ordered || x < y ? mix(x, y) : mix(y, x)));
}

/* Its lower bytes, with zeros before them. */
static value_t lower(value_t v, unsigned bytes)
{
    if (bits_of(v) <= 8 * bytes)
        return v;
    value_t cut =
        v.unknown ? unknown(hash(v), 32 + bytes) : number(v.number & ((1ull << 8 * bytes) - 1));
    cut.bits = v.unknown ? (unsigned char)(8 * bytes) : 0;
    return cut;
}

/* A number of so many bytes becomes one of 4 or 8 with its sign. */
static value_t extended(value_t v, unsigned from, unsigned to)
{
    v = lower(v, from);
    if (bits_of(v) < 8 * from || from >= to)
        return v;
    if (from < 4)
        v = v.unknown ? made(from == 1 ? "signed 1" : "signed 2", v)
                      : number((uint32_t)(from == 1 ? (int8_t)v.number : (int16_t)v.number));
    if (v.unknown && from < 4)
        v.bits = 32;
    if (to < 8)
        return v;
    return v.unknown ? made("signed 4", v) : number((uint64_t)(int64_t)(int32_t)v.number);
}

/* What `from` holds: `bytes` of it, if it is memory. */
static value_t source(state_t *s, const line_t *l, const operand_t *from, int bytes)
{
    value_t a;
    if (from->kind == REGISTER)
        return s->reg[from->reg];
    if (from->kind == IMMEDIATE)
        return from->at;
    if (from->at.unknown == 0 && from->at.free_of_hooks) { /* a constant: always the same */
        a = unknown(from->at.number, 2);
    } else if (from->at.unknown == THREAD_LOCAL && from->at.number == 0 && bytes == 8) {
        return from->at; /* %fs:0 holds its own address */
    } else if (from->at.unknown != STACK || bytes > 8) {
        a = unknown(l->address, 1);
    } else {
        a = slot_get(s, l, (int64_t)from->at.number, bytes);
    }
    a.free_of_hooks |= bytes == 8 && equal(from->at, s->vptr);
    return a;
}

/* The bits of an operation's result that may be set: those of a mask, or what a shift leaves. */
static value_t with_bits(value_t v, const char *op, value_t a, value_t b, bool immediate)
{
    unsigned bits = bits_of(v);
    if (starts_with(op, "and"))
        bits = bits_of(a) < bits_of(b) ? bits_of(a) : bits_of(b);
    else if (starts_with(op, "shr") && immediate)
        bits = bits_of(b) > a.number ? bits_of(b) - (unsigned)a.number : 1;
    if (v.unknown && bits < 64)
        v.bits = (unsigned char)(bits ? bits : 1);
    return v;
}

/* Shifted to the right. With copies of the sign it is that without, less the sign times a power of
 * two: so (x >> 3) * 8 is the same for both, and the same as x & -8. */
static value_t shifted(const char *op, value_t v, unsigned by)
{
    if (by == 0)
        return v;
    value_t zeros = with_bits(made_of_two("shr", number(by), v, true), "shr", number(by), v, true);
    return strcmp(op, "sar") == 0 && bits_of(v) == 64
               ? sum(zeros, shifted("shr", v, 63), -(1ull << (64 - by)))
               : zeros;
}

/* The power of two whose multiples the mask keeps; 0: it is no such mask. */
static unsigned kept_multiples(value_t mask)
{
    unsigned k = 1;
    while (k < 64 && mask.number != -(1ull << k))
        k++;
    return mask.unknown || k == 64 ? 0 : k;
}

/* %ah, %bh: the second byte of a register. */
static bool is_high_byte(const line_t *l)
{
    return *l->args == '%' && l->args[1] && l->args[2] == 'h' && l->args[3] == ',';
}

/* The value that lands in a register of 4 or 8 bytes; the same operation on the same values gives
 * the same. One of 4 bytes makes the upper half 0. */
static value_t computed(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const operand_t *to = &o[count - 1], *from = &o[0];
    const value_t fresh = unknown(l->address, (uint64_t)to->reg);
    const char *op = l->op;
    const bool lea = starts_with(op, "lea"), shift = is_one_of(op, "shl shr sar");
    const bool once = shift && count == 1, immediate = once || from->kind == IMMEDIATE;
    const unsigned bytes = starts_with(op, "movabs") ? 8 : (unsigned)to->bytes;
    const unsigned w = (unsigned)width(l, o, count);
    if ((bytes != 8 && bytes != 4) || (from->kind == REGISTER && from->reg == NONE))
        return fresh;
    if (starts_with(op, "xor") && from->kind == REGISTER && from->reg == to->reg)
        return number(0);
    value_t a = lea ? from->at : once ? number(1) : source(s, l, from, (int)w);
    value_t b = s->reg[to->reg];
    const uint64_t minus = b.minus;
    const bool extends = starts_with_any(op, "movz movs") && strlen(op) == 6;
    if (extends && is_high_byte(l))
        return fresh;
    if (extends)
        return op[3] == 'z' ? lower(a, w) : extended(a, w, bytes);
    if (strcmp(op, "mov") == 0 || lea || starts_with_any(op, "movl movabs movq"))
        return bytes == 4 ? lower(a, 4) : a;
    if (count > 2 && !(starts_with(op, "imul") && count == 3 && o[1].kind == REGISTER))
        return fresh;
    if (bytes == 4) {
        a = lower(a, 4);
        b = lower(b, 4);
    }
    value_t v = fresh;
    if (starts_with(op, "add"))
        v = sum(b, a, 1);
    else if (starts_with(op, "sub"))
        v = sum(b, a, (uint64_t)-1);
    else if (starts_with(op, "neg"))
        v = sum(number(0), b, (uint64_t)-1);
    else if (is_one_of(op, "inc dec"))
        v = sum(b, number(1), *op == 'i' ? 1 : (uint64_t)-1);
    else if (strcmp(op, "shl") == 0 && immediate)
        v = sum(number(0), b, 1ull << (a.number & 63));
    else if (starts_with(op, "imul") && count == 3 && immediate)
        v = sum(number(0), bytes == 4 ? lower(s->reg[o[1].reg], 4) : s->reg[o[1].reg], a.number);
    /* For an object of 32 bytes' alignment. What lies below is as far from there on any path, and
     * nobody goes from there to what lies above. */
    else if (starts_with(op, "and") && b.unknown == STACK && to->reg == RSP && immediate)
        return (value_t){.unknown = STACK, .number = b.number & a.number, .free_of_hooks = true};
    else if (starts_with(op, "and") && b.free_of_hooks)
        return (value_t){.unknown = fresh.unknown, .free_of_hooks = true};
    /* (i & 1) * 12 as -(i & 1) & 12 */
    else if (starts_with(op, "and") && immediate && minus && bits_of(a) <= 32)
        v = (value_t){.unknown = a.number * minus, .bits = (unsigned char)bits_of(a)};
    else if (starts_with(op, "and") && immediate && bytes == 8 && kept_multiples(a))
        v = sum(number(0), shifted("shr", b, kept_multiples(a)), 1ull << kept_multiples(a));
    else if (bytes == 8 && immediate && (strcmp(op, "shr") == 0 || strcmp(op, "sar") == 0))
        v = shifted(op, b, (unsigned)a.number & 63);
    else if (count == 2 && starts_with_any(op, "and or xor imul"))
        v = with_bits(made_of_two(op, a, b, false), op, a, b, immediate);
    else if (shift)
        v = with_bits(made_of_two(bytes == 4 ? "4 bytes" : op, made(op, a), b, true), op, a, b,
                      immediate);
    else
        return fresh;
    v = bytes == 4 ? lower(v, 4) : v;
    v.minus = starts_with(op, "neg") && b.number == 0 && bits_of(b) == 1 ? b.unknown : 0;
    return v;
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
static void write_hidden(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const char *op = l->op;
    const bool factor = is_factor(op, count), of_bytes = factor && width(l, o, count) == 1;
    if (starts_with(op, "cltq"))
        s->reg[RAX] = extended(s->reg[RAX], 4, 8);
    else if (factor || starts_with_any(op, "cmpxchg cwtl cbtw"))
        s->reg[RAX] = unknown(l->address, RAX);
    if ((factor && !of_bytes) || starts_with_any(op, "cqto cltd cwtd"))
        s->reg[RDX] = unknown(l->address, RDX);
}

/* The last operand is in the stack. */
static void write_slot(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const int w = width(l, o, count);
    const int64_t at = (int64_t)o[count - 1].at.number;
    const bool immediate = o[0].kind == IMMEDIATE,
               known = immediate || (is_general(o) && !is_high_byte(l));
    const value_t from = is_general(o) ? s->reg[o[0].reg] : o[0].at;
    const bool adds = starts_with(l->op, "add"), subtracts = starts_with(l->op, "sub");
    if (known && (immediate ? starts_with(l->op, "mov") : strcmp(l->op, "mov") == 0))
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
    check_operands(s, l, o, count);
    write_hidden(s, l, o, count);
    if (starts_with(op, "call"))
        do_call(s, l);
    else if (!moves_stack(s, l, o) && *op != 'j' && count > 0 && kind_of_last(op, count) != READ)
        write_last(s, l, o, count);
}
