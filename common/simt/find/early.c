/* SPDX-License-Identifier: MIT */
/*
 * early.c - a launch that may start while the previous one in its stream still runs, because it has
 * the attribute cudaLaunchAttributeProgrammaticStreamSerialization and the previous one has called
 * cudaTriggerProgrammaticLaunchCompletion(). Nothing orders its lanes after that launch until they
 * have waited in cudaGridDependencySynchronize(), or have synchronized with a lane that has. (The
 * PTX ISA requires the wait if the previous launch has triggered: see griddepcontrol.) In the
 * emulator the previous launch has already ended. So its shadows are kept, and an access of a lane
 * that has not waited is compared with them as well, see race.c.
 *
 * Anything between two launches, such as a copy or a host wait, separates them: then the second one
 * starts when the first has ended. In a chain of such launches only neighbours are compared.
 */
#include "../include/simt/inspect.h"
#include "inside.h"

uint32_t first_previous;

/* The launch that the next one may overlap: its stream and its first block; 0: there is none. */
static const void *last_stream;
static uint32_t last_block;
static bool imagined; /* it comes from simt_written_before() */

void early_part(void)
{
    last_block = 0;
    imagined = false;
}

bool early_overlaps(const void *stream)
{
    first_previous = last_block;
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
    enum { MOST_BYTES = 64 << 10 }; /* the tables must hold five such buffers */
    const uintptr_t first = (uintptr_t)low;
    if (!imagined) {
        shadow_launch(false);
        last_stream = stream;
        last_block = order_assumed();
        imagined = true;
    }
    const unsigned shift =
        shadow_global_shift((unsigned)__builtin_ctzll(first | element_bytes | 4));
    const struct epoch by = {.block = last_block};
    for (uintptr_t a = first; a - first < bytes && a - first < MOST_BYTES;
         a += (uintptr_t)1 << shift)
        shadow_global_cells(a, shift, true).write->by = by;
}
