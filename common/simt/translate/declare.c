/* SPDX-License-Identifier: MIT */
/*
 * declare.c - the translator's part for declarations: shared arrays and variables of the device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* ---- shared arrays ---- */

/* Outside of functions: one more name for the arena. In a template, g++ forgets such a name. */
#define FILE_SCOPE_DYNAMIC " __asm__(\"simt_dynamic_shared\")"

static bool is_specifier(const struct source *s, size_t i)
{
    return i < s->count && (s->tokens[i].kind == TOKEN_WORD || is_blank(s, i));
}

/* The `__attribute__` or `alignas` whose closing bracket is the token before i; i if none. */
static size_t attribute_start(const struct source *s, size_t i)
{
    int depth = 0;
    size_t j = i;
    do {
        j--;
        depth += is(s, j, ")");
        depth -= is(s, j, "(");
    } while (j > 0 && depth > 0);
    const size_t word = skip_back(s, j);
    return is(s, word, "__attribute__") || is(s, word, "alignas") ? word : i;
}

/* The first token of the declaration that the specifier at token i is part of. */
static size_t specifiers_start(const struct source *s, size_t i)
{
    size_t first = i;
    for (bool more = true; more && first > 0;) {
        const size_t before = is(s, first - 1, ")") ? attribute_start(s, first) : first - 1;
        more = before != first && (before < first - 1 || is_specifier(s, before));
        first = more ? before : first;
    }
    return first;
}

static bool is_attribute(const struct source *s, size_t i)
{
    return is(s, i, "__attribute__") || is(s, i, "alignas");
}

/* Finds a word among the specifiers around token i; the number of tokens if it is not there. */
size_t find_specifier(const struct source *s, size_t i, const char *word)
{
    for (size_t j = specifiers_start(s, i); is_specifier(s, j);) {
        if (is(s, j, word))
            return j;
        j = is_attribute(s, j) ? skip_brackets(s, skip_blank(s, j + 1)) : j + 1;
    }
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

/* `static thread_local alignas(16) T x` is not C++; an attribute may stand there. */
static void replace_alignas(const struct source *s, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        if (is(s, i, "alignas")) {
            s->tokens[i].replacement = "__attribute__((aligned";
            s->tokens[skip_brackets(s, skip_blank(s, i + 1)) - 1].before = "))";
        }
}

/* The end of the declarator: `;`, `=`, or `[` of an array. Bodies of structs are stepped over. */
static size_t declarator_end(const struct source *s, size_t i, bool whole)
{
    while (i < s->count && !is(s, i, ";")) {
        if (!whole && (is(s, i, "=") || is(s, i, "[")))
            break;
        i = is(s, i, "{") ? skip_braces(s, i) : is(s, i, "(") ? skip_brackets(s, i) : i + 1;
    }
    return i;
}

/* Shared memory has no initial values, so a type with a constructor is refused. */
static void check_constructor(const struct source *s, size_t i)
{
    const size_t name = skip_back(s, declarator_end(s, i, false));
    const size_t end = declarator_end(s, i, true);
    if (end >= s->count || s->tokens[name].kind != TOKEN_WORD)
        return;
    const char *const format = "; static_assert(__is_trivially_constructible(decltype(%.*s)), "
                               "\"simtcc: a constructor of a __shared__ variable\");";
    const size_t room = strlen(format) + s->tokens[name].length;
    char *text = malloc(room);
    if (text)
        snprintf(text, room, format, (int)s->tokens[name].length, s->tokens[name].text);
    s->tokens[end].replacement = text; /* kept until the program ends */
}

/* g++ sets up an array of objects that have any constructor, unless it is told that all are 0. */
static void initialize_arrays(const struct source *s, size_t i)
{
    const size_t end = declarator_end(s, i, true);
    for (size_t k = i; k <= end && k < s->count; k = is(s, k, "{") ? skip_braces(s, k) : k + 1)
        if ((is(s, k, ",") || is(s, k, ";")) && is(s, skip_back(s, k), "]"))
            s->tokens[k].before = " = {}";
}

void declare_shared(const struct source *s, size_t i, bool in_function)
{
    const size_t is_static = find_specifier(s, i, "static");
    const size_t is_extern = find_specifier(s, i, "extern");
    replace_alignas(s, i, declarator_end(s, i, true));
    if (is_extern == s->count) {
        s->tokens[i].replacement = "static thread_local";
        if (is_static < s->count)
            s->tokens[is_static].replacement = "";
        check_constructor(s, i);
        initialize_arrays(s, i);
        return;
    }
    s->tokens[i].replacement = "";
    if (in_function)
        translate_dynamic(s, is_extern < i ? is_extern : i);
    for (size_t end = i; end < s->count && !is(s, end - 1, ";"); end++)
        if (is(s, end, ";") || (is(s, end, ",") && is(s, end - 1, "]")))
            s->tokens[end].before = in_function ? " = simt::dynamic_shared" : FILE_SCOPE_DYNAMIC;
}

/* ---- variables of the device ---- */

/* Is the specifier at token i one of a variable, not of a function? A function shows a `(`
 * first. */
bool is_variable(const struct source *s, size_t i)
{
    for (i++; i < s->count; i++) {
        if (is(s, i, "(") && is(s, skip_blank(s, i + 1), "*"))
            return true; /* a pointer to a function */
        if (is(s, i, "(") || is(s, i, "operator") || is(s, i, ")"))
            return false;
        if (is(s, i, ";") || is(s, i, "=") || is(s, i, "[") || is(s, i, "{"))
            return true;
        if (is_attribute(s, i))
            i = skip_brackets(s, skip_blank(s, i + 1)) - 1;
    }
    return false;
}

/* Is the variable itself constant? `const T *p` is not, `T *const p` is. */
bool is_const(const struct source *s, size_t i)
{
    bool constant = false;
    for (i = specifiers_start(s, i); i < s->count; i++) {
        if (is(s, i, ";") || is(s, i, "=") || is(s, i, "[") || is(s, i, "{") ||
            is(s, i, "constexpr"))
            break;
        if (is(s, i, "const") || is(s, i, "*"))
            constant = is(s, i, "const");
    }
    return constant || is(s, i, "constexpr");
}

/*
 * `__constant__` lies in a memory of its own on a GPU, so it has sections of its own. Other
 * constants stay where the compiler puts them: kernels may read all of those.
 */
void declare_device(const struct source *s, size_t i)
{
    const bool memory_of_constants = find_specifier(s, i, "__constant__") < s->count;
    const char *section = "";
    if (is_variable(s, i) && memory_of_constants)
        section = is_const(s, i) ? "__attribute__((section(\"simt_constant_ro\")))"
                                 : "__attribute__((section(\"simt_constant\")))";
    else if (is_variable(s, i) && !is_const(s, i))
        section = "__attribute__((section(\"simt_device\")))";
    s->tokens[i].replacement = section;
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
