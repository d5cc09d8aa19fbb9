/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quiz.h"
#ifdef SIMT
#include "simt/inspect.h"
#else
#define simt_counted(counter) 0 /* on a GPU ncu counts: record.sh */
#endif

const char *question_text(const struct question *q)
{
    const char *words = kinds[q->pattern].name;
    const size_t count = list_split(kinds[q->pattern].arguments, ",", false).count;
    for (size_t i = 0; i < count; i++)
        words = text("%s %d", words, q->arg[i]);
    return words;
}

/* Takes the value of an argument, "width 1 4 power: ...". Returns NULL, or what is accepted. */
static const char *take(const char *argument, const char *typed, int *arg)
{
    const struct list a = list_split(until(argument, ":"), " ", false);
    const int least = atoi(a.words[1]), most = atoi(a.words[2]);
    const bool power = list_has(&a, "power"), multiple = list_has(&a, "multiple");
    char *end = "";
    const long value = strtol(typed, &end, 10);
    *arg = (int)value;
    if (*typed && !*end && value >= least && value <= most &&
        (!power || (value & (value - 1)) == 0) && (!multiple || value % WARP == 0))
        return NULL;
    return text("%s is '%s'; accepted are %d to %d%s", a.words[0], typed, least, most,
                power      ? ", powers of two"
                : multiple ? ", multiples of 32"
                           : "");
}

bool question_read(const char *typed, struct question *q, const char **why)
{
    const struct list words = list_split(typed, " ", false);
    const char *const name = words.count > 0 ? words.words[0] : "";
    int p = 0;
    *q = (struct question){0};
    while (p < PATTERNS && strcmp(kinds[p].name, name) != 0)
        p++;
    *why = text("'%s' is not a kind of question; there are: %s", name,
                choice_kinds(&(struct choice){.lesson = "", .kind = ""}));
    if (p == PATTERNS)
        return false;
    q->pattern = (enum pattern)p;
    const struct list arguments = list_split(kinds[p].arguments, ",", false);
    for (size_t i = 0; i < arguments.count; i++) {
        const char *word = i + 1 < words.count ? words.words[i + 1] : "";
        const char *accepted = take(arguments.words[i], word, &q->arg[i]);
        *why = text("'%s': %s", typed, accepted ? accepted : "");
        if (accepted)
            return false;
    }
    *why = text("'%.60s': there is text after the question", typed);
    return words.count <= arguments.count + 1 && strlen(typed) < QUIZ_TEXT;
}

static bool fits(const struct choice *c, const struct kind *kind)
{
    return (!*c->lesson || strstr(kind->lessons, c->lesson)) &&
           (!*c->kind || strcmp(kind->name, c->kind) == 0);
}

const char *choice_kinds(const struct choice *c)
{
    struct list names = {0};
    for (int p = 0; p < PATTERNS; p++)
        if (fits(c, &kinds[p]))
            ADD(&names, kinds[p].name);
    return list_text(&names, " ");
}

/* "2^0..5", "1..4*32" or "64". */
static int draw_from(rng_t *rng, const char *range)
{
    int least = 0, most = 0, times = 1;
    const bool power = sscanf(range, "2^%d..%d", &least, &most) == 2;
    if (!power && sscanf(range, "%d..%d*%d", &least, &most, &times) == 1)
        return least;
    const int value = least + (int)rng_below(rng, (size_t)(most - least + 1));
    return power ? 1 << value : times * value;
}

static void draw_one(const struct choice *c, rng_t *rng, struct question *q)
{
    *q = (struct question){0};
    do
        q->pattern = (enum pattern)rng_below(rng, PATTERNS);
    while (!fits(c, &kinds[q->pattern]));
    const struct kind *kind = &kinds[q->pattern];
    const struct list arguments = list_split(kind->arguments, ",", false);
    for (size_t i = 0; i < arguments.count; i++)
        if (strchr(arguments.words[i], ':')) {
            const char *ranges = strchr(arguments.words[i], ':') + 1;
            q->arg[i] = draw_from(rng, list_split(ranges, " ", false).words[c->level - 1]);
        }
    if (kind->draw)
        kind->draw(rng, c, q->arg);
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

long question_count(const struct question *q)
{
    const struct kind *kind = &kinds[q->pattern];
    const long before = (long)simt_counted(kind->counter);
    const cudaError_t error = pattern_launch(q->pattern, q->arg);
    if (error != cudaSuccess) {
        fprintf(stderr, "quiz: %s: %s\n", kind->name, cudaGetErrorString(error));
        exit(2);
    }
    return (long)simt_counted(kind->counter) - before;
}
