/* SPDX-License-Identifier: MIT */
/*
 * test_formats.c - the result files of the platforms are JSON, and have the fields that the
 * platforms' documents ask for, with the types and the values that they accept.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "grade/report/report.h"
#include "tests/unit/test.h"

/* ---- a reader of JSON: goes over one value; `found` gets the value at the path asked for ---- */

struct json {
    const char *at, *path; /* tests.1.name: of the second test */
    const char *found;
    bool wrong;
};

static void value(struct json *j, const char *path);

static void blank(struct json *j)
{
    j->at += strspn(j->at, " \n");
}

static bool take(struct json *j, char c)
{
    blank(j);
    const bool there = *j->at == c;
    j->at += there;
    return there;
}

/* A string; the name of a field is copied without escapes, which our names do not have. */
static void string(struct json *j, char *name, size_t bytes)
{
    const char *start = j->at + 1;
    if (!take(j, '"')) {
        j->wrong = true;
        return;
    }
    for (; *j->at && *j->at != '"'; j->at++) {
        j->wrong |= (unsigned char)*j->at < 0x20 || (unsigned char)*j->at > 0x7e;
        if (*j->at == '\\')
            j->wrong |= !strchr("\"\\/bfnrtu", *++j->at);
    }
    if (name)
        snprintf(name, bytes, "%.*s", (int)(j->at - start), start);
    j->wrong |= !take(j, '"');
}

/* An object or an array. */
static void members(struct json *j, const char *path, char end)
{
    char name[64], inner[256];
    int index = 0;
    j->at++;
    if (take(j, end))
        return;
    do {
        snprintf(name, sizeof name, "%d", index++);
        blank(j);
        if (end == '}') {
            string(j, name, sizeof name);
            j->wrong |= !take(j, ':');
        }
        snprintf(inner, sizeof inner, "%.150s%s%s", path, *path ? "." : "", name);
        value(j, inner);
    } while (!j->wrong && take(j, ','));
    j->wrong |= !take(j, end);
}

static void value(struct json *j, const char *path)
{
    blank(j);
    if (strcmp(path, j->path) == 0)
        j->found = j->at;
    const size_t word = strspn(j->at, "truefalsn");
    if (*j->at == '{' || *j->at == '[') {
        members(j, path, *j->at == '{' ? '}' : ']');
    } else if (*j->at == '"') {
        string(j, NULL, 0);
    } else if (word > 0) {
        j->wrong |= strncmp(j->at, "true", 4) && strncmp(j->at, "false", 5);
        j->at += word;
    } else {
        char *end;
        strtod(j->at, &end);
        j->wrong |= end == j->at || isalpha((unsigned char)*j->at);
        j->at = end;
    }
}

/* The value at the path, NULL if there is none or if the text is no JSON. */
static const char *at(const char *text, const char *path)
{
    struct json j = {.at = text, .path = path};
    value(&j, "");
    blank(&j);
    return j.wrong || *j.at ? NULL : j.found;
}

static bool is_text(const char *text, const char *path, const char *expected)
{
    const char *v = at(text, path);
    return v && *v == '"' &&
           (!expected ||
            (strncmp(v + 1, expected, strlen(expected)) == 0 && v[1 + strlen(expected)] == '"'));
}

static bool is_number(const char *text, const char *path, double expected)
{
    const char *v = at(text, path);
    return v && (isdigit((unsigned char)*v) || *v == '-') &&
           fabs(strtod(v, NULL) - expected) < 1e-6;
}

/* ---- marks to show: one test passed, one failed with a text that needs escapes ---- */

static struct mark mark_of(bool refused)
{
    static const struct test tests[] = {
        {.name = "first", .points = 60, .requires = "launches >= 1"},
        {.name = "the \"second\"", .points = 40}};
    struct mark m = {.task = task_find("01"), .file = "my.cu", .seed = 7, .points = 60};
    m.tests.count = 2;
    m.tests.points = 100;
    memcpy(m.tests.test, tests, sizeof tests);
    m.verdict[0] = (struct verdict){.result = RESULT_PASSED, .points = 60};
    m.verdict[1] = (struct verdict){.result = RESULT_FAILED,
                                    .shape = "n = 3",
                                    .expected = "1",
                                    .seen = "\"2\\\n\x01\xff",
                                    .place = "my.cu:33",
                                    .code = "33: a = b;\n35: b = a;",
                                    .sizes = "3x7",
                                    .hint = "a,b"};
    if (refused) {
        m.points = 0;
        snprintf(m.refused, sizeof m.refused, "my.cu:1: error: it is wrong");
        memset(m.verdict, 0, sizeof m.verdict);
    }
    return m;
}

static char *shown(const char *format, bool refused, size_t count)
{
    static struct mark m[2];
    static char text[1 << 16];
    const struct mark *const marks[] = {&m[0], &m[1]};
    m[0] = m[1] = mark_of(refused);
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    report_find(format)(out, marks, count);
    fclose(out);
    return text;
}

static void gradescope(void)
{
    const char *t = shown("gradescope", false, 1);
    CHECK(is_number(t, "score", 60));
    CHECK(at(t, "execution_time") && is_text(t, "visibility", "visible"));
    CHECK(is_text(t, "stdout_visibility", "hidden"));
    CHECK(is_text(t, "output", "exercise 01: SEED=7"));
    CHECK(is_text(t, "tests.0.name", "first") && is_text(t, "tests.0.status", "passed"));
    CHECK(is_number(t, "tests.0.score", 60) && is_number(t, "tests.0.max_score", 60));
    CHECK(is_number(t, "tests.1.score", 0) && is_number(t, "tests.1.max_score", 40));
    CHECK(is_text(t, "tests.1.status", "failed") && is_text(t, "tests.1.output", NULL));
    CHECK(is_text(t, "tests.1.output",
                  "with n = 3\\nexpected: 1\\nseen: \\\"2\\\\\\n\\u0001\\u00ff\\nline: "
                  "my.cu:33\\n33: a = b;\\n35: b = a;\\nhint: a,b"));
    CHECK(is_text(t, "tests.1.visibility", "visible") && !at(t, "tests.2"));
    t = shown("gradescope", true, 1);
    CHECK(is_number(t, "score", 0) && is_number(t, "tests.0.score", 0));
    CHECK(is_text(t, "tests.0.output", "refused: my.cu:1: error: it is wrong"));
}

static void classroom(void)
{
    const char *t = shown("classroom", false, 1);
    CHECK(is_number(t, "version", 1) && is_number(t, "max_score", 100));
    CHECK(is_text(t, "status", "fail"));
    CHECK(is_text(t, "tests.0.name", "first") && is_text(t, "tests.0.status", "pass"));
    CHECK(is_number(t, "tests.0.score", 60) && is_text(t, "tests.0.test_code", "launches >= 1"));
    CHECK(is_text(t, "tests.1.status", "fail") && is_number(t, "tests.1.score", 0));
    CHECK(is_number(t, "tests.1.line_no", 33) && is_text(t, "tests.1.filename", "my.cu"));
    CHECK(is_text(t, "tests.1.message", NULL));
    t = shown("classroom", true, 1);
    CHECK(is_text(t, "status", "error") && is_text(t, "tests.0.status", "error"));
}

static void prairielearn(void)
{
    const char *t = shown("prairielearn", false, 1);
    CHECK(is_number(t, "score", 0.6) && at(t, "gradable") && *at(t, "gradable") == 't');
    CHECK(is_text(t, "message", NULL));
    CHECK(is_text(t, "tests.0.name", "first") && is_number(t, "tests.0.points", 60));
    CHECK(is_number(t, "tests.1.max_points", 40) && is_number(t, "tests.1.points", 0));
    CHECK(is_text(t, "tests.1.message", "a,b") && is_text(t, "tests.1.output", NULL));
    t = shown("prairielearn", true, 1);
    CHECK(at(t, "gradable") && *at(t, "gradable") == 'f');
    CHECK(is_text(t, "format_errors", "my.cu:1: error: it is wrong"));
}

static void two_exercises_in_one_file(void)
{
    const char *t = shown("gradescope", false, 2);
    CHECK(is_number(t, "score", 120) && is_text(t, "tests.3.name", NULL) && !at(t, "tests.4"));
    CHECK(is_text(t, "tests.2.name", "01: first"));
    CHECK(is_number(shown("prairielearn", false, 2), "score", 0.6));
}

static void csv(void)
{
    const char *t = shown("csv", false, 1);
    CHECK(strstr(t, "file,exercise,test,result,points,of,seed,seen\n") == t);
    CHECK(strstr(t, "\nmy.cu,01,first,passed,60,60,7,\n"));
    CHECK(strstr(t, "\nmy.cu,01,\"the \"\"second\"\"\",failed,0,40,7,\"\"\"2"));
}

static void text_fits_80_columns(void)
{
    static struct mark m;
    static char text[1 << 14];
    const struct mark *const marks[] = {&m};
    m = mark_of(false);
    m.protections = 15;
    memset(m.verdict[1].seen, 0, sizeof m.verdict[1].seen);
    for (int i = 0; i < 60; i++)
        snprintf(m.verdict[1].seen + 8 * i, 16, "word%03d ", i);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    report_text(out, marks, 1);
    fclose(out);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        CHECK(strcspn(line, "\n") <= 80);
    CHECK(strstr(text, "word059") && strstr(text, "60 of 100 points") && strstr(text, "SEED=7"));
    CHECK(strstr(text, "line       33: a = b;\n                    35: b = a;\n"));
    CHECK(strstr(text, "hint       a,b\n"));
    CHECK(strstr(text, "\n  make show TASK=01 SUBMISSION='my.cu' N=3x7\n"));
}

int main(void)
{
    RUN(gradescope);
    RUN(classroom);
    RUN(prairielearn);
    RUN(two_exercises_in_one_file);
    RUN(csv);
    RUN(text_fits_80_columns);
    return test_wrong > 0;
}
