/* SPDX-License-Identifier: MIT */
/*
 * file.h - the elements of --input.
 */
#ifndef FILE_H
#define FILE_H

#include "data.h"
#include "options.h"

/* `data` owns the elements. */
typedef struct {
    data_t data;
    shape_t shape; /* matrices: the last dimension of a .npy file is cols, or --rows --cols */
} file_t;

/*
 * Read the file options->input: a .npy file, or raw elements of the type of -t (one type; by
 * default that of `problem`). Returns true, or false with one line in message (room for
 * OPTIONS_MESSAGE bytes). Free with data_free(&file->data).
 */
bool file_read(file_t *file, const options_t *options, const problem_t *problem, char *message);

#endif
