/* SPDX-License-Identifier: MIT */
/*
 * message.c - a message on stderr: how it begins and ends, and what follows from it. After a
 * violation the launch ends, no byte of the bad access lands, later calls of the host API fail as
 * in CUDA; after any message the process exits 1 whatever main returns.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

static bool any_message;
static void (*summary)(void);

static void exit_one(void)
{
    if (!any_message)
        return;
    if (summary)
        summary();
    fflush(NULL);
    _exit(1);
}

void message_init(void)
{
    static bool registered;
    if (!registered)
        atexit(exit_one);
    registered = true;
}

void message_at_exit(void (*print)(void))
{
    summary = print;
}

void message_begin(void)
{
    message_init();
    any_message = true;
    fflush(stdout);
    fprintf(stderr, "simt: ");
}

void message_end(void)
{
    fprintf(stderr, "\n");
}

void message_place(uintptr_t pc)
{
    char place[4096];
    fprintf(stderr, " at %s", places_text(pc, place, sizeof place));
}

void message_thread(const struct warp *w, unsigned lane, uintptr_t pc)
{
    const uint3 b = sim.block_idx;
    const uint3 t = sim.thread_idx[w->first + lane];
    fprintf(stderr, " in %s", sim.kernel->name);
    message_place(pc);
    fprintf(stderr, "\n    block (%u,%u,%u), thread (%u,%u,%u)", b.x, b.y, b.z, t.x, t.y, t.z);
}

void violation(const struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc,
               const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    const size_t first = strcspn(text, "\n");
    message_begin();
    fprintf(stderr, "%.*s", (int)first, text);
    message_thread(w, lane, pc);
    fprintf(stderr, "%s", text + first);
    message_end();
    sim.error = error;
}
