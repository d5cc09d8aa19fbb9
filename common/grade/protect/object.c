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

#include "lists.h"

struct object {
    const char *file;
    size_t bytes;
    const Elf64_Shdr *section;
    unsigned sections;
    const char *section_names;
    const Elf64_Sym *symbol;
    size_t symbols;
    const char *names;
    char *why;
    size_t why_bytes;
};

/* A function of mathematics may have an f at its end. */
static bool is_accepted(const char *name)
{
    const size_t n = strlen(name);
    return is_listed(name, n, accepted_calls) ||
           (n > 0 && name[n - 1] == 'f' && is_listed(name, n - 1, accepted_calls));
}

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

/* The sanitizer starts each file with one call of its own, the only one. */
static bool accept_sections(struct object *o)
{
    for (unsigned i = 0; i < o->sections; i++) {
        const Elf64_Shdr *s = &o->section[i];
        const char *name = o->section_names + s->sh_name;
        const bool starts = s->sh_type == SHT_INIT_ARRAY || is_like(name, ".ctors");
        const bool ends = s->sh_type == SHT_FINI_ARRAY || is_like(name, ".dtors");
        const bool early = s->sh_type == SHT_PREINIT_ARRAY || strcmp(name, ".init") == 0;
        if (ends || early || (starts && (s->sh_size > 8 || !is_like(name, ".init_array.0")))) {
            snprintf(o->why, o->why_bytes,
                     "it runs code before or after solve(), by a constructor, a destructor or a "
                     "variable with an initialiser that runs");
            return false;
        }
    }
    return true;
}

/* The name in the source of a variable: `kept` of _ZL4kept and of _ZZ5solveE4kept. */
static const char *plain_name(const char *symbol)
{
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

/* Writable memory of the host, which would keep something from one call to the next. */
static bool is_host_variable(const struct object *o, const Elf64_Sym *s)
{
    const unsigned type = ELF64_ST_TYPE(s->st_info), i = s->st_shndx;
    if (type != STT_OBJECT || i == 0)
        return false;
    if (i >= o->sections)
        return i == SHN_COMMON;
    const char *name = section_name(o, s);
    return (o->section[i].sh_flags & SHF_WRITE) && !is_like(name, ".data.rel.ro") &&
           !is_like(name, "simt_device") && !is_like(name, "simt_constant");
}

static bool accept_symbol(struct object *o, const Elf64_Sym *s)
{
    const char *name = o->names + s->st_name;
    const bool local = ELF64_ST_BIND(s->st_info) == STB_LOCAL, defined = s->st_shndx != SHN_UNDEF;
    if (!defined && is_like(name, "__x86_indirect_thunk"))
        snprintf(o->why, o->why_bytes,
                 "it calls a computed address; accepted are calls of functions by name");
    else if (!defined && !local && !is_accepted(name))
        snprintf(o->why, o->why_bytes,
                 "it calls '%s'; accepted are kernels, device functions, and in host code "
                 "cudaMemsetAsync and questions about the device",
                 name);
    else if (ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC)
        snprintf(o->why, o->why_bytes, "'%s' is chosen when the program is loaded (ifunc)", name);
    else if (defined && !local && ELF64_ST_TYPE(s->st_info) == STT_FUNC && !is_like(name, "_Z") &&
             strcmp(name, "solve") != 0)
        snprintf(o->why, o->why_bytes, "it defines '%s' as a C name; accepted is solve alone",
                 name);
    else if (is_host_variable(o, s))
        snprintf(o->why, o->why_bytes,
                 "it keeps the host variable '%s'; a launcher has local variables only",
                 plain_name(name));
    else
        return true;
    return false;
}

static bool accept_symbols(struct object *o)
{
    bool solves = false;
    for (size_t i = 1; i < o->symbols; i++) {
        if (!accept_symbol(o, &o->symbol[i]))
            return false;
        solves |= o->symbol[i].st_shndx != SHN_UNDEF &&
                  ELF64_ST_TYPE(o->symbol[i].st_info) == STT_FUNC &&
                  strcmp(o->names + o->symbol[i].st_name, "solve") == 0;
    }
    if (!solves)
        snprintf(o->why, o->why_bytes, "it does not define extern \"C\" cudaError_t solve(...)");
    return solves;
}

bool object_accept(const char *path, char *why, size_t bytes)
{
    struct object o = {.why = why, .why_bytes = bytes};
    if (!object_map(&o, path)) {
        snprintf(why, bytes, "it does not compile to an object file of 64-bit ELF");
        return false;
    }
    const bool accept = accept_sections(&o) && accept_symbols(&o);
    munmap((void *)(uintptr_t)o.file, o.bytes);
    return accept;
}
