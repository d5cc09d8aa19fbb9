/* SPDX-License-Identifier: MIT */
/*
 * probe.c - watches what a launcher does, for a program that checks it: the functions of
 * include/simt/inspect.h. The calls of this part report here what they are about to do.
 */
#include <stdio.h>

#include "inside.h"

#include "../include/simt/inspect.h"

static struct {
    bool on;
    cudaStream_t stream; /* where all the work belongs */
    unsigned failing;    /* the piece of work that fails; nothing is executed then */
    struct simt_probe seen;
} probe;

void simt_probe_start(cudaStream_t stream, unsigned failing)
{
    probe.on = true;
    probe.stream = stream;
    probe.failing = failing;
    probe.seen = (struct simt_probe){0};
    sim.kept_pc = 0;
}

struct simt_probe simt_probe_stop(void)
{
    probe.on = false;
    if (sim.kept_pc)
        probe.seen.kept = (struct simt_call){"a store", sim.kept_pc};
    return probe.seen;
}

bool probe_takes(struct call at, cudaStream_t stream, cudaError_t *result)
{
    const struct simt_call call = {at.name, at.pc};
    early_part();
    if (!probe.on)
        return false;
    probe.seen.work++;
    if (stream != probe.stream && !probe.seen.elsewhere.name)
        probe.seen.elsewhere = call;
    if (probe.failing == 0)
        return false;
    *result = cudaSuccess;
    if (probe.seen.work == probe.failing) {
        probe.seen.failed = call;
        *result = call_made_to_fail(cudaErrorLaunchOutOfResources);
    }
    return true;
}

void probe_refuses(struct call at)
{
    capture_breaks();
    if (probe.on && !probe.seen.refused.name)
        probe.seen.refused = (struct simt_call){at.name, at.pc};
}

const char *simt_call_text(struct simt_call call, char *out, size_t out_bytes)
{
    char place[4096];
    machine_init(); /* knows the lines of the program */
    snprintf(out, out_bytes, "%s at %s", call.name, places_text(call.pc, place, sizeof place));
    return out;
}
