/* SPDX-License-Identifier: MIT */
/*
 * loops.c - marks the end of an iteration in the loops of device functions, so that lanes which
 * begin the next one wait for those that are still in this one (machine/warp.c):
 *
 *   for (a; b; c)              for (a; b; simt::iterate(), c)
 *   while (b) ...              for (; b; simt::iterate()) ...
 *   do ... while (b);          do ... while (simt::iterate(), b);    if b is no constant
 *
 * There a `continue` arrives too, and the code is after the body's. In a loop without a branch the
 * lanes never part, so it is left as it is.
 */
#include "inside.h"

/* Between tokens i and end: is there something that a lane may skip? A function may hold it. */
static bool has_branch(const struct source *s, size_t i, size_t end)
{
    for (; i < end; i++)
        if (is_any(s, i, "if switch for while do goto ?") ||
            (is_any(s, i, "& |") && same_text(s, i, i + 1)) ||
            (name_bits(s, i) & (NAME_DEVICE | NAME_LIBRARY)) == NAME_DEVICE)
            return true;
    return false;
}

/* The end of the statement at token i, or of its first part. */
static size_t statement_end(const struct source *s, size_t i)
{
    i = skip_blank(s, i);
    if (is(s, i, "{"))
        return skip_braces(s, i);
    while (i < s->count && !is_any(s, i, "; }"))
        i = is_any(s, i, "( [") ? skip_brackets(s, i) : i + 1;
    return i;
}

/* The `;` of `for (a; b;`, or 0 if it is `for (a : b)`. */
static size_t second_semicolon(const struct source *s, size_t i, size_t end)
{
    unsigned seen = 0;
    for (i++; i < end; i++) {
        seen += is(s, i, ";");
        if (seen == 2)
            return i;
        if (is_any(s, i, "( [ {"))
            i = (is(s, i, "{") ? skip_braces(s, i) : skip_brackets(s, i)) - 1;
    }
    return 0;
}

/* `do ... while (0);` of a macro. In one with 1 the compiler would miss a return after the loop. */
static bool is_fixed(const struct source *s, size_t open, size_t close)
{
    const size_t i = skip_blank(s, open + 1);
    return i == skip_back(s, close) &&
           (s->tokens[i].kind == TOKEN_NUMBER || is_any(s, i, "true false"));
}

void mark_loops(const struct source *s, size_t i, size_t end)
{
    for (i = body_start(s, i, end); i < end; i++) {
        const size_t open = skip_blank(s, i + 1);
        if (!is_any(s, i, "for while") || !is(s, open, "("))
            continue;
        const size_t close = skip_brackets(s, open) - 1, body = skip_blank(s, close + 1);
        const size_t semicolon = second_semicolon(s, open, close);
        const bool is_for = is(s, i, "for");
        if (is_for && (semicolon == 0 || !has_branch(s, body, statement_end(s, body))))
            continue;
        if (is_for) {
            const bool empty = skip_blank(s, semicolon + 1) == close;
            s->tokens[semicolon].replacement = empty ? "; simt::iterate()" : "; simt::iterate(),";
        } else if (is(s, body, ";")) {
            if (!is_fixed(s, open, close))
                s->tokens[open].replacement = "(simt::iterate(),";
        } else if (has_branch(s, body, statement_end(s, body))) {
            s->tokens[i].replacement = "for";
            s->tokens[open].replacement = "(;";
            s->tokens[close].replacement = "; simt::iterate())";
        }
    }
}
