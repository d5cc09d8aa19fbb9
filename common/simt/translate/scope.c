/* SPDX-License-Identifier: MIT */
/*
 * scope.c - where in the program a token is: in whose file, whether inside a function, and whether
 * that function runs on the device.
 */
#include <limits.h>
#include <string.h>

#include "inside.h"

/* ---- files ---- */

/*
 * A line marker is `# 12 "file.cu" 1 3`. A 3 at its end means a system header; our own headers are
 * known by their path.
 */
void scope_file(struct scope *scope, const struct source *s, size_t i)
{
    const struct token *t = &s->tokens[i];
    const char *open = memchr(t->text, '"', t->length);
    if (!open || is_pragma(s, i))
        return;
    const char *close = t->text + t->length;
    while (close[-1] != '"')
        close--;
    scope->marker = i;
    scope->ours = file_is(scope, s, "/simt/include/");
    scope->user = !scope->ours && open[1] != '<' &&
                  !memchr(close, '3', (size_t)(t->text + t->length - close));
}

bool file_is(const struct scope *scope, const struct source *s, const char *part)
{
    const struct token *t = &s->tokens[scope->marker];
    const size_t length = strlen(part);
    for (size_t at = 0; at + length <= t->length; at++)
        if (memcmp(t->text + at, part, length) == 0)
            return true;
    return false;
}

/* ---- functions ---- */

/* Tracks the braces. The body of a function is the one that comes after a `)`. */
static void follow_braces(struct scope *scope, const struct source *s, size_t i)
{
    if (is(s, i, "{")) {
        if (++scope->depth < scope->function_depth && is(s, skip_back(s, i), ")")) {
            scope->function_depth = scope->depth;
            scope->function_start = i;
        }
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
 * is a variable. Between `:` and the body are the member initializers of a constructor, maybe with
 * braces.
 */
size_t function_end(const struct source *s, size_t i)
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
        scope_file(scope, s, i);
    follow_braces(scope, s, i);
    scope->unions |= scope->user && is(s, i, "union");
    if (!is_qualifier(s, i) || i < scope->device_end)
        return;
    scope->device_start = i;
    scope->device_depth = scope->depth;
    scope->device_end = function_end(s, i);
    scope->device_only = find_specifier(s, i, "__host__") == s->count;
    mark_returns(s, i, scope->device_end);
}
