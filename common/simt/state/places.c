/* SPDX-License-Identifier: MIT */
/*
 * places.c - the source lines of code addresses. one call of addr2line finds many.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

enum { PER_CALL = 64, PATH_BYTES = 4096, COMMAND_BYTES = 64 + PATH_BYTES + PER_CALL * 20 };

/* "path/file.cu:31 (discriminator 2)" */
static void place_set(struct place *p, char *text)
{
    char *more = strstr(text, " (discriminator");
    text[more ? (size_t)(more - text) : strcspn(text, "\n")] = '\0';
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?')
        return;
    *colon = '\0';
    p->file = strdup(text);
    p->line = (unsigned)strtoul(colon + 1, NULL, 10);
}

/*
 * Is it a function that copies a struct? Mostly the compiler generated it, and its line is that of
 * `struct`. The names of constructors end in C1 to C5, that of operator= in aS; then come the
 * arguments: `const T &` or `T &&`.
 */
static bool is_copy(const char *function)
{
    const char *end = strstr(function, "ERKS"), *name = end ? end : strstr(function, "EOS");
    return name && name - function > 2 &&
           (strncmp(name - 2, "aS", 2) == 0 || (name[-2] == 'C' && isdigit(name[-1])));
}

/*
 * addr2line prints each address on its own line, then function and line of the code at the address,
 * followed by those that it was inlined into. The first of them that is in no header of ours or of
 * the C++ library, and no copy of a struct, is the user's line. If all are in headers, as in the
 * stand-in for CUB, the first one is.
 */
static void places_read(FILE *pipe, struct place *places, size_t count)
{
    char function[4096], text[4096];
    struct place *p = NULL;
    bool ours = false; /* the line that p has so far */
    while (fgets(function, sizeof function, pipe)) {
        if (strncmp(function, "0x", 2) == 0) {
            p = !p ? places : p + 1 < places + count ? p + 1 : p;
            continue;
        }
        if (!fgets(text, sizeof text, pipe) || !p || is_copy(function) || (p->file && !ours))
            continue;
        const bool in_header = strstr(text, "/simt/include/") || strstr(text, "/include/c++/");
        if (p->file && in_header)
            continue;
        free(p->file);
        p->file = NULL;
        place_set(p, text);
        ours = in_header;
    }
}

/*
 * The command with the program's file, for a shell. Under an emulated processor, other processes
 * see /proc/PID/exe as the emulator's file; so the link is used only if the name cannot be.
 */
static void print_command(char *out, size_t out_bytes)
{
    char path[PATH_BYTES];
    const ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
    path[bytes > 0 ? bytes : 0] = '\0';
    if (strchr(path, '\'') || access(path, R_OK) != 0)
        snprintf(path, sizeof path, "/proc/%d/exe", (int)getpid());
    snprintf(out, out_bytes, "addr2line -a -f -i -e '%s'", path);
}

/* An address is that of the instruction after the call of a hook, so the byte before it is in the
 * right line. */
static void find(struct place *places, size_t count)
{
    char command[COMMAND_BYTES];
    for (size_t done = 0; done < count; done += PER_CALL) {
        const size_t more = count - done < PER_CALL ? count - done : PER_CALL;
        print_command(command, sizeof command);
        size_t n = strlen(command);
        for (size_t i = 0; i < more; i++)
            n += (size_t)snprintf(command + n, sizeof command - n, " 0x%zx",
                                  symbols_offset(places[done + i].pc - 1));
        snprintf(command + n, sizeof command - n, " 2>/dev/null");
        FILE *pipe = popen(command, "r");
        if (!pipe)
            return;
        places_read(pipe, places + done, more);
        pclose(pipe);
    }
}

/* A jump that clang has added has line 0: take the line of the code before it. */
static void find_before(struct place *p)
{
    struct place before[PER_CALL] = {{0}};
    for (size_t i = 0; i < PER_CALL; i++)
        before[i].pc = p->pc - 1 - i;
    find(before, PER_CALL);
    for (size_t i = 0; i < PER_CALL; i++) {
        if (p->line == 0 && before[i].file && strcmp(before[i].file, p->file) == 0)
            p->line = before[i].line;
        free(before[i].file);
    }
}

/* Fills in file and line of each place. */
void places_find(struct place *places, size_t count)
{
    find(places, count);
    for (size_t i = 0; i < count; i++)
        if (places[i].file && places[i].line == 0)
            find_before(&places[i]);
}

/* A path without the prefix that it shares with the current directory. */
const char *places_relative(const char *path)
{
    static char here[4096];
    if (!getcwd(here, sizeof here))
        return path;
    const size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* Writes "file:line", or the code address if that is unknown. */
const char *place_print(const struct place *p, char *out, size_t out_bytes)
{
    if (p->file)
        snprintf(out, out_bytes, "%s:%u", places_relative(p->file), p->line);
    else
        snprintf(out, out_bytes, "code address 0x%zx", symbols_offset(p->pc));
    return out;
}

const char *places_text(uintptr_t pc, char *out, size_t out_bytes)
{
    struct place p = {.pc = pc};
    places_find(&p, 1);
    place_print(&p, out, out_bytes);
    free(p.file);
    return out;
}

bool place_same(const struct place *a, const struct place *b)
{
    if (!a->file || !b->file)
        return a->pc == b->pc;
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}
