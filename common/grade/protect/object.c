/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "object.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "listed.h"
#include "source.h"

struct object {
    const char *file;
    size_t bytes;
    const Elf64_Shdr *section;
    unsigned sections;
    const char *section_names;
    const Elf64_Sym *symbol;
    size_t symbols;
    const char *names;
};

/* ---- the file; the compiler wrote it, so its tables are sound ---- */

static bool object_map(struct object *o, const char *path)
{
    struct stat st;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(Elf64_Ehdr)) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    o->bytes = (size_t)st.st_size;
    o->file = mmap(NULL, o->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (o->file == MAP_FAILED)
        return false;
    const Elf64_Ehdr *head = (const void *)o->file;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    o->section = (const void *)(o->file + head->e_shoff);
    o->sections = head->e_shnum ? head->e_shnum : (unsigned)o->section[0].sh_size;
    const unsigned names =
        head->e_shstrndx == SHN_XINDEX ? o->section[0].sh_link : head->e_shstrndx;
    o->section_names = o->file + o->section[names].sh_offset;
    for (unsigned i = 0; i < o->sections; i++)
        if (o->section[i].sh_type == SHT_SYMTAB) {
            o->symbol = (const void *)(o->file + o->section[i].sh_offset);
            o->symbols = o->section[i].sh_size / sizeof *o->symbol;
            o->names = o->file + o->section[o->section[i].sh_link].sh_offset;
        }
    return o->symbol != NULL;
}

static const char *section_name(const struct object *o, const Elf64_Sym *s)
{
    const unsigned i = s->st_shndx;
    return i > 0 && i < o->sections ? o->section_names + o->section[i].sh_name : "";
}

static bool is_like(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* ---- what is refused ---- */

/* The name in the source: `kept` of _ZL4kept and of _ZZ5solveE4kept, `cout` of _ZSt4cout. */
static const char *plain_name(const char *symbol)
{
    if (is_like(symbol, "_Zn") || is_like(symbol, "_Zd"))
        return symbol[2] == 'n' ? "new" : "delete";
    if (!is_like(symbol, "_Z"))
        return symbol;
    for (const char *p = symbol; *p; p++) {
        const size_t digits = strspn(p, "0123456789");
        if (digits > 0 && strtoul(p, NULL, 10) == strlen(p + digits))
            return p + digits;
        p += digits > 0 ? digits - 1 : 0;
    }
    return symbol;
}

static bool is_defined(const Elf64_Sym *s)
{
    return s->st_shndx != SHN_UNDEF;
}

/* A function of mathematics may have an f at its end. */
static bool is_accepted_call(const char *name)
{
    char less[64];
    snprintf(less, sizeof less, "%s", name);
    const size_t n = strlen(less);
    if (n > 1 && less[n - 1] == 'f')
        less[n - 1] = '\0';
    return is_listed(accepted_calls, name) || is_listed(accepted_calls, less);
}

/* Names in C that others could meet. Those with a dot are the compiler's. */
static bool is_c_name(const char *name)
{
    return !is_like(name, "_Z") && !is_like(name, "_GLOBAL__") && !is_like(name, "_sub_") &&
           !strchr(name, '.') && strcmp(name, "solve") != 0;
}

/* Writable memory of the host, which would keep something from one call to the next. <iostream>
 * has such a variable. */
static bool is_host_variable(const struct object *o, const Elf64_Sym *s)
{
    const unsigned i = s->st_shndx;
    if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || !is_defined(s) ||
        strcmp(o->names + s->st_name, "_ZStL8__ioinit") == 0)
        return false;
    if (i >= o->sections)
        return i == SHN_COMMON;
    const char *name = section_name(o, s);
    return (o->section[i].sh_flags & SHF_WRITE) && !is_like(name, ".data.rel.ro") &&
           !is_like(name, "simt_device") && !is_like(name, "simt_constant");
}

/* What is wrong with a symbol, NULL for nothing; `%s` stands for its name in the source. */
static const char *wrong_with(const struct object *o, const Elf64_Sym *s)
{
    const char *name = o->names + s->st_name;
    const unsigned type = ELF64_ST_TYPE(s->st_info);
    if (!is_defined(s))
        return *name && !is_accepted_call(name) ? "it calls '%s'" : NULL;
    if (type == STT_GNU_IFUNC)
        return "'%s' is chosen when the program is loaded (ifunc)";
    if (type == STT_FUNC && is_c_name(name))
        return "it defines '%s' as a C name; accepted is solve alone";
    if (is_host_variable(o, s))
        return "it keeps the host variable '%s'; a launcher has local variables only";
    return NULL;
}

static const char *name_of(const struct object *o, size_t i)
{
    return o->names + o->symbol[i].st_name;
}

/* The symbol to tell of: the first one that the student has written, if there is one. */
static size_t first_wrong(const struct object *o, const char *text, unsigned long *line)
{
    size_t found = 0;
    *line = 0;
    for (size_t i = 1; i < o->symbols && *line == 0; i++)
        if (wrong_with(o, &o->symbol[i])) {
            found = found ? found : i;
            *line = source_line(text, plain_name(name_of(o, i)));
            found = *line ? i : found;
        }
    return found;
}

static bool solves(const struct object *o)
{
    for (size_t i = 1; i < o->symbols; i++)
        if (is_defined(&o->symbol[i]) && ELF64_ST_TYPE(o->symbol[i].st_info) == STT_FUNC &&
            strcmp(name_of(o, i), "solve") == 0)
            return true;
    return false;
}

bool object_accept(const char *path, const char *text, const char *name, char *why, size_t bytes)
{
    struct object o = {0};
    unsigned long line = 0;
    size_t used = 0;
    if (!object_map(&o, path)) {
        snprintf(why, bytes, "it does not compile to an object file of 64-bit ELF");
        return false;
    }
    const size_t i = first_wrong(&o, text, &line);
    const bool accept = i == 0 && solves(&o);
    if (line > 0)
        used = (size_t)snprintf(why, bytes, "%s:%lu: error: ", name, line);
    if (i > 0) {
        const Elf64_Sym *s = &o.symbol[i];
        used += (size_t)snprintf(why + used, bytes - used, wrong_with(&o, s), // NOLINT
                                 plain_name(name_of(&o, i)));
        if (!is_defined(s) && used < bytes)
            snprintf(why + used, bytes - used, ": %s", what_instead(name_of(&o, i)));
    } else if (!accept) {
        snprintf(why, bytes, "it does not define extern \"C\" cudaError_t solve(...)");
    }
    munmap((void *)(uintptr_t)o.file, o.bytes);
    return accept;
}
