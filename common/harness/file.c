/* SPDX-License-Identifier: MIT */
#include "file.h"

#include "size.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the header of a .npy file ---- */

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_LENGTH = 6, HEADER_MAX = 65536 };

static bool bad_header(char *message, const char *why)
{
    snprintf(message, NPY_MESSAGE, "%s", why);
    return false;
}

bool npy_is(const unsigned char *bytes, size_t size)
{
    return size >= MAGIC_LENGTH && memcmp(bytes, MAGIC, MAGIC_LENGTH) == 0;
}

/* The text after 'key': in the dictionary, or NULL. */
static const char *find_key(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at++ != ':')
        return NULL;
    return at + strspn(at, " ");
}

static bool read_descr(npy_t *npy, const char *header)
{
    static const struct {
        const char *descr;
        dtype_t type;
    } known[] = {{"<f4", DTYPE_F32},
                 {"<f8", DTYPE_F64},
                 {"<i4", DTYPE_I32},
                 {"<f2", DTYPE_F16},
                 {"|u1", DTYPE_U8}};
    const char *at = find_key(header, "'descr'");

    if (at == NULL || *at++ != '\'')
        return false;
    size_t length = strcspn(at, "'");
    if (at[length] == '\0' || length >= NPY_DESCR)
        return false;
    memcpy(npy->descr, at, length);
    npy->descr[length] = '\0';
    npy->type = DTYPE_COUNT;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].descr, npy->descr) == 0)
            npy->type = known[i].type;
    }
    return true;
}

/* "(3, 4)", "(7,)" or "()": the dimensions. */
static bool read_shape(npy_t *npy, const char *header, size_t *dims)
{
    const char *at = find_key(header, "'shape'");

    npy->n = npy->last_dim = 1;
    *dims = 0;
    if (at == NULL || *at++ != '(')
        return false;
    while (true) {
        at += strspn(at, " ,");
        if (*at == ')')
            return true;
        size_t digits = strspn(at, "0123456789");
        if (size_read(at, digits, &npy->last_dim) != NULL ||
            !size_multiply(npy->n, npy->last_dim, &npy->n))
            return false;
        at += digits;
        ++*dims;
    }
}

/* Where the dictionary starts and how long it is: its length has two bytes in version 1, four in 2
 * and 3. */
static bool find_header(const unsigned char *bytes, size_t size, size_t *start, size_t *length)
{
    if (size < MAGIC_LENGTH + 4)
        return false;
    bool wide = bytes[MAGIC_LENGTH] >= 2;
    *start = MAGIC_LENGTH + (wide ? 6 : 4);
    if (size < *start)
        return false;
    *length = bytes[8] | (size_t)bytes[9] << 8;
    if (wide)
        *length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    return *length <= size - *start;
}

static bool check_size(const npy_t *npy, size_t size, char *message)
{
    size_t bytes;

    if (npy->type == DTYPE_COUNT)
        return true; /* unknown size; the caller refuses the type */
    if (!size_multiply(npy->n, dtype_size(npy->type), &bytes))
        return bad_header(message, "the shape in its header is too large");
    if (bytes == size - npy->start)
        return true;
    snprintf(message, NPY_MESSAGE, "its header promises %zu bytes of elements, and it has %zu",
             bytes, size - npy->start);
    return false;
}

bool npy_parse(npy_t *npy, const unsigned char *bytes, size_t size, char *message)
{
    char header[HEADER_MAX];
    size_t start, length, dims;

    if (!npy_is(bytes, size) || !find_header(bytes, size, &start, &length))
        return bad_header(message, "its .npy header is cut off");
    if (bytes[MAGIC_LENGTH] < 1 || bytes[MAGIC_LENGTH] > 3 || length >= HEADER_MAX)
        return bad_header(message, "its .npy version is unknown; 1 to 3 are read");
    memcpy(header, bytes + start, length);
    header[length] = '\0';
    npy->start = start + length;

    const char *order = find_key(header, "'fortran_order'");
    if (order == NULL || !read_descr(npy, header) || !read_shape(npy, header, &dims))
        return bad_header(message, "its .npy header cannot be read");
    if (strncmp(order, "False", 5) != 0 && dims > 1)
        return bad_header(message, "it is in Fortran order; save it with numpy.ascontiguousarray");
    return check_size(npy, size, message);
}

/* ---- a whole file ---- */

/* A whole file, in allocated memory. */
typedef struct {
    unsigned char *bytes;
    size_t size, capacity;
} content_t;

static bool fail(char *message, const char *name, const char *why)
{
    snprintf(message, OPTIONS_MESSAGE, "--input: '%.150s': %s", name, why);
    return false;
}

/* Read to the end, however long: a pipe has no known size. False: see errno. */
static bool read_all(content_t *content, FILE *stream)
{
    size_t got;

    do {
        if (content->size == content->capacity) {
            size_t capacity = content->capacity == 0 ? 1 << 16 : 2 * content->capacity;
            unsigned char *bytes = realloc(content->bytes, capacity);
            if (bytes == NULL)
                return false;
            content->bytes = bytes;
            content->capacity = capacity;
        }
        got = fread(content->bytes + content->size, 1, content->capacity - content->size, stream);
        content->size += got;
    } while (got > 0);
    return !ferror(stream);
}

/* The type of the elements, and where they start. */
static bool find_elements(npy_t *npy, const content_t *content, const options_t *o,
                          const problem_t *problem, char *message)
{
    char why[2 * PROBLEM_NAMES], names[PROBLEM_NAMES];

    if (npy_is(content->bytes, content->size)) {
        if (!npy_parse(npy, content->bytes, content->size, why))
            return fail(message, o->input, why);
        problem_type_names(problem, names);
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
