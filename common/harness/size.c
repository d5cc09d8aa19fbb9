/* SPDX-License-Identifier: MIT */
#include "size.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool size_multiply(size_t a, size_t b, size_t *product)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *product = a * b;
    return true;
}

size_t size_round_up(size_t x, size_t step)
{
    return (x + step - 1) / step * step;
}

/* ---- sizes as text ---- */

static const char NOT_A_SIZE[] = "is not a size";
static const char TOO_LARGE[] = "is too large: it does not fit a size_t";
static const char UNITS[] = "KkMmGg"; /* 2^10, 2^20, 2^30 */

/* The text that is left to read. */
typedef struct {
    const char *at, *end;
} rest_t;

static bool next_is(const rest_t *rest, char c)
{
    return rest->at < rest->end && *rest->at == c;
}

static const char *read_digits(rest_t *rest, size_t *number)
{
    const char *start = rest->at;

    *number = 0;
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        size_t digit = (size_t)(*rest->at - '0');
        if (!size_multiply(*number, 10, number) || *number > SIZE_MAX - digit)
            return TOO_LARGE;
        *number += digit;
    }
    return rest->at == start ? NOT_A_SIZE : NULL;
}

/* What follows the '^' of a power, and what is added or subtracted. */
static const char *read_power(rest_t *rest, size_t base, size_t *size)
{
    size_t exponent, term = 0;
    const char *wrong = read_digits(rest, &exponent);

    *size = 1;
    for (size_t i = 0; wrong == NULL && i < exponent && base > 1; i++)
        wrong = size_multiply(*size, base, size) ? NULL : TOO_LARGE;
    if (base == 0 && exponent > 0)
        *size = 0;
    if (wrong != NULL || (!next_is(rest, '+') && !next_is(rest, '-')))
        return wrong;
    bool plus = *rest->at++ == '+';
    wrong = read_digits(rest, &term);
    if (wrong != NULL)
        return wrong;
    if (plus ? term > SIZE_MAX - *size : term > *size)
        return plus ? TOO_LARGE : NOT_A_SIZE;
    *size = plus ? *size + term : *size - term;
    return NULL;
}

const char *size_read(const char *text, size_t length, size_t *size)
{
    rest_t rest = {text, text + length};
    const char *wrong = read_digits(&rest, size);
    const char *letter;
    size_t unit = 1;

    if (wrong != NULL)
        return wrong;
    if (next_is(&rest, '^')) {
        rest.at++;
        wrong = read_power(&rest, *size, size);
    } else if (rest.at < rest.end && (letter = strchr(UNITS, *rest.at)) != NULL) {
        rest.at++;
        unit = (size_t)1 << 10 * ((letter - UNITS) / 2 + 1);
    }
    if (wrong != NULL)
        return wrong;
    if (rest.at != rest.end)
        return NOT_A_SIZE;
    return size_multiply(*size, unit, size) ? NULL : TOO_LARGE;
}

/* ---- memory ---- */

void *alloc_array(size_t count, size_t size)
{
    /* calloc checks the product itself. At least one byte: calloc(0) may return NULL. */
    void *array = count == 0 ? calloc(1, 1) : calloc(count, size);
    if (array == NULL) {
        fprintf(stderr, "out of host memory: %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return array;
}
