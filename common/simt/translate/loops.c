/* SPDX-License-Identifier: MIT */
/*
 * loops.c - marks the end of an iteration in the loops of device functions, so that lanes which
 * begin the next one wait for those that are still in this one (machine/warp.c):
 *
 *   for (a; b; c)              for (a; b; simt::iterate(), c)
 *   while (b) ...              for (; b; simt::iterate()) ...
 *   do ... while (b);          do ... while (simt::iterate(), b);
 *   do { ... } while (true);   for (;; simt::iterate()) { ... }
 *   for (a : b) ...            for (a : simt::marked{b}) ...
 *   for (a : {b, c}) ...       switch (auto &d = {b, c}; 0) default: for (a : simt::marked{d}) ...
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
        i = skip_part(s, i) - 1;
    }
    return 0;
}

/* A constant between brackets, as in `do ... while (0);` of a macro. */
static bool is_fixed(const struct source *s, size_t open, size_t close)
{
    const size_t i = skip_blank(s, open + 1);
    return i == skip_back(s, close) &&
           (s->tokens[i].kind == TOKEN_NUMBER || is_any(s, i, "true false"));
}

/* `do { ... } while (true);` becomes a `for`: if `true` were not alone, the compiler would miss a
 * return after the loop. */
static void mark_endless(const struct source *s, size_t i)
{
    const size_t body = skip_blank(s, i + 1), end = statement_end(s, body);
    const size_t last = skip_blank(s, end), open = skip_blank(s, last + 1);
    if (!is(s, body, "{") || !is(s, last, "while") || !is(s, open, "("))
        return;
    const size_t close = skip_brackets(s, open) - 1, value = skip_blank(s, open + 1);
    if (!is_fixed(s, open, close) || is(s, value, "false") || *s->tokens[value].text == '0' ||
        !has_branch(s, body, end))
        return;
    s->tokens[i].replacement = "for (;; simt::iterate())";
    s->tokens[last].replacement = s->tokens[open].replacement = "";
    s->tokens[value].replacement = s->tokens[close].replacement = "";
    s->tokens[skip_blank(s, close + 1)].replacement = "";
}

/* The `:` of `for (a : b)`, or 0. */
static size_t range_colon(const struct source *s, size_t open, size_t close)
{
    for (size_t i = open + 1; i < close; i++) {
        if (is_any(s, i, "( ["))
            i = skip_brackets(s, i) - 1;
        else if (is(s, i, ":") && !is(s, i - 1, ":") && !is(s, i + 1, ":"))
            return i;
    }
    return 0;
}

/* Of a `{list}` only a name has a type. The list comes first then, and the declaration after it; a
 * `switch` allows that before an `else`, and needs no braces. */
static void mark_range(const struct source *s, size_t i, size_t colon, size_t close)
{
    const size_t open = skip_blank(s, i + 1);
    char *text = NULL;
    if (!is(s, skip_blank(s, colon + 1), "{")) {
        s->tokens[colon].replacement = ": simt::marked{";
        s->tokens[close].replacement = "})";
        return;
    }
    append_text(&text, "; 0) default: for (");
    for (size_t k = open + 1; k < colon; k++) {
        append_text(&text, "%.*s", (int)s->tokens[k].length, s->tokens[k].text);
        s->tokens[k].replacement = "";
    }
    append_text(&text, ": simt::marked{simt_list})");
    s->tokens[i].replacement = "switch (const auto &simt_list =";
    s->tokens[open].replacement = s->tokens[colon].replacement = "";
    s->tokens[close].replacement = text;
}

void mark_loops(const struct source *s, size_t i, size_t end)
{
    for (i = body_start(s, i, end); i < end; i++) {
        const size_t open = skip_blank(s, i + 1);
        if (is(s, i, "do"))
            mark_endless(s, i);
        if (!is_any(s, i, "for while") || !is(s, open, "("))
            continue;
        const size_t close = skip_brackets(s, open) - 1, body = skip_blank(s, close + 1);
        const size_t semicolon = second_semicolon(s, open, close);
        const bool is_for = is(s, i, "for");
        const size_t colon = is_for && semicolon == 0 ? range_colon(s, open, close) : 0;
        if (is_for && !has_branch(s, body, statement_end(s, body)))
            continue;
        if (colon != 0) {
            mark_range(s, i, colon, close);
        } else if (is_for && semicolon != 0) {
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
