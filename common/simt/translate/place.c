/* SPDX-License-Identifier: MIT */
/*
 * place.c - where a name is used: in a call or in a declaration, in host or device code.
 */
#include <limits.h>

#include "inside.h"

bool in_device(const struct scope *scope, size_t i)
{
    return i < scope->device_end && scope->device_only && scope->depth > scope->device_depth;
}

bool in_host(const struct scope *scope, size_t i)
{
    return i >= scope->device_end && scope->depth >= scope->function_depth;
}

bool is_member(const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i);
    return is(s, last, ".") || (is(s, last, ">") && is(s, last - 1, "-"));
}

/* A word that may come before a value. Any other word before a name is its type. */
bool is_statement_word(const struct source *s, size_t i)
{
    return is_any(s, i,
                  "return else do case goto throw new delete sizeof co_return co_yield and or "
                  "not");
}

/* `auto [a, b]`, `auto const &[a, b]`: is token i before one of the names? */
static bool is_binding(const struct source *s, size_t i)
{
    while (is(s, i, ",") && s->tokens[skip_back(s, i)].kind == TOKEN_WORD)
        i = skip_back(s, skip_back(s, i));
    size_t type = is(s, i, "[") ? skip_back(s, i) : i;
    while (is_any(s, type, "& const volatile"))
        type = skip_back(s, type);
    return is(s, i, "[") && is(s, type, "auto");
}

/* `T name`, `T *name`, `T &name` and what may follow. In doubt, `a * name` is a declaration. */
bool is_declarator(const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i), next = skip_blank(s, i + 1);
    if (is_binding(s, last))
        return true;
    if (is_any(s, last, ", [ {"))
        return is_any(s, next, "= ;") && !is(s, next + 1, "=");
    if (!is_any(s, next, "; = , ) [ ( { : >"))
        return false;
    if (s->tokens[last].kind == TOKEN_WORD)
        return !is_statement_word(s, last);
    if (!is_any(s, last, "* & >"))
        return false;
    size_t type = last;
    while (is_any(s, type, "* &"))
        type = skip_back(s, type);
    const size_t before = skip_back(s, type);
    if (is(s, type, "(") && is(s, next, ")"))
        return true; /* (*name)(...): a pointer to a function, or its call */
    return (s->tokens[type].kind == TOKEN_WORD || is(s, type, ">")) &&
           !is_any(s, before, "= + - / % | ^ ! ~ ? [ return . <");
}

/* The first token of the function whose body or specifier is at token i. */
size_t function_head(const struct source *s, size_t i)
{
    for (int depth = 0; i > 0; i--) {
        depth += is(s, i - 1, ")");
        depth -= is(s, i - 1, "(");
        if (depth < 0 || (depth == 0 && is_any(s, i - 1, "; { }")))
            break;
    }
    return i;
}

/* Does the current function have a parameter or a variable of that name before token i? */
bool is_local(const struct scope *scope, const struct source *s, size_t i)
{
    const bool body = scope->function_depth != INT_MAX;
    for (size_t k = function_head(s, body ? scope->function_start : scope->device_start); k < i;
         k++)
        if (s->tokens[k].kind == TOKEN_WORD && same_text(s, k, i) && is_declarator(s, k))
            return true;
    return false;
}

/* The token after `name` or `name<...>`. */
size_t after_name(const struct source *s, size_t i)
{
    const size_t next = skip_blank(s, i + 1);
    const bool angles = is(s, next, "<") && !is(s, next + 1, "<");
    return angles ? skip_blank(s, skip_angles(s, next)) : next;
}

/* Is token i what a statement that begins with `space::type<...>` declares? */
static bool is_declared_by_angles(const struct source *s, size_t i)
{
    size_t k = i;
    while (k > 0 && !is_any(s, k - 1, "; { }"))
        k--;
    for (k = skip_blank(s, k); s->tokens[k].kind == TOKEN_WORD || is(s, k, ":");) {
        if (k >= i || is_statement_word(s, k))
            return false;
        k = skip_blank(s, k + 1);
    }
    return is(s, k, "<") && skip_blank(s, skip_angles(s, k)) == i;
}

/* `name(` or `name<T>(`, and not `T name(` or `type<T> name(`. */
bool is_call(const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i);
    if (!is(s, after_name(s, i), "(") || (is(s, last, ">") && is_declared_by_angles(s, i)))
        return false;
    return s->tokens[last].kind != TOKEN_WORD || is_statement_word(s, last);
}

/* `type(`, `type{`, `type name;`, `type name(3)`. One word in brackets may be a copy. */
bool is_construction(const struct source *s, size_t i)
{
    size_t next = after_name(s, i);
    if (s->tokens[skip_back(s, i)].kind == TOKEN_WORD && !is_statement_word(s, skip_back(s, i)) &&
        !is(s, skip_back(s, i), "const"))
        return false;
    if (next < s->count && s->tokens[next].kind == TOKEN_WORD) {
        next = skip_blank(s, next + 1);
        if (is_any(s, next, "; ["))
            return true;
    }
    const size_t word = skip_blank(s, next + 1);
    return is_any(s, next, "( {") &&
           !(s->tokens[word].kind == TOKEN_WORD && is_any(s, skip_blank(s, word + 1), ") }"));
}

/* sizeof(name), decltype(name[0]): unevaluated, nothing is read. */
bool is_asked_for(const struct source *s, size_t i)
{
    do
        i = skip_back(s, i);
    while (is_any(s, i, "( * &"));
    return is_any(s, i, "sizeof decltype alignof typeof __typeof__ noexcept");
}
