/* SPDX-License-Identifier: MIT */
/*
 * translate.c - turns what CUDA adds to the syntax of C++ into plain C++:
 *
 *   kernel<<<grid, block>>>(args)     simt::launch([&](auto... simt_a)
 *                                     { kernel(simt_a...); }, grid, block)(args)
 *   __shared__ T name[N];             static thread_local T name[N];
 *   extern __shared__ T name[];       T (&name)[] = simt::dynamic_shared;
 *   __device__ T name;                __attribute__((section("simt_device"))) T name;
 *
 * It reads preprocessed text, so headers and macros are translated too. Everything else is copied
 * as it stands, line breaks included, so line numbers stay right.
 * Usage: translate < IN > OUT
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "tokens.h"

static char *read_all(FILE *f)
{
    size_t length = 0, room = 1 << 20;
    char *text = malloc(room);
    for (size_t got; text && (got = fread(text + length, 1, room - length - 1, f)) > 0;) {
        length += got;
        if (room - length < 4096)
            text = realloc(text, room *= 2);
    }
    if (!text) {
        fprintf(stderr, "translate: out of memory\n");
        exit(1);
    }
    text[length] = '\0';
    return text;
}

/* `<<<` or `>>>`: three of them without a gap. */
static bool is_triple(const struct source *s, size_t i, const char *c)
{
    return is(s, i, c) && is(s, i + 1, c) && is(s, i + 2, c);
}

/* ---- launches ---- */

/* The first token of the statement, or of the bracket, that token i stands in. */
static size_t statement_start(const struct source *s, size_t i)
{
    for (int depth = 0; i > 0; i--) {
        if (is(s, i - 1, ")") || is(s, i - 1, "]"))
            depth++;
        else if (is(s, i - 1, "(") || is(s, i - 1, "["))
            depth--;
        const bool edge =
            is(s, i - 1, ";") || is(s, i - 1, "{") || is(s, i - 1, "}") || is_pragma(s, i - 1);
        if (depth < 0 || (depth == 0 && edge))
            break;
    }
    return skip_blank(s, i);
}

/* To the token after the single `:` of `case ns::name:`. */
static size_t skip_case(const struct source *s, size_t i)
{
    while (i < s->count && (!is(s, i, ":") || is(s, i + 1, ":") || is(s, i - 1, ":")))
        i++;
    return i + 1;
}

/* Steps over `if (...)`, `else`, `for (...)`, `case 1:`, `label:` and attributes. */
static size_t skip_control(const struct source *s, size_t i)
{
    for (;;) {
        const size_t next = skip_blank(s, i + 1);
        if (is(s, i, "if") || is(s, i, "for") || is(s, i, "while") || is(s, i, "switch"))
            i = skip_brackets(s, is(s, next, "constexpr") ? skip_blank(s, next + 1) : next);
        else if (is(s, i, "else") || is(s, i, "do"))
            i = next;
        else if (is(s, i, "[") && is(s, i + 1, "["))
            i = skip_brackets(s, i);
        else if (is(s, i, "case"))
            i = skip_case(s, i);
        else if (s->tokens[i].kind == TOKEN_WORD && is(s, next, ":") && !is(s, next + 1, ":"))
            i = next + 1;
        else
            return i;
        i = skip_blank(s, i);
    }
}

/* What stands between the start of the statement and `<<<` names the kernel. */
static void translate_launch(const struct source *s, size_t i)
{
    const size_t kernel = skip_control(s, statement_start(s, i));
    size_t end = i + 3;
    while (end < s->count && !is_triple(s, end, ">"))
        end = is(s, end, "(") || is(s, end, "[") ? skip_brackets(s, end) : end + 1;
    if (kernel == i || end + 2 >= s->count) {
        fprintf(stderr, "translate: cannot read a launch: %.60s\n", s->tokens[i].text);
        exit(1);
    }
    s->tokens[kernel].before = "simt::launch([&](auto... simt_a) __attribute__((always_inline)) { ";
    s->tokens[i].replacement = "(simt_a...); }, ";
    s->tokens[end].replacement = ")";
    s->tokens[i + 1].replacement = s->tokens[i + 2].replacement = "";
    s->tokens[end + 1].replacement = s->tokens[end + 2].replacement = "";
}

/* ---- the whole text ---- */

/* Follows the braces. The body of a function is the one that comes after a `)`. */
static bool follow_braces(const struct source *s, size_t i, int *depth, int *function_depth)
{
    size_t last = i;
    if (is(s, i, "{")) {
        do
            last--;
        while (last > 0 && is_blank(s, last));
        if (++*depth < *function_depth && is(s, last, ")"))
            *function_depth = *depth;
    } else if (is(s, i, "}") && --*depth < *function_depth) {
        *function_depth = INT_MAX;
    }
    return *function_depth != INT_MAX;
}

static void translate(const struct source *s)
{
    int depth = 0, function_depth = INT_MAX;
    for (size_t i = 0; i < s->count; i++) {
        const bool in_function = follow_braces(s, i, &depth, &function_depth);
        if (is_triple(s, i, "<") && !s->tokens[i].replacement)
            translate_launch(s, i);
        else if (is(s, i, "__shared__"))
            declare_shared(s, i, in_function);
        else if (is(s, i, "__device__") || is(s, i, "__constant__") || is(s, i, "__managed__"))
            declare_device(s, i);
        else if (is(s, i, "__noinline__") && i > 0)
            declare_noinline(s, i);
    }
}

int main(void)
{
    char *text = read_all(stdin);
    const struct source s = tokens_cut(text);
    translate(&s);
    for (size_t i = 0; i < s.count; i++) {
        const struct token *t = &s.tokens[i];
        if (t->before)
            fputs(t->before, stdout);
        if (t->replacement)
            fputs(t->replacement, stdout);
        else
            fwrite(t->text, 1, t->length, stdout);
    }
    free(s.tokens);
    free(text);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
