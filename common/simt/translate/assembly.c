/* SPDX-License-Identifier: MIT */
/*
 * assembly.c - one instruction of arithmetic in an `asm`, where CUDA C++ has no function for it:
 *
 *     asm("max.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
 *     simt::asm_max_NaN_f32<0, 0, 1>(a, b);
 *
 * include/simt/assembly.hpp has the functions. Any other `asm` is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static const char *const instructions[] = {
    "max.NaN.f32",        "min.NaN.f32",        "ex2.approx.f32",
    "ex2.approx.ftz.f32", "lg2.approx.f32",     "tanh.approx.f32",
    "rcp.approx.f32",     "rcp.approx.ftz.f32", "rsqrt.approx.ftz.f32"};

/* "max.NaN.f32 %0, %0, %1;" becomes simt::asm_max_NaN_f32<0, 0, 1>. NULL: it is not known. */
static char *function_of(const struct token *text)
{
    char name[32] = "", numbers[64] = "";
    const char *p = text->text + 1, *end = text->text + text->length - 1;
    p += strspn(p, " ");
    const size_t length = strcspn(p, " \"");
    if (text->text[0] != '"' || length >= sizeof name)
        return NULL;
    memcpy(name, p, length);
    size_t k = 0;
    while (k < sizeof instructions / sizeof *instructions && strcmp(instructions[k], name) != 0)
        k++;
    if (k == sizeof instructions / sizeof *instructions)
        return NULL;
    size_t used = 0;
    for (p += length; p < end && *p != ';'; p++) {
        if (strchr(" ,%", *p))
            continue;
        if (*p < '0' || *p > '9' || p[-1] != '%' || used + 4 > sizeof numbers)
            return NULL;
        used += (size_t)sprintf(numbers + used, used ? ", %c" : "%c", *p);
    }
    for (p += p < end; p < end; p++) /* nothing follows but the end of a line */
        if (strncmp(p, "\\n", 2) != 0 && strncmp(p, "\\t", 2) != 0 && !strchr(" nt", *p))
            return NULL;
    for (char *dot = name; (dot = strchr(dot, '.'));)
        *dot = '_';
    const size_t room = strlen("simt::asm_<>") + strlen(name) + used + 1;
    char *function = malloc(room); /* kept until the program ends */
    if (function)
        snprintf(function, room, "simt::asm_%s<%s>", name, numbers);
    return function;
}

/* Translates the `asm` at token i; false where it is not one of these. */
bool assembly_translate(const struct source *s, size_t i)
{
    size_t open = skip_blank(s, i + 1);
    const size_t is_volatile = is(s, open, "volatile") || is(s, open, "__volatile__") ? open : i;
    if (is_volatile != i)
        open = skip_blank(s, open + 1);
    const size_t text = skip_blank(s, open + 1), after = skip_blank(s, text + 1);
    if (!is(s, open, "(") || s->tokens[text].kind != TOKEN_STRING || !is(s, after, ":"))
        return false;
    char *function = function_of(&s->tokens[text]);
    if (!function)
        return false;
    const size_t end = skip_brackets(s, open) - 1;
    s->tokens[i].replacement = function;
    if (is_volatile != i)
        s->tokens[is_volatile].replacement = "";
    s->tokens[text].replacement = s->tokens[after].replacement = "";
    for (size_t k = after + 1; k < end; k = is(s, k, "(") ? skip_brackets(s, k) : k + 1) {
        if (s->tokens[k].kind == TOKEN_STRING)
            s->tokens[k].replacement = "";
        else if (is(s, k, ":"))
            s->tokens[k].replacement = ",";
    }
    return true;
}
