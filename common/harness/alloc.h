/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - host memory, with the two checks that are easy to forget.
 */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* a * b to *product. False where the product does not fit a size_t; *product is then untouched. */
bool alloc_multiply(size_t a, size_t b, size_t *product);

/*
 * An array of `count` elements of `size` bytes, all zero. The caller frees it with free().
 * Where there is no memory it prints how many bytes were asked for and exits 1: the harness has
 * nothing useful left to do then. count = 0 gives a pointer that can be freed.
 */
void *alloc_array(size_t count, size_t size);

/* x rounded up to the next multiple of `step`. Assumes step > 0 and a result that fits. */
size_t alloc_round_up(size_t x, size_t step);

#endif
