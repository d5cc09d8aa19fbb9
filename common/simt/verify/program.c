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
bytes_t frames, tables;
static bytes_t *dump; /* that objdump is showing */

bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool ends_with(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

static bool is_listed(const char *text, const char *words, bool whole)
{
    while (*words) {
        const char *word = words, *with = text;
        while (*words && *words != ' ' && *words == *with)
            words++, with++;
        if (words > word && (!*words || *words == ' ') && !(whole && *with))
            return true;
        while (*words && *words++ != ' ')
            ;
    }
    return false;
}

bool is_one_of(const char *text, const char *words)
{
    return is_listed(text, words, true);
}

bool starts_with_any(const char *text, const char *words)
{
    return is_listed(text, words, false);
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

/* ---- pieces of the program ---- */

typedef struct {
    int count;
    struct {
        uint64_t low, bytes;
    } * piece;
} pieces_t;
static pieces_t constant, own; /* own: the code that is examined, by the linker's map */

static void pieces_add(pieces_t *p, uint64_t low, uint64_t bytes)
{
    p->piece = grown(p->piece, p->count, sizeof *p->piece);
    p->piece[p->count].low = low;
    p->piece[p->count++].bytes = bytes;
}

static bool pieces_hold(const pieces_t *p, uint64_t address)
{
    for (int i = 0; i < p->count; i++)
        if (address - p->piece[i].low < p->piece[i].bytes)
            return true;
    return false;
}

bool is_constant(uint64_t address)
{
    return pieces_hold(&constant, address);
}

/* ---- the linker's map ---- */

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
void program_open(const char *map, char **trusted, int trusted_count)
{
    char text[8192], section[6] = "", file[4096];
    unsigned long long low, bytes;
    FILE *f = fopen(map, "r");
    while (f && fgets(text, sizeof text, f)) {
        const char *number = strstr(text, " 0x");
        if (starts_with(text, " ."))
            memcpy(section, text + 1, 5);
        if (!number || !starts_with(section, ".text") ||
            sscanf(number, " 0x%llx 0x%llx %4095[^\n]", &low, &bytes, file) != 3 || low == 0 ||
            bytes == 0 || !is_own_object(file, trusted, trusted_count))
            continue;
        pieces_add(&own, low, bytes);
    }
    if (!f || own.count == 0) {
        fprintf(stderr, "hooked: '%s' %s\n", map,
                f ? "names no object of the program: it is not a map of GNU ld" : "cannot be read");
        exit(2);
    }
    fclose(f);
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
    if (sscanf(text, " %*d %63s %llx %llx", name, &size, &low) == 3 && low &&
        (strstr(text, "READONLY") || starts_with(name, ".data.rel.ro") ||
         starts_with(name, ".got")))
        pieces_add(&constant, low, size);
}

/* Of objdump -s: " 418f0 14000000 00000000 017a5200 01781001  .........zR..x..", the
 * last line with blanks. */
static void read_dump(const char *text)
{
    char *p;
    const uint64_t low = strtoull(text, &p, 16);
    dump->low = dump->count ? dump->low : low;
    for (const char *end = p + 36; p < end && p[0] && p[1]; p++) {
        unsigned byte;
        if (!isxdigit((unsigned char)p[0]) || sscanf(p, "%2x", &byte) != 1)
            continue;
        dump->byte = grown(dump->byte, dump->count, 1);
        dump->byte[dump->count++] = (unsigned char)byte;
        p++;
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
            ours = pieces_hold(&own, function_at);
            in_glue = is_glue(function);
        } else if (starts_with(text, "Contents of section ")) {
            dump = strstr(text, " .eh_frame:") ? &frames : &tables;
        } else if (starts_with(text, "Disassembly")) {
            dump = NULL;
        } else if (dump && *text == ' ') {
            read_dump(text);
            continue;
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
