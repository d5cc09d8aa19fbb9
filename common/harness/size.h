/* SPDX-License-Identifier: MIT */
/*
 * size.h - sizes: multiplied, parsed from text, and host memory of that size, each with the check
 * that is easy to forget. Anyone may call it.
 */
#ifndef SIZE_H
#define SIZE_H

#include <stdbool.h>
#include <stddef.h>

/* a * b to *product. False if the product does not fit a size_t; *product is then unchanged. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* x rounded up to the next multiple of `step`. Assumes step > 0 and a result that fits. */
size_t size_round_up(size_t x, size_t step);

/*
 * A size: a whole number, optionally with K, M or G (2^10, 2^20, 2^30); or a power and what is
 * added, 2^20 or 2^31+3. Reads the `length` characters at `text`. NULL and *size, or what is wrong.
 */
const char *size_read(const char *text, size_t length, size_t *size);

/*
 * An array of `count` elements of `size` bytes, all zero. The caller frees it with free().
 * Out of memory, it prints how many bytes were requested and exits with 1: the harness has nothing
 * useful left to do then. count = 0 gives a pointer that can be freed.
 */
void *alloc_array(size_t count, size_t size);

#endif
