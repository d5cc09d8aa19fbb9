/* SPDX-License-Identifier: MIT */
/*
 * early.c - a launch that may start while the one before it in its stream still runs, as it has the
 * attribute cudaLaunchAttributeProgrammaticStreamSerialization, and that one has called
 * cudaTriggerProgrammaticLaunchCompletion(). Nothing orders what its lanes do after that launch,
 * until they have waited in cudaGridDependencySynchronize(), or have met a lane that has. (The PTX
 * ISA asks for the wait where the launch before has triggered: see griddepcontrol.) Here the launch
 * before has ended by then. So its shadows are kept, and a lane that has not waited looks into them
 * as well, see race.c.
 *
 * Anything that lies between two launches, such as a copy or a wait of the host, parts them: then
 * the second one starts when the first has ended. Of a row of such launches only neighbours are
 * compared.
 */
#include "../include/simt/inspect.h"
#include "inside.h"

uint32_t first_beside;

/* The launch that the next one may meet: its stream and its first block; 0: there is none. */
static const void *last_stream;
static uint32_t last_block;
static bool imagined; /* simt_written_before() has made it up */

void early_part(void)
{
    last_block = 0;
    imagined = false;
}

bool early_meets(const void *stream)
{
    first_beside = last_block;
    return last_block != 0 && last_stream == stream;
}

void early_launched(const void *stream)
{
    last_stream = stream;
    last_block = first_block;
    imagined = false;
}

void simt_written_before(cudaStream_t stream, const void *low, size_t bytes, size_t element_bytes)
{
    enum { MOST_BYTES = 64 << 10 }; /* the tables must hold five of these */
    const uintptr_t first = (uintptr_t)low;
    if (!imagined) {
        shadow_launch(false);
        last_stream = stream;
        last_block = order_imagined();
        imagined = true;
    }
    const unsigned shift =
        shadow_global_shift((unsigned)__builtin_ctzll(first | element_bytes | 4));
    const struct stamp by = {.block = last_block};
    for (uintptr_t a = first; a - first < bytes && a - first < MOST_BYTES;
         a += (uintptr_t)1 << shift)
        shadow_global_cells(a, shift, true).write->by = by;
}
