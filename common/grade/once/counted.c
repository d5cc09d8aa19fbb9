/* SPDX-License-Identifier: MIT */
/*
 * counted.c - runs a step of the course that somebody else has changed, once and in the grader's
 * sandbox, and prints its counters, those of all launches: `,,,,barriers,80`, as in SIMT_COUNTERS.
 * `make lab` calls it.
 *
 *   counted ROOT BUILD FILE sum|gelu      FILE has the step and a solve that calls it, see lab.sh
 *
 * Exit: 0 it is counted, 1 it is refused or its result is wrong, 2 usage.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade/protect/protect.h"

enum { N = 1 << 20, SECONDS = 60, VALUES = 13 };

/* Sums of such numbers are exact in any order. */
static void make_input(float *in)
{
    for (size_t i = 0; i < N; i++)
        in[i] = (float)(i % VALUES) - 5;
}

/* How many outputs are wrong. */
static size_t count_wrong(const float *in, const float *out, bool maps)
{
    double sum = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < N; i++) {
        const double x = in[i];
        sum += x;
        wrong += maps && !(fabs(x / 2 * (1 + erf(x / sqrt(2))) - out[i]) < 1e-5);
    }
    return maps ? wrong : out[0] != sum;
}

/* Why there are no counts; or NULL. */
static const char *count(struct submission *s, bool maps, struct run *run)
{
    static float in[N], out[N];
    const struct job job = {.size = {N},
                            .inputs = 1,
                            .outputs = 1,
                            .in = {{.bytes = sizeof in}},
                            .out = {{.bytes = maps ? sizeof out : sizeof *out, .poison = 0xa5}},
                            .most_work_bytes = 2 * sizeof in};
    if (s->refused[0])
        return s->refused;
    make_input(in);
    submission_run(s, &job, (void *[]){in}, (void *[]){out}, run);
    if (run->fault[0] || run->timeout)
        return run->fault[0] ? run->fault : "it does not end";
    if (!run->replied || run->reply.state != REPLY_DONE)
        return run->replied && run->reply.error[0] ? run->reply.error : "it does not run";
    return count_wrong(in, out, maps) > 0 ? "its result is wrong" : NULL;
}

int main(int argc, char **argv)
{
    static struct course course;
    static struct submission s;
    static struct run run;
    if (argc != 5) {
        fputs("usage: counted ROOT BUILD FILE sum|gelu\n", stderr);
        return 2;
    }
    course_init(&course, argv[1], argv[2], SECONDS);
    submission_build(&s, &course, argv[3]);
    const char *why = count(&s, strcmp(argv[4], "gelu") == 0, &run);
    if (why)
        fprintf(stderr, "%s\n", why);
    for (int i = 0; !why && i < JOB_NAMES; i++)
        printf(",,,,%s,%llu\n", job_counters[i], (unsigned long long)run.reply.count[i]);
    submission_remove(&s);
    return why != NULL;
}
