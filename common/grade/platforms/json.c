/* SPDX-License-Identifier: MIT */
/*
 * json.c - the results of Gradescope and PrairieLearn; the fields are those of their documents.
 */
#include "grade/report/report.h"
#include "simt/driver/inside.h"

/* What a student reads about one test. */
static const char *about_test(const struct mark *m, size_t i)
{
    const struct verdict *v = &m->verdict[i];
    if (*m->refused || v->result == RESULT_PASSED)
        return *m->refused ? "not run" : "passed";
    return text("with %s\nexpected: %s\nseen: %s%s%s%s%s%s%s", *v->shape ? v->shape : "-",
                v->expected, v->seen, *v->place ? "\nline: " : "", v->place, *v->code ? "\n" : "",
                v->code, *v->hint ? "\nhint: " : "", v->hint);
}

/* What a student reads about all: why a file was refused, once and in full; the seeds. */
static const char *about_all(const struct marks *all)
{
    const char *about = "";
    for (const struct mark *m = all->mark; m < all->mark + all->count; m++) {
        const char *why = why_of_mark(m);
        about = text("%s%sexercise %s: %g of %g points%s%s; to run this again: SEED=%llu%s%s",
                     about, *about ? "\n" : "", m->task->name, m->points, m->tests->points,
                     *m->refused ? "; refused:\n" : "", m->refused, (unsigned long long)m->seed,
                     *why ? "\nwhy: " : "", why);
        if (m->score > 0)
            about = text("%s\nscore on the board: %.10g", about, m->score);
    }
    return text("%s%s%s", about, *about && *all->remark ? "\n" : "", all->remark);
}

static void gradescope_test(const struct marks *all, const struct mark *m, size_t i, FILE *out)
{
    const char *visibility = i > 0 && *all->visibility ? all->visibility : "visible";
    fprintf(out, ", \"score\": %g, \"max_score\": %g, \"status\": \"%s\", \"visibility\": \"%s\"}",
            m->verdict[i].points, m->tests->test[i].points,
            m->verdict[i].result == RESULT_PASSED ? "passed" : "failed", visibility);
}

static void prairielearn_test(const struct marks *all, const struct mark *m, size_t i, FILE *out)
{
    (void)all;
    fprintf(out, ", \"points\": %g, \"max_points\": %g, \"message\": %s}", m->verdict[i].points,
            m->tests->test[i].points, text_json(m->verdict[i].hint));
}

/* An object for each test; with several exercises it is called `03: whole tiles`. */
static void print_tests(const struct marks *all, FILE *out,
                        void (*print)(const struct marks *, const struct mark *, size_t, FILE *))
{
    const char *between = "";
    fprintf(out, "  \"tests\": [");
    for (const struct mark *m = all->mark; m < all->mark + all->count; m++)
        for (size_t i = 0; i < m->tests->count; i++) {
            const char *name = m->tests->test[i].name;
            if (all->count > 1)
                name = text("%s: %s", m->task->name, name);
            fprintf(out, "%s\n    {\"name\": %s, \"output\": %s", between, text_json(name),
                    text_json(about_test(m, i)));
            print(all, m, i, out);
            between = ",";
        }
    fprintf(out, "\n  ]\n}\n");
}

/* gradescope-autograders.readthedocs.io/en/latest/specs/ */
void show_gradescope(const struct marks *all, FILE *out)
{
    const struct sums sum = marks_sum(all);
    fprintf(out, "{\n  \"score\": %g,\n  \"execution_time\": %.1f,\n", sum.points, sum.seconds);
    fprintf(out,
            "  \"visibility\": \"visible\",\n  \"stdout_visibility\": \"hidden\",\n"
            "  \"output_format\": \"text\",\n  \"test_output_format\": \"text\",\n"
            "  \"test_name_format\": \"text\",\n  \"output\": %s,\n",
            text_json(about_all(all)));
    print_tests(all, out, gradescope_test);
}

/* docs.prairielearn.com/externalGrading, "Grading results": a score from 0 to 1. A refused file is
 * an attempt with 0 points. */
void show_prairielearn(const struct marks *all, FILE *out)
{
    const struct sums sum = marks_sum(all);
    fprintf(out, "{\n  \"gradable\": true,\n  \"score\": %g,\n  \"message\": %s,\n",
            sum.of > 0 ? sum.points / sum.of : 0, text_json(about_all(all)));
    print_tests(all, out, prairielearn_test);
}
