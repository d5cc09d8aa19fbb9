/* SPDX-License-Identifier: MIT */
/*
 * Group: unit
 * Suite: file - .npy files, right and broken ones
 * Run: $BUILD/unit/test_file
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "file.h"
#include "steps.h"
#include "test.h"

#include <stdlib.h>

enum { CAPACITY = 400 };
static unsigned char bytes[CAPACITY];
static char message[OPTIONS_MESSAGE];
static npy_t npy;

/* Write a .npy file of the given version, dictionary and bytes of elements. Returns its size. */
static size_t make(int version, const char *dictionary, size_t payload)
{
    size_t length = strlen(dictionary), start = version == 1 ? 10 : 12;
    memset(bytes, 0, CAPACITY);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[8] = (unsigned char)length;
    memcpy(bytes + start, dictionary, length);
    return start + length + payload;
}

static bool parse(int version, const char *dictionary, size_t payload)
{
    char why[NPY_MESSAGE] = "";
    bool right = npy_parse(&npy, bytes, make(version, dictionary, payload), why);
    snprintf(message, sizeof message, "%s", why);
    return right;
}

#define DICTIONARY(descr, order, shape)                                                            \
    "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }"

TEST(good_headers)
{
    CHECK(parse(1, DICTIONARY("<f4", "False", "(3, 4)"), 48));
    CHECK(npy.type == DTYPE_F32 && npy.n == 12 && npy.last_dim == 4);
    CHECK(parse(2, DICTIONARY("<f8", "False", "(5,)"), 40) && npy.type == DTYPE_F64);
    CHECK(npy.n == 5 && npy.last_dim == 5);
    CHECK(parse(3, DICTIONARY("<i4", "False", "()"), 4) && npy.type == DTYPE_I32 && npy.n == 1);
    CHECK(parse(1, DICTIONARY("<f2", "True", "(7,)"), 14) && npy.type == DTYPE_F16);
    CHECK(parse(1, DICTIONARY("|u1", "False", "(7,)"), 7) && npy.type == DTYPE_U8 && npy.n == 7);
    CHECK(parse(1, DICTIONARY("<f4", "False", "(0,)"), 0) && npy.n == 0);
    CHECK(parse(1, DICTIONARY("<i8", "False", "(2,)"), 16) && npy.type == DTYPE_COUNT);
    CHECK(strcmp(npy.descr, "<i8") == 0);
}

TEST(bad_headers)
{
    char why[NPY_MESSAGE];
    CHECK(!parse(1, DICTIONARY("<f4", "True", "(2, 2)"), 16) && strstr(message, "Fortran"));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(3,)"), 8) && strstr(message, "12 bytes"));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(3,)"), 13) && strstr(message, "has 13"));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(-3,)"), 12));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(3"), 12));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(99999999999, 99999999999)"), 12));
    CHECK(!parse(1, DICTIONARY("<f4", "False", "(9999999999999999999999,)"), 12));
    CHECK(!parse(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4));
    CHECK(!parse(1, "{}", 0) && !parse(9, DICTIONARY("<f4", "False", "(1,)"), 4));
    size_t size = make(1, DICTIONARY("<f4", "False", "(1,)"), 0);
    for (size_t cut = 0; cut < size; cut++)
        CHECK(!npy_parse(&npy, bytes, cut, why));
}

/* Write `size` bytes to the test's own file and read it as --input. */
static bool read_as_input(const step_t *lesson, const void *content, size_t size, unsigned types,
                          file_t *file)
{
    char name[] = "/tmp/test_npy_XXXXXX"; /* the course may be read-only */
    options_t options = {.input = name, .types = types};
    problem_t lead;
    const int fd = mkstemp(name);
    FILE *stream = fd >= 0 ? fdopen(fd, "wb") : NULL;

    if (stream == NULL || problem_open(&lead, lesson) != NULL)
        return false;
    fwrite(content, 1, size, stream);
    fclose(stream);
    bool right = file_read(file, &options, &lead, message);
    remove(name);
    return right;
}

TEST(raw_files)
{
    const float values[] = {1, -2.5, 3};
    file_t file;

    CHECK(read_as_input(&steps_reduce, values, sizeof values, 0, &file));
    CHECK(file.data.n == 3 && file.data.type == DTYPE_F32 && data_at(&file.data, 1) == -2.5);
    data_free(&file.data);
    CHECK(read_as_input(&steps_reduce, values, sizeof values, 1u << DTYPE_I32, &file));
    CHECK(file.data.type == DTYPE_I32 && data_at(&file.data, 0) == 0x3f800000);
    data_free(&file.data);
    CHECK(!read_as_input(&steps_reduce, values, 11, 0, &file));
    CHECK(strstr(message, "11 bytes") != NULL && strstr(message, "/tmp/test_npy_") != NULL);
    CHECK(!read_as_input(&steps_reduce, values, 0, 0, &file) && strstr(message, "empty"));
    CHECK(!read_as_input(&steps_reduce, values, 4, 5, &file) && strstr(message, "-t"));
}

TEST(npy_files)
{
    file_t file;
    size_t size = make(1, DICTIONARY("<f4", "False", "(2, 3)"), 24);
    CHECK(read_as_input(&steps_rows, bytes, size, 0, &file));
    CHECK(file.shape.rows == 2 && file.shape.cols == 3 && data_at(&file.data, 5) == 0);
    data_free(&file.data);
    CHECK(!read_as_input(&steps_reduce, bytes, size, 1u << DTYPE_I32, &file));
    CHECK(strstr(message, "f32") != NULL && strstr(message, "-t") != NULL);
    size = make(1, DICTIONARY("<u1", "False", "(8,)"), 8);
    CHECK(!read_as_input(&steps_reduce, bytes, size, 0, &file));
    CHECK(strstr(message, "'<u1'") != NULL && strstr(message, "f32 i32") != NULL);
    size = make(1, DICTIONARY("<f8", "False", "(1,)"), 8);
    CHECK(!read_as_input(&steps_reduce, bytes, size, 0, &file) && strstr(message, "'<f8'"));
}

TEST(missing_files)
{
    options_t options = {.input = "no/such/file.npy"};
    problem_t lead;
    file_t file;
    CHECK(problem_open(&lead, &steps_reduce) == NULL);
    CHECK(!file_read(&file, &options, &lead, message));
    CHECK(strstr(message, "--input:") == message && strstr(message, "no/such/file.npy") != NULL);
    options.input = ".";
    CHECK(!file_read(&file, &options, &lead, message) && strstr(message, "'.'") != NULL);
}

int main(void)
{
    return test_all();
}
