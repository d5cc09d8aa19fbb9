/* SPDX-License-Identifier: MIT */
/*
 * packs.c - marks the object of a member that device code reads or writes in memory:
 *
 *   p[i].x                ::simt::pack(p[i]).x
 *   p->x                  ::simt::pack_at(p)->x
 *
 * so that the counters know which members are in one pack: nvcc moves these in one request. See
 * include/simt/pack.hpp, which knows the type, and count/packs.c. A variable that is not a
 * reference is left as it is: it is the thread's own.
 */
#include "inside.h"

/* From a closing bracket back to its partner; 0 if there is none in the statement. */
static size_t open_of(const struct source *s, size_t i, const char *open, const char *close)
{
    int depth = 0;
    for (; i > 0 && !is_any(s, i, "; { }"); i--) {
        depth += is(s, i, close);
        depth -= is(s, i, open);
        if (depth == 0)
            return i;
    }
    return 0;
}

/* Is the bracket at token i that of `if (...)` and the like? */
static bool is_control(const struct source *s, size_t i)
{
    return is_any(s, skip_back(s, i), "if while for switch");
}

/* The first token of the round bracket at i, of the call f(...), f<...>(...) or cast. 0: unclear */
static size_t call_start(const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i);
    if (is(s, last, ")"))
        return is_control(s, open_of(s, last, "(", ")")) ? i : 0;
    if (is(s, last, "]"))
        return 0;
    if (is(s, last, ">") && !is(s, last - 1, "-")) {
        const size_t open = open_of(s, last, "<", ">");
        return open > 0 && s->tokens[skip_back(s, open)].kind == TOKEN_WORD ? skip_back(s, open)
                                                                            : i;
    }
    if (is_any(s, last, "sizeof decltype alignof noexcept"))
        return 0;
    return s->tokens[last].kind == TOKEN_WORD && !is_statement_word(s, last) ? last : i;
}

/* The first token of the postfix expression that ends at token i; 0: unclear. */
static size_t postfix_start(const struct source *s, size_t i)
{
    for (;;) {
        while (is(s, i, "]"))
            i = skip_back(s, open_of(s, i, "[", "]"));
        if (is(s, i, ")")) {
            const size_t open = open_of(s, i, "(", ")");
            i = open > 0 ? call_start(s, open) : 0;
            if (i == open)
                return i;
        }
        if (i == 0 || s->tokens[i].kind != TOKEN_WORD || is_statement_word(s, i))
            return 0;
        const size_t last = skip_back(s, i);
        if (is(s, last, "."))
            i = skip_back(s, last);
        else if ((is(s, last, ">") && is(s, last - 1, "-")) ||
                 (is(s, last, ":") && is(s, last - 1, ":")))
            i = skip_back(s, last - 1);
        else
            return i;
    }
}

/* Does the function have a reference of this name, `T &name`, before token i? */
static bool is_reference(const struct scope *scope, const struct source *s, size_t i)
{
    for (size_t k = i - 1; k > function_head(s, scope->device_start); k--)
        if (s->tokens[k].kind == TOKEN_WORD && same_text(s, k, i) && is_declarator(s, k))
            return is(s, skip_back(s, k), "&");
    return false;
}

/* `f(int a) -> int`: a return type, which looks like a member access. */
static bool is_return_type(const struct source *s, size_t start, size_t last)
{
    if (!is(s, last, ")"))
        return is_any(s, last, "noexcept mutable const override final");
    return start != open_of(s, last, "(", ")") &&
           !is_any(s, start, "reinterpret_cast static_cast const_cast");
}

static void put_before(const struct source *s, size_t i, const char *text)
{
    char *both = NULL;
    append_text(&both, "%s%s", s->tokens[i].before ? s->tokens[i].before : "", text);
    s->tokens[i].before = both;
}

/* The type of a cast, as people write it. */
static bool is_cast(const struct source *s, size_t open)
{
    return is_any(s, skip_blank(s, open + 1),
                  "const float double int unsigned signed char short long size_t") &&
           call_start(s, open) == open;
}

void packs_choice(const struct source *s, size_t i)
{
    const size_t close = skip_back(s, i);
    const size_t open = is(s, close, ")") ? open_of(s, close, "(", ")") : 0;
    size_t k = open;
    while (k < close && !is(s, k, "?"))
        k++;
    if (open == 0 || k == close)
        return;
    const size_t last = skip_back(s, open);
    if (call_start(s, open) == open ||
        (is(s, last, ")") && is_cast(s, open_of(s, last, "(", ")")))) {
        put_before(s, open, "::simt::one_of(");
        put_before(s, i, ")");
    }
}

void packs_member(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t sign = skip_back(s, i), next = skip_blank(s, i + 1);
    const bool arrow = is(s, sign, ">");
    const size_t mark = arrow ? sign - 1 : sign, last = skip_back(s, mark);
    if (!is_member(s, i) || is_any(s, next, "( [") || is_any(s, i, "template operator") ||
        is(s, last, "this"))
        return;
    const size_t start = postfix_start(s, last);
    if (start == 0 || (start == last && !arrow && !is_reference(scope, s, start)) ||
        (arrow && is_return_type(s, start, last)))
        return;
    put_before(s, start, arrow ? "::simt::pack_at(" : "::simt::pack(");
    put_before(s, mark, ")");
}
