/* SPDX-License-Identifier: MIT */
/*
 * print.c - a message on stderr: how it begins and ends, and what follows from it. After a
 * violation the launch ends, no byte of the bad access lands, and later calls of the host API fail
 * as in CUDA; after any message the process exits with 1, whatever main returns.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../include/simt/inspect.h"
#include "inside.h"

static bool any_message;

enum { MOST_FAILURES = 8 };
static char failures[MOST_FAILURES][256];
static size_t failure_count;

FILE *message;
struct found message_found;
static char *text; /* of the message */
static size_t text_bytes;
static void (*listener)(const struct found *found);

static void (*report_findings)(void), (*report_at_exit)(void);
static uint64_t found;

void message_findings(void (*report)(void), void (*at_exit)(void))
{
    report_findings = report;
    report_at_exit = at_exit;
}

void found_one(void)
{
    found++;
}

uint64_t simt_found(void)
{
    return found;
}

static void exit_one(void)
{
    if (!any_message)
        return;
    fflush(stdout); /* what the program has printed comes first, in a pipe too */
    if (report_at_exit)
        report_at_exit();
    for (size_t i = 0; i < failure_count; i++)
        fprintf(stderr, "simt: failed: %s\n", failures[i]);
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

void message_failed(const char *format, ...)
{
    va_list args;
    if (failure_count == MOST_FAILURES)
        return;
    va_start(args, format);
    vsnprintf(failures[failure_count++], sizeof failures[0], format, args);
    va_end(args);
}

void message_fail(const char *why)
{
    message_init();
    any_message = true;
    message_failed("%s", why);
}

void message_listen(void (*listen)(const struct found *found))
{
    listener = listen;
}

/* If the text cannot be kept, the listener is not called. */
void message_begin(void)
{
    message_init();
    any_message = true;
    fflush(stdout);
    message_found = (struct found){0};
    text = NULL;
    message = open_memstream(&text, &text_bytes);
    if (!message) {
        message = stderr;
        fprintf(message, "simt: ");
    }
}

void message_access(struct found_access access)
{
    if (!message_found.stopped) {
        message_found.block = access.block;
        message_found.thread = access.thread;
        message_found.pc = access.pc;
    }
    message_found.access[message_found.accesses++] = access;
}

void message_end(void)
{
    if (message == stderr) {
        fprintf(message, "\n");
        return;
    }
    fclose(message);
    fprintf(stderr, "simt: %s\n", text);
    message_found.text = text;
    if (listener)
        listener(&message_found);
    free(text);
}

/* "thread (1,0,0) and 31 more". */
void threads_text(char *out, size_t bytes, struct thread s, unsigned count)
{
    const uint3 t = sim.thread_idx[s.w->first + (unsigned)s.lane];
    const int n = snprintf(out, bytes, "thread (%u,%u,%u)", t.x, t.y, t.z);
    if (count > 1)
        snprintf(out + n, bytes - (size_t)n, " and %u more", count - 1);
}

void message_violation(const struct warp *w, unsigned lane, uintptr_t pc, const char *format, ...)
{
    const uint3 b = sim.block_idx;
    const uint3 t = sim.thread_idx[w->first + lane];
    char what[256], place[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (report_findings)
        report_findings(); /* earlier findings may be the cause */
    found_one();
    places_text(pc, place, sizeof place);
    message_begin();
    message_found.stopped = true;
    message_found.block = block_number();
    message_found.thread = w->first + lane;
    message_found.pc = pc;
    message_found.when = steps_made();
    fprintf(message, "%s in %s at %s\n    block (%u,%u,%u), thread (%u,%u,%u)", what,
            sim.kernel->name, place, b.x, b.y, b.z, t.x, t.y, t.z);
    message_failed("%s in %s at %s", what, sim.kernel->name, place);
}

void violation(const struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc,
               const char *format, ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);

    const size_t first = strcspn(what, "\n");
    message_violation(w, lane, pc, "%.*s", (int)first, what);
    fprintf(message, "%s", what + first);
    message_end();
    sim.error = error;
}
