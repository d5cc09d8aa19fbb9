/* SPDX-License-Identifier: MIT */
/*
 * wide_loads.c - compares the rule for 8- and 16-byte loads from shared memory with what an H200
 * did: wide_loads FILE, rows of bytes,active,lane0,...,lane31,wavefronts.
 *
 * Group: simt
 * Suite: wide_loads
 * Run: $WORK/wide_loads common/simt/calibrate/wide_loads.csv
 */
#include "../count/inside.h"

#include <stdio.h>
#include <stdlib.h>

/* The next field of a CSV row. */
static unsigned field(char **row, int base)
{
    char *end;
    const unsigned value = (unsigned)strtoul(*row, &end, base);
    *row = *end ? end + 1 : end;
    return value;
}

/* Reads a row and compares. */
static bool row_agrees(char *row)
{
    uintptr_t address[WARP_SIZE];
    struct request r = {.address = address};
    r.bytes = field(&row, 10);
    r.active = field(&row, 16);
    for (int lane = 0; lane < WARP_SIZE; lane++)
        address[lane] = (uintptr_t)field(&row, 10) * r.bytes;
    const unsigned recorded = field(&row, 10), here = wavefronts(&r, true);
    if (here != recorded)
        printf("    %u bytes, active %08x: %u wavefronts, recorded %u\n", r.bytes, r.active, here,
               recorded);
    return here == recorded;
}

int main(int argc, char **argv)
{
    char row[1024];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    int rows = 0, differences = 0;
    while (file && fgets(row, sizeof row, file))
        if (row[0] >= '0' && row[0] <= '9') {
            rows++;
            differences += !row_agrees(row);
        }
    if (file)
        fclose(file);
    const bool right = rows > 0 && differences == 0;
    printf("%s wide loads: %d patterns, %d differences\n", right ? "ok  " : "FAIL", rows,
           differences);
    return !right;
}
