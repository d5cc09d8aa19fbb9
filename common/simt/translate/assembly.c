/* SPDX-License-Identifier: MIT */
/*
 * assembly.c - an `asm` of supported instructions: some arithmetic for which CUDA C++ has no
 * function, special registers, loads and stores of global memory, relaxed ones too.
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

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is the word in a list with a space before each word and after the last? */
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

/* A word as a part of a C++ name: simt::max_NaN_f32. */
static void put_name(char **out, const char *before, const char *word)
{
    const size_t start = strlen(*out);
    append_text(out, "%s%s", before, word);
    for (char *p = *out + start; (p = strchr(p, '.'));)
        *p = '_';
}

/* "%0, [%1]": the numbers, and which one has a [ before it. */
struct operands {
    int number[8];
    int count, address; /* which of them is in brackets, or -1 */
    char special[32];   /* the name after %%, or "" */
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

/* What a load or store moves: elements of some bytes each. */
struct access {
    bool load, store, relaxed;
    int bytes, elements;
};

/* ld.global.cs.v4.b32, st.relaxed.gpu.global.b64. Not one that orders others, or accesses another
 * kind of memory. 16 bytes are two elements: see spell_out(). */
static bool read_access(const char *word, struct access *a)
{
    static const char *const hints[] = {".ca", ".cg", ".cs", ".lu", ".cv", ".nc", ".wb", ".wt"};
    const char *p = word + strlen("ld.");
    *a = (struct access){.load = begins(word, "ld."), .store = begins(word, "st.")};
    if (!a->load && !a->store)
        return false;
    a->relaxed = begins(p, "relaxed.gpu.") || begins(p, "relaxed.sys.");
    p += a->relaxed ? strlen("relaxed.gpu.") : 0;
    if (!begins(p, "global."))
        return false;
    p += strlen("global");
    for (size_t k = 0; k < sizeof hints / sizeof *hints && !a->relaxed; k++)
        if (begins(p, hints[k])) {
            p += strlen(hints[k]);
            k = (size_t)-1;
        }
    a->elements = a->relaxed ? 1 : begins(p, ".v2.") ? 2 : begins(p, ".v4.") ? 4 : 1;
    p += a->elements > 1 ? 3 : 0;
    if (a->elements == 1 && strcmp(p, ".b128") == 0) {
        a->elements = 2;
        p = ".b64";
    }
    a->bytes = strcmp(p, ".b32") == 0 || strcmp(p, ".u32") == 0 || strcmp(p, ".s32") == 0 ||
                       strcmp(p, ".f32") == 0
                   ? 4
               : strcmp(p, ".b64") == 0 || strcmp(p, ".u64") == 0 || strcmp(p, ".s64") == 0 ||
                       strcmp(p, ".f64") == 0
                   ? 8
                   : 0;
    return a->bytes != 0;
}

/*
 * A register of 16 bytes, at most one in an asm, is expanded into two operands:
 *
 *     .reg .b128 w; mov.b128 w, {%1, %2}; st.global.b128 [%0], w;   st.global.b128 [%0], {%1, %2};
 *     .reg .b128 w; ld.global.b128 w, [%2]; mov.b128 {%0, %1}, w;   ld.global.b128 {%0, %1}, [%2];
 */
enum { LINE = 128, NAME = 16 };
struct wide {
    char name[NAME], halves[LINE]; /* "{%1, %2}", or "" */
    char load[LINE];               /* waits for the mov after it, or "" */
};

/* The word at p, up to a comma or a blank. */
static bool read_name(const char *p, char name[NAME])
{
    p += strspn(p, " \t,");
    const size_t length = strcspn(p, " \t,");
    if (length == 0 || length >= NAME)
        return false;
    memcpy(name, p, length);
    name[length] = '\0';
    return true;
}

/* Writes the line with the register's name replaced by its halves. */
static bool write_halves(const struct wide *w, const char *line, char out[LINE])
{
    const char *name = strstr(line + strcspn(line, " \t"), w->name);
    const int before = name ? (int)(name - line) : 0;
    return name && *w->halves &&
           snprintf(out, LINE, "%.*s%s%s", before, line, w->halves, name + strlen(w->name)) < LINE;
}

/* `mov.b128 w, {%1, %2}` says what the register holds; the reverse, where a load goes. */
static bool read_move(struct wide *w, const char *operands, char out[LINE])
{
    const char *open = strchr(operands, '{'), *close = strchr(operands, '}');
    char name[NAME];
    if (!open || !close || close - open >= LINE - 1)
        return false;
    const bool packs = operands + strspn(operands, " \t") != open;
    if (!read_name(packs ? operands : close + 1, name) || strcmp(name, w->name) != 0)
        return false;
    snprintf(w->halves, LINE, "%.*s", (int)(close + 1 - open), open);
    const bool moved = packs || write_halves(w, w->load, out);
    *w->load = '\0';
    return moved;
}

/* `out` is the line without such a register, "" if nothing else is in it. */
static bool spell_out(struct wide *w, const char *line, char out[LINE])
{
    const char *rest = line + strspn(line, "{ \t");
    *out = '\0';
    if (begins(rest, ".reg .b128 "))
        return !*w->name && read_name(rest + strlen(".reg .b128 "), w->name);
    if (begins(rest, "mov.b128 "))
        return read_move(w, rest + strlen("mov.b128 "), out);
    if (*w->name && begins(rest, "ld.") && strstr(rest, w->name))
        return !*w->load && snprintf(w->load, LINE, "%s", rest) < LINE;
    if (*w->name && strstr(rest, w->name))
        return write_halves(w, rest, out);
    return snprintf(out, LINE, "%s", *rest == '}' ? rest + 1 : rest) < LINE;
}

/* One instruction, without its `;`, of an asm in line `number`. */
static bool put_instruction(char **out, char *line, unsigned long number)
{
    struct operands o;
    struct access a;
    line += strspn(line, " \t");
    const size_t length = strcspn(line, " \t");
    char *const rest = line[length] ? line + length + 1 : line + length;
    line[length] = '\0';
    if (strcmp(line, "bar.sync") == 0 && strcmp(rest + strspn(rest, " "), "0") == 0) {
        append_text(out, "simt::bar_sync<%lu>", number);
        return true;
    }
    if (listed(" griddepcontrol.wait griddepcontrol.launch_dependents ", line) &&
        rest[strspn(rest, " ")] == '\0') {
        put_name(out, "simt::", line);
        return true;
    }
    if (!read_operands(rest, &o) || o.count == 0)
        return false;
    const bool access = read_access(line, &a);
    const int first = access && a.load ? o.address : 0; /* the template takes the address first */
    if (access ? *o.special || o.count != a.elements + 1 || o.address != (a.load ? a.elements : 0)
               : o.address >= 0)
        return false;
    if (access)
        append_text(out, "simt::%s_%s<%d, %d", a.load ? "ld" : "st",
                    a.relaxed ? "relaxed" : "global", a.bytes, o.number[first]);
    else if (begins(line, "mov.") && listed(registers, o.special) && o.count == 1)
        put_name(out, "simt::mov_", o.special);
    else if (listed(arithmetic, line) && !*o.special)
        put_name(out, "simt::", line);
    else
        return false;
    for (int k = 0; k < o.count; k++)
        if (!access || k != first)
            append_text(out, "%s%d", access || k > 0 ? ", " : "<", o.number[k]);
    append_text(out, ">");
    return true;
}

/* The text of adjacent strings, with newlines and tabs as spaces. NULL: it has other escapes. */
static char *read_strings(const struct source *s, size_t i)
{
    char *all = NULL;
    append_text(&all, "%s", "");
    for (; i < s->count && s->tokens[i].kind == TOKEN_STRING; i = skip_blank(s, i + 1)) {
        const struct token *t = &s->tokens[i];
        if (*t->text != '"')
            return NULL;
        for (const char *p = t->text + 1; p < t->text + t->length - 1; p++) {
            const bool escape = *p == '\\';
            p += escape;
            if (escape && *p != 'n' && *p != 't')
                return NULL;
            append_text(&all, "%c", escape ? ' ' : *p);
        }
    }
    return all;
}

/* The operands: constraints are removed, and all separators become commas. */
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

/* Translates the `asm` at token i, on line `number`; false if it is not supported. */
bool assembly_translate(const struct source *s, size_t i, unsigned long number)
{
    size_t open = skip_blank(s, i + 1);
    const size_t is_volatile = is(s, open, "volatile") || is(s, open, "__volatile__") ? open : i;
    struct wide wide = {.name = ""};
    char instruction[LINE], *out = NULL;
    if (is_volatile != i)
        open = skip_blank(s, open + 1);
    const size_t start = skip_blank(s, open + 1);
    char *const text = is(s, open, "(") ? read_strings(s, start) : NULL;
    if (!text)
        return false;
    const size_t end = skip_brackets(s, open) - 1;
    for (char *line = strtok(text, ";"); line; line = strtok(NULL, ";")) {
        if (!spell_out(&wide, line, instruction))
            return false;
        if (instruction[strspn(instruction, " \t")] == '\0')
            continue;
        append_text(&out, out ? ", " : "simt::assembly<");
        if (!put_instruction(&out, instruction, number))
            return false;
    }
    if (*wide.load || !out)
        return false;
    append_text(&out, ">");
    s->tokens[i].replacement = out;
    if (is_volatile != i)
        s->tokens[is_volatile].replacement = "";
    write_operands(s, start, end);
    return true;
}
