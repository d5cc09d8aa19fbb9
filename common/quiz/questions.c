/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "quiz.h"
#ifdef SIMT
#include "simt/inspect.h"
#endif

void question_text(const struct question *q, char text[QUIZ_TEXT])
{
    size_t used = (size_t)snprintf(text, QUIZ_TEXT, "%s", kinds[q->pattern].name);
    for (int i = 0; i < PATTERN_ARGS && kinds[q->pattern].argument[i].name; i++)
        used += (size_t)snprintf(text + used, QUIZ_TEXT - used, " %d", q->arg[i]);
}

static bool argument_fits(const struct argument *a, long value)
{
    return value >= a->least && value <= a->most && value % a->multiple == 0 &&
           (!a->power_of_two || (value & (value - 1)) == 0);
}

static bool find_kind(const char *name, enum pattern *pattern, char *why, size_t bytes)
{
    size_t used = (size_t)snprintf(why, bytes, "'%s' is not a kind of question; there are:", name);
    for (int p = 0; p < PATTERNS; p++) {
        if (strcmp(kinds[p].name, name) == 0) {
            *pattern = (enum pattern)p;
            return true;
        }
        if (used < bytes)
            used += (size_t)snprintf(why + used, bytes - used, " %s", kinds[p].name);
    }
    return false;
}

bool question_read(const char *text, struct question *q, char *why, size_t bytes)
{
    char copy[QUIZ_TEXT];
    *q = (struct question){0};
    snprintf(copy, sizeof copy, "%s", text);
    char *word = strtok(copy, " ");
    if (!find_kind(word ? word : "", &q->pattern, why, bytes))
        return false;
    for (int i = 0; i < PATTERN_ARGS && kinds[q->pattern].argument[i].name; i++) {
        const struct argument *a = &kinds[q->pattern].argument[i];
        char *end = NULL;
        word = strtok(NULL, " ");
        const long value = word ? strtol(word, &end, 10) : 0;
        if (!word || *end || !argument_fits(a, value)) {
            snprintf(why, bytes, "'%s': %s is '%s'; accepted are %d to %d%s", text, a->name,
                     word ? word : "", a->least, a->most,
                     a->power_of_two   ? ", powers of two"
                     : a->multiple > 1 ? ", multiples of 32"
                                       : "");
            return false;
        }
        q->arg[i] = (int)value;
    }
    word = strtok(NULL, " ");
    if (word || strlen(text) >= sizeof copy)
        snprintf(why, bytes, "'%.60s': there is text after the question", text);
    return !word && strlen(text) < sizeof copy;
}

bool choice_fits(const struct choice *c, const struct kind *kind)
{
    return (!*c->lesson || strstr(kind->lessons, c->lesson)) &&
           (!*c->kind || strcmp(kind->name, c->kind) == 0);
}

static void draw_one(const struct choice *c, rng_t *rng, struct question *q)
{
    *q = (struct question){0};
    do
        q->pattern = (enum pattern)rng_below(rng, PATTERNS);
    while (!choice_fits(c, &kinds[q->pattern]));
    kinds[q->pattern].draw(rng, c, q->arg);
}

void questions_draw(const struct choice *c, struct question *questions)
{
    rng_t rng = {c->seed * QUIZ_LEVELS + (uint64_t)c->level};
    for (int i = 0; i < c->count; i++) {
        bool again = true;
        for (int tries = 0; again && tries < 20; tries++) {
            again = false;
            draw_one(c, &rng, &questions[i]);
            for (int k = 0; k < i && !again; k++)
                again = memcmp(&questions[k], &questions[i], sizeof *questions) == 0;
        }
    }
}

static long counted(const struct question *q)
{
#ifdef SIMT
    return (long)simt_counted(kinds[q->pattern].counter);
#else
    (void)q;
    return 0;
#endif
}

long question_count(const struct question *q)
{
    const long before = counted(q);
    const cudaError_t error = pattern_launch(q->pattern, q->arg);
    if (error != cudaSuccess) {
        fprintf(stderr, "quiz: %s: %s\n", kinds[q->pattern].name, cudaGetErrorString(error));
        exit(2);
    }
#ifdef SIMT
    return counted(q) - before;
#else
    return before - 1;
#endif
}
