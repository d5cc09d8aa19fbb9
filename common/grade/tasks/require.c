/* SPDX-License-Identifier: MIT */
#include "require.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    const struct facts *facts;
    bool wrong;
};

static double sum(struct parser *p);

static void blank(struct parser *p)
{
    p->at += strspn(p->at, " \t");
}

static bool take(struct parser *p, const char *text)
{
    blank(p);
    if (strncmp(p->at, text, strlen(text)) != 0)
        return false;
    p->at += strlen(text);
    return true;
}

static bool is_name(const char *name, size_t n, const char *other)
{
    return strlen(other) == n && memcmp(name, other, n) == 0;
}

/* The value of a counter, a size or a number of bytes. */
static double value_of(struct parser *p, const char *name, size_t n)
{
    const struct facts *f = p->facts;
    for (int i = 0; i < JOB_NAMES; i++)
        if (is_name(name, n, job_counters[i]))
            return (double)f->reply->count[i];
    for (size_t k = 0; f->task->size_names[k]; k++)
        if (is_name(name, n, f->task->size_names[k]))
            return (double)f->size[k];
    if (is_name(name, n, "in_bytes"))
        return f->in_bytes;
    if (is_name(name, n, "out_bytes"))
        return f->out_bytes;
    if (is_name(name, n, "work_bytes"))
        return (double)f->reply->work_bytes;
    p->wrong = true;
    return 0;
}

static double factor(struct parser *p)
{
    blank(p);
    if (take(p, "(")) {
        const double inside = sum(p);
        p->wrong |= !take(p, ")");
        return inside;
    }
    if (isdigit((unsigned char)*p->at)) {
        char *end;
        const double number = strtod(p->at, &end);
        p->at = end;
        return number;
    }
    const char *name = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    return value_of(p, name, (size_t)(p->at - name));
}

static double product(struct parser *p)
{
    double left = factor(p);
    for (;;) {
        if (take(p, "*"))
            left *= factor(p);
        else if (take(p, "/"))
            left /= factor(p);
        else
            return left;
    }
}

static double sum(struct parser *p)
{
    double left = product(p);
    for (;;) {
        if (take(p, "+"))
            left += product(p);
        else if (take(p, "-"))
            left -= product(p);
        else
            return left;
    }
}

/* What one condition says, and whether it holds. */
struct condition {
    double left, right;
    const char *text;
    size_t length;
    bool faults, holds;
};

static bool compare_sides(struct parser *p, struct condition *c)
{
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<", ">"};
    c->left = sum(p);
    int op = 0;
    while (op < 6 && !take(p, operators[op]))
        op++;
    p->wrong |= op == 6;
    c->right = sum(p);
    const double l = c->left, r = c->right;
    const bool holds[] = {l <= r, l >= r, l == r, l != r, l<r, l> r, false};
    return holds[op];
}

/* Reads the next condition. False at the end, or where p->wrong is set. */
static bool next_condition(struct parser *p, struct condition *c)
{
    while (take(p, ";"))
        ;
    blank(p);
    if (*p->at == '\0' || p->wrong)
        return false;
    *c = (struct condition){.text = p->at};
    c->faults = take(p, "no faults");
    c->holds = c->faults ? !p->facts->faults : compare_sides(p, c);
    c->length = (size_t)(p->at - c->text);
    blank(p);
    p->wrong |= *p->at != '\0' && *p->at != ';';
    return !p->wrong;
}

bool require_valid(const char *conditions, const struct task *task, char *why, size_t bytes)
{
    const size_t size[TASK_SIZES] = {1, 1, 1};
    const struct reply reply = {0};
    const struct facts facts = {.task = task, .size = size, .reply = &reply};
    struct parser p = {.at = conditions, .facts = &facts};
    struct condition c;
    while (next_condition(&p, &c))
        ;
    if (p.wrong)
        snprintf(why, bytes,
                 "requires: cannot read '%.60s'; accepted are conditions such as "
                 "`global_ld_sectors <= 1.05 * in_bytes / 32` with `;` between, and `no faults`",
                 p.at);
    return !p.wrong;
}

bool require_met(const char *conditions, const struct facts *facts, char *expected, char *seen,
                 size_t bytes)
{
    struct parser p = {.at = conditions, .facts = facts};
    struct condition c;
    while (next_condition(&p, &c)) {
        if (c.holds)
            continue;
        snprintf(expected, bytes, "%.*s", (int)c.length, c.text);
        if (c.faults)
            snprintf(seen, bytes, "a race or a fault");
        else
            snprintf(seen, bytes, "%.10g on the left, %.10g on the right", c.left, c.right);
        return false;
    }
    return true;
}
