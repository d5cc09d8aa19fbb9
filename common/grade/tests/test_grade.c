/* SPDX-License-Identifier: MIT */
/*
 * test_grade.c - unit tests of the grader: comparisons, tables, conditions.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "grade/tasks/tasks.h"
#include "simt/driver/inside.h"
#include "tests/unit/test.h"

/* ---- comparisons ---- */

static size_t wrong(double got, double expected, double allowed)
{
    struct comparison c = {0};
    compare(&c, "out", 0, got, expected, allowed);
    return c.wrong;
}

TEST(nan_is_right_where_nan_is_expected)
{
    CHECK(wrong(NAN, 1, 1e30) == 1);
    CHECK(wrong(1, NAN, 1e30) == 1);
    CHECK(wrong(NAN, NAN, 0) == 0);
    CHECK(wrong(NAN, INFINITY, INFINITY) == 1);
}

TEST(infinity_and_bounds)
{
    CHECK(wrong(INFINITY, INFINITY, 0) == 0);
    CHECK(wrong(-INFINITY, INFINITY, INFINITY) == 1);
    CHECK(wrong(INFINITY, 1, INFINITY) == 1);
    CHECK(wrong(1.5, 1, 0.5) == 0);
    CHECK(wrong(1.6, 1, 0.5) == 1);
    CHECK(wrong(1, 1, 0) == 0);
}

/* ---- tables ---- */

static const struct tests *tests_from(const char *table)
{
    static struct tests tests;
    char path[] = "/tmp/tests.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(table, file);
    fclose(file);
    tests_read(&tests, task_find("01"), path);
    unlink(path);
    return &tests;
}

TEST(tables_are_read)
{
    const struct tests *all = tests_from("# a comment\n\n"
                                         "a | 2.5 | 1x1..9@3, 7x8, 1x1@0+2, 1x1@1#2 | special | n "
                                         "/ 2 * 3 >= 4.5; no faults | h | n: of n\n"
                                         "board | 0 | 5x5 | uniform | 3 * (n - launches) | \n"
                                         "b \\ \"c\" | 10 | 0..2x1 | uniform | | only");
    const struct test *t = all->test;
    CHECK(all->count == 2 && all->points == 12.5 && all->board.shapes == 1);
    CHECK(strcmp(t->name, "a") == 0 && strcmp(t->data, "special") == 0 && t->points == 2.5);
    CHECK(t->shapes == 4 && t->conditions == 2 && t->hints == 2);
    CHECK(t->shape[0].size[1].low == 1 && t->shape[0].size[1].high == 9);
    CHECK(t->shape[0].offset.low == 3 && t->shape[1].size[0].high == 7 && t->shape[2].apart == 2);
    CHECK(t->shape[3].offset.high == 1 && t->shape[3].only == 2 && t->shape[2].only == 0);
    CHECK(strcmp(t->condition[0], "n / 2 * 3 >= 4.5") == 0);
    CHECK(!t->hint[0].when[0] && strcmp(t->hint[0].text, "h") == 0);
    CHECK(strcmp(t->hint[1].when, "n") == 0 && strcmp(t->hint[1].text, "of n") == 0);
    CHECK(strcmp(t[1].name, "b \\ \"c\"") == 0 && t[1].conditions == 0 && t[1].hints == 1);
}

/* Of a test with a condition. */
static bool hints(enum cause cause, const char *fault, const char *condition, const char *expected)
{
    const struct test t = {.conditions = 1,
                           .condition = {"launches >= 1"},
                           .hints = 3,
                           .hint = {{"", "", "the test's"},
                                    {"race", "", "of a race"},
                                    {"launches", "", "of launches"}}};
    return strstr(hint_choose(&t, cause, fault, condition), expected);
}

TEST(hints_fit_what_went_wrong)
{
    static const char race[] = "race on s[1] in k", outside[] = "out-of-bounds read of 4 bytes";
    const struct test t = {.hints = 1, .hint = {{"", "", "the test's"}}};
    CHECK(hints(CAUSE_FINDING, race, "", "of a race"));
    CHECK(hints(CAUSE_FINDING, outside, "", "compare the index"));
    CHECK(hints(CAUSE_FINDING, "race on 4-byte element 0, blocks run in any order", "", "second"));
    CHECK(hints(CAUSE_FINDING, "something new", "", "start with this message"));
    CHECK(hints(CAUSE_CONDITION, "", "launches >= 1", "of launches"));
    CHECK(hints(CAUSE_CONDITION, race, "barriers == 0", "the test's"));
    CHECK(hints(CAUSE_RESULT, "", "out[0] = 1", "nothing was counted"));
    CHECK(hints(CAUSE_UNTOUCHED, "", "", "thread of the last launch"));
    CHECK(hints(CAUSE_AGAIN, "", "", "alone, this call is right"));
    CHECK(hints(CAUSE_ENDLESS, "", "", "a loop does not end"));
    CHECK(hints(CAUSE_ERROR, "", "", "number of threads"));
    CHECK(hints(CAUSE_SCRATCH, "", "", "and no more"));
    CHECK(hints(CAUSE_NOT_DONE, "", "", "read all of the input"));
    CHECK(strcmp(hint_choose(&t, CAUSE_RESULT, "", ""), "the test's") == 0);
    CHECK(strstr(hint_choose(&t, CAUSE_FINDING, race, ""), "barrier"));
}

TEST(ranges_reach_both_ends)
{
    const struct range r = {.low = 3, .high = 5};
    rng_t rng = {1};
    bool seen[6] = {false};
    for (int i = 0; i < 200; i++) {
        const size_t x = range_draw(&r, &rng);
        CHECK(x >= 3 && x <= 5);
        seen[x < 6 ? x : 0] = true;
    }
    CHECK(seen[3] && seen[4] && seen[5]);
}

/* Else a kernel that takes the first element for a value would be right by chance. */
TEST(the_first_element_of_06_is_missing)
{
    float x[200];
    for (uint64_t seed = 1; seed < 20; seed++) {
        rng_t rng = {seed};
        task_find("06")->make_inputs(&rng, "gaps", (size_t[TASK_SIZES]){200}, (void *[]){x});
        CHECK(isnan(x[0]));
    }
}

/* ---- conditions ---- */

/* Is this condition met for n = 1000 and threshold = 7? Its sides must have these values. */
static enum held met(const char *condition, double left, double right)
{
    static const size_t size[TASK_SIZES] = {1000, 7};
    static const struct reply reply = {.work_bytes = 64, .count = {2, 30, 40}};
    const struct facts facts = facts_of(task_find("01"), size, &reply, true, 0, 0);
    double l = -1, r = -1;
    const enum held held = condition_holds(condition, &facts, &l, &r);
    CHECK(held == UNREADABLE || (fabs(l - left) < 1e-9 && fabs(r - right) < 1e-9));
    return held;
}

TEST(conditions)
{
    CHECK(met("no faults", 1, 0) == FAILS && met("no atomic_requests", 0, 0) == HOLDS);
    CHECK(met("launches <= 1.3 * in_bytes / 32 + 8", 2, 1.3 * 4000 / 32 + 8) == HOLDS);
    CHECK(met("shared_ld_requests>0", 30, 0) == HOLDS);
    CHECK(met("n - 2 * (launches + 1) - 4 == 990", 990, 990) == HOLDS);
    CHECK(met("100 / 5 / 2 != 10", 10, 10) == FAILS && met("n >= 1000", 1000, 1000) == HOLDS);
    CHECK(met("n < 1000", 1000, 1000) == FAILS && met("3 == 3.0", 3, 3) == HOLDS);
    CHECK(met("nothing == 0", 0, 0) == UNREADABLE && met("(n > 1", 0, 0) == UNREADABLE);
}

/* ---- repairs ---- */

TEST(a_line_is_what_ends_with_a_semicolon_or_a_brace)
{
    static const char before[] = "int f(int a)\n{\n    a++;\n    return a; // why\n}\n";
    CHECK(changed_lines(before, before) == 0);
    CHECK(changed_lines(before, "int f(int a) { /* { */ a++; return a;}") == 0);
    CHECK(changed_lines(before, "int f(int a) { a++; a++; return a; }") == 1);
    CHECK(changed_lines(before, "int f(int a) { return a; }") == 1);
    CHECK(changed_lines(before, "int f(int a) { a--; return a; }") == 2);
    CHECK(changed_lines(before, "int f(int a) { a++; b++; c++; return a; }") == 2);
    CHECK(changed_lines(before, "") == 4);
    CHECK(changed_lines("x = \"//;\"; y;", "x = \"//;\";\ny; // z") == 0);
    CHECK(changed_lines("x = ';'; y;", "y;") == 1);
    CHECK(changed_lines("#define A 1\nint x;", "#define A 2\nint x;") == 2);
    CHECK(changed_lines("#define A 1\n#define B 2\n", "#define A \\\n1\n#define B 2") == 0);
    CHECK(changed_lines("a; /* no end", "a;") == 0);
    CHECK(changed_lines("x;", "#define A { a; b; }\nx;") == 4);
    CHECK(changed_lines("x;", "#define A a; \\\n b\nx;") == 2);
    CHECK(changed_lines("#define A a;\nx;", "#define A a;\n#define B\nx;") == 1);
}

/* What the compiler treats as code is never a comment here. */
TEST(no_code_hides)
{
    static const char *const hidden[] = {
        "x = R\"(\" /* )\"; a; b; c; \"*/\";",        "x = \"one\\\n/*\"; a; b; c; // */",
        "x = 1'0 + sizeof \"' /* \"; a; b; c; // */", "x = L'\"' + *\"/*\"; a; b; c; // */",
        "x = R\\\n\"(\" /* )\"; a; b; c; \"*/\";",
    };
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        CHECK(changed_lines("", hidden[i]) >= 4);
    CHECK(changed_lines("a; b;", "a; // don't\nb; /* it's */") == 0);
    CHECK(changed_lines("a; b;", "a; // no \\\n c; c; c;\n b;") == 0);
}

/* Many statements cannot hide in one line: without a semicolon it is long. */
TEST(a_long_line_counts_as_several)
{
    char text[1001];
    memset(text, 'x', sizeof text);
    text[250] = '\0';
    CHECK(changed_lines("", text) == 3);
    CHECK(changed_lines(text, text) == 0);
    static char many[40001];
    for (size_t i = 0; i + 1 < sizeof many; i++)
        many[i] = "x;"[i % 2];
    CHECK(changed_lines("", many) == 20000); /* more than are compared */
}

TEST(the_reason_is_the_comment_after_why)
{
    const char *why = why_of("// a\n// Why:  a race \r\n// and more\n#include\n// no");
    CHECK(strcmp(why, "a race and more") == 0);
    CHECK(!*why_of("// Why:\n#include") && !*why_of("int x; // Why: not here"));
    CHECK(strlen(why_of(text("// Why: %02000d", 1))) == 1023);
}

/* ---- boards ---- */

TEST(a_board_scores_what_its_expression_says)
{
    const struct task *task = task_find("open-scan");
    const struct tests *t = tests_of(task);
    const size_t size[TASK_SIZES] = {1000};
    const struct facts none = facts_of(task, size, &(struct reply){0}, false, 0, 0);
    const struct facts launches = facts_of(task, size, &(struct reply){.count = {3}}, false, 0, 0);
    CHECK(t->board.shapes > 0 && tests_of(task_find("01"))->score == NULL);
    CHECK(score_of(t->score, &none) == 0);
    CHECK(score_of(t->score, &launches) == 3000); /* 1000 a launch */
    CHECK(isnan(score_of("launches +", &none)));
}

int main(void)
{
    tests_read_all(".");
    return test_all();
}
