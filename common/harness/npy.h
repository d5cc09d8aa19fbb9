/* SPDX-License-Identifier: MIT */
/*
 * npy.h - the header of NumPy's .npy files, versions 1, 2 and 3.
 */
#ifndef NPY_H
#define NPY_H

#include "step.h"

#include <stdbool.h>

enum { NPY_DESCR = 16, NPY_MESSAGE = 120 };

/* Elements start `start` bytes into the file. */
typedef struct {
    char descr[NPY_DESCR]; /* as the file names its type, "<f4" */
    dtype_t type;          /* DTYPE_COUNT: a type that no step knows */
    size_t n;              /* product of the shape; 1 for a scalar */
    size_t last_dim;       /* the last number of the shape; 1 for a scalar */
    size_t start;
} npy_t;

/* Whether `bytes` begin as a .npy file does. */
bool npy_is(const unsigned char *bytes, size_t size);

/*
 * Read the header of a .npy file (`bytes`: the whole file, `size` of them). Returns true, or false
 * with what is wrong in message (room for NPY_MESSAGE bytes). An unknown type is not an error here:
 * see npy_t. Fortran order is one where there is more than one dimension, and so are bytes that
 * are missing or left over.
 */
bool npy_parse(npy_t *npy, const unsigned char *bytes, size_t size, char *message);

#endif
