/* SPDX-License-Identifier: MIT */
/*
 * declare.c - declarations: shared arrays and device variables.
 */
#include <stdio.h>
#include <string.h>

#include "inside.h"

/* ---- shared arrays ---- */

/* Outside functions: one more name for the arena. In a template, g++ forgets such a name. */
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

/* The first token of the declaration that contains the specifier at token i. */
size_t specifiers_start(const struct source *s, size_t i)
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

/* Finds a word among the specifiers around token i; the number of tokens if it is not found. */
size_t find_specifier(const struct source *s, size_t i, const char *word)
{
    for (size_t j = specifiers_start(s, i); is_specifier(s, j);) {
        if (is(s, j, word))
            return j;
        j = is_attribute(s, j) ? skip_brackets(s, skip_blank(s, j + 1)) : j + 1;
    }
    return s->count;
}

/* The first `[` of the array whose declarator ends before token end; end if it is not an array. */
static size_t array_start(const struct source *s, size_t end)
{
    size_t start = end;
    for (size_t i = skip_back(s, end); is(s, i, "]"); i = skip_back(s, start))
        for (start = i; start > 0 && !is(s, start, "[");)
            start--;
    return start;
}

/*
 * `extern __shared__ T a[], b[];` ends a declarator before token end. Outside functions it is one
 * more name for the arena, in a function a reference to it: T (&a)[] = ..., (&b)[] = ...
 */
static void translate_dynamic(const struct source *s, size_t end, bool in_function)
{
    const size_t array = array_start(s, end);
    s->tokens[end].before = in_function ? " = simt::dynamic_shared" : FILE_SCOPE_DYNAMIC;
    if (!in_function)
        return;
    s->tokens[skip_back(s, array)].before = array < end ? "(&" : "&";
    if (array < end)
        s->tokens[array].before = ")";
}

/* `static thread_local alignas(16) T x` is not C++; an attribute is allowed there. */
static void replace_alignas(const struct source *s, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        if (is(s, i, "alignas")) {
            s->tokens[i].replacement = "__attribute__((aligned";
            s->tokens[skip_brackets(s, skip_blank(s, i + 1)) - 1].before = "))";
        }
}

/* The end of the declarator: `;`, `=`, or `[` of an array. Bodies of structs are skipped. */
static size_t declarator_end(const struct source *s, size_t i, bool whole)
{
    while (i < s->count && !is(s, i, ";")) {
        if (!whole && (is(s, i, "=") || is(s, i, "[")))
            break;
        i = is(s, i, "{") ? skip_braces(s, i) : is(s, i, "(") ? skip_brackets(s, i) : i + 1;
    }
    return i;
}

/* The shared arrays in scope at this place of a function, and the depth of each. */
static struct {
    size_t name;
    int depth;
} visible[64];
static size_t visible_count;

void declare_close(int depth)
{
    while (visible_count > 0 && visible[visible_count - 1].depth > depth)
        visible_count--;
}

/* Constants whose sizes encode the type of a shared array: see include/simt/types.hpp. */
static void tell_type(char **text, int length, const char *name)
{
    static const char *const what[][2] = {
        {"type", "type_number"}, {"columns", "columns"}, {"bytes", "element_bytes"}};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        append_text(text,
                    "; static const char simt_%s_%.*s[simt::%s<decltype(%.*s)>] "
                    "__attribute__((used)) = {}",
                    what[i][0], length, name, what[i][1], length, name);
}

/*
 * Checks by the compiler, which knows the types: shared memory has no initial values, so a type
 * whose constructor would run is refused, and a block has 48 KiB of it, except what the launch
 * provides.
 */
static void check_shared(const struct source *s, size_t i, int depth)
{
    const size_t name = skip_back(s, declarator_end(s, i, false));
    const size_t end = declarator_end(s, i, true);
    char *text = NULL;
    if (end >= s->count || s->tokens[name].kind != TOKEN_WORD)
        return;
    append_text(&text,
                "; static_assert(simt::no_constructor_runs<decltype(%.*s)>(0), "
                "\"simtcc: a constructor of a __shared__ variable\")",
                NAME(s, name));
    for (size_t k = name; depth && k < end; k = is(s, k, "{") ? skip_braces(s, k) : k + 1)
        if ((k == name || is(s, skip_back(s, k), ",")) && s->tokens[k].kind == TOKEN_WORD &&
            visible_count < 64) {
            visible[visible_count].name = k;
            visible[visible_count++].depth = depth;
            tell_type(&text, NAME(s, k));
        }
    append_text(&text, "; static_assert(0");
    for (size_t k = 0; k < visible_count; k++)
        append_text(&text, " + sizeof(%.*s)", NAME(s, visible[k].name));
    append_text(&text,
                " <= 49152, \"simtcc says: a block has 48 KiB for __shared__ variables; these need "
                "more|for more, write extern __shared__ and cudaFuncSetAttribute()\");");
    s->tokens[end].replacement = text;
}

/* g++ initializes objects that have any constructor on first use, unless the initializer is all 0.
 * A declarator ends in its name or in `]`. */
static void initialize(const struct source *s, size_t i)
{
    const size_t end = declarator_end(s, i, true);
    bool has_value = false;
    int angles = 0; /* of template arguments */
    for (size_t k = i, next; k <= end && k < s->count; k = next) {
        next = is(s, k, "{") ? skip_braces(s, k) : is(s, k, "[") ? skip_brackets(s, k) : k + 1;
        angles += is(s, k, "<") - is(s, k, ">");
        has_value = (has_value && !is(s, k, ",")) || is(s, k, "=");
        if (has_value || angles > 0 || (!is(s, k, ",") && !is(s, k, ";")))
            continue;
        const size_t last = skip_back(s, k);
        if (is(s, last, "]") || s->tokens[last].kind == TOKEN_WORD)
            s->tokens[k].before = " = {}";
    }
}

/* The name of an `extern __shared__` is one variable in all functions, so it has one type. A second
 * declaration, of a variable that is never used, lets the compiler compare. */
void declare_shared(const struct source *s, size_t i, int depth)
{
    const bool in_function = depth != 0;
    const size_t is_static = find_specifier(s, i, "static");
    const size_t is_extern = find_specifier(s, i, "extern");
    replace_alignas(s, i, declarator_end(s, i, true));
    if (is_extern == s->count) {
        s->tokens[i].replacement = "static thread_local";
        if (is_static < s->count)
            s->tokens[is_static].replacement = "";
        check_shared(s, i, depth);
        initialize(s, i);
        return;
    }
    s->tokens[i].replacement = "";
    if (in_function)
        s->tokens[is_extern].replacement = "";
    char *only = NULL;
    for (size_t end = i; end < s->count && !is(s, end - 1, ";"); end++)
        if (is(s, end, ";") || (is(s, end, ",") && is(s, skip_back(s, end), "]"))) {
            const size_t name = skip_back(s, array_start(s, end));
            translate_dynamic(s, end, in_function);
            append_text(&only, "; extern __typeof__(%.*s) simt_only_%.*s __attribute__((unused))",
                        NAME(s, name), NAME(s, name));
            if (is(s, end, ";")) {
                append_text(&only, ";");
                s->tokens[end].replacement = only;
            }
        }
}

/* ---- device variables ---- */

/* Is the specifier at token i that of a variable, not of a function? A function has a `(` first. */
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
 * On a GPU `__constant__` has its own memory, so here it has its own sections. Other constants stay
 * where the compiler puts them: kernels may read all of those.
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
    const size_t end = declarator_end(s, i, true);
    const size_t name = skip_back(s, declarator_end(s, i, false));
    if (is_variable(s, i) && memory_of_constants && find_specifier(s, i, "extern") == s->count &&
        end < s->count && s->tokens[name].kind == TOKEN_WORD) {
        char *text = NULL;
        append_text(&text,
                    "; static_assert(sizeof(%.*s) <= 65536, \"simtcc says: there are 64 KiB of "
                    "__constant__ memory; this takes more|read it through a pointer\");",
                    NAME(s, name));
        s->tokens[end].replacement = text;
    }
}

/* As a word on its own; inside __attribute__((...)) the name is right as it is. */
void declare_noinline(const struct source *s, size_t i)
{
    size_t last = i - 1;
    while (last > 0 && is_blank(s, last))
        last--;
    if (!is(s, last, "(") && !is(s, last, ","))
        s->tokens[i].replacement = "__attribute__((noinline))";
}

/*
 * `__launch_bounds__(n)` is an attribute of ours by now, and so is __cluster_dims__. In the
 * kernel's body it becomes a variable of n bytes, so that the symbol table has the limit, for
 * templates too.
 */
void declare_bounds(const struct source *s, size_t i)
{
    const size_t open = skip_blank(s, i + 1), end = skip_brackets(s, open);
    const int length = (int)(s->tokens[end].text - s->tokens[open].text);
    size_t body = end;
    while (body < s->count && !is(s, body, "{") && !is(s, body, ";"))
        body = is(s, body, "(") ? skip_brackets(s, body) : body + 1;
    if (is(s, body, "{")) {
        const char *before = s->tokens[body].replacement;
        char *text = NULL;
        append_text(&text, "%s static const char %.*s[%.*s] __attribute__((used)) = {};",
                    before ? before : "{", NAME(s, i), length, s->tokens[open].text);
        s->tokens[body].replacement = text;
    }
    for (size_t k = i; k < end; k++)
        s->tokens[k].replacement = "";
}
