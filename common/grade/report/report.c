/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

enum { COLUMNS = 80 };

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
    if (v->place[0])
        print_wrapped(out, "line", v->place);
    if (v->result == RESULT_FAILED && t->hint[0])
        print_wrapped(out, "hint", t->hint);
}

void report_protections(FILE *out, unsigned protections)
{
    static const char *const names[] = {"system calls", "user", "network", "memory"};
    char on[128] = "time, files, host memory", off[128] = "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char *list = protections >> i & 1 ? on : off;
        snprintf(list + strlen(list), sizeof on - strlen(list), "%s%s", *list ? ", " : "",
                 names[i]);
    }
    fprintf(out, "protections on: %s\n", on);
    if (off[0])
        fprintf(out, "protections OFF: %s\n", off);
}

static void print_mark(FILE *out, const struct mark *m)
{
    fprintf(out, "exercise %s: %s\n%s\n", m->task->name, m->task->title, m->file);
    if (m->refused[0]) {
        fprintf(out, "refused\n");
        print_wrapped(out, "why", m->refused);
    }
    for (size_t i = 0; i < m->table.tests && !m->refused[0]; i++)
        print_verdict(out, &m->table.test[i], &m->verdict[i]);
    fprintf(out, "%g of %g points; to run this again: SEED=%llu\n", m->points, m->table.points,
            (unsigned long long)m->seed);
    if (!m->refused[0])
        report_protections(out, m->protections);
}

void report_text(FILE *out, const struct mark *const *marks, size_t count)
{
    double points = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fprintf(out, "\n");
        print_mark(out, marks[i]);
        points += marks[i]->points;
        all += marks[i]->table.points;
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

void report_csv(FILE *out, const struct mark *const *marks, size_t count)
{
    static const char *const results[] = {"not run", "failed", "passed"};
    fprintf(out, "file,exercise,test,result,points,of,seed,seen\n");
    for (size_t k = 0; k < count; k++) {
        const struct mark *m = marks[k];
        for (size_t i = 0; i < m->table.tests; i++) {
            const struct verdict *v = &m->verdict[i];
            csv_row(out, m, m->table.test[i].name, m->refused[0] ? "refused" : results[v->result],
                    v->points, m->table.test[i].points, m->refused[0] ? m->refused : v->seen);
        }
    }
}
