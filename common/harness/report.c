/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- head and end ---- */

static void print_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(stream, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, stream);
    }
    fputc('"', stream);
}

/* The next pair of a JSON object, after the first one. */
static void print_json_pair(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, ", \"%s\": ", name);
    print_json_string(stream, value);
}

static const char *today(char *text, size_t capacity)
{
    time_t now = time(NULL);
    struct tm *date = gmtime(&now);
    if (date == NULL || strftime(text, capacity, "%Y-%m-%d", date) == 0)
        return "unknown";
    return text;
}

/* What it cannot know itself is in the environment: see common/measure/results.sh. */
static void begin_csv(const report_t *r)
{
    static const char bench[] = "step,variant,type,op,n,bytes,median_us,min_us,p90_us,gbps,"
                                "peak_share,copy_share,l2,warm,cols";
    static const char check[] = "step,variant,type,op,cases,failed";
    static const char value[] = "step,variant,type,op,n,result,reference,error,allowed,right";
    const char *columns = r->table == TABLE_BENCH ? bench : r->table == TABLE_CHECK ? check : value;
    const device_t *d = r->device;
    const char *commit = getenv("COURSE_COMMIT"), *driver = getenv("COURSE_DRIVER");
    const char *command = getenv("COURSE_COMMAND");
    char date[32];

    fprintf(r->stream, "# gpu: %s%s\n", d->name, d->emulated ? " (emulated)" : "");
    fprintf(r->stream, "# memory: %.0f GB/s in theory; L2: %zu bytes\n", d->peak_gbps, d->l2_bytes);
    fprintf(r->stream, "# cuda: %d.%d\n", d->runtime / 1000, d->runtime % 1000 / 10);
    if (driver != NULL)
        fprintf(r->stream, "# driver: %s\n", driver);
    else
        fprintf(r->stream, "# driver: CUDA %d.%d\n", d->driver / 1000, d->driver % 1000 / 10);
    fprintf(r->stream, "# date: %s\n", today(date, sizeof date));
    if (commit != NULL)
        fprintf(r->stream, "# commit: %s\n", commit);
    fprintf(r->stream, "# command: %s\n%s\n", command != NULL ? command : r->command, columns);
}

static void begin_json(const report_t *r)
{
    const char *commit = getenv("COURSE_COMMIT");
    char date[32];

    fputs("{\"step\": ", r->stream);
    print_json_string(r->stream, r->step);
    print_json_pair(r->stream, "variant", r->variant);
    print_json_pair(r->stream, "gpu", r->device->name);
    fprintf(r->stream, ", \"emulated\": %s", r->device->emulated ? "true" : "false");
    fprintf(r->stream, ", \"driver\": %d, \"cuda\": %d", r->device->driver, r->device->runtime);
    print_json_pair(r->stream, "date", today(date, sizeof date));
    if (commit != NULL)
        print_json_pair(r->stream, "commit", commit);
    print_json_pair(r->stream, "command", r->command);
    fputs(", \"results\": [", r->stream);
}

void report_begin(report_t *r)
{
    const device_t *d = r->device;

    if (r->format == FORMAT_CSV) {
        begin_csv(r);
    } else if (r->format == FORMAT_JSON) {
        begin_json(r);
    } else {
        char name[80];
        snprintf(name, sizeof name, "%s.%s", r->step, r->variant);
        problem_title(r->stream, name, r->summary);
        fputs(d->name, r->stream);
        if (d->emulated)
            fputs(", emulator: results and counts are real, times are not\n", r->stream);
        else
            fprintf(r->stream, ", %d SMs, L2 %zu MiB, %.0f GB/s, CUDA %d.%d\n", d->sms,
                    d->l2_bytes >> 20, d->peak_gbps, d->runtime / 1000, d->runtime % 1000 / 10);
    }
}

void report_end(report_t *r)
{
    if (r->format == FORMAT_JSON)
        fputs(r->printed > 0 ? "\n]}\n" : "]}\n", r->stream);
    fflush(r->stream);
}

/* ---- rows ---- */

/* How every row begins. False if the table has no such rows. */
static bool begin_row(report_t *r, table_t table, const char *kind, const char *type,
                      const char *op)
{
    if (r->format == FORMAT_CSV) {
        if (table != r->table)
            return false;
        fprintf(r->stream, "%s,%s,%s,%s,", r->step, r->variant, type, op);
    } else if (r->format == FORMAT_JSON) {
        fprintf(r->stream, "%s\n  {\"kind\": \"%s\", \"type\": \"%s\", \"op\": \"%s\"",
                r->printed > 0 ? "," : "", kind, type, op);
    } else {
        fprintf(r->stream, "%-3s %-5s", type, op);
    }
    r->printed++;
    return true;
}

/* "1 size", "27 sizes". */
static void print_count(FILE *stream, size_t count, const char *noun)
{
    fprintf(stream, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

void report_check(report_t *r, const problem_t *p, const tally_t *t)
{
    if (!begin_row(r, TABLE_CHECK, "check", dtype_name(p->type), problem_op_name(p->kind, p->op)))
        return;
    if (r->format == FORMAT_CSV) {
        fprintf(r->stream, "%zu,%zu\n", t->cases, t->failed);
    } else if (r->format == FORMAT_JSON) {
        fprintf(r->stream, ", \"sizes\": %zu, \"cases\": %zu, \"failed\": %zu}", t->sizes, t->cases,
                t->failed);
    } else {
        fprintf(r->stream, " check %s  ", t->failed > 0 ? "WRONG" : "ok");
        print_count(r->stream, t->sizes, "size");
        fputs(", ", r->stream);
        if (t->failed > 0)
            fprintf(r->stream, "%zu of ", t->failed);
        print_count(r->stream, t->cases, "case");
        fputs(t->failed > 0 ? " wrong" : "", r->stream);
        if (t->too_large > 0) {
            fputs("; too large for the memory: ", r->stream);
            print_count(r->stream, t->too_large, "size");
        }
        fputc('\n', r->stream);
    }
    fflush(r->stream);
}

void report_skip(report_t *r, const char *type, const char *op, const char *why)
{
    if (r->format == FORMAT_CSV)
        return;
    if (r->format == FORMAT_TEXT && op == NULL) {
        fprintf(r->stream, "%-9s skip: %s\n", type, why);
        r->printed++;
        return;
    }
    begin_row(r, r->table, "skip", type, op != NULL ? op : "");
    if (r->format == FORMAT_JSON) {
        print_json_pair(r->stream, "why", why);
        fputc('}', r->stream);
    } else {
        fprintf(r->stream, " skip: %s\n", why);
    }
}

/* JSON has no NaN and no infinity: those are strings. */
static void print_json_number(FILE *stream, const char *name, double value)
{
    const char *quote = isfinite(value) ? "" : "\"";
    fprintf(stream, ", \"%s\": %s%.17g%s", name, quote, value, quote);
}

void report_value(report_t *r, const input_t *input, const outcome_t *outcome, bool right)
{
    const problem_t *p = &input->problem;
    const expect_t *expect = &outcome->expect;
    const size_t n = problem_n(input->shape);
    double error = expect_error(expect, outcome->got);

    if (!begin_row(r, TABLE_VALUE, "value", dtype_name(p->type), problem_op_name(p->kind, p->op)))
        return;
    if (r->format == FORMAT_CSV) {
        fprintf(r->stream, "%zu,%.17g,%.17g,%.3g,%.3g,%d\n", n, outcome->got, expect->value.high,
                error, expect->allowed, right);
    } else if (r->format == FORMAT_JSON) {
        fprintf(r->stream, ", \"n\": %zu", n);
        print_json_number(r->stream, "result", outcome->got);
        print_json_number(r->stream, "reference", expect->value.high);
        print_json_number(r->stream, "error", error);
        print_json_number(r->stream, "allowed", expect->allowed);
        fprintf(r->stream, ", \"right\": %s}", right ? "true" : "false");
    } else if (p->kind == KIND_REDUCE) {
        int digits = p->type == DTYPE_F64 ? 17 : !dtype_is_float(p->type) ? 10 : 9;
        fprintf(r->stream, " n %zu  result %.*g  %s\n", n, digits, outcome->got,
                right ? "ok" : "WRONG");
        fprintf(r->stream, "          reference %.17g, error %.2g, allowed %.2g\n",
                expect->value.high, error, expect->allowed);
    } else {
        fprintf(r->stream, " n %zu  ", n);
        print_count(r->stream, problem_out_n(p, input->shape), "output");
        fprintf(r->stream, " checked  %s\n", right ? "ok" : "WRONG");
    }
    fflush(r->stream);
}

void report_once(report_t *r, const input_t *input)
{
    const problem_t *p = &input->problem;

    begin_row(r, TABLE_VALUE, "once", dtype_name(p->type), problem_op_name(p->kind, p->op));
    fprintf(r->stream, " n %zu  ran once, not checked\n", problem_n(input->shape));
    fflush(r->stream);
}

void report_bench(report_t *r, const bench_t *b)
{
    const problem_t *p = &b->problem;
    const char *type = dtype_name(p->type), *op = problem_op_name(p->kind, p->op);
    const size_t n = problem_n(b->shape);
    const stats_t *t = &b->time_us;
    const char *mark = b->warm ? "  warm" : b->fits_l2 ? "  L2" : "";
    const int width = 18 - (int)(strlen(op) > 5 ? strlen(op) : 5); /* to the end of its head */
    static const char head[] = "type op               n   median us      min us     GB/s  of peak"
                               "  of copy\n";

    if (r->format == FORMAT_TEXT && !r->bench_head)
        fputs(head, r->stream);
    r->bench_head = true;
    if (!begin_row(r, TABLE_BENCH, "bench", type, op))
        return;
    if (r->format == FORMAT_CSV)
        fprintf(r->stream, "%zu,%zu,%.3f,%.3f,%.3f,%.2f,%.4f,%.4f,%d,%d,%zu\n", n, b->bytes,
                t->median, t->min, t->p90, b->gbps, b->peak_share, b->copy_share, b->fits_l2,
                b->warm, b->shape.cols);
    else if (r->format == FORMAT_JSON)
        fprintf(r->stream,
                ", \"n\": %zu, \"bytes\": %zu, \"median_us\": %.3f, \"min_us\": %.3f, "
                "\"p90_us\": %.3f, \"gbps\": %.2f, \"peak_share\": %.4f, \"copy_share\": %.4f, "
                "\"l2\": %s, \"warm\": %s, \"cols\": %zu}",
                n, b->bytes, t->median, t->min, t->p90, b->gbps, b->peak_share, b->copy_share,
                b->fits_l2 ? "true" : "false", b->warm ? "true" : "false", b->shape.cols);
    else
        fprintf(r->stream, "%*zu %11.2f %11.2f %8.1f %7.1f%% %7.1f%%%s\n", width, n, t->median,
                t->min, b->gbps, 100 * b->peak_share, 100 * b->copy_share, mark);
    fflush(r->stream);
}
