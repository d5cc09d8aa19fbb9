/* SPDX-License-Identifier: MIT */
/*
 * leaks.c - with SIMT_CHECK=leaks, what the program has allocated or created and not freed when it
 * ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { MOST_TOLD = 64 };

static size_t leak_count;

static void report(uintptr_t made_at, const char *what)
{
    char place[4096];
    if (leak_count++ < MOST_TOLD)
        fprintf(stderr, "simt: leak: %s at %s\n", what, places_text(made_at, place, sizeof place));
}

static void tell_leaks(void)
{
    char what[64];
    const char *check = getenv("SIMT_CHECK");
    if (!check || !strstr(check, "leaks"))
        return;
    for (const struct region *r = memory_above(0); r; r = memory_above(r->low)) {
        snprintf(what, sizeof what, "%zu bytes, allocated", r->bytes);
        if (r->made_at)
            report(r->made_at, what);
    }
    streams_left(report);
    graphs_left(report);
    if (leak_count > MOST_TOLD)
        fprintf(stderr, "simt: leak: and %zu more\n", leak_count - MOST_TOLD);
    if (leak_count > 0)
        message_fail("something was not freed: see the leaks above");
}

/* Before the program's own objects are made: their destructors may free what they hold, and are
 * called before this. */
__attribute__((constructor(101))) static void start(void)
{
    message_init();
    atexit(tell_leaks);
}
