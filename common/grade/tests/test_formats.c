/* SPDX-License-Identifier: MIT */
/*
 * test_formats.c - the result files of the platforms are JSON in UTF-8, and have the fields, types
 * and values that *.schema takes from the platforms' documents, and those that we want.
 *
 *   test_formats SCHEMA FILE   does this file fit the schema? COURSE/common/grade/tests has both
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "grade/platforms/platforms.h"
#include "simt/driver/inside.h"
#include "tests/unit/test.h"

/* ---- a reader of JSON: goes over one value; `found` gets the value at the path asked for ---- */

struct json {
    const char *at, *path; /* tests.1.name: of the second test */
    const char *found;
    const char *schema; /* its lines, or NULL */
    char wrong[512];    /* the first thing that is wrong; empty: nothing */
};

static void value(struct json *j, const char *path);

static void refuse(struct json *j, const char *what, const char *path)
{
    if (!j->wrong[0])
        snprintf(j->wrong, sizeof j->wrong, "%s at '%.100s': %.100s", what, path, j->at);
}

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

/* A string; a field's name is copied without escapes, because our names have none. */
static void string(struct json *j, char *name, size_t bytes)
{
    const char *start = j->at + 1;
    if (!take(j, '"')) {
        refuse(j, "no string", "");
        return;
    }
    while (*j->at && *j->at != '"' && !j->wrong[0]) {
        const size_t n = text_character(j->at);
        if (n == 0)
            refuse(j, "a control character, or no UTF-8", "");
        if (*j->at == '\\' && (j->at[1] == '\0' || !strchr("\"\\/bfnrtu", *++j->at)))
            refuse(j, "no escape", "");
        j->at += *j->at == '\0' ? 0 : n > 0 ? text_character(j->at) : 1;
    }
    if (name)
        snprintf(name, bytes, "%.*s", (int)(j->at - start), start);
    if (!take(j, '"'))
        refuse(j, "a string without end", "");
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
            if (!take(j, ':'))
                refuse(j, "no colon", path);
        }
        snprintf(inner, sizeof inner, "%.150s%s%s", path, *path ? "." : "", name);
        value(j, inner);
    } while (!j->wrong[0] && take(j, ','));
    if (!take(j, end))
        refuse(j, "no end", path);
}

/* The schema's entry for this path: `type values...`. */
static bool line_of(const char *schema, const char *path, char *rest, size_t bytes)
{
    char star[256] = "", word[256];
    for (const char *p = path; *p; p++) { /* tests.3.name is tests.*.name */
        const bool digit = isdigit((unsigned char)*p);
        if (!digit || p == path || !strchr(".0123456789", p[-1]))
            strncat(star, p, 1);
        else if (p[-1] == '.')
            strcat(star, "*");
    }
    for (const char *line = schema; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (sscanf(line, "%255s", word) == 1 && strcmp(word, *star ? star : ".") == 0) {
            const size_t n = strlen(word) + 1;
            snprintf(rest, bytes, "%.*s ", (int)(strcspn(line, "\n") - n), line + n);
            return true;
        }
    return false;
}

static void compare_with_schema(struct json *j, const char *path)
{
    char rest[256], type[32], text[256];
    double low, high;
    const char c = *j->at;
    const char *is = c == '{'                 ? "object"
                     : c == '['               ? "array"
                     : c == '"'               ? "string"
                     : c == 't' || c == 'f'   ? "boolean"
                     : isdigit(c) || c == '-' ? "number"
                                              : "nothing";
    if (!j->schema)
        return;
    if (!line_of(j->schema, path, rest, sizeof rest) || sscanf(rest, "%31s", type) != 1) {
        refuse(j, "a field that is not in the schema", path);
        return;
    }
    if (strcmp(type, is) != 0)
        refuse(j, "another type than in the schema", path);
    const char *values = rest + strlen(type);
    if (c == '"' && strspn(values, " ") != strlen(values)) {
        snprintf(text, sizeof text, " %.*s ", (int)strcspn(j->at + 1, "\""), j->at + 1);
        if (!strstr(values, text))
            refuse(j, "another value than in the schema", path);
    } else if (sscanf(values, "%lf %lf", &low, &high) == 2 &&
               !(strtod(j->at, NULL) >= low && strtod(j->at, NULL) <= high)) {
        refuse(j, "a number outside of the schema's range", path);
    }
}

static void value(struct json *j, const char *path)
{
    blank(j);
    if (j->path && strcmp(path, j->path) == 0)
        j->found = j->at;
    compare_with_schema(j, path);
    const size_t word = strspn(j->at, "truefalsn");
    if (*j->at == '{' || *j->at == '[') {
        members(j, path, *j->at == '{' ? '}' : ']');
    } else if (*j->at == '"') {
        string(j, NULL, 0);
    } else if (word > 0) {
        if (strncmp(j->at, "true", 4) && strncmp(j->at, "false", 5))
            refuse(j, "no value", path);
        j->at += word;
    } else {
        char *end;
        strtod(j->at, &end);
        if (end == j->at || isalpha((unsigned char)*j->at))
            refuse(j, "no value", path);
        j->at = end;
    }
}

/* The value at the path, NULL if there is none or if the text is no JSON. */
static const char *at(const char *text, const char *path)
{
    struct json j = {.at = text, .path = path};
    value(&j, "");
    blank(&j);
    return j.wrong[0] || *j.at ? NULL : j.found;
}

static bool loud = true;

/* Says what is wrong, if anything is. */
static bool is_as_schema(const char *text, const char *schema)
{
    struct json j = {.at = text ? text : "", .schema = schema ? schema : ""};
    value(&j, "");
    blank(&j);
    if (*j.at)
        refuse(&j, "text after the end", "");
    if (loud && j.wrong[0])
        printf("    %s\n", j.wrong);
    return !j.wrong[0];
}

static bool follows(const char *shown, const char *platform)
{
    const char *course = getenv("COURSE");
    return is_as_schema(
        shown, file_read(text("%s/common/grade/tests/%s.schema", course ? course : ".", platform)));
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
    static const struct test both[] = {{.name = "first", .points = 60},
                                       {.name = "the \"second\"", .points = 40}};
    static const struct tests table = {.test = both, .count = 2, .points = 100};
    struct mark m = {
        .task = task_find("01"), .tests = &table, .file = "my.cu", .seed = 7, .points = 60};
    m.verdict[0] = (struct verdict){.result = RESULT_PASSED, .points = 60};
    m.verdict[1] = (struct verdict){.result = RESULT_FAILED,
                                    .shape = "n = 3",
                                    .expected = "1",
                                    .seen = "\"2\\\n\x01\xff \xe5\x92\x8c\x1b[31m\xc2\x9b",
                                    .place = "my.cu:33",
                                    .code = "33: a = b;\n35: b = a;",
                                    .sizes = "3x7",
                                    .hint = "a,b"};
    if (refused) {
        m.points = 0;
        snprintf(m.refused, sizeof m.refused, "my.cu:1: error: it is wrong\nmy.cu:2: note: here");
        memset(m.verdict, 0, sizeof m.verdict);
    }
    return m;
}

static void as_text(const struct marks *all, FILE *out)
{
    show_text(all, out, "");
}

/* What the format makes of `count` times this mark. */
static char *show(const char *format, const struct mark *m, size_t count, const char *remark,
                  const char *visibility)
{
    static char text[1 << 18];
    struct mark *marks = calloc(count + 1, sizeof *marks);
    const struct marks all = {marks, count, remark, visibility ? visibility : ""};
    FILE *out = fmemopen(text, sizeof text, "w");
    for (size_t i = 0; i < count; i++)
        marks[i] = *m;
    (*format == 'c'   ? show_csv
     : *format == 'g' ? show_gradescope
     : *format == 'p' ? show_prairielearn
                      : as_text)(&all, out);
    fclose(out);
    free(marks);
    return text;
}

static char *shown_as(const char *format, bool refused, size_t count, const char *visibility)
{
    static struct mark m;
    m = mark_of(refused);
    return show(format, &m, count, "a.zip is a zip", visibility);
}

static void gradescope(void)
{
    const char *t = shown_as("gradescope", false, 1, NULL);
    CHECK(follows(t, "gradescope"));
    CHECK(is_number(t, "score", 60));
    CHECK(at(t, "execution_time") && is_text(t, "visibility", "visible"));
    CHECK(is_text(t, "stdout_visibility", "hidden") && is_text(t, "output_format", "text"));
    CHECK(is_text(t, "test_output_format", "text") && is_text(t, "test_name_format", "text"));
    CHECK(is_text(t, "output",
                  "exercise 01: 60 of 100 points; to run this again: SEED=7\\n"
                  "a.zip is a zip"));
    CHECK(is_text(t, "tests.0.name", "first") && is_text(t, "tests.0.status", "passed"));
    CHECK(is_number(t, "tests.0.score", 60) && is_number(t, "tests.0.max_score", 60));
    CHECK(is_number(t, "tests.1.score", 0) && is_number(t, "tests.1.max_score", 40));
    CHECK(is_text(t, "tests.1.status", "failed") && is_text(t, "tests.1.output", NULL));
    CHECK(is_text(t, "tests.1.output",
                  "with n = 3\\nexpected: 1\\nseen: \\\"2\\\\\\n\\u0001\xef\xbf\xbd "
                  "\xe5\x92\x8c\\u001b[31m\xef\xbf\xbd\xef\xbf\xbd\\nline: "
                  "my.cu:33\\n33: a = b;\\n35: b = a;\\nhint: a,b"));
    CHECK(is_text(t, "tests.1.visibility", "visible") && !at(t, "tests.2"));
    CHECK(!at(t, "leaderboard"));
}

static void gradescope_hidden_tests(void)
{
    const char *t = shown_as("gradescope", false, 2, "after_due_date");
    CHECK(follows(t, "gradescope"));
    CHECK(is_text(t, "tests.0.visibility", "visible"));
    CHECK(is_text(t, "tests.1.visibility", "after_due_date"));
    CHECK(is_text(t, "tests.2.visibility", "visible"));
    CHECK(is_text(t, "tests.3.visibility", "after_due_date"));
    t = shown_as("gradescope", false, 1, "hidden");
    CHECK(follows(t, "gradescope") && is_text(t, "tests.1.visibility", "hidden"));
    loud = false; /* the schema can refuse */
    CHECK(!follows(shown_as("gradescope", false, 1, "never"), "gradescope"));
    CHECK(!follows("{\"leaderboard\": []}", "gradescope"));
    CHECK(!follows("{\"score\": \"1\"}", "gradescope"));
    CHECK(!follows("{\"score\": 1.5}", "prairielearn"));
    loud = true;
}

static void a_refusal_is_reported_once_and_in_full(void)
{
    static const char *const why = "my.cu:1: error: it is wrong\\nmy.cu:2: note: here";
    const char *t = shown_as("gradescope", true, 1, NULL);
    CHECK(follows(t, "gradescope"));
    CHECK(is_number(t, "score", 0) && is_number(t, "tests.0.score", 0));
    CHECK(strstr(at(t, "output"), why) && !strstr(at(t, "tests"), why));
    CHECK(is_text(t, "tests.0.output", "not run") && is_text(t, "tests.0.status", "failed"));
    t = shown_as("prairielearn", true, 1, NULL);
    CHECK(follows(t, "prairielearn"));
    CHECK(strstr(at(t, "message"), why) && !strstr(at(t, "tests"), why));
    /* it counts as an attempt */
    CHECK(*at(t, "gradable") == 't' && is_number(t, "score", 0) && !at(t, "format_errors"));
    CHECK(strstr(shown_as("csv", true, 1, NULL), "it is wrong\nmy.cu:2: note: here"));
}

static void nothing_was_handed_in(void)
{
    const char *t = shown_as("gradescope", false, 0, NULL);
    CHECK(follows(t, "gradescope") && is_number(t, "score", 0) && at(t, "tests"));
    CHECK(is_text(t, "output", "a.zip is a zip"));
    t = shown_as("prairielearn", false, 0, NULL);
    CHECK(follows(t, "prairielearn") && is_number(t, "score", 0));
    CHECK(is_text(t, "message", "a.zip is a zip"));
}

static void prairielearn(void)
{
    const char *t = shown_as("prairielearn", false, 1, NULL);
    CHECK(follows(t, "prairielearn"));
    CHECK(is_number(t, "score", 0.6) && at(t, "gradable") && *at(t, "gradable") == 't');
    CHECK(is_text(t, "message", NULL));
    CHECK(is_text(t, "tests.0.name", "first") && is_number(t, "tests.0.points", 60));
    CHECK(is_number(t, "tests.1.max_points", 40) && is_number(t, "tests.1.points", 0));
    CHECK(is_text(t, "tests.1.message", "a,b") && is_text(t, "tests.1.output", NULL));
}

static void two_exercises_in_one_file(void)
{
    const char *t = shown_as("gradescope", false, 2, NULL);
    CHECK(is_number(t, "score", 120) && is_text(t, "tests.3.name", NULL) && !at(t, "tests.4"));
    CHECK(is_text(t, "tests.2.name", "01: first"));
    CHECK(is_number(shown_as("prairielearn", false, 2, NULL), "score", 0.6));
}

static void csv(void)
{
    const char *t = shown_as("csv", false, 1, NULL);
    CHECK(strstr(t, "file,exercise,test,result,points,of,seed,seen\n") == t);
    CHECK(strstr(t, "\nmy.cu,01,first,passed,60,60,7,\n"));
    CHECK(strstr(t, "\nmy.cu,01,\"the \"\"second\"\"\",failed,0,40,7,\"\"\"2"));
    CHECK(strstr(t, "\\x1b[31m"));
}

static void field_is(const char *text, const char *expected)
{
    static struct mark m;
    m = mark_of(false);
    snprintf(m.file, sizeof m.file, "%s", text);
    const char *got = strchr(show("csv", &m, 1, "", NULL), '\n') + 1;
    CHECK(strncmp(got, expected, strlen(expected)) == 0);
    CHECK(strncmp(got + strlen(expected), ",01,", 4) == 0);
}

static void no_field_is_a_formula(void)
{
    field_is("=1+1", "'=1+1");
    field_is("+1", "'+1");
    field_is("-1", "'-1");
    field_is("@a,b", "\"'@a,b\"");
    field_is("'=1", "''=1");
    field_is("a;=b", "\"a;=b\"");
    field_is("a=b", "a=b");
    field_is("", "");
}

static void shows_as(const char *text, const char *expected)
{
    char got[256];
    text_show(got, sizeof got, text);
    CHECK(strcmp(got, expected) == 0);
}

static void names_are_shown(void)
{
    shows_as("a\nb\tc\rd", "a\\nb\\x09c\\x0dd");
    shows_as("\x1b]0;x\x07\x7f", "\\x1b]0;x\\x07\\x7f");
    shows_as("\xc2\x9b"
             "31m",
             "\\xc2\\x9b31m"); /* CSI as one character */
    shows_as("caf\xe9 \xff\xfe", "caf\\xe9 \\xff\\xfe");
    shows_as("caf\xc3\xa9 \xe5\xbc\xa0\xe4\xbc\x9f \xf0\x9f\x98\x80",
             "caf\xc3\xa9 \xe5\xbc\xa0\xe4\xbc\x9f \xf0\x9f\x98\x80");
    shows_as("\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80", /* too long, a half pair, too large */
             "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\x80\\x80\\x80");
    shows_as("a\xe2\x80\xae"
             "b",
             "a\\xe2\\x80\\xaeb"); /* what changes the direction of the text */
    shows_as("\\x1b", "\\\\x1b");  /* so that no two names look the same */
}

static void text_fits_80_columns(void)
{
    static struct mark m;
    m = mark_of(false);
    m.protections = 15;
    memset(m.verdict[1].seen, 0, sizeof m.verdict[1].seen);
    for (int i = 0; i < 60; i++)
        snprintf(m.verdict[1].seen + 8 * i, 16, "word%03d ", i);
    strcat(m.verdict[1].seen, "\x1b[2J");
    const char *text = show("text", &m, 1, "", NULL);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        CHECK(strcspn(line, "\n") <= 80);
    CHECK(strstr(text, "word059") && strstr(text, "60 of 100 points") && strstr(text, "SEED=7"));
    CHECK(strstr(text, "line       33: a = b;\n                    35: b = a;\n"));
    CHECK(strstr(text, "hint       a,b\n"));
    CHECK(strstr(text, "\n  make show TASK=01 SUBMISSION='my.cu' N=3x7\n"));
    CHECK(!strchr(text, '\x1b') && strstr(text, "\\x1b[2J"));
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return is_as_schema(file_read(argv[2]), file_read(argv[1])) ? 0 : 1;
    RUN(gradescope);
    RUN(gradescope_hidden_tests);
    RUN(a_refusal_is_reported_once_and_in_full);
    RUN(nothing_was_handed_in);
    RUN(prairielearn);
    RUN(two_exercises_in_one_file);
    RUN(csv);
    RUN(no_field_is_a_formula);
    RUN(names_are_shown);
    RUN(text_fits_80_columns);
    return test_wrong > 0;
}
