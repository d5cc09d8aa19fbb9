/* SPDX-License-Identifier: MIT */
/*
 * places.c - the source lines of code addresses. addr2line finds many of them in one call.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

enum { PER_CALL = 64, COMMAND_BYTES = 64 + PER_CALL * 20 };

/* "path/file.cu:31 (discriminator 2)" */
static void place_set(struct place *p, char *text)
{
    text[strcspn(text, " \n")] = '\0';
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?')
        return;
    *colon = '\0';
    p->file = strdup(text);
    p->line = (unsigned)strtoul(colon + 1, NULL, 10);
}

/*
 * addr2line prints each address in a line of its own, then the line of code that lies there, and
 * below it the lines that this one was inlined into. Of these, the first that is not in a header
 * of ours is the user's line.
 */
static void places_read(FILE *pipe, struct place *places, size_t count)
{
    char text[4096];
    struct place *p = NULL;
    while (fgets(text, sizeof text, pipe))
        if (strncmp(text, "0x", 2) == 0)
            p = !p ? places : p + 1 < places + count ? p + 1 : p;
        else if (p && !p->file && !strstr(text, "/simt/include/"))
            place_set(p, text);
}

/* Fills in file and line of each place. An address is that of the instruction after the call of a
 * hook, so one byte before it lies in the line that is meant. */
void places_find(struct place *places, size_t count)
{
    char command[COMMAND_BYTES];
    for (size_t done = 0; done < count; done += PER_CALL) {
        const size_t more = count - done < PER_CALL ? count - done : PER_CALL;
        int n = snprintf(command, sizeof command, "addr2line -a -i -e /proc/%d/exe", (int)getpid());
        for (size_t i = 0; i < more; i++)
            n += snprintf(command + n, sizeof command - (size_t)n, " 0x%zx",
                          symbols_offset(places[done + i].pc - 1));
        snprintf(command + n, sizeof command - (size_t)n, " 2>/dev/null");
        FILE *pipe = popen(command, "r");
        if (!pipe)
            return;
        places_read(pipe, places + done, more);
        pclose(pipe);
    }
}

/* A path without the part that the current directory has in common with it. */
const char *places_relative(const char *path)
{
    static char here[4096];
    if (!getcwd(here, sizeof here))
        return path;
    const size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* Writes "file:line" of one address, or the address itself where that is not known. */
const char *places_text(uintptr_t pc, char *out, size_t out_bytes)
{
    struct place p = {.pc = pc};
    places_find(&p, 1);
    if (p.file)
        snprintf(out, out_bytes, "%s:%u", places_relative(p.file), p.line);
    else
        snprintf(out, out_bytes, "code address 0x%zx", symbols_offset(pc));
    free(p.file);
    return out;
}
