/* SPDX-License-Identifier: MIT */
/*
 * error.c - the two kinds of CUDA errors, and the message about a call that fails. A wrong call
 * sets the last error, which can be queried once. A kernel's violation is sticky: every later call
 * returns it, until the process ends.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static cudaError_t last, sticky;

/* ---- reports of calls: each place in the program once ---- */

enum { MOST_PLACES = 64, PLACE_BYTES = 512 };

static struct failure {
    struct call at;
    cudaError_t error; /* cudaSuccess: a note */
    unsigned long long times;
    size_t same_as; /* a copy of the call that the compiler made, on the same line */
    char place[PLACE_BYTES];
} failures[MOST_PLACES];
static size_t failure_count;

/* A wrong call has set the last error, and the program has not queried it since. */
static bool unseen;

static bool is_same(const struct failure *f, const struct failure *other)
{
    return f->at.name == other->at.name && f->error == other->error &&
           strcmp(f->place, other->place) == 0;
}

/* Counts it. Returns it if it is the first one at its place, else NULL. */
static const struct failure *count(struct call at, cudaError_t error)
{
    char place[4096];
    size_t i = 0;
    while (i < failure_count && (failures[i].at.pc != at.pc || failures[i].error != error))
        i++;
    if (i == MOST_PLACES)
        return NULL;
    struct failure *f = &failures[i];
    if (i == failure_count) {
        machine_init(); /* knows the lines of the program */
        *f = (struct failure){.at = at, .error = error};
        snprintf(f->place, sizeof f->place, "%s", places_text(at.pc, place, sizeof place));
        failure_count++;
        while (!is_same(&failures[f->same_as], f))
            f->same_as++;
    }
    return ++failures[f->same_as].times == 1 ? f : NULL;
}

static void report(const char *head, struct call at, cudaError_t error, const char *format,
                   va_list args)
{
    last = error;
    const struct failure *f = count(at, error);
    if (!f)
        return;
    fflush(stdout);
    fprintf(stderr, "%s%s failed at %s: %s\n    ", head, at.name, f->place,
            cudaGetErrorName(error));
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
}

/* ---- the calling thread ---- */

static bool in_host_function, called_inside;

/* A stream calls a host function, or that has returned. It must not call CUDA: it could wait
 * forever, because the stream waits for it. */
void call_host_function(struct call at, bool begins)
{
    in_host_function = begins;
    queued_is_done(); /* all earlier work of the stream */
    if (!begins && called_inside)
        call_wrong(at, cudaErrorNotPermitted,
                   "the host function that the stream called makes CUDA calls");
    called_inside = false;
}

static atomic_bool begun; /* a call of CUDA has been made */

/* There is one machine, and nothing in it is safe for two host threads. A second one would change
 * what the first is reading, so the process ends. */
void call_of_one_thread(void)
{
    static pthread_t first;
    called_inside |= in_host_function;
    if (!atomic_exchange(&begun, true))
        first = pthread_self();
    if (pthread_equal(first, pthread_self()))
        return;
    fflush(stdout);
    fprintf(stderr, "simt: a second host thread calls CUDA\n"
                    "the emulator takes CUDA calls from one thread only, the first to make one\n");
    _Exit(1);
}

cudaError_t call_done(void)
{
    call_of_one_thread();
    return in_host_function ? cudaErrorNotPermitted : sticky;
}

cudaError_t call_wrong(struct call at, cudaError_t error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!sticky)
        report("simt: ", at, error, format, args);
    va_end(args);
    unseen |= !sticky;
    return sticky ? sticky : error;
}

/* See include/cuda.h. */
int simt_driver_answers(const char *call, int init)
{
    if (init)
        call_of_one_thread();
    if (!begun)
        call_wrong((struct call){call, HERE.pc, NULL}, cudaErrorInitializationError,
                   "the driver needs cuInit(0) first");
    return begun;
}

cudaError_t call_refused(struct call at, cudaError_t error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!sticky)
        report("simt: note: ", at, error, format, args);
    va_end(args);
    return sticky ? sticky : error;
}

void call_noted(struct call at, const char *format, ...)
{
    va_list args;
    const struct failure *f = sticky || unseen ? NULL : count(at, cudaSuccess);
    if (!f)
        return;
    fflush(stdout);
    fprintf(stderr, "simt: note: %s at %s ", at.name, f->place);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

cudaError_t call_made_to_fail(cudaError_t error)
{
    last = error;
    return error;
}

/* ---- the end of the process ---- */

static void at_exit(void)
{
    char place[4096];
    for (size_t i = 0; i < failure_count; i++)
        if (failures[i].times > 1 && failures[i].error != cudaSuccess)
            fprintf(stderr, "simt: %llu times: %s failed at %s\n", failures[i].times,
                    failures[i].at.name, failures[i].place);
    if (!sticky && !unseen && queued_last_launch()) {
        machine_init();
        fprintf(stderr,
                "simt: note: the program ends without waiting for the launch at %s\n"
                "    its output and errors may be lost: call cudaDeviceSynchronize()\n",
                places_text(queued_last_launch(), place, sizeof place));
    }
    if (unseen)
        message_fail("a call failed, and the program never calls cudaGetLastError()");
}

/* Before the program's own objects are made: their destructors may free what they hold, and are
 * called before this. */
__attribute__((constructor(101))) static void start(void)
{
    message_init();
    atexit(at_exit);
}

/* ---- the errors ---- */

void error_set_sticky(cudaError_t error)
{
    if (sticky == cudaSuccess)
        sticky = error;
}

cudaError_t error_sticky(void)
{
    return sticky;
}

cudaError_t cudaPeekAtLastError(void)
{
    unseen = false;
    return sticky ? sticky : last;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define ERROR_NAME(name, value, text)                                                              \
    case name:                                                                                     \
        return #name;
        SIMT_ERRORS(ERROR_NAME)
#undef ERROR_NAME
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define ERROR_TEXT(name, value, text)                                                              \
    case name:                                                                                     \
        return text;
        SIMT_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
    }
    return "unrecognized error code";
}
