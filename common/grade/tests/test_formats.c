/* SPDX-License-Identifier: MIT */
/*
 * test_formats.c - what marks look like in a format: formats.txt has all of it. `--print` prints
 * that anew, and git diff shows what a change does to it.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"
#include "tests/unit/test.h"

/* ---- marks to show ---- */

static struct mark passed_and_failed(void)
{
    static const struct tests table = {
        .test = {{.name = "first", .points = 60}, {.name = "the \"second\"", .points = 40}},
        .count = 2,
        .points = 100};
    struct mark m = {.task = task_find("01"), .tests = &table, .file = "my.cu", .seed = 7};
    m.refused = m.why = "";
    m.points = 60;
    m.protections = 15;
    m.verdict[0] = verdict_none;
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
    return m;
}

/* It counts as an attempt. */
static struct mark refused(void)
{
    struct mark m = passed_and_failed();
    m.points = 0;
    m.refused = "my.cu:1: error: it is wrong\nmy.cu:2: note: here";
    m.verdict[0] = m.verdict[1] = verdict_none;
    return m;
}

/* A long text, no place, and the sizes of a wrong value. */
static struct mark wrong_value(void)
{
    struct mark m = passed_and_failed();
    m.file = "=it's.cu";
    m.verdict[1].cause = CAUSE_RESULT;
    m.verdict[1].place = m.verdict[1].code = m.verdict[1].seen = "";
    for (int i = 0; i < 30; i++)
        m.verdict[1].seen = text("%s%sword%03d", m.verdict[1].seen, i ? " " : "", i);
    return m;
}

static void show_plain(const struct marks *all, FILE *out)
{
    show_text(all, out, "");
}

/* `which` of the marks of show_all(): the others would show nothing new. */
static const struct {
    const char *name;
    void (*show)(const struct marks *all, FILE *out);
    const char *which;
} formats[] = {{"text", show_plain, "01"},
               {"csv", show_csv, "01"},
               {"gradescope", show_gradescope, "02"},
               {"prairielearn", show_prairielearn, "02"}};

static void show_all(FILE *out)
{
    struct mark one = wrong_value(), two[] = {passed_and_failed(), refused()};
    const struct marks shown[] = {{two, 2, "a.zip is a zip", "after_due_date"},
                                  {&one, 1, "", ""},
                                  {NULL, 0, "a.zip is a zip", ""}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (const char *i = formats[f].which; *i; i++) {
            fprintf(out, "=== %s %c\n", formats[f].name, *i);
            formats[f].show(&shown[*i - '0'], out);
        }
}

TEST(formats_are_as_before)
{
    char *all;
    size_t bytes;
    FILE *out = open_memstream(&all, &bytes);
    show_all(out);
    fclose(out);
    const char *wanted =
        file_read(text("%s/common/grade/tests/formats.txt", setting("COURSE", ".")));
    CHECK(wanted && strcmp(all, wanted) == 0);
    CHECK(!strchr(all, '\x1b'));
    const char *end = strstr(all, "=== csv");
    for (const char *line = all; line < end; line = next_line(line))
        CHECK(strcspn(line, "\n") <= 80);
    free(all);
}

/* ---- fields ---- */

TEST(no_field_is_a_formula)
{
    static const char *const fields[][2] = {
        {"=1+1", "'=1+1"}, {"+1", "'+1"},        {"-1", "'-1"},  {"@a,b", "\"'@a,b\""},
        {"'=1", "''=1"},   {"a;=b", "\"a;=b\""}, {"a=b", "a=b"}, {"", ""}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        CHECK(strcmp(csv_quote(fields[i][0]), fields[i][1]) == 0);
}

TEST(names_are_shown)
{
    static const char *const names[][2] = {
        {"a\nb\tc\rd", "a\\nb\\x09c\\x0dd"},
        {"\x1b]0;x\x07\x7f", "\\x1b]0;x\\x07\\x7f"},
        {"\xc2\x9b\x33\x31m", "\\xc2\\x9b31m"}, /* CSI as one character */
        {"caf\xe9 \xff\xfe", "caf\\xe9 \\xff\\xfe"},
        {"caf\xc3\xa9 \xe5\xbc\xa0\xe4\xbc\x9f \xf0\x9f\x98\x80",
         "caf\xc3\xa9 \xe5\xbc\xa0\xe4\xbc\x9f \xf0\x9f\x98\x80"},
        {"\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80", /* too long, a half pair, too large */
         "\\xc0\\xaf\\xed\\xa0\\x80\\xf5\\x80\\x80\\x80"},
        {"a\xe2\x80\xae\x62", "a\\xe2\\x80\\xae\x62"}, /* what changes the direction of the text */
        {"\\x1b", "\\\\x1b"}};                         /* so that no two names look the same */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(strcmp(text_shown(names[i][0]), names[i][1]) == 0);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        show_all(stdout);
        return 0;
    }
    return test_all();
}
