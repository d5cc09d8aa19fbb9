/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the formats in which marks are shown, and the list of them at the end.
 */
#include "report.h"

#include <string.h>

enum { COLUMNS = 80 };

/* ---- text ---- */

/* "label text", broken between words so that no line is longer than 80 columns. */
static void print_wrapped(FILE *out, const char *label, const char *text)
{
    enum { INDENT = 20 };
    int column = fprintf(out, "         %-*s", INDENT - 9, label);
    while (*text) {
        const int n = (int)strcspn(text, " \n");
        const char end = text[n];
        if (column > INDENT && column + 1 + n > COLUMNS)
            column = fprintf(out, "\n%*s", INDENT, "") - 1;
        column += fprintf(out, "%s%.*s", column > INDENT ? " " : "", n, text);
        text += n + (end != '\0');
        if (end == '\n' && *text)
            column = fprintf(out, "\n%*s", INDENT, "") - 1;
    }
    fprintf(out, "\n");
}

static void print_verdict(FILE *out, const struct test *t, const struct verdict *v)
{
    static const char *const words[] = {"not run", "FAILED", "passed"};
    fprintf(out, "%-8s %3g of %3g  %s\n", words[v->result], v->points, t->points, t->name);
    if (v->result == RESULT_PASSED)
        return;
    if (v->shape[0])
        print_wrapped(out, "with", v->shape);
    print_wrapped(out, "expected", v->expected);
    print_wrapped(out, "seen", v->seen);
    if (v->code[0])
        print_wrapped(out, "line", v->code);
    else if (v->place[0])
        print_wrapped(out, "line", v->place);
    if (v->hint[0])
        print_wrapped(out, "hint", v->hint);
}

/* The page that steps through the first run that has failed at a line that is known. */
static void print_show(FILE *out, const struct mark *m)
{
    for (size_t i = 0; i < m->tests.count; i++) {
        const struct verdict *v = &m->verdict[i];
        if (v->result != RESULT_FAILED || !v->place[0] || v->cause == CAUSE_ENDLESS)
            continue;
        fprintf(out, "to step through \"%s\"%s:\n  make show TASK=%s SUBMISSION='%s'%s%s\n",
                m->tests.test[i].name,
                v->cause == CAUSE_FINDING ? ", where f goes to what was found" : "", m->task->name,
                m->file, v->sizes[0] ? " N=" : "", v->sizes);
        return;
    }
}

static void print_mark(FILE *out, const struct mark *m)
{
    fprintf(out, "exercise %s: %s\n%s\n", m->task->name, m->task->title, m->file);
    if (m->refused[0]) {
        fprintf(out, "refused\n");
        print_wrapped(out, "why", m->refused);
    }
    for (size_t i = 0; i < m->tests.count && !m->refused[0]; i++)
        print_verdict(out, &m->tests.test[i], &m->verdict[i]);
    fprintf(out, "%g of %g points; to run this again: SEED=%llu\n", m->points, m->tests.points,
            (unsigned long long)m->seed);
    if (!m->refused[0]) {
        print_show(out, m);
        char text[COLUMNS + 1];
        protections_text(m->protections, text, sizeof text);
        fprintf(out, "%s\n", text);
    }
}

void report_text(FILE *out, const struct mark *const *marks, size_t count)
{
    double points = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fprintf(out, "\n");
        print_mark(out, marks[i]);
        points += marks[i]->points;
        all += marks[i]->tests.points;
    }
    if (count > 1)
        fprintf(out, "\nall exercises: %g of %g points\n", points, all);
}

/* ---- CSV ---- */

void report_field(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fprintf(out, "%s", text);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void csv_row(FILE *out, const struct mark *m, const char *test, const char *result,
                    double points, double of, const char *seen)
{
    report_field(out, m->file);
    fprintf(out, ",%s,", m->task->name);
    report_field(out, test);
    fprintf(out, ",%s,%g,%g,%llu,", result, points, of, (unsigned long long)m->seed);
    report_field(out, seen);
    fprintf(out, "\n");
}

/* One row for each test. */
static void report_csv(FILE *out, const struct mark *const *marks, size_t count)
{
    static const char *const results[] = {"not run", "failed", "passed"};
    fprintf(out, "file,exercise,test,result,points,of,seed,seen\n");
    for (size_t k = 0; k < count; k++) {
        const struct mark *m = marks[k];
        for (size_t i = 0; i < m->tests.count; i++) {
            const struct verdict *v = &m->verdict[i];
            csv_row(out, m, m->tests.test[i].name, m->refused[0] ? "refused" : results[v->result],
                    v->points, m->tests.test[i].points, m->refused[0] ? m->refused : v->seen);
        }
    }
}

/* ---- JSON, for three platforms; the fields are those of their documents ---- */

static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fprintf(out, "\\n");
        else if (c < 0x20 || c >= 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* `before` is what comes between this pair and the one in front of it. */
static void print_pair(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s\"%s\": ", before, name);
    print_string(out, text);
}

/* What a student reads about one test. */
static void describe(const struct mark *m, size_t i, char *text, size_t bytes)
{
    const struct verdict *v = &m->verdict[i];
    if (m->refused[0])
        snprintf(text, bytes, "refused: %.*s", (int)strcspn(m->refused, "\n"), m->refused);
    else if (v->result == RESULT_PASSED)
        snprintf(text, bytes, "passed");
    else
        snprintf(text, bytes, "with %s\nexpected: %s\nseen: %s%s%s%s%s\nhint: %s",
                 v->shape[0] ? v->shape : "-", v->expected, v->seen, v->place[0] ? "\nline: " : "",
                 v->place, v->code[0] ? "\n" : "", v->code, v->hint);
}

/* With several exercises a test is called `03: each read once`. */
static void print_name(FILE *out, const struct mark *m, size_t i, size_t count)
{
    char name[2 * TEXT_BYTES];
    snprintf(name, sizeof name, "%s%s%s", count > 1 ? m->task->name : "", count > 1 ? ": " : "",
             m->tests.test[i].name);
    print_pair(out, "", "name", name);
}

static double sum_of(const struct mark *const *marks, size_t count, bool reached)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += reached ? marks[k]->points : marks[k]->tests.points;
    return sum;
}

static void print_seeds(FILE *out, const struct mark *const *marks, size_t count)
{
    char text[1024] = "";
    for (size_t k = 0; k < count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sexercise %s: SEED=%llu",
                 k ? ", " : "", marks[k]->task->name, (unsigned long long)marks[k]->seed);
    print_string(out, text);
}

typedef void (*test_fn)(FILE *out, const struct mark *m, size_t i, const char *text);

/* "tests": [...], an object for each test of each exercise. */
static void print_tests(FILE *out, const struct mark *const *marks, size_t count, test_fn print)
{
    char text[4 * MESSAGE_BYTES];
    bool first = true;
    fprintf(out, "  \"tests\": [");
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < marks[k]->tests.count; i++) {
            describe(marks[k], i, text, sizeof text);
            fprintf(out, "%s\n    {", first ? "" : ",");
            print_name(out, marks[k], i, count);
            print(out, marks[k], i, text);
            fprintf(out, "}");
            first = false;
        }
    fprintf(out, "\n  ]\n}\n");
}

/* ---- Gradescope: gradescope-autograders.readthedocs.io/en/latest/specs/ ---- */

static void gradescope_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    fprintf(out,
            ", \"score\": %g, \"max_score\": %g, \"status\": \"%s\", \"visibility\": "
            "\"visible\"",
            m->verdict[i].points, m->tests.test[i].points, passed ? "passed" : "failed");
    print_pair(out, ", ", "output", text);
}

static void report_gradescope(FILE *out, const struct mark *const *marks, size_t count)
{
    double seconds = 0;
    for (size_t k = 0; k < count; k++)
        seconds += marks[k]->seconds;
    fprintf(out,
            "{\n  \"score\": %g,\n  \"execution_time\": %.1f,\n  \"visibility\": \"visible\","
            "\n  \"stdout_visibility\": \"hidden\",\n  \"output\": ",
            sum_of(marks, count, true), seconds);
    print_seeds(out, marks, count);
    fprintf(out, ",\n");
    print_tests(out, marks, count, gradescope_test);
}

/* ---- GitHub Classroom: what github.com/classroom-resources/autograding-grading-reporter takes,
 * before base64 ---- */

static void classroom_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    const char *colon = strrchr(m->verdict[i].place, ':');
    int line = 0;
    if (colon && sscanf(colon + 1, "%d", &line) != 1)
        line = 0;
    fprintf(out, ", \"status\": \"%s\", \"score\": %g, \"line_no\": %d",
            passed          ? "pass"
            : m->refused[0] ? "error"
                            : "fail",
            m->verdict[i].points, line);
    print_pair(out, ", ", "filename", m->file);
    print_pair(out, ", ", "test_code", m->tests.test[i].requires);
    print_pair(out, ", ", "message", passed ? "" : text);
}

static void report_classroom(FILE *out, const struct mark *const *marks, size_t count)
{
    const double points = sum_of(marks, count, true), all = sum_of(marks, count, false);
    bool refused = false;
    for (size_t k = 0; k < count; k++)
        refused |= marks[k]->refused[0] != '\0';
    fprintf(out, "{\n  \"version\": 1,\n  \"status\": \"%s\",\n  \"max_score\": %g,\n",
            refused         ? "error"
            : points == all ? "pass"
                            : "fail",
            all);
    print_tests(out, marks, count, classroom_test);
}

/* ---- PrairieLearn: docs.prairielearn.com/externalGrading ---- */

static void prairielearn_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    fprintf(out, ", \"points\": %g, \"max_points\": %g", m->verdict[i].points,
            m->tests.test[i].points);
    print_pair(out, ", ", "message", passed ? "" : m->verdict[i].hint);
    print_pair(out, ", ", "output", text);
}

/* A score from 0 to 1. A file that does not compile is not gradable, and costs no attempt. */
static void report_prairielearn(FILE *out, const struct mark *const *marks, size_t count)
{
    const double all = sum_of(marks, count, false);
    const char *refused = NULL;
    for (size_t k = 0; k < count; k++)
        if (marks[k]->refused[0])
            refused = marks[k]->refused;
    fprintf(out, "{\n  \"gradable\": %s,\n  \"score\": %.6g,\n  \"message\": ",
            refused ? "false" : "true", all > 0 ? sum_of(marks, count, true) / all : 0);
    print_seeds(out, marks, count);
    fprintf(out, ",\n  \"format_errors\": ");
    print_string(out, refused ? refused : "");
    fprintf(out, ",\n");
    print_tests(out, marks, count, prairielearn_test);
}

/* ---- all of them ---- */

const char report_formats[] = "text csv gradescope classroom prairielearn";

report_fn report_find(const char *name)
{
    static const struct {
        const char *name;
        report_fn report;
    } formats[] = {{"text", report_text},
                   {"csv", report_csv},
                   {"gradescope", report_gradescope},
                   {"classroom", report_classroom},
                   {"prairielearn", report_prairielearn}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].report;
    return NULL;
}
