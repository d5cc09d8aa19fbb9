/* SPDX-License-Identifier: MIT */
/*
 * brackets.c - the first bracket or quote without a partner. It changes the meaning of all that
 * follows, so this is checked before everything else.
 */
#include <limits.h>
#include <stdio.h>

#include "inside.h"

struct bracket {
    size_t token, marker;
    bool of_function; /* `{` of a body */
};

static void not_closed(const struct source *s, const struct bracket *b)
{
    const struct scope there = {.marker = b->marker};
    const char *text = s->tokens[b->token].text;
    mistake(&there, s, b->token, "the %c on this line has no %c", *text,
            *text == '('   ? ')'
            : *text == '[' ? ']'
                           : '}');
}

/* The function that is still open when the next one begins, or the file ends. */
static void function_not_closed(const struct scope *scope, const struct source *s,
                                const struct bracket *b, size_t depth, size_t i)
{
    size_t k = 0;
    while (k + 1 < depth && !b[k].of_function)
        k++;
    not_closed(s, &b[k]);
    if (i < s->count)
        fprintf(stderr, "so %.*s on line %lu is inside it\n", NAME(s, i), line_of(scope, s, i));
}

static bool is_pair(const struct source *s, size_t open, size_t close)
{
    return (is(s, open, "{") && is(s, close, "}")) || (is(s, open, "(") && is(s, close, ")")) ||
           (is(s, open, "[") && is(s, close, "]"));
}

static bool is_open_string(const struct token *t)
{
    const char first = t->text[0], last = t->text[t->length - 1];
    return t->kind == TOKEN_STRING && (first == '"' || first == '\'') &&
           (t->length == 1 || last != first);
}

void brackets_check(const struct source *s)
{
    enum { CAPACITY = 1024 };
    static struct bracket open[CAPACITY];
    struct scope scope = {.function_depth = INT_MAX};
    size_t depth = 0, functions = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->tokens[i].kind == TOKEN_DIRECTIVE)
            scope_file(&scope, s, i);
        const size_t last = skip_back(s, i), next = skip_blank(s, i + 1);
        const bool main = is(s, i, "main") && is(s, next, "(") && is_any(s, last, "int auto void");
        const bool kernel = is(s, i, "__global__") && is(s, function_end(s, i) - 1, "}");
        const bool closes = is_any(s, i, "} ) ]");
        if (is_any(s, i, "{ ( [")) {
            if (depth == CAPACITY) {
                mistake(&scope, s, i, "more than %d brackets are open here", CAPACITY);
                return;
            }
            const bool body =
                is(s, i, "{") && is(s, last, ")") &&
                !is_any(s, skip_blank(s, function_head(s, i)), "namespace class struct union enum");
            open[depth] = (struct bracket){i, scope.marker, body};
            functions += open[depth++].of_function;
        } else if (closes && depth > 0 && is_pair(s, open[depth - 1].token, i)) {
            functions -= open[--depth].of_function;
        } else if (closes && depth > 0 && !is(s, open[depth - 1].token, "{")) {
            not_closed(s, &open[depth - 1]);
            return;
        } else if (closes) {
            mistake(&scope, s, i, "this %.*s has no opening partner", NAME(s, i));
            return;
        } else if (scope.user && is_open_string(&s->tokens[i])) {
            mistake(&scope, s, i, "the %c on this line has no partner", *s->tokens[i].text);
            return;
        } else if (scope.user && functions > 0 && (main || kernel)) {
            function_not_closed(&scope, s, open, depth, i);
            return;
        }
    }
    if (depth > 0)
        function_not_closed(&scope, s, open, depth, s->count);
}
