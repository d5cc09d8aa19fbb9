/* SPDX-License-Identifier: MIT */
/*
 * launch.c - kernel<<<grid, block>>>(args), and the kernels that go to the API as void pointers.
 *
 * The types of the arguments are deduced, so what has none stays in the call of the kernel:
 *
 *   k<<<1, 32>>>({n, {2.0f}}, 0, p)   simt::launch([=](auto &simt_0, auto &, auto &, auto &simt_3)
 *                                     { k({simt::argument(simt_0), {2.0f}}, 0, ...), ... },
 *                                     1, 32)(n, 2.0f, 0, p)
 */
#include <stdio.h>

#include "inside.h"

/* The first token of the statement, or of the bracket, that contains token i. */
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

/* Skips `if (...)`, `else`, `for (...)`, `case 1:`, `label:` and attributes. */
static size_t skip_control(const struct source *s, size_t i)
{
    for (;;) {
        const size_t next = skip_blank(s, i + 1);
        if (is(s, i, "if") || is(s, i, "for") || is(s, i, "while") || is(s, i, "switch"))
            i = skip_brackets(s, is(s, next, "constexpr") ? skip_blank(s, next + 1) : next);
        else if (is(s, i, "else") || is(s, i, "do") || is(s, i, "return"))
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

/* NULL as an argument would lose its meaning: it would arrive as a number. */
static void replace_null(const struct source *s, size_t from)
{
    const size_t end = skip_brackets(s, skip_blank(s, from));
    for (size_t i = from; i < end; i++)
        if (is(s, i, "__null"))
            s->tokens[i].replacement = "nullptr";
}

/* ---- arguments without a type ---- */

/* What is written for the arguments of one launch. */
struct arguments {
    char *parameters, *call;
    unsigned count;
    bool special; /* one of them has no type */
};

/* The `,` or the closing bracket after the argument that begins at token i. */
static size_t argument_end(const struct source *s, size_t i, size_t end)
{
    while (i < end && !is(s, i, ","))
        i = is(s, i, "<") ? skip_angles(s, i) : skip_part(s, i);
    return i;
}

/* The number that is the whole argument, or `end`. As a variable it would be no null pointer, and
 * might be too wide. */
static size_t literal(const struct source *s, size_t i, size_t end, bool in_braces)
{
    const size_t number = in_braces && is(s, i, "-") ? skip_blank(s, i + 1) : i;
    const struct token *t = &s->tokens[number];
    const bool may = in_braces || (t->length == 1 && *t->text == '0');
    return may && t->kind == TOKEN_NUMBER && skip_blank(s, number + 1) >= end ? number : end;
}

static void add_unnamed(struct arguments *a)
{
    a->special = true;
    append_text(&a->parameters, "%sauto &", a->count++ > 0 ? ", " : "");
}

static void add_named(const struct source *s, size_t end, struct arguments *a)
{
    const char *const dots = is(s, skip_back(s, end), ".") ? "..." : "";
    append_text(&a->call, "simt::argument(simt_%u)%s", a->count, dots);
    append_text(&a->parameters, "%sauto &%ssimt_%u", a->count > 0 ? ", " : "", dots, a->count);
    a->count++;
}

/* `.name =` goes to the call. */
static size_t move_name(const struct source *s, size_t i, struct arguments *a)
{
    const size_t name = skip_blank(s, i + 1), equals = skip_blank(s, name + 1);
    if (!is(s, i, ".") || !is(s, equals, "="))
        return i;
    append_text(&a->call, ".%.*s = ", NAME(s, name));
    s->tokens[i].replacement = s->tokens[name].replacement = s->tokens[equals].replacement = "";
    return skip_blank(s, equals + 1);
}

/* `{a, .b = 2}` becomes `a, 2` in the arguments, `{}` becomes 0. */
static void read_arguments(const struct source *s, size_t i, size_t end, struct arguments *a,
                           bool in_braces)
{
    for (size_t next; (i = skip_blank(s, i)) < end; i = next + 1) {
        next = argument_end(s, i, end);
        i = in_braces ? move_name(s, i, a) : i;
        const size_t number = literal(s, i, next, in_braces);
        if (is(s, i, "{")) {
            const size_t close = skip_braces(s, i) - 1;
            const bool empty = skip_blank(s, i + 1) == close;
            s->tokens[i].replacement = "";
            s->tokens[close].replacement = empty ? "0" : "";
            append_text(&a->call, "{");
            read_arguments(s, i + 1, close, a, true);
            append_text(&a->call, "}");
            if (empty)
                add_unnamed(a);
            a->special = true;
        } else if (number < next) {
            append_text(&a->call, "%s%.*s", number > i ? "-" : "", NAME(s, number));
            add_unnamed(a);
        } else {
            add_named(s, next, a);
        }
        append_text(&a->call, next < end ? ", " : "");
        if (in_braces && skip_blank(s, next + 1) == end)
            s->tokens[next].replacement = ""; /* {1, 2,} */
    }
}

/* ---- launches ---- */

/* The first `>` of the launch whose `<<<` is at token i, or the `;` before which it is missing. */
static size_t launch_end(const struct source *s, size_t i)
{
    size_t end = triple_end(s, i, "<") + 1;
    while (end < s->count && !triple_end(s, end, ">") && !is(s, end, ";"))
        end = skip_part(s, end);
    return end;
}

/* Of `space::kernel<T>` the kernel. */
static size_t name_before(const struct source *s, size_t i, size_t end)
{
    size_t name = i;
    for (; i < end && !is(s, i, "<"); i++)
        if (s->tokens[i].kind == TOKEN_WORD)
            name = i;
    return name;
}

/* The tokens between the start of the statement and `<<<` name the kernel. */
void translate_launch(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t kernel = skip_control(s, statement_start(s, i)), end = launch_end(s, i);
    rules_launch(scope, s, kernel, i, end);
    if (!triple_end(s, end, ">"))
        return;
    const size_t open = skip_blank(s, triple_end(s, end, ">") + 1);
    struct arguments a = {0};
    read_arguments(s, open + 1, skip_brackets(s, open) - 1, &a, false);
    if (!a.special)
        a = (struct arguments){"auto &...simt_a", "simt::argument(simt_a)...", 0, false};
    char *before = NULL, *after = NULL;
    append_text(&before, "simt::launch(\"%.*s\", [=](%s) __attribute__((always_inline)) { ",
                NAME(s, name_before(s, kernel, i)), a.parameters);
    append_text(&after, "(%s), simt_thread_end(); }, ", a.call);
    s->tokens[kernel].before = before;
    s->tokens[i].replacement = after;
    s->tokens[end].replacement = ")";
    s->tokens[i + 1].replacement = s->tokens[triple_end(s, i, "<")].replacement = "";
    s->tokens[end + 1].replacement = s->tokens[triple_end(s, end, ">")].replacement = "";
    replace_null(s, open);
}

/* ---- the API ---- */

/* The token after the cast to `void *` that begins at token i; i if there is none. */
static size_t after_cast(const struct source *s, size_t i)
{
    const bool named = is(s, i, "reinterpret_cast");
    const size_t open = named ? skip_blank(s, i + 1) : i;
    size_t k = open;
    bool is_void = false, is_pointer = false;
    if (!is(s, open, named ? "<" : "("))
        return i;
    while (is_any(s, k = skip_blank(s, k + 1), "const void *")) {
        is_void |= is(s, k, "void");
        is_pointer |= is(s, k, "*");
    }
    return is_void && is_pointer && is(s, k, named ? ">" : ")") ? skip_blank(s, k + 1) : i;
}

/* cudaLaunchKernel((void *)kernel, ...): without the cast, the kernel's parameters are known. */
void translate_api_launch(const struct source *s, size_t i)
{
    const size_t call = skip_blank(s, i + 1), open = skip_blank(s, call + 1);
    const size_t end = is(s, call, "(") ? after_cast(s, open) : open;
    for (size_t k = open; k < end; k++)
        if (!is_blank(s, k))
            s->tokens[k].replacement = "";
}

/* (void *)kernel, elsewhere: the program keeps what it must know to launch it. */
void translate_kernel_pointer(const struct source *s, size_t i)
{
    size_t open = i;
    do
        open = skip_back(s, open);
    while (is(s, open, "const"));
    const size_t start = is(s, open, "<") ? skip_back(s, open) : open;
    size_t first = after_cast(s, start);
    if (first == start || s->tokens[open].replacement)
        return;
    first = is(s, open, "<") ? skip_blank(s, first + 1) : first;
    size_t name = first;
    while (is_any(s, name, "( &"))
        name = skip_blank(s, name + 1);
    while (is(s, skip_blank(s, name + 1), ":")) /* space::kernel */
        name = skip_blank(s, skip_blank(s, name + 1) + 2);
    if ((name_bits(s, name) & ~NAME_TEMPLATE) != NAME_KERNEL)
        return;
    s->tokens[first].before = "simt::known(";
    s->tokens[after_name(s, name)].before = ")";
}
