/* SPDX-License-Identifier: MIT */
#include "hint.h"

#include <stdio.h>
#include <string.h>

#include "grade/protect/protect.h"

/* Kinds of findings by a part of the emulator's message; the first that fits. */
static const struct {
    const char *kind, *part, *hint;
} kinds[] = {
    {"blocks", "blocks run in any order",
     "blocks cannot wait for each other: give each block a place of its own, and put the results "
     "together in a second launch"},
    {"store", "different values from one instruction",
     "several threads store to one place: let one of them do it, or give each a place of its own"},
    {"race", "race on",
     "two threads use one place, and nothing says who comes first: a barrier belongs between the "
     "two lines"},
    {"unwritten", "read of unwritten",
     "which thread should have written this element, and has it done so before? A thread without "
     "an element writes too: what changes nothing"},
    {"misaligned", "misaligned",
     "the address of a pack must be a multiple of its size: ask before each pack, and take single "
     "elements where it is not"},
    {"host", "by host code", "solve runs on the host: only a kernel may use the device's memory"},
    {"input", "may only be read", "write to the outputs and the scratch only"},
    {"outside", "out-of-bounds", "compare the index with the size before each load and each store"},
    {"outside", "outside of", "compare the index with the length of the array"},
    {"outside", "a pointer has left", "compare the index with the length of the array"},
    {"barrier", "barrier not reached",
     "all threads of a block must come to a barrier: none may return before it, or pass it by in "
     "an if"},
    {"shuffle", "mask", "all lanes that the mask names must come to the shuffle together"},
    {"endless", "step budget", "what ends this loop? Look at the variable that it tests"},
    {"endless", "no end after", "what ends this loop? Look at the variable that it tests"},
    {"launch", "launch failed", "the message says which limit of a launch is broken"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What a run says by itself; CAUSE_RESULT: in a test that has conditions as well. */
static const char *const general[] = {
    [CAUSE_FINDING] = "begin with this message: a wrong access makes wrong results",
    [CAUSE_ENDLESS] = "which loop does not end, and which variable should end it?",
    [CAUSE_ERROR] = "a launch or a call has failed: look at its number of threads and blocks",
    [CAUSE_SCRATCH] = "ask for the bytes that the partial results take, and no more",
    [CAUSE_RESULT] = "the result is wrong, so nothing was counted: mend the result first",
    [CAUSE_NOT_DONE] = "kernels must read all of the input and write all of the output",
    [CAUSE_CONDITION] = "the result is right; look at what was expected",
};

/* The test's own hint for `when`, or the one without a WHEN where `when` is NULL. */
static const char *own(const struct hints *hints, const char *when)
{
    for (size_t i = 0; i < hints->count; i++) {
        const struct hint *h = &hints->hint[i];
        if (when ? h->when[0] && strncmp(when, h->when, strlen(h->when)) == 0 : !h->when[0])
            return h->text;
    }
    return NULL;
}

const char *hint_choose(const struct hints *hints, enum cause cause, const char *fault,
                        const char *condition)
{
    const char *hint = NULL;
    if (cause == CAUSE_FINDING)
        for (int i = 0; i < KINDS; i++)
            if (strstr(fault, kinds[i].part))
                return (hint = own(hints, kinds[i].kind)) ? hint : kinds[i].hint;
    if (cause == CAUSE_CONDITION)
        hint = own(hints, condition);
    if (!hint && (cause == CAUSE_CONDITION || (cause == CAUSE_RESULT && !hints->conditions)))
        hint = own(hints, NULL);
    return hint ? hint : general[cause];
}

bool hint_read(const char *text, struct hint *hint, char *why, size_t bytes)
{
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    *hint = (struct hint){0};
    if (n == 0 || n >= sizeof hint->when || strncmp(text + n, ": ", 2) != 0) {
        snprintf(hint->text, sizeof hint->text, "%s", text);
        return true;
    }
    snprintf(hint->when, sizeof hint->when, "%.*s", (int)n, text);
    snprintf(hint->text, sizeof hint->text, "%s", text + n + 2);
    for (int i = 0; i < KINDS; i++)
        if (strcmp(hint->when, kinds[i].kind) == 0)
            return true;
    for (int i = 0; i < JOB_NAMES; i++)
        if (strcmp(hint->when, job_counters[i]) == 0)
            return true;
    snprintf(why, bytes, "hint: '%s' is no counter and no finding; accepted are counters and",
             hint->when);
    for (int i = 0; i < KINDS; i++)
        if (i == 0 || strcmp(kinds[i].kind, kinds[i - 1].kind) != 0)
            snprintf(why + strlen(why), bytes - strlen(why), " %s", kinds[i].kind);
    return false;
}
