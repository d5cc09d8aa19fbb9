/* SPDX-License-Identifier: MIT */
#include "npy.h"

#include "alloc.h"
#include "dtype.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_LENGTH = 6, HEADER_MAX = 65536 };

static bool fail(char *message, const char *why)
{
    snprintf(message, NPY_MESSAGE, "%s", why);
    return false;
}

bool npy_is(const unsigned char *bytes, size_t size)
{
    return size >= MAGIC_LENGTH && memcmp(bytes, MAGIC, MAGIC_LENGTH) == 0;
}

/* What stands behind 'key': in the dictionary, or NULL. */
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
    } known[] = {{"<f4", DTYPE_F32}, {"<f8", DTYPE_F64}, {"<i4", DTYPE_I32}, {"<f2", DTYPE_F16}};
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
        if (*at < '0' || *at > '9')
            return false;
        npy->last_dim = 0;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (!alloc_multiply(npy->last_dim, 10, &npy->last_dim) || npy->last_dim > SIZE_MAX - 9)
                return false;
            npy->last_dim += (size_t)(*at - '0');
        }
        if (!alloc_multiply(npy->n, npy->last_dim, &npy->n))
            return false;
        ++*dims;
    }
}

/* Where the dictionary starts and how long it is: two bytes tell in version 1, four in 2 and 3. */
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
    if (!alloc_multiply(npy->n, dtype_size(npy->type), &bytes))
        return fail(message, "the shape in its header is too large");
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
        return fail(message, "its .npy header is cut off");
    if (bytes[MAGIC_LENGTH] < 1 || bytes[MAGIC_LENGTH] > 3 || length >= HEADER_MAX)
        return fail(message, "its .npy version is unknown; 1 to 3 are read");
    memcpy(header, bytes + start, length);
    header[length] = '\0';
    npy->start = start + length;

    const char *order = find_key(header, "'fortran_order'");
    if (order == NULL || !read_descr(npy, header) || !read_shape(npy, header, &dims))
        return fail(message, "its .npy header cannot be read");
    if (strncmp(order, "False", 5) != 0 && dims > 1)
        return fail(message, "it is in Fortran order; save it with numpy.ascontiguousarray");
    return check_size(npy, size, message);
}
