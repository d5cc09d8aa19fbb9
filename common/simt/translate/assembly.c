/* SPDX-License-Identifier: MIT */
/*
 * assembly.c - an `asm` of instructions that have a meaning here: some arithmetic for which CUDA
 * C++ has no function, special registers, loads and stores of global memory.
 *
 *     asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
 *     simt::assembly<simt::mov_laneid<0>>((lane));
 *
 * Each instruction becomes a type of include/simt/assembly.hpp, with the numbers of its operands.
 * Any other `asm` is refused.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { MOST = 1024 };

struct text {
    char c[MOST];
    size_t length;
};

static bool append(struct text *out, const char *text, size_t length)
{
    if (out->length + length >= MOST)
        return false;
    memcpy(out->c + out->length, text, length);
    out->length += length;
    out->c[out->length] = '\0';
    return true;
}

static bool put(struct text *out, const char *text)
{
    return append(out, text, strlen(text));
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is the word one of a list with a space in front of each, and behind the last? */
static bool listed(const char *list, const char *word)
{
    char padded[64];
    return strlen(word) < sizeof padded - 3 && sprintf(padded, " %s ", word) > 0 &&
           strstr(list, padded);
}

static const char arithmetic[] =
    " max.NaN.f32 min.NaN.f32 ex2.approx.f32 ex2.approx.ftz.f32 lg2.approx.f32 tanh.approx.f32 "
    "rcp.approx.f32 rcp.approx.ftz.f32 rsqrt.approx.ftz.f32 bfind.u32 ";
static const char registers[] =
    " tid.x tid.y tid.z ntid.x ntid.y ntid.z ctaid.x ctaid.y ctaid.z nctaid.x nctaid.y nctaid.z "
    "laneid warpid nwarpid smid nsmid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge "
    "clock clock64 globaltimer globaltimer_lo globaltimer_hi ";

/* A word as a part of a C++ name: max_NaN_f32. */
static bool put_name(struct text *out, const char *word)
{
    const size_t start = out->length;
    if (!put(out, word))
        return false;
    for (char *p = out->c + start; (p = strchr(p, '.'));)
        *p = '_';
    return true;
}

/* "%0, [%1]": the numbers, and where a [ stands before the first or a later one. */
struct operands {
    int number[8];
    int count, address; /* which of them is in brackets, or -1 */
    char special[32];   /* the name behind %%, or "" */
};

static bool read_operands(const char *p, struct operands *o)
{
    *o = (struct operands){.address = -1};
    for (; *p; p++) {
        if (strchr(" \t,{}]", *p))
            continue;
        if (*p == '[') {
            if (o->address >= 0)
                return false;
            o->address = o->count;
            continue;
        }
        if (*p != '%')
            return false;
        p += p[1] == '%' ? 2 : 1;
        if (isdigit((unsigned char)*p)) {
            if (o->count == 8 || isdigit((unsigned char)p[1]))
                return false;
            o->number[o->count++] = *p - '0';
            continue;
        }
        const size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_.");
        if (length == 0 || length >= sizeof o->special || *o->special)
            return false;
        memcpy(o->special, p, length);
        p += length - 1;
    }
    return true;
}

/* ld.global.cs.v4.b32: the bytes of one element, and how many. A load or store that orders others,
 * or of another kind of memory, is not among them. */
static bool read_access(const char *word, int *bytes, int *elements)
{
    static const char *const hints[] = {".ca", ".cg", ".cs", ".lu", ".cv", ".nc", ".wb", ".wt"};
    const char *p = word + strlen("ld.global");
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
        if (begins(p, hints[k])) {
            p += strlen(hints[k]);
            k = (size_t)-1;
        }
    *elements = begins(p, ".v2.") ? 2 : begins(p, ".v4.") ? 4 : 1;
    p += *elements > 1 ? 3 : 0;
    *bytes = strcmp(p, ".b32") == 0 || strcmp(p, ".u32") == 0 || strcmp(p, ".s32") == 0 ||
                     strcmp(p, ".f32") == 0
                 ? 4
             : strcmp(p, ".b64") == 0 || strcmp(p, ".u64") == 0 || strcmp(p, ".s64") == 0 ||
                     strcmp(p, ".f64") == 0
                 ? 8
                 : 0;
    return *bytes != 0;
}

/* One instruction, without its `;`, of an asm in line `number`. */
static bool put_instruction(struct text *out, char *line, unsigned long number)
{
    char text[64];
    struct operands o;
    int bytes, elements;
    line += strspn(line, " \t");
    const size_t length = strcspn(line, " \t");
    char *const rest = line[length] ? line + length + 1 : line + length;
    line[length] = '\0';
    if (strcmp(line, "bar.sync") == 0 && strcmp(rest + strspn(rest, " "), "0") == 0)
        return snprintf(text, sizeof text, "simt::bar_sync<%lu>", number) > 0 && put(out, text);
    if (listed(" griddepcontrol.wait griddepcontrol.launch_dependents ", line) &&
        rest[strspn(rest, " ")] == '\0')
        return put(out, "simt::") && put_name(out, line);
    if (!read_operands(rest, &o) || o.count == 0)
        return false;
    const bool load = begins(line, "ld.global."), store = begins(line, "st.global.");
    const int first = load ? o.address : 0; /* the template takes the address first */
    if (load || store) {
        if (!read_access(line, &bytes, &elements) || *o.special || o.count != elements + 1 ||
            o.address != (load ? elements : 0))
            return false;
        snprintf(text, sizeof text, "simt::%s_global<%d, %d", load ? "ld" : "st", bytes,
                 o.number[first]);
        if (!put(out, text))
            return false;
    } else if (o.address >= 0) {
        return false;
    } else if (begins(line, "mov.") && listed(registers, o.special) && o.count == 1) {
        if (!put(out, "simt::mov_") || !put_name(out, o.special) || !put(out, "<"))
            return false;
    } else if (listed(arithmetic, line) && !*o.special) {
        if (!put(out, "simt::") || !put_name(out, line) || !put(out, "<"))
            return false;
    } else
        return false;
    const bool access = load || store;
    for (int k = 0; k < o.count; k++) {
        if (access && k == first)
            continue;
        snprintf(text, sizeof text, access || k > 0 ? ", %d" : "%d", o.number[k]);
        if (!put(out, text))
            return false;
    }
    return put(out, ">");
}

/* The text of strings that stand side by side, until a token that is none: in `after`. \n and \t
 * become blanks. */
static bool read_strings(const struct source *s, size_t i, struct text *out, size_t *after)
{
    *out = (struct text){.length = 0};
    for (; i < s->count && s->tokens[i].kind == TOKEN_STRING; i = skip_blank(s, i + 1)) {
        const struct token *t = &s->tokens[i];
        if (*t->text != '"')
            return false;
        for (const char *p = t->text + 1; p < t->text + t->length - 1; p++) {
            const bool escape = *p == '\\';
            p += escape;
            if (escape && *p != 'n' && *p != 't')
                return false;
            if (!append(out, escape ? " " : p, 1))
                return false;
        }
    }
    *after = i;
    return true;
}

/* The operands: constraints go, and all that separates them becomes a comma. */
static void write_operands(const struct source *s, size_t from, size_t end)
{
    bool any = false;
    for (size_t k = from; k < end;) {
        struct token *t = &s->tokens[k];
        if (is(s, k, "(")) {
            t->before = any ? ", " : NULL;
            any = true;
            k = skip_brackets(s, k);
            continue;
        }
        if (!is_blank(s, k))
            t->replacement = "";
        k++;
    }
}

/* Translates the `asm` at token i, in line `number`; false where it is not one of these. */
bool assembly_translate(const struct source *s, size_t i, unsigned long number)
{
    size_t open = skip_blank(s, i + 1), after;
    const size_t is_volatile = is(s, open, "volatile") || is(s, open, "__volatile__") ? open : i;
    struct text text, out = {.length = 0};
    if (is_volatile != i)
        open = skip_blank(s, open + 1);
    const size_t start = skip_blank(s, open + 1);
    if (!is(s, open, "(") || !read_strings(s, start, &text, &after) ||
        !put(&out, "simt::assembly<"))
        return false;
    const size_t end = skip_brackets(s, open) - 1;
    for (char *line = strtok(text.c, ";"); line; line = strtok(NULL, ";")) {
        if (line[strspn(line, " \t")] == '\0')
            continue;
        if ((out.c[out.length - 1] != '<' && !put(&out, ", ")) ||
            !put_instruction(&out, line, number))
            return false;
    }
    if (out.c[out.length - 1] == '<' || !put(&out, ">"))
        return false;
    char *function = malloc(out.length + 1); /* kept until the program ends */
    if (!function)
        return false;
    memcpy(function, out.c, out.length + 1);
    s->tokens[i].replacement = function;
    if (is_volatile != i)
        s->tokens[is_volatile].replacement = "";
    write_operands(s, start, end);
    return true;
}
