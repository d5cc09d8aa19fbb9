/* SPDX-License-Identifier: MIT */
/*
 * locals.c - the local arrays of device functions. Some are too large for registers, and are memory
 * on a GPU: include/simt/local.hpp knows their sizes, and so gets each of them.
 *
 *   float a[4], b[512];          float a[4], b[512]; simt::local_array(a); simt::local_array(b);
 */
#include "inside.h"

/* Past the value of a declarator, to `,` or `;`. A `,` may be that of template arguments. */
static size_t skip_value(const struct source *s, size_t i, size_t end)
{
    while (i < end && !is_any(s, i, ", ;"))
        i = is(s, i, "<") ? skip_angles(s, i) : skip_part(s, i);
    return i;
}

/* Is the word before token i the name of a variable, with a type before it? */
static bool ends_declarator(const struct source *s, size_t start, size_t i)
{
    const size_t name = skip_back(s, i), before = skip_back(s, name);
    return name > start && s->tokens[name].kind == TOKEN_WORD &&
           !is_any(s, name, "auto const volatile") && /* `const auto [a, b] = f();` */
           (s->tokens[before].kind == TOKEN_WORD || is_any(s, before, "> *"));
}

/* From the first word of a statement to the end of its first declarator; `end` if it has none. */
static size_t first_declarator(const struct source *s, size_t start, size_t end)
{
    size_t i = start;
    while (i < end && !is_any(s, i, "[ = , ;")) {
        if (is_any(s, i,
                   "static extern constexpr typedef using return goto case else do new delete "
                   "throw __shared__ thread_local template"))
            return end;
        const bool part =
            s->tokens[i].kind == TOKEN_WORD || is_blank(s, i) || is_any(s, i, ": * &");
        if (!part && !is(s, i, "<"))
            return end;
        i = part ? i + 1 : skip_angles(s, i);
    }
    return i < end && ends_declarator(s, start, i) ? i : end;
}

/* The declarators of one statement: its arrays, and what is read before it has a value. */
static void declaration(const struct scope *scope, const struct source *s, size_t start, size_t end)
{
    enum { MOST = 16 };
    char *text = NULL;
    size_t i = first_declarator(s, start, end), declarators[MOST], count = 0;
    while (i < end && count < MOST) {
        declarators[count++] = i;
        if (is(s, i, ";"))
            break;
        if (is(s, i, "["))
            append_text(&text, "%s simt::local_array(%.*s);", text ? "" : ";",
                        NAME(s, skip_back(s, i)));
        i = skip_value(s, i, end);
        if (!is(s, i, ","))
            break;
        while (i < end && !is_any(s, skip_blank(s, i + 1), "[ = , ;"))
            i++;
        i = skip_blank(s, i + 1);
    }
    if (text && is(s, i, ";") && !s->tokens[i].replacement)
        s->tokens[i].replacement = text;
    while (is(s, i, ";") && count-- > 0)
        mark_start(scope, s, declarators[count], i, end);
}

void mark_locals(const struct scope *scope, const struct source *s, size_t i, size_t end)
{
    bool begins = true; /* a statement */
    for (size_t k = body_start(s, i, end) + 1; k + 1 < end; k++) {
        if (is_blank(s, k))
            continue;
        if (is(s, k, "(")) {
            k = skip_brackets(s, k) - 1;
        } else if (is_any(s, k, "struct class union enum")) { /* past its members */
            size_t open = k;
            while (open + 1 < end && !is_any(s, open, "{ ; ="))
                open++;
            k = is(s, open, "{") ? skip_braces(s, open) - 1 : k;
        } else if (begins && s->tokens[k].kind == TOKEN_WORD) {
            declaration(scope, s, k, end);
        }
        begins = is_any(s, k, "; {") || (is(s, k, "}") && !is(s, skip_blank(s, k + 1), ";"));
    }
}
