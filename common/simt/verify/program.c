/* SPDX-License-Identifier: MIT */
/* program.c - reads the linker's map and objdump's text, one function of the program after
 * another. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

line_t *line;
int lines;
char function[1024];
#define NAME "%1023[^>" /* of a function, for sscanf(): more characters that end it, and a `]` */
uint64_t function_at;
bool in_glue;
int findings;

bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool ends_with(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

void finding(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    findings++;
}

void *grown(void *list, int count, size_t bytes)
{
    if ((count & (count - 1)) != 0) /* there is room up to the next power of two */
        return list;
    list = realloc(list, (count ? 2 * (size_t)count : 1) * bytes);
    if (!list) {
        fprintf(stderr, "hooked: out of memory\n");
        exit(2);
    }
    return list;
}

/* ---- constants ---- */

typedef struct {
    uint64_t low, high;
} piece_t;
static piece_t constant[64];
static int constants;

bool is_constant(uint64_t address)
{
    for (int i = 0; i < constants; i++)
        if (address - constant[i].low < constant[i].high - constant[i].low)
            return true;
    return false;
}

/* ---- which code is examined ---- */

/* The pieces of code that are the program's own, by the linker's map. */
static piece_t *own;
static int own_count;

/* The file of a map's line: an object of the program, not /usr/lib/libstdc++.a(new_op.o), not
 * /usr/lib/crt1.o. */
static bool is_own_object(const char *file, char **trusted, int trusted_count)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    for (int i = 0; i < trusted_count; i++)
        if (strcmp(file, trusted[i]) == 0)
            return false;
    return ends_with(base, ".o") && !starts_with(base, "crt") && !starts_with(base + 1, "crt");
}

/* " .text.name 0x1234 0x56 file", where a long name has its own line. Discarded pieces have the
 * address 0. */
static void read_map(const char *name, char **trusted, int trusted_count)
{
    char text[8192], section[6] = "", file[4096];
    unsigned long long low, bytes;
    FILE *f = fopen(name, "r");
    while (f && fgets(text, sizeof text, f)) {
        const char *number = strstr(text, " 0x");
        if (starts_with(text, " ."))
            memcpy(section, text + 1, 5);
        if (!number || !starts_with(section, ".text") ||
            sscanf(number, " 0x%llx 0x%llx %4095[^\n]", &low, &bytes, file) != 3 || low == 0 ||
            bytes == 0 || !is_own_object(file, trusted, trusted_count))
            continue;
        own = grown(own, own_count, sizeof *own);
        own[own_count++] = (piece_t){low, low + bytes};
    }
    if (!f || own_count == 0) {
        fprintf(stderr, "hooked: '%s' %s\n", name,
                f ? "names no object of the program: it is not a map of GNU ld" : "cannot be read");
        exit(2);
    }
    fclose(f);
}

static bool is_own(uint64_t address)
{
    for (int i = 0; i < own_count; i++)
        if (address - own[i].low < own[i].high - own[i].low)
            return true;
    return false;
}

/* ---- which functions a pointer may hold ---- */

/* The addresses that the program computes or has in its data: from objdump's comments, and from the
 * relocations of a program that may be anywhere. Without these any function counts. */
static uint64_t *held;
static int held_count;
static bool has_relocations;

static void add_held(uint64_t address)
{
    held = grown(held, held_count, sizeof *held);
    held[held_count++] = address;
}

bool is_held(uint64_t address)
{
    for (int i = 0; i < held_count; i++)
        if (held[i] == address)
            return true;
    return !has_relocations;
}

/* ---- objdump's text ---- */

/* "0000000000046098 R_X86_64_RELATIVE  *ABS*+0x00000000000041b0" */
static void read_relocation(const char *text)
{
    const char *absolute = strstr(text, "*ABS*+");
    if (!absolute || !strstr(text, " R_X86_64_"))
        return;
    add_held(strtoull(absolute + 6, NULL, 16));
    has_relocations = true;
}

static void read_section(const char *text)
{
    char name[64];
    unsigned long long size, low;
    if (sscanf(text, " %*d %63s %llx %llx", name, &size, &low) == 3 && constants < 64 && low &&
        (strstr(text, "READONLY") || starts_with(name, ".data.rel.ro") ||
         starts_with(name, ".got"))) {
        constant[constants].low = low;
        constant[constants++].high = low + size;
    }
}

/* Moves the prefixes of an instruction away; true if it is repeated. */
static bool skip_prefixes(char **p)
{
    static const char *const prefixes[] = {"repz ", "repnz ", "rep ", "lock ", "notrack ", "bnd "};
    bool repeated = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts_with(*p, prefixes[i])) {
            repeated |= starts_with(prefixes[i], "rep");
            *p += strlen(prefixes[i]);
        }
    return repeated;
}

/* "    1234:\tmov    %rax,0x10(%rsp)" */
static void read_line(const char *text)
{
    char *p = strchr(text, '\t') + 1;
    line = grown(line, lines, sizeof *line);
    line_t *l = &line[lines++];
    *l = (line_t){.address = strtoull(text, NULL, 16), .callee = ""};
    const bool repeated = skip_prefixes(&p);
    char op[13] = "", name[sizeof function];
    sscanf(p, "%12s %95[^ \n]", op, l->args);
    snprintf(l->op, sizeof l->op, "%s%s", repeated ? "rep" : "", op);
    const bool call = starts_with(op, "call"), jump = *op == 'j';
    const char *comment = strchr(p, '#'), *angle = strchr(p, '<');
    if (comment)
        l->target = strtoull(comment + 1, NULL, 16);
    else if (angle && (jump || call))
        l->target = strtoull(l->args, NULL, 16);
    if (angle && !comment && call && sscanf(angle + 1, NAME "+@]", name) == 1)
        l->callee = strdup(name);
    if (*l->callee || (jump && *l->args != '*'))
        *l->args = '\0';
}

/* Glue reads the launch's arguments. */
static bool is_glue(const char *name)
{
    return starts_with(name, "_ZN4simt4glue") || starts_with(name, "_ZN4simt8bytes_of");
}

void program_open(char **words, int count)
{
    read_map(words[0], words + 1, count - 1);
}

/* Sections come before the first function. An empty line ends a function. */
bool program_function(void)
{
    char text[8192];
    bool ours = false;
    lines = 0;
    while (fgets(text, sizeof text, stdin) && !(lines > 0 && *text == '\n')) {
        const char *comment = strchr(text, '#');
        if (isxdigit((unsigned char)*text) && strstr(text, ">:\n")) {
            sscanf(strchr(text, '<') + 1, NAME "]", function);
            function_at = strtoull(text, NULL, 16);
            ours = is_own(function_at);
            in_glue = is_glue(function);
        } else if (!strchr(text, '\t') || !strchr(text, ':')) {
            read_section(text);
            read_relocation(text);
        } else if (ours) {
            read_line(text);
        }
        if (comment)
            add_held(strtoull(comment + 1, NULL, 16));
    }
    return lines > 0;
}
