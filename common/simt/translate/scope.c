/* SPDX-License-Identifier: MIT */
/*
 * scope.c - where in the program a token stands: whose file it is, whether it is inside of a
 * function, and whether that function runs on the device.
 */
#include <limits.h>
#include <string.h>

#include "inside.h"

/* ---- files ---- */

/*
 * A line marker is `# 12 "file.cu" 1 3`. A 3 at its end means a header of the system; our own
 * headers are known by their path.
 */
static void read_marker(struct scope *scope, const struct source *s, size_t i)
{
    const struct token *t = &s->tokens[i];
    const char *open = memchr(t->text, '"', t->length);
    if (!open || is_pragma(s, i))
        return;
    const char *end = t->text + t->length;
    const char *close = end;
    while (close[-1] != '"')
        close--;
    const size_t length = (size_t)(close - 1 - open);
    static const char ours[] = "/simt/include/";
    bool user = memchr(close, '3', (size_t)(end - close)) == NULL && open[1] != '<';
    for (size_t at = 0; at + sizeof ours - 1 <= length; at++)
        if (memcmp(open + 1 + at, ours, sizeof ours - 1) == 0)
            user = false;
    scope->marker = i;
    scope->user = user;
}

/* ---- functions ---- */

/* Follows the braces. The body of a function is the one that comes after a `)`. */
static void follow_braces(struct scope *scope, const struct source *s, size_t i)
{
    if (is(s, i, "{")) {
        if (++scope->depth < scope->function_depth && is(s, skip_back(s, i), ")"))
            scope->function_depth = scope->depth;
    } else if (is(s, i, "}") && --scope->depth < scope->function_depth) {
        scope->function_depth = INT_MAX;
    }
}

static bool is_attribute(const struct source *s, size_t i)
{
    return is(s, i, "__attribute__") || is(s, i, "alignas") || is(s, i, "decltype") ||
           is(s, i, "noexcept");
}

/*
 * The end of the function that the qualifier at token i belongs to, or of its declaration; i if it
 * is a variable. Between `:` and the body stand the members of a constructor, maybe with braces.
 */
static size_t function_end(const struct source *s, size_t i)
{
    const bool lambda = is(s, skip_back(s, i), "]");
    bool parameters = lambda, members = false;
    for (size_t j = i + 1; j < s->count;) {
        if (is_attribute(s, j) && is(s, skip_blank(s, j + 1), "(")) {
            j = skip_brackets(s, skip_blank(s, j + 1));
        } else if (is(s, j, "(") || is(s, j, "[")) {
            parameters |= is(s, j, "(");
            j = skip_brackets(s, j);
        } else if (is(s, j, ";") || is(s, j, "}") || is(s, j, ")")) {
            return parameters ? j : i;
        } else if (is(s, j, "{")) {
            if (!parameters)
                return i;
            const size_t last = skip_back(s, j);
            const bool member = members && (s->tokens[last].kind == TOKEN_WORD || is(s, last, ">"));
            const size_t end = skip_braces(s, j);
            if (!member)
                return end;
            j = end;
        } else {
            members |= parameters && is(s, j, ":") && !is(s, j + 1, ":") && !is(s, j - 1, ":");
            j++;
        }
    }
    return i;
}

static bool is_qualifier(const struct source *s, size_t i)
{
    return is(s, i, "__global__") || is(s, i, "__device__");
}

void scope_follow(struct scope *scope, const struct source *s, size_t i)
{
    if (s->tokens[i].kind == TOKEN_DIRECTIVE)
        read_marker(scope, s, i);
    follow_braces(scope, s, i);
    if (!is_qualifier(s, i) || i < scope->device_end)
        return;
    scope->device_end = function_end(s, i);
    scope->device_only = find_specifier(s, i, "__host__") == s->count;
}
