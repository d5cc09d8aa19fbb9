/* SPDX-License-Identifier: MIT */
/*
 * file.h - the elements of --input: a raw file, or one of NumPy's .npy files, versions 1, 2 and 3.
 * Used by main.c only.
 */
#ifndef FILE_H
#define FILE_H

#include "data.h"
#include "options.h"

enum { NPY_DESCR = 16, NPY_MESSAGE = 120 };

/* Elements start `start` bytes into the file. */
typedef struct {
    char descr[NPY_DESCR]; /* the file's name of the type, "<f4" */
    dtype_t type;          /* DTYPE_COUNT: a type that no step knows */
    size_t n;              /* product of the shape; 1 for a scalar */
    size_t last_dim;       /* the last number of the shape; 1 for a scalar */
    size_t start;
} npy_t;

/* Whether `bytes` begin as a .npy file does. */
bool npy_is(const unsigned char *bytes, size_t size);

/*
 * Read the header of a .npy file (`bytes`: the whole file, `size` of them). Returns true, or false
 * with the error in message (NPY_MESSAGE bytes). An unknown type is not an error here: see npy_t.
 * Fortran order is one if there is more than one dimension, and so are missing or extra bytes.
 */
bool npy_parse(npy_t *npy, const unsigned char *bytes, size_t size, char *message);

/* `data` owns the elements. */
typedef struct {
    data_t data;
    shape_t shape; /* matrices: the last dimension of a .npy file is cols, or --rows --cols */
} file_t;

/*
 * Read the file options->input: a .npy file, or raw elements of the type of -t (one type; by
 * default that of `problem`). Returns true, or false with one line in message (OPTIONS_MESSAGE
 * bytes). Free with data_free(&file->data).
 */
bool file_read(file_t *file, const options_t *options, const problem_t *problem, char *message);

#endif
