/* SPDX-License-Identifier: MIT */
/*
 * symbols.c - judges the compiled file of a submission by accepted.txt: what it calls, what it
 * keeps, what it defines; but only what `solve` can reach.
 */
#define _POSIX_C_SOURCE 200809L
#include "inside.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The object is the work of our compiler and linker, so its offsets are believed. */
static struct {
    char *bytes;
    const Elf64_Shdr *section;
    const Elf64_Sym *symbol;
    size_t sections, symbols;
    const char *strings, *section_names;
    bool *reached, *used; /* sections and symbols that solve needs */
    struct place {
        const char *section;
        unsigned long offset;
    } * place; /* where each of these symbols is used first */
} object;

static const char *file_name, *object_path;
static char *text;
static char message[1024];
static bool has_line, runs;

static void read_object(const char *path)
{
    object_path = path;
    object.bytes = file_text(path);
    const Elf64_Ehdr *head = (const void *)object.bytes;
    object.section = (const void *)(object.bytes + head->e_shoff);
    object.sections = head->e_shnum;
    object.section_names = object.bytes + object.section[head->e_shstrndx].sh_offset;
    for (const Elf64_Shdr *s = object.section; s < object.section + object.sections; s++)
        if (s->sh_type == SHT_SYMTAB) {
            object.symbol = (const void *)(object.bytes + s->sh_offset);
            object.symbols = s->sh_size / sizeof *object.symbol;
            object.strings = object.bytes + object.section[s->sh_link].sh_offset;
        }
    object.used = calloc(object.symbols + 1, 1);
    object.reached = calloc(object.sections + 1, 1);
    object.place = calloc(object.symbols + 1, sizeof *object.place);
    if (!object.used || !object.reached || !object.place)
        exit(2);
}

/* A section is a function or a variable: it needs those that its relocations name. */
static void reach(size_t section)
{
    if (section >= object.sections || object.reached[section])
        return;
    object.reached[section] = true;
    for (const Elf64_Shdr *s = object.section; s < object.section + object.sections; s++) {
        const Elf64_Rela *r = (const void *)(object.bytes + s->sh_offset);
        if (s->sh_type != SHT_RELA || s->sh_info != section)
            continue;
        for (size_t i = 0; i < s->sh_size / sizeof *r; i++) {
            const size_t symbol = ELF64_R_SYM(r[i].r_info);
            if (!object.used[symbol])
                object.place[symbol] = (struct place){
                    object.section_names + object.section[section].sh_name, r[i].r_offset};
            object.used[symbol] = true;
            reach(object.symbol[symbol].st_shndx);
        }
    }
}

static const char *name_of(size_t i)
{
    return object.strings + object.symbol[i].st_name;
}

/* All that counts is what solve can reach: not a main, nor its helpers. */
static bool reach_from_solve(void)
{
    bool found = false;
    for (size_t i = 0; i < object.symbols; i++)
        if (object.symbol[i].st_shndx != SHN_UNDEF && strcmp(name_of(i), "solve") == 0)
            found = true, reach(object.symbol[i].st_shndx);
    return found;
}

/* The name in the source: kept for _ZL4kept and for _ZZ5solveE4kept, new for _Znwm. */
static const char *plain(const char *name)
{
    if (strncmp(name, "_Zn", 3) == 0 || strncmp(name, "_Zd", 3) == 0)
        return name[2] == 'n' ? "new" : "delete";
    for (const char *p = strncmp(name, "_Z", 2) == 0 ? name : ""; *p;) {
        char *end = (char *)p + 1;
        if (isdigit((unsigned char)*p) && strtoul(p, &end, 10) == strlen(end))
            return end;
        p = end;
    }
    return name;
}

/* The first line of the source with this word, or 0. */
static size_t line_with(const char *word)
{
    const struct source s = tokens_cut_directives(text);
    size_t i = 0, line = 1;
    while (i < s.count && !is(&s, i, word))
        i++;
    for (const char *p = text; i < s.count && p < s.tokens[i].text; p++)
        line += *p == '\n';
    return i < s.count ? line : 0;
}

/* The line of the source from which this symbol is used, or 0. A place in a header was called from
 * one in the file. */
static size_t line_of_use(const char *name)
{
    char command[512], line[512];
    size_t i = 0, found = 0;
    while (i < object.symbols && (!object.place[i].section || strcmp(name_of(i), name) != 0))
        i++;
    if (i == object.symbols || strchr(object.place[i].section, '\''))
        return 0;
    snprintf(command, sizeof command, "addr2line -i -j '%s' -e '%s' 0x%lx 2>/dev/null",
             object.place[i].section, object_path, object.place[i].offset);
    FILE *from = popen(command, "r");
    while (from && found == 0 && fgets(line, sizeof line, from)) {
        const char *at = strstr(line, file_name);
        if (at && at[strlen(file_name)] == ':')
            found = strtoul(at + strlen(file_name) + 1, NULL, 10);
    }
    if (from)
        pclose(from);
    return found;
}

/* The first message stays, unless it has no line and this one has. */
static void refuse_symbol(const char *name, const char *what, const char *shown, const char *more)
{
    size_t line = line_with(plain(name));
    char place[32] = "";
    if (line == 0 && !has_line)
        line = line_of_use(name);
    if (line > 0)
        snprintf(place, sizeof place, "%zu:", line);
    if (!message[0] || (line > 0 && !has_line))
        snprintf(message, sizeof message, "%s:%s error: %s'%s'%s", file_name, place, what, shown,
                 more);
    has_line = has_line || line > 0;
}

static void refuse_call(const char *name)
{
    char more[512];
    snprintf(more, sizeof more, ": %s", what_instead(name, strlen(name)));
    refuse_symbol(name, "it calls ", plain(name), more);
}

/* A function that is called but not defined. A weak one, as __cxa_pure_virtual, may be missing. */
static void check_call(const char *name)
{
    const size_t n = strlen(name);
    const bool f = n > 1 && name[n - 1] == 'f';
    if (is_listed("host calls", name, n) ? !runs
                                         : !is_listed("calls", name, n) && !replacement_of(name) &&
                                               !(f && is_listed("calls", name, n - 1)))
        refuse_call(name);
}

static void check_function(const char *name)
{
    /* Names with a dot, and these two, are the compiler's. */
    if (strcmp(name, "solve") == 0 || strcmp(name, "run") == 0 || strncmp(name, "_Z", 2) == 0 ||
        strncmp(name, "_GLOBAL__", 9) == 0 || strncmp(name, "_sub_", 5) == 0 || strchr(name, '.'))
        return;
    if (*name == '_' || strncmp(name, "simt", 4) == 0 || strncmp(name, "cuda", 4) == 0 ||
        is_listed("calls", name, strlen(name)) || replacement_of(name))
        refuse_symbol(name, "it defines ", name,
                      " as a C name: this name already has a meaning: choose another one");
}

/* Memory that keeps state from one call to the next. <iostream> has such a variable; and a number
 * that is static in a function is left to the file: each trial is a process, with a second call. */
static void check_variable(const Elf64_Sym *symbol, const char *name)
{
    const char *in = object.section_names + object.section[symbol->st_shndx].sh_name;
    const bool flag = strcmp(in, "simt_host") == 0 && strncmp(name, "_ZZ", 3) == 0 &&
                      symbol->st_size <= sizeof(long long);
    if (!flag && strncmp(in, ".rodata", 7) != 0 && strncmp(in, ".data.rel.ro", 12) != 0 &&
        strncmp(in, "simt_device", 11) != 0 && strncmp(in, "simt_constant", 13) != 0 &&
        strcmp(name, "_ZStL8__ioinit") != 0)
        refuse_symbol(name, "it has the host variable ", plain(name),
                      "; a launcher may have local variables only");
}

/* A call that is replaced gets a name of its own in `renames`, which `aliases` makes the function
 * of ours; so does one that nothing reaches from solve. What is defined with a C name gets another
 * one, so that none is mistaken for one of ours. */
static void write_renames(void)
{
    FILE *to = fopen("renames", "w"), *aliases = fopen("aliases", "w");
    for (size_t i = 1; to && aliases && i < object.symbols; i++) {
        const Elf64_Sym *symbol = &object.symbol[i];
        const char *name = name_of(i), *other = replacement_of(name);
        if (symbol->st_shndx == SHN_UNDEF && !object.used[i] &&
            !is_listed("calls", name, strlen(name)))
            other = "grade_refuse_call";
        if (symbol->st_shndx == SHN_UNDEF && other) {
            fprintf(to, "%s called_%s\n", name, name);
            fprintf(aliases, "called_%s = %s;\n", name, other);
        } else if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
                   *name != '_' && strcmp(name, "solve") != 0 && strcmp(name, "run") != 0 &&
                   !strchr(name, '.')) {
            fprintf(to, "%s _Z%zu%sv\n", name, strlen(name), name);
        }
    }
    if (!to || !aliases || fclose(to) != 0 || fclose(aliases) != 0)
        exit(2);
}

static void check_symbol(size_t i)
{
    const Elf64_Sym *symbol = &object.symbol[i];
    const int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF && object.used[i] &&
        ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
        check_call(name_of(i));
    if (symbol->st_shndx >= object.sections || !object.reached[symbol->st_shndx])
        return;
    if (type == STT_GNU_IFUNC)
        refuse_symbol(name_of(i), "", plain(name_of(i)),
                      " is chosen at load time (ifunc), which is not accepted");
    else if (type == STT_FUNC)
        check_function(name_of(i));
    else if (type == STT_OBJECT)
        check_variable(symbol, name_of(i));
}

bool symbols_accepted(const char *name, const char *path)
{
    file_name = name;
    text = file_text(name);
    read_object(path);
    if (!reach_from_solve())
        snprintf(message, sizeof message,
                 "%s: error: it does not define extern \"C\" cudaError_t solve(...)", name);
    for (size_t i = 0; i < object.symbols; i++)
        runs = runs || (object.symbol[i].st_shndx != SHN_UNDEF && strcmp(name_of(i), "run") == 0);
    for (size_t i = 1; i < object.symbols; i++)
        check_symbol(i);
    if (message[0])
        puts(message);
    else
        write_renames();
    return !message[0];
}
