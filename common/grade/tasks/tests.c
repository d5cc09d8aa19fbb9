/* SPDX-License-Identifier: MIT */
#include "tests.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "abcdefghijklmnopqrstuvwxyz_"

/* ---- words and numbers ---- */

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

static size_t whole(struct parser *p)
{
    char *end;
    blank(p);
    p->wrong |= !isdigit((unsigned char)*p->at);
    const size_t number = strtoull(p->at, &end, 10);
    p->at = end;
    return number;
}

/* ---- sizes ---- */

/* A number, or low..high. */
static struct range read_range(struct parser *p)
{
    struct range r = {.low = whole(p)};
    r.high = take(p, "..") ? whole(p) : r.low;
    p->wrong |= r.high < r.low;
    return r;
}

size_t range_draw(const struct range *r, rng_t *rng)
{
    return r->low + rng_below(rng, r->high - r->low + 1);
}

/* 1..255x0..100@3, 7x8 */
static bool read_shapes(const char *text, const struct task *task, struct test *t)
{
    struct parser p = {.at = text};
    do {
        struct shape *s = &t->shape[t->shapes++];
        for (size_t k = 0; task->size_names[k]; k++) {
            p.wrong |= k > 0 && !take(&p, "x");
            s->size[k] = read_range(&p);
        }
        if (take(&p, "@"))
            s->offset = read_range(&p);
    } while (take(&p, ",") && t->shapes < MOST_SHAPES);
    return !p.wrong && *p.at == '\0';
}

/* ---- conditions ---- */

static void add_fact(struct facts *f, const char *name, double value)
{
    f->name[f->count] = name;
    f->value[f->count++] = value;
}

struct facts facts_of(const struct task *task, const size_t *size, const struct reply *reply,
                      bool faults)
{
    struct facts f = {.count = 0};
    for (int i = 0; i < JOB_NAMES; i++)
        add_fact(&f, job_counters[i], (double)reply->count[i]);
    for (size_t k = 0; task->size_names[k]; k++)
        add_fact(&f, task->size_names[k], (double)size[k]);
    add_fact(&f, "in_bytes", (double)arrays_bytes(task->in, size));
    add_fact(&f, "out_bytes", (double)arrays_bytes(task->out, size));
    add_fact(&f, "work_bytes", (double)reply->work_bytes);
    add_fact(&f, "faults", faults);
    return f;
}

double fact(const struct facts *facts, const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(name, facts->name[i]) == 0)
            return facts->value[i];
    return NAN;
}

static double expression(struct parser *p);

/* A number, a name, or an expression in brackets. */
static double operand(struct parser *p)
{
    char name[64], *end = NULL;
    double value;
    if (take(p, "(")) {
        value = expression(p);
        p->wrong |= !take(p, ")");
    } else if (isdigit((unsigned char)*p->at)) {
        value = strtod(p->at, &end);
        p->at = end;
    } else {
        const int n = (int)strspn(p->at, NAME "0123456789");
        snprintf(name, sizeof name, "%.*s", n, p->at);
        value = fact(p->facts, name);
        p->wrong |= isnan(value);
        p->at += n;
    }
    return value;
}

static double product(struct parser *p)
{
    double left = operand(p);
    for (;;)
        if (take(p, "*"))
            left *= operand(p);
        else if (take(p, "/"))
            left /= operand(p);
        else
            return left;
}

static double expression(struct parser *p)
{
    double left = product(p);
    for (;;)
        if (take(p, "+"))
            left += product(p);
        else if (take(p, "-"))
            left -= product(p);
        else
            return left;
}

static bool compare_sides(struct parser *p, struct condition *c)
{
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<", ">"};
    int op = 0;
    c->left = expression(p);
    while (op < 6 && !take(p, operators[op]))
        op++;
    p->wrong |= op == 6;
    c->right = expression(p);
    const double l = c->left, r = c->right;
    const bool holds[] = {l <= r, l >= r, l == r, l != r, l<r, l> r, false};
    return holds[op];
}

bool condition_next(struct parser *p, struct condition *c)
{
    while (take(p, ";"))
        ;
    if (*p->at == '\0' || p->wrong)
        return false;
    *c = (struct condition){.text = p->at};
    c->holds = take(p, "no ") ? operand(p) == 0 : compare_sides(p, c);
    c->length = (int)(p->at - c->text);
    blank(p);
    p->wrong |= *p->at != '\0' && *p->at != ';';
    return !p->wrong;
}

/* ---- hints ---- */

/* The test's own hint for `when`, or the one without a WHEN where `when` is empty. */
static const struct hint *own(const struct test *test, const char *when)
{
    for (const struct hint *h = test->hint; h < test->hint + test->hints; h++)
        if (!h->when[0] == !when[0] && strncmp(when, h->when, strlen(h->when)) == 0)
            return h;
    return NULL;
}

const char *hint_choose(const struct test *test, enum cause cause, const char *fault,
                        const char *condition)
{
    static const char *const names[] = {
        [CAUSE_FINDING] = "finding",    [CAUSE_ENDLESS] = "timeout", [CAUSE_ERROR] = "error",
        [CAUSE_SCRATCH] = "scratch",    [CAUSE_RESULT] = "result",   [CAUSE_NOT_DONE] = "not_done",
        [CAUSE_CONDITION] = "condition"};
    const bool finding = cause == CAUSE_FINDING;
    const struct hint *kind = hint_kinds, *const last = kind + hint_kind_count - 1;
    while (kind < last &&
           (finding ? !strstr(fault, kind->part) : strcmp(kind->when, names[cause]) != 0))
        kind++;
    const struct hint *hint = own(test, cause == CAUSE_CONDITION ? condition : kind->when);
    if (!hint && (cause == CAUSE_CONDITION || (cause == CAUSE_RESULT && !test->requires[0])))
        hint = own(test, "");
    return (hint ? hint : kind)->text;
}

/* ---- lines ---- */

/* What is wrong with a line. */
static const char *refuse(const char *format, ...)
{
    static char why[2 * TEXT_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    return why;
}

/* Is the word one of those in the list, which has blanks between them? */
static bool is_one_of(const char *word, const char *list)
{
    const size_t n = strlen(word);
    for (const char *at = list; n > 0 && (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* `WHEN: text`. Returns what is wrong with it, or NULL. */
static const char *read_hint(const char *text, struct hint *hint)
{
    const size_t n = strspn(text, NAME);
    const bool named = n > 0 && n < sizeof hint->when && strncmp(text + n, ": ", 2) == 0;
    snprintf(hint->when, sizeof hint->when, "%.*s", named ? (int)n : 0, text);
    snprintf(hint->text, sizeof hint->text, "%s", named ? text + n + 2 : text);
    bool known = !named || is_one_of(hint->when, hint_words);
    for (int i = 0; i < JOB_NAMES; i++)
        known |= strcmp(hint->when, job_counters[i]) == 0;
    return known ? NULL
                 : refuse("hint: '%s' is no counter and no finding; accepted are counters and%s",
                          hint->when, hint_words);
}

/* Takes a line apart at each |, without the blanks around. Returns how many columns there are. */
static int split(char *line, char **column, int most)
{
    int count = 0;
    while (line && count < most) {
        char *end = strchr(line, '|'), *part = line + strspn(line, " \t");
        line = end ? end + 1 : NULL;
        end = end ? end : part + strlen(part);
        while (end > part && isspace((unsigned char)end[-1]))
            end--;
        *end = '\0';
        column[count++] = part;
    }
    return count;
}

/* What cannot be read of the conditions, or NULL. */
static const char *unreadable(const char *conditions, const struct task *task)
{
    const struct facts facts = facts_of(task, (size_t[TASK_SIZES]){1, 1, 1}, &(struct reply){0}, 0);
    struct parser p = {.at = conditions, .facts = &facts};
    struct condition c;
    while (condition_next(&p, &c))
        ;
    return p.wrong ? p.at : NULL;
}

/* Takes a line apart. Returns what is wrong with it, or NULL. */
static const char *read_test(char *line, const struct task *task, struct tests *tests)
{
    struct test *t = &tests->test[tests->count];
    char *column[6 + MOST_HINTS], *end;
    const char *wrong = NULL;
    const int columns = split(line, column, 6 + MOST_HINTS);
    if (columns < 6)
        return "a line has 6 columns: name | points | sizes | data | requires | hint";
    if (tests->count == MOST_TESTS)
        return "there are more than 32 tests";
    snprintf(t->name, sizeof t->name, "%s", column[0]);
    snprintf(t->data, sizeof t->data, "%s", column[3]);
    snprintf(t->requires, sizeof t->requires, "%s", column[4]);
    t->points = strtod(column[1], &end);
    if (end == column[1] || *end != '\0' || t->points <= 0)
        return "points: a number above 0 is accepted";
    if (!read_shapes(column[2], task, t))
        return "sizes: up to 8 shapes such as 1000x3 or 1..255x3@0..3 are accepted, with a value "
               "for each size of the task";
    if (!is_one_of(t->data, task->data_sets))
        return refuse("data: '%.80s' is not a data set; accepted are %.200s", t->data,
                      task->data_sets);
    if (unreadable(t->requires, task))
        return refuse(
            "requires: cannot read '%.60s'; accepted are conditions such as "
            "`global_ld_sectors <= 1.05 * in_bytes / 32` with `;` between, and `no faults`",
            unreadable(t->requires, task));
    if (columns - 5 > MOST_HINTS)
        return "a test has at most 4 hints";
    for (int i = 5; i < columns && !wrong; i++)
        wrong = read_hint(column[i], &t->hint[t->hints++]);
    tests->points += t->points;
    tests->count++;
    return wrong;
}

bool tests_read(const char *path, const struct task *task, struct tests *tests, char *why,
                size_t bytes)
{
    char line[2048];
    const char *wrong = NULL;
    unsigned number = 0;
    *tests = (struct tests){.count = 0};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(why, bytes, "%s: cannot be read", path);
        return false;
    }
    for (; !wrong && fgets(line, sizeof line, file); number++)
        if (!strchr("#\n", line[strspn(line, " \t\r")]))
            wrong = read_test(line, task, tests);
    fclose(file);
    if (!wrong && tests->count == 0)
        wrong = "there is no test";
    if (wrong)
        snprintf(why, bytes, "%s:%u: %s", path, number, wrong);
    return !wrong;
}
