/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "tests.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

/* ---- what a condition may name ---- */

static void add_fact(struct facts *f, const char *name, double value)
{
    f->name[f->count] = name;
    f->value[f->count++] = value;
}

struct facts facts_of(const struct task *task, const size_t *size, const struct reply *reply,
                      bool faults, size_t changed, double points)
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
    add_fact(&f, "points", points);
    if (task->file) {
        add_fact(&f, "changed_lines", (double)changed);
        add_fact(&f, "repair", (double)task->repair);
    }
    return f;
}

double fact(const struct facts *f, const char *name)
{
    size_t i = 0;
    while (i < f->count && strcmp(name, f->name[i]) != 0)
        i++;
    return i < f->count ? f->value[i] : NAN;
}

/* ---- expressions and conditions: each goes over what it has read ---- */

static const char unreadable[] = "?"; /* what is left of a text that cannot be read */

static double expression(const char **p, const struct facts *f, bool product);

/* A number, a name, or an expression in brackets. */
static double operand(const char **p, const struct facts *f)
{
    char *end;
    double value;
    *p += strspn(*p, " ");
    const size_t n = strspn(*p, "abcdefghijklmnopqrstuvwxyz_");
    if (**p == '(') {
        ++*p;
        value = expression(p, f, false);
        *p = **p == ')' ? *p + 1 : unreadable;
    } else if (isdigit((unsigned char)**p)) {
        value = strtod(*p, &end);
        *p = end;
    } else {
        value = fact(f, text("%.*s", (int)n, *p));
        *p = isnan(value) ? unreadable : *p + n;
    }
    *p += strspn(*p, " ");
    return value;
}

static double expression(const char **p, const struct facts *f, bool product)
{
    double value = product ? operand(p, f) : expression(p, f, true);
    while (**p && strchr(product ? "*/" : "+-", **p)) {
        const char sign = *(*p)++;
        const double next = product ? operand(p, f) : expression(p, f, true);
        value = sign == '*'   ? value * next
                : sign == '/' ? value / next
                : sign == '+' ? value + next
                              : value - next;
    }
    return value;
}

double score_of(const char *score, const struct facts *f)
{
    const double value = expression(&score, f, false);
    return *score ? NAN : value;
}

enum held condition_holds(const char *p, const struct facts *f, double *left, double *right)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    size_t k = 0;
    *right = 0;
    if (begins(p, "no ") && islower((unsigned char)p[3])) {
        p += 3;
        *left = operand(&p, f);
        return *p ? UNREADABLE : *left == 0 ? HOLDS : FAILS;
    }
    *left = expression(&p, f, false);
    while (k < 6 && !begins(p, signs[k]))
        k++;
    if (k == 6)
        return UNREADABLE;
    p += strlen(signs[k]);
    *right = expression(&p, f, false);
    const bool holds[] = {*left <= *right, *left >= *right, *left == *right, *left != *right,
                          *left<*right, *left> * right};
    return *p ? UNREADABLE : holds[k] ? HOLDS : FAILS;
}

/* ---- tables: columns with | between ---- */

enum { MOST_COLUMNS = 18, MOST_KINDS = 64 };

static struct {
    const char *path;
    char *rest; /* of its text */
    int line;
} table;

static struct hint kinds[MOST_KINDS]; /* hints.txt */
static size_t kind_count;
static struct tests *all; /* of tasks[i] */

static _Noreturn void wrong(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "grade: %s:%d: ", table.path, table.line);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(2);
}

static void table_open(const char *path)
{
    table.path = path;
    table.line = 0;
    if (!(table.rest = file_read(path)))
        wrong("the file cannot be read");
}

/* Cuts the next part of a text, without blanks around it. */
static char *part(char **text, const char *sign)
{
    char *start = strsep(text, sign);
    if (!start)
        return NULL;
    start += strspn(start, " \t");
    for (size_t n = strlen(start); n > 0 && isspace((unsigned char)start[n - 1]); n--)
        start[n - 1] = '\0';
    return start;
}

/* The columns of the next line that is no comment; returns their number, or 0. */
static size_t next_row(char *column[MOST_COLUMNS])
{
    size_t n = 0;
    for (char *line; n == 0 && (line = strsep(&table.rest, "\n")) != NULL; table.line++)
        if (!strchr("#\r", line[strspn(line, " \t")]))
            while (n < MOST_COLUMNS && (column[n] = part(&line, "|")) != NULL)
                n++;
    for (size_t i = n; i < MOST_COLUMNS; i++)
        column[i] = "";
    return n;
}

/* 1..255, or 7 */
static bool read_range(const char **p, struct range *r)
{
    char *end;
    if (!isdigit((unsigned char)**p))
        return false;
    r->low = r->high = strtoul(*p, &end, 10);
    if (begins(end, "..") && isdigit((unsigned char)end[2]))
        r->high = strtoul(end + 2, &end, 10);
    if (*end == '/' && isdigit((unsigned char)end[1]))
        r->step = strtoul(end + 1, &end, 10);
    *p = end;
    return r->low <= r->high;
}

static size_t arrays_count(const struct task *task)
{
    size_t in = 0, out = 0;
    while (task->in[in].count)
        in++;
    while (task->out[out].count)
        out++;
    return in + out;
}

/* 1..255x0..100@3, or @0+1, or @1#2, or special:1000x3 */
static bool read_shape(const char *p, const struct task *task, struct shape *s)
{
    const char *const colon = strchr(p, ':'), *found[PARTS];
    s->data = colon ? text("%.*s", (int)(colon - p), p) : s->data;
    if (!listed(task->data_sets, s->data))
        return false;
    p = colon ? colon + 1 : p;
    for (size_t k = 0; task->size_names[k]; k++)
        if ((k > 0 && *p++ != 'x') || !read_range(&p, &s->size[k]))
            return false;
    if (*p == '\0')
        return true;
    if (*p++ != '@' || !read_range(&p, &s->offset))
        return false;
    if (!match("^([+#]([0-9]+))?$", p, found))
        return false;
    *(*p == '#' ? &s->only : &s->apart) = strtoul(found[2], NULL, 10);
    return *p != '#' || (s->only >= 1 && s->only <= arrays_count(task));
}

static void read_shapes(struct test *t, char *sizes, const struct task *task)
{
    char *rest = text("%s", sizes), *names = "";
    for (size_t k = 0; task->size_names[k]; k++)
        names = text("%s %s", names, task->size_names[k]);
    for (char *calls, *one; (calls = part(&rest, ",")) != NULL;)
        for (int call = 0; (one = part(&calls, "&")) != NULL; call++, t->shapes++) {
            struct shape *s = &t->shape[t->shapes];
            s->data = t->data;
            if (t->shapes == MOST_SHAPES || call == 2 || !read_shape(one, task, s))
                wrong("sizes: '%s'; accepted are up to %d shapes such as 1000x3 or 1..255x3@0..3, "
                      "with a value for each of:%s; or two with & between, one call after the "
                      "other",
                      sizes, MOST_SHAPES, names);
            s->again = call == 1;
        }
}

static void read_conditions(struct test *t, const char *requires, struct facts *f)
{
    const struct list names = {f->name, f->count};
    char *rest = *requires ? text("%s", requires) : NULL;
    double left, right;
    for (char *one; (one = part(&rest, ";")) != NULL; t->condition[t->conditions++] = one)
        if (t->conditions == MOST_CONDITIONS ||
            condition_holds(one, f, &left, &right) == UNREADABLE)
            wrong("requires: cannot read '%s'; accepted are up to 16 conditions such as "
                  "`global_ld_sectors <= 1.05 * in_bytes / 32` with `;` between, and `no faults`, "
                  "of: %s",
                  one, list_text(&names, " "));
}

/* `WHEN: text`, or just a text. */
static void read_hints(struct test *t, const char *requires, char **column, size_t n)
{
    const char *found[PARTS];
    char *names = "";
    for (size_t i = 0; i < kind_count; i++)
        if (!listed(names, kinds[i].when))
            names = text("%s %s", names, kinds[i].when);
    if (n > MOST_HINTS)
        wrong("hint: a test has at most %d", MOST_HINTS);
    for (; t->hints < n; t->hints++) {
        const char *hint = column[t->hints];
        const bool own = match("^([a-z_]+): (.*)", hint, found);
        if (own && !listed(names, found[1]) && !strstr(requires, found[1]))
            wrong("hint: '%s'; accepted are the counters that this test requires, and%s", found[1],
                  names);
        t->hint[t->hints] = (struct hint){found[1], "", own ? found[2] : hint};
    }
}

static void read_test(struct tests *to, char **column, size_t columns, const struct task *task)
{
    char *end;
    struct facts f = facts_of(task, (size_t[TASK_SIZES]){1, 1, 1}, &(struct reply){0}, false, 0, 0);
    struct test t = {.name = column[0], .data = column[3], .points = strtod(column[1], &end)};
    const bool board = strcmp(t.name, "board") == 0 && t.points == 0;
    if (columns < 6)
        wrong("a line has 6 columns: name | points | sizes | data | requires | hint");
    if (!board && (*end || column[1][strspn(column[1], "0123456789.")] || t.points <= 0))
        wrong("points: '%s'; accepted is a number above 0", column[1]);
    if (!listed(task->data_sets, t.data))
        wrong("data: '%s'; accepted are %s", t.data, task->data_sets);
    if (board && isnan(score_of(column[4], &f)))
        wrong("board: cannot read '%s'; accepted is one expression, such as `global_ld_sectors + "
              "1000 * launches`",
              column[4]);
    read_shapes(&t, column[2], task);
    if (board) {
        to->board = t;
        to->score = column[4];
        return;
    }
    read_conditions(&t, column[4], &f);
    read_hints(&t, column[4], column + 5, columns - 5);
    if (to->count == MOST_TESTS)
        wrong("there are more than %d tests", MOST_TESTS);
    to->test[to->count++] = t;
    to->points += t.points;
}

void tests_read(struct tests *to, const struct task *task, const char *path)
{
    char *column[MOST_COLUMNS];
    *to = (struct tests){.count = 0};
    table_open(path);
    for (size_t n; (n = next_row(column)) > 0;)
        read_test(to, column, n, task);
    if (to->count == 0)
        wrong("there is no test");
}

void tests_read_all(const char *root)
{
    char *column[MOST_COLUMNS];
    table_open(text("%s/common/grade/tasks/hints.txt", root));
    for (size_t n; (n = next_row(column)) > 0 && kind_count < MOST_KINDS;) {
        if (n != 3)
            wrong("a line has 3 columns: kind | part of the message | hint");
        kinds[kind_count++] = (struct hint){column[0], column[1], column[2]};
    }
    all = memory(task_count * sizeof *all);
    for (size_t i = 0; i < task_count; i++)
        tests_read(&all[i], tasks[i], text("%s/%s/tests.txt", root, tasks[i]->folder));
}

const char *task_names(void)
{
    const char *names = "";
    for (size_t i = 0; i < task_count; i++)
        names = text("%s%s%s", names, i > 0 ? " " : "", tasks[i]->name);
    return names;
}

const struct tests *tests_of(const struct task *task)
{
    size_t i = 0;
    while (tasks[i] != task)
        i++;
    return &all[i];
}

size_t range_draw(const struct range *r, rng_t *rng)
{
    const size_t step = r->step > 0 ? r->step : 1;
    return r->low + step * rng_below(rng, (r->high - r->low) / step + 1);
}

/* ---- hints ---- */

/* The test's own hint for `when`, or the one without a WHEN if `when` is empty. */
static const struct hint *own(const struct test *test, const char *when)
{
    for (const struct hint *h = test->hint; h < test->hint + test->hints; h++)
        if (!h->when[0] == !when[0] && begins(when, h->when))
            return h;
    return NULL;
}

const char *hint_choose(const struct test *test, enum cause cause, const char *fault,
                        const char *condition)
{
    static const char *const names[] = {
        [CAUSE_FINDING] = "finding",     [CAUSE_ENDLESS] = "timeout",
        [CAUSE_ERROR] = "error",         [CAUSE_SCRATCH] = "scratch",
        [CAUSE_UNTOUCHED] = "untouched", [CAUSE_RESULT] = "result",
        [CAUSE_AGAIN] = "again",         [CAUSE_NOT_DONE] = "not_done",
        [CAUSE_CONDITION] = "condition"};
    const bool finding = cause == CAUSE_FINDING;
    const struct hint *kind = kinds, *const last = kind + kind_count - 1;
    while (kind < last &&
           (finding ? !strstr(fault, kind->part) : strcmp(kind->when, names[cause]) != 0))
        kind++;
    const struct hint *hint = own(test, cause == CAUSE_CONDITION ? condition : kind->when);
    if (!hint && (cause == CAUSE_CONDITION || (cause == CAUSE_RESULT && test->conditions == 0)))
        hint = own(test, "");
    return (hint ? hint : kind)->text;
}
