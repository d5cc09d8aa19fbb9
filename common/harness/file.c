/* SPDX-License-Identifier: MIT */
#include "file.h"

#include "alloc.h"
#include "dtype.h"
#include "npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole file, in memory of its own. */
typedef struct {
    unsigned char *bytes;
    size_t size, room;
} content_t;

static bool fail(char *message, const char *name, const char *why)
{
    snprintf(message, OPTIONS_MESSAGE, "--input: '%.150s': %s", name, why);
    return false;
}

/* Read to the end, however long: a pipe does not tell its size. False: see errno. */
static bool read_all(content_t *content, FILE *stream)
{
    size_t got;

    do {
        if (content->size == content->room) {
            size_t room = content->room == 0 ? 1 << 16 : 2 * content->room;
            unsigned char *bytes = realloc(content->bytes, room);
            if (bytes == NULL)
                return false;
            content->bytes = bytes;
            content->room = room;
        }
        got = fread(content->bytes + content->size, 1, content->room - content->size, stream);
        content->size += got;
    } while (got > 0);
    return !ferror(stream);
}

/* The names of the types that the step has for any operator. */
static void name_types(const problem_t *problem, char *names, size_t room)
{
    names[0] = '\0';
    for (int type = 0; type < DTYPE_COUNT; type++) {
        for (int op = 0; op < problem_op_count(problem->kind); op++) {
            problem_t p = {problem->step, problem->kind, (dtype_t)type, op};
            if (problem_why_not(&p) != NULL)
                continue;
            size_t used = strlen(names);
            snprintf(names + used, room - used, "%s%s", used > 0 ? " " : "", dtype_name(p.type));
            break;
        }
    }
}

/* The type of the elements, and where they start. */
static bool find_elements(npy_t *npy, const content_t *content, const options_t *o,
                          const problem_t *problem, char *message)
{
    char why[2 * NPY_MESSAGE], names[64];

    if (npy_is(content->bytes, content->size)) {
        if (!npy_parse(npy, content->bytes, content->size, why))
            return fail(message, o->input, why);
        name_types(problem, names, sizeof names);
        if (npy->type == DTYPE_COUNT || strstr(names, dtype_name(npy->type)) == NULL) {
            snprintf(why, sizeof why, "its elements are '%s'; this step accepts %s (little-endian)",
                     npy->descr, names);
            return fail(message, o->input, why);
        }
        if (o->types == 0 || (o->types >> npy->type & 1))
            return true;
        snprintf(why, sizeof why, "its elements are %s; -t asks for another type",
                 dtype_name(npy->type));
        return fail(message, o->input, why);
    }
    *npy = (npy_t){.type = problem->type};
    if (o->types != 0 && (o->types & (o->types - 1)) != 0)
        return fail(message, o->input, "a raw file has elements of one type; give one with -t");
    for (int type = 0; type < DTYPE_COUNT; type++) {
        if (o->types >> type & 1)
            npy->type = (dtype_t)type;
    }
    npy->n = npy->last_dim = content->size / dtype_size(npy->type);
    if (content->size % dtype_size(npy->type) == 0)
        return true;
    snprintf(why, sizeof why, "its %zu bytes are not a multiple of the %zu that an %s has",
             content->size, dtype_size(npy->type), dtype_name(npy->type));
    return fail(message, o->input, why);
}

static bool find_shape(file_t *file, const npy_t *npy, const options_t *o, const problem_t *problem,
                       char *message)
{
    file->shape = (shape_t){1, npy->n};
    if (!problem_has_rows(problem->kind))
        return true;
    if (npy->last_dim > 0)
        file->shape = (shape_t){npy->n / npy->last_dim, npy->last_dim};
    if (!o->rows_given)
        return true;
    file->shape = o->shapes[0];
    if (problem_n(file->shape) == npy->n)
        return true;
    return fail(message, o->input, "--rows times --cols is not the number of its elements");
}

bool file_read(file_t *file, const options_t *options, const problem_t *problem, char *message)
{
    content_t content = {0};
    npy_t npy;
    FILE *stream = fopen(options->input, "rb");

    if (stream == NULL)
        return fail(message, options->input, strerror(errno));
    bool right = read_all(&content, stream);
    if (!right)
        fail(message, options->input, strerror(errno));
    fclose(stream);
    if (right && content.size == 0)
        right = fail(message, options->input, "it is empty");
    right = right && find_elements(&npy, &content, options, problem, message) &&
            find_shape(file, &npy, options, problem, message);
    if (right) {
        memmove(content.bytes, content.bytes + npy.start, content.size - npy.start);
        data_adopt(&file->data, npy.type, npy.n, content.bytes);
    } else {
        free(content.bytes);
    }
    return right;
}
