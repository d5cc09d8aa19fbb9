/* SPDX-License-Identifier: MIT */
/*
 * starts.c - local variables of device functions that are read before anything is stored in them:
 *
 *   float s;                    float s; simt::no_start<decltype(s)>("s", 12);
 *   for (...) s += x[i];
 *
 * This reads the text from the declaration on, and must be certain: so a variable is reported only
 * if its first use reads it. If that one may be skipped, because of an `if` or an `&&`, nothing may
 * assign to the variable later. (A loop may have no turn, too. That counts for arrays alone, since
 * an element may have been stored in an earlier turn.) A use that may be anything, such as &s, ends
 * the search; so does f(s), unless the program has one f(), and that reads its parameter first.
 * The compiler knows which types have a constructor.
 */
#include "inside.h"

struct variable {
    size_t name;
    unsigned dimensions;
    size_t from, end; /* of its scope, from its declaration on */
};

/* `name[i].member[k]`, and the first token after it. */
struct access {
    size_t name, member, after; /* member 0: none */
    unsigned dimensions;
};

static size_t skip_indices(const struct source *s, size_t i, unsigned *count)
{
    for (; is(s, i, "["); ++*count)
        i = skip_blank(s, skip_brackets(s, i));
    return i;
}

static struct access access_at(const struct source *s, size_t i)
{
    struct access a = {.name = i};
    unsigned of_member = 0;
    a.after = skip_indices(s, skip_blank(s, i + 1), &a.dimensions);
    if (is(s, a.after, ".")) {
        a.member = skip_blank(s, a.after + 1);
        a.after = skip_indices(s, skip_blank(s, a.member + 1), &of_member);
    }
    return a;
}

/* ---- one use ---- */

enum use { READS, ASSIGNS, MAY_ASSIGN };

/* Between the tokens is an `&&`, `||` or `?`: what comes after may be skipped. */
static bool may_skip(const struct source *s, size_t i, size_t end)
{
    for (; i < end; i++)
        if (is(s, i, "?") || (is_any(s, i, "& |") && same_text(s, i, i + 1)))
            return true;
    return false;
}

static bool same_access(const struct source *s, const struct access *a, size_t i)
{
    for (size_t k = a->name; k < a->after; k = skip_blank(s, k + 1), i = skip_blank(s, i + 1))
        if (!same_text(s, k, i))
            return false;
    return true;
}

/* In `s = max(s, x)` the value is read first. In `while ((s = x) > 0) s++` it is not. */
static enum use assignment(const struct source *s, const struct access *a)
{
    int depth = 0;
    for (size_t k = a->after; k < s->count && depth >= 0 && !is_any(s, k, "; }"); k++) {
        depth += is(s, k, "(");
        depth -= is(s, k, ")");
        if (same_text(s, a->name, k) && !is(s, skip_back(s, k), "."))
            return !same_access(s, a, k) || is(s, skip_back(s, k), "&") || may_skip(s, a->after, k)
                       ? MAY_ASSIGN
                       : READS;
    }
    return ASSIGNS;
}

/* Is it an argument of a function that takes values? */
static bool is_value(const struct source *s, size_t i)
{
    while (i > 0 && !is_any(s, i, "( ; { }"))
        i--;
    const size_t function = skip_back(s, i);
    return is(s, i, "(") && (strncmp(s->tokens[function].text, "__", 2) == 0 ||
                             is_any(s, function, "max min fmaxf fminf fmax fmin printf"));
}

/* The first token of parameter `k`, of those that begin at token i. */
size_t parameter(const struct source *s, size_t i, unsigned k)
{
    for (; k > 0 && !is(s, i, ")"); i++) {
        k -= is(s, i, ",");
        i = is_any(s, i, "( [") ? skip_brackets(s, i) - 1 : i;
    }
    return i;
}

/* The `(` of the only function with a body that has this name; 0: there is none, or several. */
size_t definition_of(const struct source *s, size_t name)
{
    size_t found = 0;
    for (size_t k = 1; k < s->count; k++) {
        const size_t open = same_text(s, k, name) ? skip_blank(s, k + 1) : 0;
        const size_t before = skip_back(s, k);
        if (open == 0 || !is(s, open, "(") || !is(s, skip_blank(s, skip_brackets(s, open)), "{") ||
            !(s->tokens[before].kind == TOKEN_WORD || is_any(s, before, "* & >")))
            continue;
        if (found != 0)
            return 0;
        found = open;
    }
    return found;
}

static size_t early_read(const struct source *s, const struct variable *v, bool unions);

/* Is it an argument of a function of the program that reads its parameter first? */
static bool is_read_by_function(const struct source *s, size_t i)
{
    enum { MOST_CALLS = 4 };
    static int calls;
    unsigned k = 0, depth = 0;
    for (i--; i > 0 && !is_any(s, i, "; { }") && (depth > 0 || !is_any(s, i, "( [")); i--) {
        depth += is_any(s, i, ") ]");
        depth -= is_any(s, i, "( [");
        k += depth == 0 && is(s, i, ",");
    }
    const size_t function = skip_back(s, i);
    if (!is(s, i, "(") || s->tokens[function].kind != TOKEN_WORD || calls == MOST_CALLS ||
        is_any(s, skip_back(s, function), ". > :"))
        return false;
    const size_t list = definition_of(s, function);
    size_t name = 0;
    for (i = list ? parameter(s, list + 1, k) : 0; list && !is_any(s, i, ", )"); i++) {
        if (is_any(s, i, "< * [ ( ="))
            return false;
        name = s->tokens[i].kind == TOKEN_WORD ? i : name;
    }
    if (name == 0)
        return false;
    const size_t body = skip_blank(s, skip_brackets(s, list));
    const struct variable v = {.name = name, .from = body, .end = skip_braces(s, body)};
    calls++;
    const bool reads = early_read(s, &v, true) != 0;
    calls--;
    return reads;
}

static enum use use_of(const struct source *s, const struct variable *v, const struct access *a)
{
    const size_t before = skip_back(s, a->name), q = a->after;
    const bool twice = same_text(s, q, q + 1), compound = is(s, q + 1, "=");
    if (is(s, before, "&") || a->dimensions != v->dimensions || is(s, q, "("))
        return MAY_ASSIGN;
    if (is(s, q, "=") && !twice)
        return assignment(s, a);
    if (is_any(s, q, "+ -"))
        return !a->member || compound || twice ? READS : MAY_ASSIGN; /* of an array: an address */
    if (is_any(s, q, "* / % ^ | & = ! ?"))
        return READS;
    if (is_any(s, q, "< >"))
        return !twice || is(s, q + 2, "=") ? READS : MAY_ASSIGN;
    if (is_any(s, before, "+ - / ! [") || (is_any(s, before, "< >") && !is_any(s, q, "; ,")))
        return READS;                        /* not in `vector<int> s;` */
    if (is(s, before, ")") && is(s, q, ";")) /* a cast */
        return is_any(s, skip_back(s, before), "& *") ? MAY_ASSIGN : READS;
    if (is(s, before, "=") && is(s, q, ";") && !a->member)
        return is_any(s, skip_back(s, skip_back(s, before)), "& *") ? MAY_ASSIGN : READS;
    if (is_any(s, before, "( ,") && is_any(s, q, ", )") && !a->member && v->dimensions == 0 &&
        is_read_by_function(s, a->name))
        return READS;
    return is_value(s, a->name) || (is(s, before, "return") && is(s, q, ";")) ? READS : MAY_ASSIGN;
}

/* ---- all uses ---- */

static bool is_use(const struct source *s, const struct variable *v, size_t i)
{
    const size_t before = skip_back(s, i);
    return s->tokens[i].kind == TOKEN_WORD && same_text(s, v->name, i) && !is(s, before, ".") &&
           !(is(s, before, ">") && is(s, before - 1, "-")) &&
           !(is(s, before, ":") && is(s, before - 1, ":"));
}

/* The `[` of a lambda does not come after an operand. */
static bool is_lambda(const struct source *s, size_t i)
{
    const size_t before = skip_back(s, i);
    return is(s, i, "[") && s->tokens[before].kind != TOKEN_WORD && !is_any(s, before, "] )");
}

/* The statement that an `if`, `else`, `switch` or loop decides about. Returns its end. */
static size_t decided(const struct source *s, size_t i, size_t *start)
{
    i = skip_blank(s, i + 1);
    i = is(s, i, "constexpr") ? skip_blank(s, i + 1) : i;
    *start = i = is(s, i, "(") ? skip_brackets(s, i) : i;
    while (i < s->count && !is_any(s, i, "; {"))
        i = is_any(s, i, "( [") ? skip_brackets(s, i) : i + 1;
    return is(s, i, "{") ? skip_braces(s, i) : i;
}

static size_t statement_start(const struct source *s, size_t i)
{
    while (i > 0 && !is_any(s, i - 1, "; { }"))
        i--;
    return i;
}

static bool assigned_later(const struct source *s, const struct variable *v, size_t i)
{
    for (i++; i < v->end; i++) {
        const struct access a = access_at(s, i);
        if (is_use(s, v, i) && use_of(s, v, &a) != READS)
            return true;
    }
    return false;
}

/* Has this member been assigned to? */
static bool is_among(const struct source *s, const size_t *members, size_t count, size_t member)
{
    while (count > 0 && !same_text(s, members[count - 1], member))
        count--;
    return count > 0;
}

/* The first use, if it reads the variable or a member when nothing is in it; 0 if not. If there are
 * unions, one member may be another one too. */
static size_t early_read(const struct source *s, const struct variable *v, bool unions)
{
    enum { MOST = 16 };
    size_t members[MOST], count = 0, from = 0, until = 0; /* what an `if` decides about */
    for (size_t i = v->from; i < v->end; i++) {
        if (is_lambda(s, i))
            return 0;
        if (i >= until &&
            is_any(s, i, v->dimensions ? "if else switch for while" : "if else switch"))
            until = decided(s, i, &from);
        if (!is_use(s, v, i))
            continue;
        const struct access a = access_at(s, i);
        const enum use use = use_of(s, v, &a);
        if (use == MAY_ASSIGN || (use == ASSIGNS && (!a.member || unions || count == MOST)) ||
            (count > 0 && !a.member))
            return 0;
        if (use == ASSIGNS)
            members[count++] = a.member;
        else if (!is_among(s, members, count, a.member))
            return (i < from || i >= until) && !may_skip(s, statement_start(s, i), i) ? i
                   : assigned_later(s, v, i)                                          ? 0
                                                                                      : i;
    }
    return 0;
}

/* ---- declarations ---- */

static size_t scope_end(const struct source *s, size_t i, size_t end)
{
    for (int depth = 0; i < end && depth >= 0; i++) {
        depth += is(s, i, "{");
        depth -= is(s, i, "}");
    }
    return i;
}

static unsigned long line_inside(struct scope scope, const struct source *s, size_t i)
{
    for (size_t k = scope.marker; k < i; k++)
        if (s->tokens[k].kind == TOKEN_DIRECTIVE && !is_pragma(s, k))
            scope.marker = k;
    return line_of(&scope, s, i);
}

void mark_start(const struct scope *scope, const struct source *s, size_t declarator,
                size_t semicolon, size_t end)
{
    struct variable v = {.name = skip_back(s, declarator)};
    const size_t after = v.from = skip_indices(s, declarator, &v.dimensions);
    v.end = scope_end(s, semicolon, end - 1);
    const size_t before = skip_back(s, v.name);
    const bool type = s->tokens[before].kind == TOKEN_WORD || is_any(s, before, "> ,");
    if (!is_any(s, after, ", ;") || s->tokens[v.name].kind != TOKEN_WORD || !type)
        return;
    const size_t read = early_read(s, &v, scope->unions);
    char *text = NULL;
    if (!read)
        return;
    append_text(&text, " simt::no_start<decltype(%.*s)>(\"%.*s\", %lu);%s", NAME(s, v.name),
                NAME(s, v.name), line_inside(*scope, s, read),
                s->tokens[semicolon + 1].before ? s->tokens[semicolon + 1].before : "");
    s->tokens[semicolon + 1].before = text;
}
