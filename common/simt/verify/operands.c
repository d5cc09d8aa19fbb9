/* SPDX-License-Identifier: MIT */
/* operands.c - what the text of an instruction says: its operands, how wide they are, and whether
 * it reads or writes them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static int register_number(const char *name, int *bytes)
{
    static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    const size_t n = strlen(name);
    if (name[0] == 'r' && isdigit((unsigned char)name[1])) {
        const char last = name[n - 1];
        *bytes = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
        return atoi(name + 1);
    }
    for (int i = 0; i < 8; i++) {
        const char *p = strstr(name, old[i]);
        if (p && p[2] == '\0' && p - name < 2) {
            *bytes = p == name ? 2 : name[0] == 'r' ? 8 : 4;
            return i;
        }
        if (n >= 2 && n <= 3 && name[0] == old[i][0] && strchr("lh", name[n - 1]) &&
            (n == 2 ? i < 4 && name[1] != 'p' : name[1] == old[i][1])) {
            *bytes = 1;
            return i;
        }
    }
    *bytes = 16;
    return NONE;
}

static value_t reg_value(const state_t *s, const char *name)
{
    int bytes;
    const int r = register_number(name, &bytes);
    return r == NONE ? number(0) : s->reg[r];
}

/* "%fs:-0x8(%rax,%rbx,4)"; an address relative to rip is in objdump's comment. */
static value_t address_of(const state_t *s, const line_t *l, const char *text)
{
    char base[16] = "", index[16] = "";
    value_t at = number(0);
    if (starts_with(text, "%fs:"))
        at = (value_t){.unknown = THREAD_LOCAL};
    text = *text == '%' && strchr(text, ':') ? strchr(text, ':') + 1 : text;
    if (strstr(text, "(%rip)")) {
        at.number = l->target;
        at.free_of_hooks = is_constant(l->target);
        return at;
    }
    at.number += strtoull(text, NULL, 16) * (*text != '-');
    if (*text == '-')
        at.number -= strtoull(text + 1, NULL, 16);
    const char *open = strchr(text, '(');
    unsigned scale = 1;
    if (!open)
        return at;
    if (open[1] == '%')
        sscanf(open, "(%%%15[a-z0-9],%%%15[a-z0-9],%u", base, index, &scale);
    else
        sscanf(open, "(,%%%15[a-z0-9],%u", index, &scale);
    if (*base)
        at = sum(at, reg_value(s, base), 1);
    if (*index && strcmp(index, "riz") != 0)
        at = sum(at, reg_value(s, index), scale);
    return at;
}

static operand_t operand(const state_t *s, const line_t *l, const char *text)
{
    operand_t o = {.kind = NOTHING, .reg = NONE};
    if (*text == '*')
        text++;
    if (*text == '$')
        return (operand_t){.kind = IMMEDIATE,
                           .reg = NONE,
                           .at = number(text[1] == '-' ? -strtoull(text + 2, NULL, 16)
                                                       : strtoull(text + 1, NULL, 16))};
    if (*text == '%' && !strchr(text, ':')) {
        o.kind = REGISTER;
        o.reg = register_number(text + 1, &o.bytes);
    } else if (strchr(text, '(') || strchr(text, ':') || isxdigit((unsigned char)*text)) {
        o.kind = MEMORY;
        o.at = address_of(s, l, text);
    }
    return o;
}

/* Cuts "a,b(c,d),e" into operands. */
int operands(const state_t *s, const line_t *l, operand_t *o)
{
    char text[96];
    int count = 0, depth = 0;
    strcpy(text, l->args);
    for (char *start = text, *p = text; *start && count < 4; p++) {
        depth += (*p == '(') - (*p == ')');
        if (*p != '\0' && (*p != ',' || depth > 0))
            continue;
        const bool end = *p == '\0';
        *p = '\0';
        o[count++] = operand(s, l, start);
        if (end)
            break;
        start = p + 1;
    }
    return count;
}

static int x87_width(const char *op, char last)
{
    if (last == 't')
        return 10;
    if (starts_with(op, "fi"))
        return last == 's' ? 2 : ends_with(op, "ll") ? 8 : 4;
    return starts_with_any(op, "fldcw fnstcw") ? 2 : last == 'l' ? 8 : 4;
}

/* The width of a memory operand, by the instruction's name or by the register beside it. */
int width(const line_t *l, const operand_t *o, int count)
{
    const char *op = l->op;
    const char last = op[strlen(op) - 1];
    if (*op == 'f')
        return x87_width(op, last);
    /* movzbl, movswq, movslq; not movss, movsd */
    if (starts_with_any(op, "movz movs") && strchr("bwl", op[4]) && strlen(op) == 6)
        return op[4] == 'b' ? 1 : op[4] == 'w' ? 2 : 4;
    if (starts_with(op, "set"))
        return 1;
    if (starts_with_any(op, "call jmp push pop"))
        return 8;
    if (starts_with(op, "cvtsi2"))
        return last == 'q' ? 8 : 4;
    if (starts_with_any(op, "cvtss2 cvttss2"))
        return 4;
    if (starts_with_any(op, "cvtps2pd movlp movhp") || ends_with(op, "sd") ||
        ends_with(op, "sd2ss") || ends_with(op, "sd2si") || strcmp(op, "movq") == 0)
        return 8;
    if (ends_with(op, "ss") || strcmp(op, "movd") == 0)
        return 4;
    for (int i = 0; i < count; i++)
        if (o[i].kind == REGISTER && o[i].reg != NONE && !starts_with_any(op, "sh sa ro"))
            return o[i].bytes;
    for (int i = 0; i < count; i++)
        if (o[i].kind == REGISTER && o[i].reg == NONE)
            return 16;
    return last == 'b' ? 1 : last == 'w' ? 2 : last == 'l' ? 4 : 8;
}

/* Multiplies rax, or divides it; the result is in rax and rdx. */
bool is_factor(const char *op, int count)
{
    return count == 1 && starts_with_any(op, "mul div imul idiv");
}

bool is_exchange(const char *op)
{
    return starts_with_any(op, "xchg xadd");
}

/* What an instruction does with its last operand. */
int kind_of_last(const char *op, int count)
{
    if (starts_with_any(op, "mov set pop fst fist fnst"))
        return WRITE;
    const bool reads = starts_with_any(op, "cmp test push call jmp ucomis comis fld fild fadd fmul "
                                           "fsub fdiv fcom fucom") &&
                       !starts_with(op, "cmpxchg");
    const bool bit = starts_with(op, "bt") && !(op[2] && strchr("src", op[2]));
    return reads || bit || is_factor(op, count) ? READ : READ | WRITE;
}
