/* SPDX-License-Identifier: MIT */
/*
 * buffers.c - a host program that judges a kernel puts several buffers into one allocation, or one
 * buffer between guard zones. It names each buffer here; everything between them is a guard zone.
 * So `d_in[n]` is reported as what it is, "1 element past the end of the input", even if that
 * address is legal for the host.
 */
#include <stdio.h>

#include "../include/simt/inspect.h"
#include "inside.h"

void simt_buffer(const void *low, size_t bytes, const char *name, size_t element_bytes,
                 const char *element)
{
    memory_buffer_add((struct buffer){.low = (uintptr_t)low,
                                      .bytes = bytes,
                                      .name = name,
                                      .element_bytes = element_bytes,
                                      .element = element});
}

void simt_read_only(const void *low)
{
    memory_read_only((uintptr_t)low);
}

/* All bytes of an access must be in one buffer. */
bool buffers_exclude(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct buffer *buffer = r->buffers;
    if (!buffer)
        return false;
    for (; buffer; buffer = buffer->next)
        if (address - buffer->low < buffer->bytes &&
            buffer->bytes - (address - buffer->low) >= bytes)
            return false;
    return true;
}

/* ---- the message ---- */

/* "3 elements", or bytes if these are not a whole number of elements, or have no type (0). */
static void print_count(size_t bytes, size_t element_bytes)
{
    const bool whole = element_bytes != 0 && bytes % element_bytes == 0;
    const size_t count = whole ? bytes / element_bytes : bytes;
    fprintf(message, "%zu %s%s", count, whole ? "element" : "byte", count == 1 ? "" : "s");
}

/* "element 5 of the input". False: this region has no named buffers. */
bool buffer_element(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct buffer *buffer = buffer_near(r, address);
    if (!buffer)
        return false;
    if (buffer->element_bytes == 0)
        fprintf(message, "%u-byte ", bytes);
    fprintf(message, "element %zu of %s",
            (address - buffer->low) / (buffer->element_bytes ? buffer->element_bytes : bytes),
            buffer->name);
    return true;
}

/* Where the address is, relative to the nearest buffer. False: this region has no named buffers. */
bool buffer_describe(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct buffer *buffer = buffer_near(r, address);
    if (!buffer)
        return false;
    const size_t each = buffer->element_bytes ? buffer->element_bytes : bytes;
    const uintptr_t end = buffer->low + buffer->bytes;
    if (address < buffer->low) {
        print_count(buffer->low - address, each);
        fprintf(message, " before the start of %s", buffer->name);
    } else if (address >= end) {
        print_count((address - end) / each * each + each, each);
        fprintf(message, " past the end of %s", buffer->name);
    } else if (address + bytes > end) {
        fprintf(message, "in %s; its last ", buffer->name);
        print_count(address + bytes - end, each);
        fprintf(message, " past the end");
    } else {
        fprintf(message, "byte %zu of %s", (size_t)(address - buffer->low), buffer->name);
    }
    fprintf(message, "\n    %s has ", buffer->name);
    print_count(buffer->bytes, buffer->element_bytes);
    if (buffer->element)
        fprintf(message, " of %s", buffer->element);
    return true;
}
