/* SPDX-License-Identifier: MIT */
/*
 * translate.c - turns the two things of CUDA that are not C++ into C++:
 *
 *   kernel<<<grid, block>>>(args)     simt::launch([&](auto... simt_a) GLUE
 *                                     { kernel(simt_a...); }, grid, block)(args)
 *   __shared__ T name[N];             static thread_local T name[N];
 *   extern __shared__ T name[];       T (&name)[] = simt::dynamic_shared;
 *
 * It reads preprocessed text, so headers and macros are translated too. Everything else is copied
 * as it stands, line breaks included, so line numbers stay right.
 * Usage: translate [--clang] < IN > OUT
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* Host code around a kernel must have no hooks; see SIMT_GLUE in device.hpp. */
#define LAUNCH "simt::launch([&](auto... simt_a) __attribute__((no_sanitize(\"thread\")%s)) { "
static char launch_text[256];

static struct token *tokens;
static size_t count;

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

static bool is(size_t i, const char *text) { return i < count && token_is(&tokens[i], text); }

/* Line markers of the preprocessor may stand anywhere; a #pragma stands between statements. */
static bool is_pragma(size_t i)
{
    return tokens[i].kind == TOKEN_DIRECTIVE && strncmp(tokens[i].text, "#pragma", 7) == 0;
}

static bool is_blank(size_t i)
{
    return tokens[i].kind == TOKEN_BLANK || (tokens[i].kind == TOKEN_DIRECTIVE && !is_pragma(i));
}

static size_t skip_blank(size_t i)
{
    while (i < count && is_blank(i))
        i++;
    return i;
}

/* From an opening bracket to the token after its partner. */
static size_t skip_brackets(size_t i)
{
    int depth = 0;
    for (; i < count; i++) {
        depth += is(i, "(") || is(i, "[");
        depth -= is(i, ")") || is(i, "]");
        if (depth == 0)
            return i + 1;
    }
    return i;
}

/* `<<<` or `>>>`: three of them without a gap. */
static bool is_triple(size_t i, const char *c)
{
    return is(i, c) && is(i + 1, c) && is(i + 2, c);
}

/* ---- launches ---- */

/* The first token of the statement, or of the bracket, that token i stands in. */
static size_t statement_start(size_t i)
{
    for (int depth = 0; i > 0; i--) {
        if (is(i - 1, ")") || is(i - 1, "]"))
            depth++;
        else if (is(i - 1, "(") || is(i - 1, "["))
            depth--;
        const bool edge = is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is_pragma(i - 1);
        if (depth < 0 || (depth == 0 && edge))
            break;
    }
    return skip_blank(i);
}

/* Steps over `if (...)`, `else`, `for (...)`, `case 1:`, `label:` and attributes. */
static size_t skip_control(size_t i)
{
    for (;;) {
        const size_t next = skip_blank(i + 1);
        if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch"))
            i = skip_brackets(is(next, "constexpr") ? skip_blank(next + 1) : next);
        else if (is(i, "else") || is(i, "do"))
            i = next;
        else if (is(i, "[") && is(i + 1, "["))
            i = skip_brackets(i);
        else if (is(i, "case"))
            while (i < count && !is(i++, ":"))
                ;
        else if (tokens[i].kind == TOKEN_WORD && is(next, ":") && !is(next + 1, ":"))
            i = next + 1;
        else
            return i;
        i = skip_blank(i);
    }
}

/* What stands between the start of the statement and `<<<` names the kernel. */
static void translate_launch(size_t i)
{
    const size_t kernel = skip_control(statement_start(i));
    size_t end = i + 3;
    while (end < count && !is_triple(end, ">"))
        end = is(end, "(") || is(end, "[") ? skip_brackets(end) : end + 1;
    if (kernel == i || end + 2 >= count) {
        fprintf(stderr, "translate: cannot read a launch: %.60s\n", tokens[i].text);
        exit(1);
    }
    tokens[kernel].before = launch_text;
    tokens[i].replacement = "(simt_a...); }, ";
    tokens[end].replacement = ")";
    tokens[i + 1].replacement = tokens[i + 2].replacement = "";
    tokens[end + 1].replacement = tokens[end + 2].replacement = "";
}

/* ---- shared arrays ---- */

/* Outside of functions: one more name for the arena. In a template, g++ forgets such a name. */
#define FILE_SCOPE_DYNAMIC " __asm__(\"simt_dynamic_shared\")"

static bool is_specifier(size_t i)
{
    return i < count && (tokens[i].kind == TOKEN_WORD || is_blank(i));
}

/* Finds a word among the specifiers that stand around token i. Returns `count` if it is not there. */
static size_t find_specifier(size_t i, const char *word)
{
    size_t first = i;
    while (first > 0 && is_specifier(first - 1))
        first--;
    for (; is_specifier(first); first++)
        if (is(first, word))
            return first;
    return count;
}

/* In a function: a reference to the arena. `extern` goes, and each name gets its (& ). */
static void translate_dynamic(size_t i)
{
    tokens[find_specifier(i, "extern")].replacement = "";
    for (size_t end = i; end < count && !is(end, ";"); end++) {
        if (!is(end, "[") || is(end - 1, "]"))
            continue;
        size_t name = end - 1;
        while (name > i && tokens[name].kind != TOKEN_WORD)
            name--;
        tokens[name].before = "(&";
        tokens[end].before = ")";
    }
}

static void translate_shared(size_t i, bool in_function)
{
    const size_t is_static = find_specifier(i, "static");
    if (find_specifier(i, "extern") == count) {
        tokens[i].replacement = "static thread_local";
        if (is_static < count)
            tokens[is_static].replacement = "";
        return;
    }
    tokens[i].replacement = "";
    if (in_function)
        translate_dynamic(i);
    for (size_t end = i; end < count && !is(end - 1, ";"); end++)
        if (is(end, ";") || (is(end, ",") && is(end - 1, "]")))
            tokens[end].before = in_function ? " = simt::dynamic_shared" : FILE_SCOPE_DYNAMIC;
}

/* ---- the whole text ---- */

/* Follows the braces. The body of a function is the one that comes after a `)`. */
static bool follow_braces(size_t i, int *depth, int *function_depth)
{
    size_t last = i;
    if (is(i, "{")) {
        do
            last--;
        while (last > 0 && is_blank(last));
        if (++*depth < *function_depth && is(last, ")"))
            *function_depth = *depth;
    } else if (is(i, "}") && --*depth < *function_depth) {
        *function_depth = INT_MAX;
    }
    return *function_depth != INT_MAX;
}

static void translate(void)
{
    int depth = 0, function_depth = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        const bool in_function = follow_braces(i, &depth, &function_depth);
        if (is_triple(i, "<") && !tokens[i].replacement)
            translate_launch(i);
        else if (is(i, "__shared__"))
            translate_shared(i, in_function);
    }
}

int main(int argc, char **argv)
{
    const bool clang = argc > 1 && strcmp(argv[1], "--clang") == 0;
    snprintf(launch_text, sizeof launch_text, LAUNCH,
             clang ? ", disable_sanitizer_instrumentation" : "");
    char *text = read_all(stdin);
    tokens = tokens_cut(text, &count);
    translate();
    for (size_t i = 0; i < count; i++) {
        const struct token *t = &tokens[i];
        if (t->before)
            fputs(t->before, stdout);
        if (t->replacement)
            fputs(t->replacement, stdout);
        else
            fwrite(t->text, 1, t->length, stdout);
    }
    free(tokens);
    free(text);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
