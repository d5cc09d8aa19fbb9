/* SPDX-License-Identifier: MIT */
/*
 * records.c - marks as records, a line each, and formats.awk, which shows them.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report.h"

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
                         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return valid && !control ? n : 0;
}

void text_show(char *shown, size_t bytes, const char *text)
{
    size_t used = 0;
    while (*text && used + 5 < bytes) {
        const size_t n = text_character(text);
        const unsigned char c = (unsigned char)*text;
        if (c == '\n' || c == '\\')
            used += (size_t)snprintf(shown + used, 3, "\\%c", c == '\n' ? 'n' : c);
        else if (n == 0)
            used += (size_t)snprintf(shown + used, 5, "\\x%02x", c);
        else
            used += (size_t)snprintf(shown + used, 5, "%.*s", (int)n, text);
        text += n > 0 ? n : 1;
    }
    shown[used] = '\0';
}

/* ---- records ---- */

void report_texts(FILE *records, ...)
{
    static char shown[4 * PATH_BYTES + 8];
    va_list texts;
    va_start(texts, records);
    for (const char *text; (text = va_arg(texts, const char *)) != NULL;) {
        text_show(shown, sizeof shown, text);
        fprintf(records, "\t%s", shown);
    }
    va_end(texts);
    fprintf(records, "\n");
}

void report_mark(FILE *records, const struct mark *m)
{
    static const char *const results[] = {
        [RESULT_NOT_RUN] = "not run", [RESULT_FAILED] = "failed", [RESULT_PASSED] = "passed"};
    static const char why_missing[] =
        "nothing yet: write a sentence after \"// Why:\" at the head of the file";
    char sandbox[TEXT_BYTES], score[32] = "";
    if (m->score > 0)
        snprintf(score, sizeof score, "%.10g", m->score);
    protections_text(m->protections, sandbox, sizeof sandbox);
    fprintf(records, "mark\t%g\t%g\t%llu\t%g", m->points, m->tests->points,
            (unsigned long long)m->seed, m->seconds);
    report_texts(records, m->task->name, m->task->title, m->file, m->refused, sandbox,
                 m->task->file && !m->why[0] ? why_missing : m->why, score, NULL);
    for (size_t i = 0; i < m->tests->count; i++) {
        const struct test *t = &m->tests->test[i];
        const struct verdict *v = &m->verdict[i];
        fprintf(records, "test\t%g\t%g\t%s\t%s", v->points, t->points, results[v->result],
                v->cause == CAUSE_ENDLESS   ? "endless"
                : v->cause == CAUSE_FINDING ? "finding"
                                            : "");
        report_texts(records, t->name, v->shape, v->expected, v->seen, v->place, v->code, v->sizes,
                     v->hint, NULL);
    }
}

/* ---- awk ---- */

bool report_awk(const struct course *course, const char *script, const char *input, FILE *out)
{
    char folder[PATH_BYTES + 32], block[BUFSIZ];
    const int file = memfd_create("records", MFD_CLOEXEC);
    const ssize_t bytes = (ssize_t)strlen(input);
    snprintf(folder, sizeof folder, "%s/grade/report", course->common);
    setenv("REPORT", folder, 1);
    setenv("SCRIPT", script, 1);
    FILE *awk = NULL;
    if (write(file, input, strlen(input)) == bytes && lseek(file, 0, SEEK_SET) == 0 &&
        dup2(file, STDIN_FILENO) == STDIN_FILENO)
        awk = popen("LC_ALL=C exec awk -f \"$REPORT/csv.awk\" -f \"$REPORT/$SCRIPT\"", "r");
    close(file);
    for (size_t n; awk && (n = fread(block, 1, sizeof block, awk)) > 0;)
        fwrite(block, 1, n, out);
    const bool done = awk && pclose(awk) == 0;
    return fflush(out) == 0 && !ferror(out) && done;
}

bool report_show(const struct course *course, const char *format, const char *visibility,
                 const char *records)
{
    setenv("FORMAT", format, 1);
    setenv("VISIBILITY", visibility, 1);
    const bool shown = report_awk(course, "formats.awk", records, stdout);
    if (!shown)
        fprintf(stderr, "grade: the marks cannot be written\n");
    return shown;
}
