/* SPDX-License-Identifier: MIT */
/*
 * walls.c - a host program that judges a kernel lays several buffers into one allocation, or one
 * buffer between zones that nobody may touch. It names each buffer here: these are the rooms of the
 * allocation, and what lies between them is wall. So `d_in[n]` is told of as what it is, "1 element
 * past the end of the input", even where that address is legal for the host.
 */
#include <stdio.h>

#include "../include/simt/inspect.h"
#include "inside.h"

void simt_wall(const void *low, size_t bytes, const char *name, size_t element_bytes,
               const char *element)
{
    memory_room_add((struct room){.low = (uintptr_t)low,
                                  .bytes = bytes,
                                  .name = name,
                                  .element_bytes = element_bytes,
                                  .element = element});
}

/* An access must lie in one room, with all its bytes. */
bool wall_is_hit(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct room *room = r->rooms;
    if (!room)
        return false;
    for (; room; room = room->next)
        if (address - room->low < room->bytes && room->bytes - (address - room->low) >= bytes)
            return false;
    return true;
}

/* ---- the message ---- */

/* "3 elements", or bytes where these are no whole number of elements, or have no type (0). */
static void print_count(size_t bytes, size_t element_bytes)
{
    const bool whole = element_bytes != 0 && bytes % element_bytes == 0;
    const size_t count = whole ? bytes / element_bytes : bytes;
    fprintf(message, "%zu %s%s", count, whole ? "element" : "byte", count == 1 ? "" : "s");
}

/* "element 5 of the input". False: this region has no walls. */
bool wall_element(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct room *room = room_near(r, address);
    if (!room)
        return false;
    if (room->element_bytes == 0)
        fprintf(message, "%u-byte ", bytes);
    fprintf(message, "element %zu of %s",
            (address - room->low) / (room->element_bytes ? room->element_bytes : bytes),
            room->name);
    return true;
}

/* Where the address lies, seen from the room that is nearest. False: this region has no walls. */
bool wall_describe(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const struct room *room = room_near(r, address);
    if (!room)
        return false;
    const size_t each = room->element_bytes ? room->element_bytes : bytes;
    const uintptr_t end = room->low + room->bytes;
    if (address < room->low) {
        print_count(room->low - address, each);
        fprintf(message, " before the start of %s", room->name);
    } else if (address >= end) {
        print_count((address - end) / each * each + each, each);
        fprintf(message, " past the end of %s", room->name);
    } else if (address + bytes > end) {
        fprintf(message, "in %s; its last ", room->name);
        print_count(address + bytes - end, each);
        fprintf(message, " past the end");
    } else {
        fprintf(message, "byte %zu of %s", (size_t)(address - room->low), room->name);
    }
    fprintf(message, "\n    %s has ", room->name);
    print_count(room->bytes, room->element_bytes);
    if (room->element)
        fprintf(message, " of %s", room->element);
    return true;
}
