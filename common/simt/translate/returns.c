/* SPDX-License-Identifier: MIT */
/*
 * returns.c - marks the `return;` of device functions, so that the emulator can distinguish a
 * thread that has left a kernel early, which is legal, from one that has skipped a barrier:
 *
 *   if (i >= n) return;      simt_passed(); if (i >= n) { simt_return(); return; }
 *
 * simt_passed() comes before the statement of the kernel's body that contains the return, however
 * deep, or a barrier. A thread that gets there is past everything above, and an earlier return was
 * from a function, not from the kernel.
 */
#include <string.h>

#include "inside.h"

/* The `{` of the function whose body ends at token `end`, or `end` of a declaration. */
size_t body_start(const struct source *s, size_t i, size_t end)
{
    while (i < end && !(is(s, i, "{") && skip_braces(s, i) == end))
        i++;
    return i;
}

static bool opens(const struct source *s, size_t i)
{
    return is(s, i, "{") || is(s, i, "(") || is(s, i, "[");
}

static bool closes(const struct source *s, size_t i)
{
    return is(s, i, "}") || is(s, i, ")") || is(s, i, "]");
}

/* An `else` continues the statement that seemed to end before it. */
static bool statement_ends(const struct source *s, size_t i)
{
    return (is(s, i, ";") || is(s, i, "}")) && !is(s, skip_blank(s, i + 1), "else");
}

static bool is_barrier(const struct source *s, size_t i)
{
    static const char name[] = "__syncthreads";
    return strncmp(s->tokens[i].text, name, sizeof name - 1) == 0 || is(s, i, "sync");
}

void mark_returns(const struct source *s, size_t i, size_t end)
{
    const bool kernel = is(s, i, "__global__");
    const size_t body = body_start(s, i, end);
    size_t last = body; /* where the statement before this one ends */
    int depth = 0;
    for (size_t k = body + 1; k + 1 < end; k++) {
        depth += opens(s, k) - closes(s, k);
        const size_t after = skip_blank(s, k + 1);
        const bool leaves = is(s, k, "return") && is(s, after, ";") && skip_blank(s, last + 1) != k;
        if (depth == 0 && statement_ends(s, k))
            last = k;
        if (leaves) {
            s->tokens[k].replacement = "{ simt_return(); return";
            s->tokens[after].replacement = "; }";
        }
        if (kernel && (leaves || is_barrier(s, k)))
            s->tokens[last + 1].before = " simt_passed();";
    }
}
