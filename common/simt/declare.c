/* SPDX-License-Identifier: MIT */
/*
 * declare.c - the translator's part for declarations: shared arrays and variables of the device.
 */
#include "tokens.h"

/* ---- shared arrays ---- */

/* Outside of functions: one more name for the arena. In a template, g++ forgets such a name. */
#define FILE_SCOPE_DYNAMIC " __asm__(\"simt_dynamic_shared\")"

static bool is_specifier(const struct source *s, size_t i)
{
    return i < s->count && (s->tokens[i].kind == TOKEN_WORD || is_blank(s, i));
}

/* Finds a word among the specifiers around token i; the number of tokens if it is not there. */
static size_t find_specifier(const struct source *s, size_t i, const char *word)
{
    size_t first = i;
    while (first > 0 && is_specifier(s, first - 1))
        first--;
    for (; is_specifier(s, first); first++)
        if (is(s, first, word))
            return first;
    return s->count;
}

/* In a function: a reference to the arena. `extern` goes, and each name gets its (& ). */
static void translate_dynamic(const struct source *s, size_t i)
{
    s->tokens[find_specifier(s, i, "extern")].replacement = "";
    for (size_t end = i; end < s->count && !is(s, end, ";"); end++) {
        if (!is(s, end, "[") || is(s, end - 1, "]"))
            continue;
        size_t name = end - 1;
        while (name > i && s->tokens[name].kind != TOKEN_WORD)
            name--;
        s->tokens[name].before = "(&";
        s->tokens[end].before = ")";
    }
}

void declare_shared(const struct source *s, size_t i, bool in_function)
{
    const size_t is_static = find_specifier(s, i, "static");
    if (find_specifier(s, i, "extern") == s->count) {
        s->tokens[i].replacement = "static thread_local";
        if (is_static < s->count)
            s->tokens[is_static].replacement = "";
        return;
    }
    s->tokens[i].replacement = "";
    if (in_function)
        translate_dynamic(s, i);
    for (size_t end = i; end < s->count && !is(s, end - 1, ";"); end++)
        if (is(s, end, ";") || (is(s, end, ",") && is(s, end - 1, "]")))
            s->tokens[end].before = in_function ? " = simt::dynamic_shared" : FILE_SCOPE_DYNAMIC;
}

/* ---- variables of the device ---- */

/*
 * Is the word before token i the start of a variable, not of a function? A function shows a `(`
 * first. Constants stay where the compiler puts them: kernels may read all of those.
 */
static bool is_variable(const struct source *s, size_t i)
{
    for (; i < s->count; i++) {
        if (is(s, i, "(") || is(s, i, "const") || is(s, i, "constexpr") || is(s, i, "operator") ||
            is(s, i, ")"))
            return false;
        if (is(s, i, ";") || is(s, i, "=") || is(s, i, "[") || is(s, i, "{"))
            return true;
        if (is(s, i, "__attribute__") || is(s, i, "alignas"))
            i = skip_brackets(s, skip_blank(s, i + 1)) - 1;
    }
    return false;
}

void declare_device(const struct source *s, size_t i)
{
    const bool variable = is_variable(s, i + 1) && find_specifier(s, i, "const") == s->count;
    s->tokens[i].replacement = variable ? "__attribute__((section(\"simt_device\")))" : "";
}

/* As a word of its own; inside of __attribute__((...)) the name is right as it stands. */
void declare_noinline(const struct source *s, size_t i)
{
    size_t last = i - 1;
    while (last > 0 && is_blank(s, last))
        last--;
    if (!is(s, last, "(") && !is(s, last, ","))
        s->tokens[i].replacement = "__attribute__((noinline))";
}
