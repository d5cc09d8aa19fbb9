/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the formats in which marks are shown, and the list of them at the end.
 */
#define _GNU_SOURCE
#include "report.h"

#include <string.h>

enum { COLUMNS = 80 };

/* ---- text of a student ---- */

size_t text_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    unsigned code = n > 1 ? p[0] & (0x7fu >> n) : p[0];
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    const bool valid = (n < 3 || code >= 0x800) &&
                       (n < 4 || (code >= 0x10000 && code < 0x110000)) &&
                       (code < 0xd800 || code > 0xdfff);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return valid && !control ? n : 0;
}

/* With `lines` line breaks and tabs stay what they are. */
static void show(char *shown, size_t bytes, const char *text, bool lines)
{
    size_t used = 0;
    while (*text && used + 5 < bytes) {
        const size_t n = text_character(text);
        if (n > 0 && (lines || *text != '\\')) {
            memcpy(shown + used, text, n);
            used += n;
            text += n;
            continue;
        }
        const unsigned char c = (unsigned char)*text++;
        if (lines && (c == '\n' || c == '\t'))
            shown[used++] = c == '\n' ? '\n' : ' ';
        else if (c == '\n' || c == '\\')
            used += (size_t)snprintf(shown + used, 3, "\\%c", c == '\n' ? 'n' : c);
        else
            used += (size_t)snprintf(shown + used, 5, "\\x%02x", c);
    }
    shown[used] = '\0';
}

void text_show(char *shown, size_t bytes, const char *text)
{
    show(shown, bytes, text, false);
}

/* ---- text ---- */

/* How many columns `n` bytes take, if a character takes one. */
static int columns_of(const char *text, int n)
{
    int columns = 0;
    for (int i = 0; i < n; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

/* "label text", broken between words so that no line is longer than 80 columns. */
static void print_wrapped(FILE *out, const char *label, const char *given)
{
    enum { INDENT = 20 };
    char shown[4 * MESSAGE_BYTES], *text = shown;
    int column = fprintf(out, "         %-*s", INDENT - 9, label);
    show(shown, sizeof shown, given, true);
    while (*text) {
        const int n = (int)strcspn(text, " \n"), columns = columns_of(text, n);
        const char end = text[n];
        if (column > INDENT && column + 1 + columns > COLUMNS)
            column = fprintf(out, "\n%*s", INDENT, "") - 1;
        const bool first = column <= INDENT;
        fprintf(out, "%s%.*s", first ? "" : " ", n, text);
        column += columns + !first;
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
    char shown[PATH_BYTES];
    text_show(shown, sizeof shown, m->file);
    if (strcmp(shown, m->file) != 0)
        return; /* nobody can type this name */
    for (size_t i = 0; i < m->tests.count; i++) {
        const struct verdict *v = &m->verdict[i];
        if (v->result != RESULT_FAILED || !v->place[0] || v->cause == CAUSE_ENDLESS)
            continue;
        fprintf(out, "to step through \"%s\"%s:\n  make show TASK=%s SUBMISSION='",
                m->tests.test[i].name,
                v->cause == CAUSE_FINDING ? ", where f goes to what was found" : "", m->task->name);
        for (const char *c = m->file; *c; c++)
            fprintf(out, *c == '\'' ? "'\\''" : "%c", *c);
        fprintf(out, "'%s%s\n", v->sizes[0] ? " N=" : "", v->sizes);
        return;
    }
}

static void print_mark(FILE *out, const struct mark *m)
{
    char file[PATH_BYTES];
    text_show(file, sizeof file, m->file);
    fprintf(out, "exercise %s: %s\n%s\n", m->task->name, m->task->title, file);
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

void report_text(FILE *out, const struct shown *s)
{
    double points = 0, all = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (i > 0)
            fprintf(out, "\n");
        print_mark(out, s->marks[i]);
        points += s->marks[i]->points;
        all += s->marks[i]->tests.points;
    }
    if (s->count > 1)
        fprintf(out, "\nall exercises: %g of %g points\n", points, all);
    if (s->remarks && s->remarks[0])
        print_wrapped(out, "remark", s->remarks);
}

/* ---- CSV ---- */

void report_field(FILE *out, const char *text)
{
    const char *formula = strchr("=+-@'", *text) && *text ? "'" : "";
    const bool quoted = strpbrk(text, ",;\"\n") != NULL;
    fprintf(out, "%s%s", quoted ? "\"" : "", formula);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fprintf(out, "%s", quoted ? "\"" : "");
}

static void print_field(FILE *out, const char *text)
{
    char shown[4 * MESSAGE_BYTES];
    show(shown, sizeof shown, text, true);
    report_field(out, shown);
}

/* One row for each test. */
static void report_csv(FILE *out, const struct shown *s)
{
    static const char *const results[] = {"not run", "failed", "passed"};
    fprintf(out, "file,exercise,test,result,points,of,seed,seen\n");
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < s->marks[k]->tests.count; i++) {
            const struct mark *m = s->marks[k];
            const struct verdict *v = &m->verdict[i];
            print_field(out, m->file);
            fprintf(out, ",%s,", m->task->name);
            print_field(out, m->tests.test[i].name);
            fprintf(out, ",%s,%g,%g,%llu,", m->refused[0] ? "refused" : results[v->result],
                    v->points, m->tests.test[i].points, (unsigned long long)m->seed);
            print_field(out, m->refused[0] ? m->refused : v->seen);
            fprintf(out, "\n");
        }
}

/* ---- what platforms show ---- */

/* What a student reads about one test. */
static void describe(const struct mark *m, size_t i, char *text, size_t bytes)
{
    const struct verdict *v = &m->verdict[i];
    if (m->refused[0])
        snprintf(text, bytes, "not run");
    else if (v->result == RESULT_PASSED)
        snprintf(text, bytes, "passed");
    else
        snprintf(text, bytes, "with %s\nexpected: %s\nseen: %s%s%s%s%s%s%s",
                 v->shape[0] ? v->shape : "-", v->expected, v->seen, v->place[0] ? "\nline: " : "",
                 v->place, v->code[0] ? "\n" : "", v->code, v->hint[0] ? "\nhint: " : "", v->hint);
}

/* What a student reads about all: why a file was refused, told once and whole; the seeds. */
static void describe_all(const struct shown *s, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < s->count && used < bytes; k++) {
        const struct mark *m = s->marks[k];
        used += (size_t)snprintf(text + used, bytes - used,
                                 "%sexercise %s: %g of %g points%s%s; "
                                 "to run this again: SEED=%llu",
                                 k ? "\n" : "", m->task->name, m->points, m->tests.points,
                                 m->refused[0] ? "; refused:\n" : "", m->refused,
                                 (unsigned long long)m->seed);
    }
    if (s->remarks && s->remarks[0] && used < bytes)
        snprintf(text + used, bytes - used, "%s%s", used ? "\n" : "", s->remarks);
}

static double sum_of(const struct shown *s, bool reached)
{
    double sum = 0;
    for (size_t k = 0; k < s->count; k++)
        sum += reached ? s->marks[k]->points : s->marks[k]->tests.points;
    return sum;
}

/* ---- JSON; the fields are those of the platforms' documents ---- */

/* Text as it was given, in UTF-8; what is none becomes U+FFFD, the sign for that. */
static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const size_t n = text_character(text);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (n > 0)
            fwrite(text, 1, n, out);
        else if (c == '\n')
            fprintf(out, "\\n");
        else if (c < 0x80)
            fprintf(out, "\\u%04x", c);
        else
            fprintf(out, "\xef\xbf\xbd");
        text += n > 0 ? n : 1;
    }
    fputc('"', out);
}

/* `before` is what comes between this pair and the one in front of it. */
static void print_pair(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s\"%s\": ", before, name);
    print_string(out, text);
}

typedef void (*test_fn)(FILE *out, const struct shown *s, const struct mark *m, size_t i);

/* "tests": [...], an object for each test; of several exercises it is called `03: whole tiles`. */
static void print_tests(FILE *out, const struct shown *s, test_fn print)
{
    char text[4 * MESSAGE_BYTES];
    fprintf(out, "  \"tests\": [");
    for (size_t k = 0, n = 0; k < s->count; k++)
        for (size_t i = 0; i < s->marks[k]->tests.count; i++) {
            const struct mark *m = s->marks[k];
            fprintf(out, "%s\n    {", n++ ? "," : "");
            snprintf(text, sizeof text, "%s%s%s", s->count > 1 ? m->task->name : "",
                     s->count > 1 ? ": " : "", m->tests.test[i].name);
            print_pair(out, "", "name", text);
            describe(m, i, text, sizeof text);
            print_pair(out, ", ", "output", text);
            print(out, s, m, i);
            fprintf(out, "}");
        }
    fprintf(out, "\n  ]\n}\n");
}

/* ---- Gradescope: gradescope-autograders.readthedocs.io/en/latest/specs/ ---- */

static void gradescope_test(FILE *out, const struct shown *s, const struct mark *m, size_t i)
{
    const bool passed = m->verdict[i].result == RESULT_PASSED;
    fprintf(out, ", \"score\": %g, \"max_score\": %g, \"status\": \"%s\", \"visibility\": \"%s\"",
            m->verdict[i].points, m->tests.test[i].points, passed ? "passed" : "failed",
            i > 0 && s->visibility ? s->visibility : "visible");
}

static void report_gradescope(FILE *out, const struct shown *s)
{
    char text[16 * MESSAGE_BYTES];
    double seconds = 0;
    for (size_t k = 0; k < s->count; k++)
        seconds += s->marks[k]->seconds;
    fprintf(out,
            "{\n  \"score\": %g,\n  \"execution_time\": %.1f,\n  \"visibility\": \"visible\",\n"
            "  \"stdout_visibility\": \"hidden\",\n  \"output_format\": \"text\",\n"
            "  \"test_output_format\": \"text\",\n  \"test_name_format\": \"text\",\n",
            sum_of(s, true), seconds);
    describe_all(s, text, sizeof text);
    print_pair(out, "  ", "output", text);
    fprintf(out, ",\n");
    print_tests(out, s, gradescope_test);
}

/* ---- PrairieLearn: docs.prairielearn.com/externalGrading, "Grading results" ---- */

static void prairielearn_test(FILE *out, const struct shown *s, const struct mark *m, size_t i)
{
    (void)s;
    fprintf(out, ", \"points\": %g, \"max_points\": %g", m->verdict[i].points,
            m->tests.test[i].points);
    print_pair(out, ", ", "message", m->verdict[i].hint);
}

/* A score from 0 to 1. A file that is refused is an attempt, and has 0 points. */
static void report_prairielearn(FILE *out, const struct shown *s)
{
    char text[16 * MESSAGE_BYTES];
    const double all = sum_of(s, false);
    fprintf(out, "{\n  \"gradable\": true,\n  \"score\": %.6g,\n",
            all > 0 ? sum_of(s, true) / all : 0);
    describe_all(s, text, sizeof text);
    print_pair(out, "  ", "message", text);
    fprintf(out, ",\n");
    print_tests(out, s, prairielearn_test);
}

/* ---- all of them ---- */

const char report_formats[] = "text csv gradescope prairielearn";

report_fn report_find(const char *name)
{
    static const struct {
        const char *name;
        report_fn report;
    } formats[] = {{"text", report_text},
                   {"csv", report_csv},
                   {"gradescope", report_gradescope},
                   {"prairielearn", report_prairielearn}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].report;
    return NULL;
}
