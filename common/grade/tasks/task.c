/* SPDX-License-Identifier: MIT */
/*
 * task.c - what all exercises share: names, sizes of arrays, when an element is right, and the
 * sizes of a small run.
 */
#include "task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct task *task_find(const char *name)
{
    for (size_t i = 0; i < task_count; i++)
        if (strcmp(tasks[i]->name, name) == 0)
            return tasks[i];
    return NULL;
}

size_t elem_bytes(elem_t type)
{
    static const size_t bytes[] = {
        [ELEM_F32] = 4, [ELEM_F16] = 2, [ELEM_I32] = 4, [ELEM_U64] = 8, [ELEM_U8] = 1};
    return bytes[type];
}

size_t array_bytes(const struct array *a, const size_t *size)
{
    return a->count(size) * elem_bytes(a->type);
}

size_t arrays_bytes(const struct array *a, const size_t *size)
{
    size_t bytes = 0;
    for (; a->count; a++)
        bytes += array_bytes(a, size);
    return bytes;
}

size_t count_n(const size_t *size)
{
    return size[0];
}

size_t count_all(const size_t *size)
{
    return size[0] * size[1];
}

size_t count_cols(const size_t *size)
{
    return size[0] > 0 ? size[1] : 0;
}

size_t count_one(const size_t *size)
{
    (void)size;
    return 1;
}

float any_nan(rng_t *rng)
{
    const uint32_t quiet = 1u << 22, payload = 1 + (uint32_t)rng_below(rng, 2 * quiet - 1);
    const uint32_t bits =
        (uint32_t)rng_below(rng, 2) << 31 | 0x7f800000u | (rng_below(rng, 2) ? quiet : payload);
    float nan;
    memcpy(&nan, &bits, sizeof nan);
    return nan;
}

void compare(struct comparison *c, const char *output, size_t index, double got, double expected,
             double allowed)
{
    const bool right = isfinite(got) && isfinite(expected) ? fabs(got - expected) <= allowed
                       : isnan(got)                        ? isnan(expected)
                                                           : got == expected;
    if (!right && c->wrong++ == 0)
        *c = (struct comparison){1, output, index, got, expected, allowed};
}

/* ---- a call of solve ---- */

static void *add_array(struct call *c, struct job_array *to, const struct array *a,
                       const struct layout *at, bool is_unwritten)
{
    const size_t before = c->job.inputs + c->job.outputs;
    const bool is_moved = at->only == 0 || at->only == before + 1;
    to->bytes = array_bytes(a, c->job.size);
    to->offset = is_moved ? (at->offset + before * at->apart) * elem_bytes(a->type) : 0;
    to->poison = is_unwritten ? UNWRITTEN : POISON;
    void *memory = calloc(to->bytes + 1, 1);
    if (!memory) {
        fprintf(stderr, "grade: no memory for %llu bytes\n", (unsigned long long)to->bytes);
        exit(2);
    }
    return memory;
}

void call_make(struct call *c, const struct task *t, const size_t *size, const struct layout *at)
{
    struct job *job = &c->job;
    *c = (struct call){.job = {.host = t->host, .sms = t->sms}};
    for (size_t k = 0; t->size_names[k]; k++)
        job->size[k] = size[k];
    for (const struct array *a = t->in; a->count; a++, job->inputs++)
        c->in[job->inputs] = add_array(c, &job->in[job->inputs], a, at, true);
    for (const struct array *a = t->out; a->count; a++, job->outputs++)
        c->out[job->outputs] = add_array(c, &job->out[job->outputs], a, at,
                                         a->type == ELEM_F32 || a->type == ELEM_F16);
}

void call_inputs(struct call *c, const struct task *t, uint64_t seed)
{
    rng_t rng = {seed};
    char data[64];
    snprintf(data, sizeof data, "%.*s", (int)strcspn(t->data_sets, " "), t->data_sets);
    t->make_inputs(&rng, data, c->job.size, c->in);
}

struct comparison call_check(const struct call *c, const struct task *t)
{
    struct comparison found = {0};
    const void *in[TASK_ARRAYS], *out[TASK_ARRAYS];
    memcpy(in, c->in, sizeof in);
    memcpy(out, c->out, sizeof out);
    t->check(c->job.size, in, out, &found);
    return found;
}

void call_free(struct call *c)
{
    for (size_t k = 0; k < TASK_ARRAYS; k++) {
        free(c->in[k]);
        free(c->out[k]);
    }
}

/* ---- the sizes of a small run ---- */

static size_t usual_size(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } usual[] = {{"n", 256}, {"rows", 32}, {"cols", 32}, {"inner", 32}, {"threshold", 64}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(name, usual[i].name) == 0)
            return usual[i].size;
    return 0;
}

void sizes_usual(const struct task *task, size_t size[TASK_SIZES])
{
    for (size_t k = 0; task->size_names[k]; k++)
        size[k] = usual_size(task->size_names[k]);
}

void sizes_read(const struct task *task, const char *text, size_t size[TASK_SIZES])
{
    const char *const *name = task->size_names;
    const int numbers = sscanf(text, "%zux%zux%zu", &size[0], &size[1], &size[2]);
    int sizes = 0;
    while (name[sizes])
        sizes++;
    if (numbers == sizes && text[strspn(text, "0123456789x")] == '\0')
        return;
    fprintf(stderr, "once: -n '%s': exercise %s takes a number for each of:", text, task->name);
    for (; *name; name++)
        fprintf(stderr, " %s", *name);
    fprintf(stderr, "; with x between\n");
    exit(2);
}

void sizes_print(FILE *out, const struct task *task, const size_t size[TASK_SIZES])
{
    for (size_t k = 0; task->size_names[k]; k++)
        fprintf(out, "%s%s %zu", k ? ", " : "", task->size_names[k], size[k]);
}
