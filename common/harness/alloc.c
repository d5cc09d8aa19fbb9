/* SPDX-License-Identifier: MIT */
#include "alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool alloc_multiply(size_t a, size_t b, size_t *product)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *product = a * b;
    return true;
}

void *alloc_array(size_t count, size_t size)
{
    /* calloc checks the product itself. One byte at least: calloc(0) may return NULL. */
    void *array = count == 0 ? calloc(1, 1) : calloc(count, size);
    if (array == NULL) {
        fprintf(stderr, "out of host memory: %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return array;
}

size_t alloc_round_up(size_t x, size_t step)
{
    return (x + step - 1) / step * step;
}
