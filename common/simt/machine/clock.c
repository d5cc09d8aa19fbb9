/* SPDX-License-Identifier: MIT */
/*
 * clock.c - stops a kernel that does not end, and reports where it is.
 *
 * What counts is processor time since a block, or a team of blocks, last started, so a slow machine
 * or a long grid stops nothing. A timer ticks TICKS times in SIMT_SECONDS. After half of that a
 * note says where the block is; after all of it the launch ends. But a block that gets on, in
 * larger and larger pieces of its memory, has more time, unless SIMT_SECONDS is given. A tick may
 * come in the middle of anything, so it only sets a flag, and the next step of a lane acts on it. A
 * lane that makes no step until the following tick computes endlessly without touching memory: then
 * the tick itself acts.
 *
 * A launcher that a harness watches is stopped in the same way.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "../find/find.h"
#include "../include/simt/inspect.h"
#include "inside.h"

enum { DEFAULT_SECONDS = 8, TICKS = 16, NOTE_TICKS = TICKS / 2, MOST_TIMES = 32 };

static volatile sig_atomic_t ticks; /* since the block started */
static sig_atomic_t least = TICKS;  /* that it may take; the blocks of a large team may take more */

/* For a watched launcher: ticks outside kernels, all ticks, and its launches. An endless loop has
 * launched many times, a slow one only a few times. */
enum { MANY_LAUNCHES = 1000 };
static volatile sig_atomic_t watching, host_ticks, all_ticks;
static unsigned launches;
static bool noted;

static double seconds_allowed(void)
{
    const char *text = getenv("SIMT_SECONDS");
    return text && *text ? strtod(text, NULL) : DEFAULT_SECONDS;
}

/* ---- in a kernel ---- */

static void report(const struct warp *w, unsigned lane, uintptr_t pc)
{
    char place[4096];
    const uint3 b = sim.block_idx, t = sim.thread_idx[w->first + lane];
    fprintf(stderr,
            "simt: note: %s has spent %g s in one block, at %s\n"
            "    block (%u,%u,%u), thread (%u,%u,%u): does this loop end?\n",
            sim.kernel->name, seconds_allowed() / 2 * least / TICKS,
            places_text(pc, place, sizeof place), b.x, b.y, b.z, t.x, t.y, t.z);
}

/* What the block has touched of its last regions, as far as it was seen at ticks. */
static struct extent {
    const struct region *region;
    uintptr_t low, high;
} extents[8];
static unsigned extent_count;
static sig_atomic_t grown_at; /* the last tick at which one of them was larger than before */

static void extents_grow(uintptr_t address)
{
    enum { ALL = sizeof extents / sizeof *extents };
    const struct region *r = memory_find(address);
    struct extent *e = extents;
    while (e < extents + extent_count && e->region != r)
        e++;
    if (!r || e == extents + ALL)
        return;
    if (e == extents + extent_count)
        extents[extent_count++] = (struct extent){r, address, address};
    else if (address >= e->low && address <= e->high)
        return;
    grown_at = ticks;
    e->low = address < e->low ? address : e->low;
    e->high = address > e->high ? address : e->high;
}

static bool has_more_time(void)
{
    return !getenv("SIMT_SECONDS") && ticks - grown_at < TICKS / 4 && ticks < MOST_TIMES * least;
}

/* Why the loop may not end: other lanes of the warp wait for this one. */
static const char *waiting_text(const struct warp *w, char *out, size_t bytes)
{
    char place[512];
    const uint32_t lanes = w->calling ? w->calling : w->waiting;
    if (lanes == 0)
        return "the loop does not end, or is slow";
    const unsigned lane = (unsigned)__builtin_ctz(lanes);
    snprintf(out, bytes, "lane %u of its warp waits for it in %s at %s", lane,
             w->calling ? warp_call_name(w->call[lane].op) : "__syncthreads",
             places_text(w->pc[lane], place, sizeof place));
    return out;
}

/* Half of the time is used up, or all of it. False after a violation. */
bool clock_goes_on(const struct warp *w, unsigned lane, uintptr_t pc)
{
    sim.late = 0;
    if (sim.probing) /* a kernel without a hook at its entry: it touches no memory */
        sim.kernel = symbols_kernel(pc);
    extents_grow(w->address[lane]);
    if (ticks == least / 2)
        report(w, lane, pc);
    if (ticks < least || has_more_time())
        return true;
    char why[600];
    violation(w, lane, cudaErrorLaunchTimeout, pc,
              "no end after %g s of one block\n    %s: SIMT_SECONDS=N gives it more time",
              seconds_allowed() * (getenv("SIMT_SECONDS") ? least : ticks) / TICKS,
              waiting_text(w, why, sizeof why));
    return false;
}

/* Without an alternative stack the handler runs on the interrupted stack. */
static bool is_in_lane(void)
{
    const char here = 0;
    return is_private(&here);
}

static void tick_in_kernel(void)
{
    ticks++;
    if (sim.late && is_in_lane()) {
        if (!clock_goes_on(sim.warp, sim.lane, signal_pc()))
            fiber_leave(); /* for good: the launch ends */
    } else {
        sim.late = 1;
    }
}

/* ---- in host code ---- */

static void report_launcher(const char *head, double seconds, uintptr_t pc)
{
    char place[4096];
    fflush(stdout);
    fprintf(stderr, "simt: %s %g s of launch() at %s\n", head, seconds,
            places_text(pc, place, sizeof place));
    if (launches >= MANY_LAUNCHES)
        fprintf(stderr, "    it has launched %u times\n", launches);
}

/* The same for a launcher, which has used `spent` ticks. */
static void launcher_goes_on(int spent, uintptr_t pc)
{
    if (spent >= TICKS) {
        report_launcher("no end after", seconds_allowed(), pc);
        fprintf(stderr, "    the loop does not end, or is slow: "
                        "SIMT_SECONDS=N gives it more time\n");
        message_fail("launch() does not end");
        exit(1);
    }
    if (spent >= NOTE_TICKS && !noted) {
        noted = true;
        report_launcher("note: after", seconds_allowed() / 2, pc);
    }
}

void clock_host(uintptr_t pc)
{
    if (watching && ++launches >= MANY_LAUNCHES)
        launcher_goes_on(all_ticks, pc);
}

/* ---- the timer ---- */

static void on_tick(int number)
{
    (void)number;
    all_ticks++;
    if (sim.warp)
        tick_in_kernel();
    else if (watching && ++host_ticks >= NOTE_TICKS)
        launcher_goes_on(host_ticks, signal_pc());
}

static void timer_set(double seconds)
{
    const double tick = seconds / TICKS;
    const time_t whole = (time_t)tick;
    const struct timeval t = {whole, (suseconds_t)((tick - (double)whole) * 1e6)};
    setitimer(ITIMER_PROF, &(struct itimerval){t, t}, NULL);
}

/* Ticks may nest, because a tick that ends a launch does not return. */
static void timer_start(void)
{
    const struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_NODEFER | SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    timer_set(seconds_allowed());
}

void clock_launch(void)
{
    clock_team(1);
    if (!watching)
        timer_start();
}

void clock_team(unsigned blocks)
{
    enum { IN_TURN = 16 }; /* so many blocks get the time of one more */
    least = (sig_atomic_t)(TICKS * (1 + blocks / IN_TURN));
    ticks = grown_at = 0;
    extent_count = 0;
    sim.late = 0;
}

void clock_launch_end(void)
{
    sim.late = 0;
    if (!watching)
        timer_set(0);
}

void simt_watch(int on)
{
    watching = on;
    host_ticks = all_ticks = 0;
    launches = 0;
    noted = false;
    if (on)
        timer_start();
    else
        timer_set(0);
}
