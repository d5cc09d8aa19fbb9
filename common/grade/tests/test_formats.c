/* SPDX-License-Identifier: MIT */
/*
 * test_formats.c - what marks look like as text, as CSV, and in the result files of the platforms,
 * *.json.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"
#include "tests/unit/test.h"

/* ---- marks to show: one test passed, one failed with a text that needs escapes ---- */

static struct mark mark_of(bool refused)
{
    static const struct tests table = {
        .test = {{.name = "first", .points = 60}, {.name = "the \"second\"", .points = 40}},
        .count = 2,
        .points = 100};
    struct mark m = {.task = task_find("01"),
                     .tests = &table,
                     .file = "my.cu",
                     .seed = 7,
                     .points = 60,
                     .refused = "",
                     .why = "",
                     .verdict = {verdict_none}};
    m.verdict[0].result = RESULT_PASSED;
    m.verdict[0].points = 60;
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
        m.refused = "my.cu:1: error: it is wrong\nmy.cu:2: note: here";
        m.verdict[0] = m.verdict[1] = verdict_none;
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

/* The marks of a run, of a refused file, which counts as an attempt, and of none, one after the
 * other, are those of FORMAT.json. */
static void is_as_before(const char *format)
{
    const char *course = getenv("COURSE");
    const char *wanted =
        file_read(text("%s/common/grade/tests/%s.json", course ? course : ".", format));
    char *all = "";
    for (size_t i = 0; i < 3; i++)
        all = text("%s%s", all, shown_as(format, i == 1, i < 2, NULL));
    CHECK(wanted && strcmp(all, wanted) == 0);
}

static void gradescope(void)
{
    is_as_before("gradescope");
}

static void prairielearn(void)
{
    is_as_before("prairielearn");
}

static int times(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

static void two_exercises_in_one_file(void)
{
    const char *t = shown_as("gradescope", false, 2, "after_due_date");
    CHECK(strstr(t, "{\n  \"score\": 120,") && times(t, "\"name\"") == 4);
    CHECK(strstr(t, "{\"name\": \"01: first\"") && times(t, "; to run this again: SEED=7") == 2);
    CHECK(times(t, "\"passed\", \"visibility\": \"visible\"}") == 2);
    CHECK(times(t, "\"failed\", \"visibility\": \"after_due_date\"}") == 2);
    CHECK(strstr(shown_as("prairielearn", false, 2, NULL), "\"score\": 0.6,"));
}

static void csv(void)
{
    const char *t = shown_as("csv", false, 1, NULL);
    CHECK(strstr(t, "file,exercise,test,result,points,of,seed,seen\n") == t);
    CHECK(strstr(t, "\nmy.cu,01,first,passed,60,60,7,\n"));
    CHECK(strstr(t, "\nmy.cu,01,\"the \"\"second\"\"\",failed,0,40,7,\"\"\"2"));
    CHECK(strstr(t, "\\x1b[31m"));
    CHECK(strstr(shown_as("csv", true, 1, NULL), "it is wrong\nmy.cu:2: note: here"));
}

static void field_is(const char *text, const char *expected)
{
    static struct mark m;
    m = mark_of(false);
    m.file = text;
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
    CHECK(strcmp(text_shown(text), expected) == 0);
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
    m.verdict[1].seen = "";
    for (int i = 0; i < 60; i++)
        m.verdict[1].seen = text("%sword%03d ", m.verdict[1].seen, i);
    m.verdict[1].seen = text("%s\x1b[2J", m.verdict[1].seen);
    const char *t = show("text", &m, 1, "", NULL);
    for (const char *line = t; *line; line = next_line(line))
        CHECK(strcspn(line, "\n") <= 80);
    CHECK(strstr(t, "word059") && strstr(t, "60 of 100 points") && strstr(t, "SEED=7"));
    CHECK(strstr(t, "line       33: a = b;\n                    35: b = a;\n"));
    CHECK(strstr(t, "hint       a,b\n"));
    CHECK(strstr(t, "\n  make show TASK=01 SUBMISSION='my.cu' N=3x7\n"));
    CHECK(!strchr(t, '\x1b') && strstr(t, "\\x1b[2J"));
}

static void a_wrong_number_has_a_page(void)
{
    static struct mark m;
    m = mark_of(false);
    m.verdict[1].place = "";
    m.verdict[1].cause = CAUSE_RESULT;
    CHECK(strstr(show("text", &m, 1, "", NULL), "with such sizes and other numbers:\n  make show"));
    m.verdict[1].sizes = "";
    CHECK(!strstr(show("text", &m, 1, "", NULL), "make show TASK"));
}

int main(void)
{
    RUN(gradescope);
    RUN(prairielearn);
    RUN(two_exercises_in_one_file);
    RUN(csv);
    RUN(no_field_is_a_formula);
    RUN(names_are_shown);
    RUN(text_fits_80_columns);
    RUN(a_wrong_number_has_a_page);
    return test_wrong > 0;
}
