/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: report - lines, CSV and JSON of a report
 * Run: $BUILD/unit/test_report
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "report.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const device_t DEVICE = {.name = "GPU \"9\"",
                                .sms = 4,
                                .l2_bytes = 1 << 20,
                                .peak_gbps = 1000,
                                .driver = 13010,
                                .runtime = 12040};
static const problem_t SUM = {.kind = KIND_REDUCE, .type = DTYPE_F32, .op = OP_SUM};
static char text[4000];

static report_t begin(format_t format, table_t table)
{
    report_t r = {.stream = tmpfile(),
                  .format = format,
                  .table = table,
                  .step = "03_x",
                  .variant = "kernel",
                  .summary = "words",
                  .device = &DEVICE,
                  .command = "03_x --csv"};
    report_begin(&r);
    return r;
}

static void end(report_t *r)
{
    report_end(r);
    rewind(r->stream);
    memset(text, 0, sizeof text);
    if (fread(text, 1, sizeof text - 1, r->stream) == 0)
        text[0] = '\0';
    fclose(r->stream);
}

static bool found(const char *words)
{
    return strstr(text, words) != NULL;
}

static bench_t some_bench(void)
{
    return (bench_t){.problem = SUM,
                     .shape = {1, 1000},
                     .bytes = 4004,
                     .time_us = {.median = 2, .min = 1.5, .p90 = 2.25},
                     .gbps = 2.002,
                     .peak_share = 0.0020,
                     .copy_share = 0.5,
                     .fits_l2 = true};
}

TEST(csv_of_times)
{
    bench_t b = some_bench();
    setenv("COURSE_COMMIT", "abc123", 1);
    report_t r = begin(FORMAT_CSV, TABLE_BENCH);
    tally_t t = {.sizes = 3, .cases = 9};
    report_check(&r, &SUM, &t); /* not in this table */
    report_bench(&r, &b);
    end(&r);
    unsetenv("COURSE_COMMIT");
    CHECK(found("# gpu: GPU \"9\"\n") && found("# driver: CUDA 13.1\n") && found("# cuda: 12.4\n"));
    CHECK(found("# commit: abc123\n# command: 03_x --csv\n") && found("# date: 20"));
    CHECK(found("\nstep,variant,type,op,n,bytes,median_us,min_us,p90_us,gbps,peak_share,copy_share,"
                "l2,warm,cols\n03_x,kernel,f32,sum,1000,4004,2.000,1.500,2.250,2.00,0.0020,0.5000,"
                "1,0,1000\n"));
    CHECK(!found(",9,0"));
}

TEST(csv_of_checks)
{
    report_t r = begin(FORMAT_CSV, TABLE_CHECK);
    tally_t t = {.sizes = 3, .cases = 9, .failed = 2};
    report_check(&r, &SUM, &t);
    report_skip(&r, "f16", NULL, "not offered by this step");
    end(&r);
    CHECK(found("\nstep,variant,type,op,cases,failed\n03_x,kernel,f32,sum,9,2\n"));
    CHECK(!found("# commit") && !found("f16"));
}

TEST(text_lines)
{
    bench_t b = some_bench();
    report_t r = begin(FORMAT_TEXT, TABLE_BENCH);
    tally_t good = {.sizes = 27, .cases = 214}, bad = {.sizes = 27, .cases = 214, .failed = 3};
    tally_t one = {.sizes = 1, .cases = 1, .too_large = 1};
    report_check(&r, &SUM, &good);
    report_check(&r, &SUM, &bad);
    report_check(&r, &SUM, &one);
    report_skip(&r, "f16", NULL, "not offered by this step");
    report_bench(&r, &b);
    b.warm = true;
    report_bench(&r, &b);
    end(&r);
    CHECK(found("f32 sum   check ok  27 sizes, 214 cases\n"));
    CHECK(found("f32 sum   check WRONG  27 sizes, 3 of 214 cases wrong\n"));
    CHECK(found("f32 sum   check ok  1 size, 1 case; too large for the memory: 1 size\n"));
    CHECK(found("f16       skip: not offered by this step\n"));
    CHECK(found("50.0%  L2\n") && found("50.0%  warm\n"));
    CHECK(found("03_x.kernel: words\n") && found("4 SMs, L2 1 MiB, 1000 GB/s, CUDA 12.4\n"));
    const char *head = strstr(text, "median us");
    CHECK(head != NULL && strstr(head + 1, "median us") == NULL);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        CHECK(strcspn(line, "\n") <= 80);
}

TEST(json_is_whole)
{
    bench_t b = some_bench();
    report_t r = begin(FORMAT_JSON, TABLE_BENCH);
    input_t input = {.problem = SUM, .shape = {1, 5}};
    outcome_t outcome = {.got = NAN, .expect = {{INFINITY, 0}, 0}};
    tally_t t = {.sizes = 3, .cases = 9};
    report_check(&r, &SUM, &t);
    report_skip(&r, "f16", NULL, "why");
    report_value(&r, &input, &outcome, false);
    report_bench(&r, &b);
    end(&r);
    CHECK(text[0] == '{' && strcmp(text + strlen(text) - 3, "]}\n") == 0);
    CHECK(found("\"gpu\": \"GPU \\\"9\\\"\"") && found("\"result\": \"nan\""));
    CHECK(found("\"reference\": \"inf\"") && found("\"right\": false}") &&
          found("\"l2\": true, \"warm\": false, \"cols\": 1000}"));
    CHECK(found("\"cases\": 9, \"failed\": 0},\n") && found("\"why\": \"why\"},\n"));
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++)
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    CHECK(depth == 0);
}

TEST(json_of_nothing)
{
    report_t r = begin(FORMAT_JSON, TABLE_CHECK);
    end(&r);
    CHECK(found("\"results\": []}\n"));
}

TEST(values)
{
    report_t r = begin(FORMAT_TEXT, TABLE_VALUE);
    input_t input = {.problem = SUM, .shape = {1, 1000003}};
    outcome_t outcome = {.got = 2.5, .expect = {{2.25, 0}, 0.5}};
    report_value(&r, &input, &outcome, true);
    input.problem = (problem_t){.kind = KIND_MAP, .type = DTYPE_F16, .op = MAP_RELU};
    report_value(&r, &input, &outcome, false);
    end(&r);
    CHECK(found("f32 sum   n 1000003  result 2.5  ok\n"));
    CHECK(found("reference 2.25, error 0.25, allowed 0.5\n"));
    CHECK(found("f16 relu  n 1000003  1000003 outputs checked  WRONG\n"));
}

int main(void)
{
    return test_all();
}
