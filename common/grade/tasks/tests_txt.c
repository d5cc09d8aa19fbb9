/* SPDX-License-Identifier: MIT */
#include "tests_txt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

size_t range_draw(const struct range *r, rng_t *rng)
{
    return r->low + rng_below(rng, r->high - r->low + 1);
}

/* A number, or low..high. Returns what follows, NULL if it is neither. */
static const char *read_range(const char *p, struct range *r)
{
    char *end;
    if (!isdigit((unsigned char)*p))
        return NULL;
    r->low = r->high = strtoull(p, &end, 10);
    if (strncmp(end, "..", 2) != 0)
        return end;
    if (!isdigit((unsigned char)end[2]))
        return NULL;
    r->high = strtoull(end + 2, &end, 10);
    return r->high >= r->low ? end : NULL;
}

/* 1..255x0..100@3 */
static bool read_shape(const char *p, const struct task *task, struct shape *shape)
{
    *shape = (struct shape){0};
    for (size_t k = 0; task->size_names[k]; k++) {
        if (k > 0 && *p++ != 'x')
            return false;
        p = read_range(p, &shape->size[k]);
        if (!p)
            return false;
    }
    if (*p == '@')
        p = read_range(p + 1, &shape->offset);
    return p && *p == '\0';
}

/* The next part of *text up to `end`, without blanks around it. NULL when there is none left. */
static char *next_part(char **text, char end)
{
    char *part = *text;
    if (!part)
        return NULL;
    char *stop = strchr(part, end);
    *text = stop ? stop + 1 : NULL;
    if (stop)
        *stop = '\0';
    part += strspn(part, " \t");
    for (size_t n = strlen(part); n > 0 && isspace((unsigned char)part[n - 1]); n--)
        part[n - 1] = '\0';
    return part;
}

static bool is_data_set(const struct task *task, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = task->data_sets; n > 0 && (p = strstr(p, name)) != NULL; p += n)
        if ((p == task->data_sets || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return true;
    return false;
}

/* Takes a line apart. Returns what is wrong with it, or NULL. */
static const char *read_test(char *line, const struct task *task, struct test *t)
{
    static char why[2 * TEXT_BYTES];
    char *column[6], *end, *shape;
    for (int i = 0; i < 6; i++) {
        column[i] = next_part(&line, '|');
        if (!column[i])
            return "a line has 6 columns: name | points | sizes | data | requires | hint";
    }
    *t = (struct test){0};
    snprintf(t->name, sizeof t->name, "%s", column[0]);
    snprintf(t->data, sizeof t->data, "%s", column[3]);
    snprintf(t->requires, sizeof t->requires, "%s", column[4]);
    t->points = strtod(column[1], &end);
    if (end == column[1] || *end != '\0' || t->points <= 0)
        return "points: a number above 0 is accepted";
    while ((shape = next_part(&column[2], ',')) != NULL)
        if (t->shapes == MOST_SHAPES || !read_shape(shape, task, &t->shape[t->shapes++]))
            return "sizes: up to 8 shapes such as 1000x3 or 1..255x3@0..3 are accepted, with a "
                   "value for each size of the task";
    if (!is_data_set(task, t->data)) {
        snprintf(why, sizeof why, "data: '%.80s' is not a data set; accepted are %.200s", t->data,
                 task->data_sets);
        return why;
    }
    t->hints.conditions = t->requires[0] != '\0';
    for (char *hint = column[5]; hint; hint = next_part(&line, '|')) {
        if (t->hints.count == MOST_HINTS)
            return "a test has at most 4 hints";
        if (!hint_read(hint, &t->hints.hint[t->hints.count++], why, sizeof why))
            return why;
    }
    return require_valid(t->requires, task, why, sizeof why) ? NULL : why;
}

static bool is_blank_or_comment(const char *line)
{
    line += strspn(line, " \t\r\n");
    return *line == '#' || *line == '\0';
}

bool tests_read(const char *path, const struct task *task, struct tests *tests, char *why,
                size_t bytes)
{
    char line[2048];
    *tests = (struct tests){0};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(why, bytes, "%s: cannot be read", path);
        return false;
    }
    const char *wrong = NULL;
    unsigned number = 0;
    while (!wrong && fgets(line, sizeof line, file)) {
        number++;
        if (is_blank_or_comment(line))
            continue;
        if (tests->count == MOST_TESTS)
            wrong = "there are more than 32 tests";
        else
            wrong = read_test(line, task, &tests->test[tests->count]);
        if (!wrong)
            tests->points += tests->test[tests->count++].points;
    }
    fclose(file);
    if (!wrong && tests->count == 0)
        wrong = "there is no test";
    if (wrong)
        snprintf(why, bytes, "%s:%u: %s", path, number, wrong);
    return !wrong;
}
