/* SPDX-License-Identifier: MIT */
/*
 * report_json.c - the result files of three platforms. The fields are those of their documents,
 * named in report.h.
 */
#include <string.h>

#include "report.h"

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

static void print_pair(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
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
        snprintf(text, bytes, "with %s\nexpected: %s\nseen: %s%s%s\nhint: %s",
                 v->shape[0] ? v->shape : "-", v->expected, v->seen, v->place[0] ? "\nline: " : "",
                 v->place, m->table.test[i].hint);
}

/* With several exercises a test is called `03: each read once`. */
static void print_name(FILE *out, const struct mark *m, size_t i, size_t count)
{
    char name[2 * TEXT_BYTES];
    snprintf(name, sizeof name, "%s%s%s", count > 1 ? m->task->name : "", count > 1 ? ": " : "",
             m->table.test[i].name);
    print_pair(out, "name", name);
}

static double sum_of(const struct mark *const *marks, size_t count, bool reached)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += reached ? marks[k]->points : marks[k]->table.points;
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
        for (size_t i = 0; i < marks[k]->table.tests; i++) {
            describe(marks[k], i, text, sizeof text);
            fprintf(out, "%s\n    {", first ? "" : ",");
            print_name(out, marks[k], i, count);
            print(out, marks[k], i, text);
            fprintf(out, "}");
            first = false;
        }
    fprintf(out, "\n  ]\n}\n");
}

/* ---- Gradescope ---- */

static void gradescope_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    fprintf(out,
            ", \"score\": %g, \"max_score\": %g, \"status\": \"%s\", \"visibility\": "
            "\"visible\", ",
            m->verdict[i].points, m->table.test[i].points, passed ? "passed" : "failed");
    print_pair(out, "output", text);
}

void report_gradescope(FILE *out, const struct mark *const *marks, size_t count)
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

/* ---- GitHub Classroom ---- */

static void classroom_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    const char *colon = strrchr(m->verdict[i].place, ':');
    int line = 0;
    if (colon && sscanf(colon + 1, "%d", &line) != 1)
        line = 0;
    fprintf(out, ", \"status\": \"%s\", \"score\": %g, \"line_no\": %d, ",
            passed          ? "pass"
            : m->refused[0] ? "error"
                            : "fail",
            m->verdict[i].points, line);
    print_pair(out, "filename", m->file);
    fprintf(out, ", ");
    print_pair(out, "test_code", m->table.test[i].requires);
    fprintf(out, ", ");
    print_pair(out, "message", passed ? "" : text);
}

void report_classroom(FILE *out, const struct mark *const *marks, size_t count)
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

/* ---- PrairieLearn ---- */

static void prairielearn_test(FILE *out, const struct mark *m, size_t i, const char *text)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    fprintf(out, ", \"points\": %g, \"max_points\": %g, ", m->verdict[i].points,
            m->table.test[i].points);
    print_pair(out, "message", passed ? "" : m->table.test[i].hint);
    fprintf(out, ", ");
    print_pair(out, "output", text);
}

/* A score from 0 to 1. A file that does not compile is not gradable, and costs no attempt. */
void report_prairielearn(FILE *out, const struct mark *const *marks, size_t count)
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
