/* SPDX-License-Identifier: MIT */
/*
 * symbols.c - reads the running program's own ELF file: static shared arrays (thread-local
 * symbols) and names of kernels.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../include/simt/inspect.h"
#include "state.h"

/* From the C++ runtime: turns _Z13reduce_kernelIfEv... into reduce_kernel<float>(...) */
char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

#define PROGRAM "/proc/self/exe"

static const ElfW(Sym) * symbols;
static size_t symbol_count;
static const char *strings;
static uintptr_t load_address, tls_address;

/* ---- the symbol table ---- */

static void symbols_map(void)
{
    struct stat st;
    const int fd = open(PROGRAM, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0)
        return;
    const char *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return;
    const ElfW(Ehdr) *head = (const void *)file;
    const ElfW(Shdr) *section = (const void *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB) {
            symbols = (const void *)(file + section[i].sh_offset);
            symbol_count = section[i].sh_size / sizeof *symbols;
            strings = file + section[section[i].sh_link].sh_offset;
        }
    if (!symbols)
        fprintf(stderr, "simt: the program has no symbols, shared arrays are not known\n");
}

/* The linker provides symbols for the start and end of the section with the device variables. */
#define SECTION(name)                                                                              \
    extern char __start_##name[] __attribute__((weak));                                            \
    extern char __stop_##name[] __attribute__((weak))
SECTION(simt_device);
SECTION(simt_host);
SECTION(simt_constant);
SECTION(simt_constant_ro);
SECTION(simt_runtime);
extern char __executable_start[], etext[];

struct walk {
    void (*segment)(uintptr_t low, size_t bytes, enum space space);
};

/* The first object is the program itself. A kernel may read its constants, but no other
 * variables. */
static int walk_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct walk *walk = data;
    load_address = info->dlpi_addr;
    tls_address = (uintptr_t)info->dlpi_tls_data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const bool constant = p->p_type == PT_LOAD && !(p->p_flags & (PF_X | PF_W));
        if (constant || p->p_type == PT_GNU_RELRO) /* the latter holds vtables */
            walk->segment(load_address + p->p_vaddr, p->p_memsz, SPACE_MODULE);
    }
    return 1;
}

static void add_section(void (*segment)(uintptr_t low, size_t bytes, enum space space),
                        const char *start, const char *stop, enum space space)
{
    if (start)
        segment((uintptr_t)start, (size_t)(stop - start), space);
}

/* The readable name, or NULL. C++ names begin with _Z; the library would read a C name such as `d`
 * as the type double. */
static char *demangle(const char *symbol)
{
    return strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
}

bool symbols_is_device(uintptr_t address)
{
    const uintptr_t low = (uintptr_t)__start_simt_device;
    return address - low < (uintptr_t)__stop_simt_device - low;
}

bool symbols_is_confined(uintptr_t address)
{
    const uintptr_t low = (uintptr_t)__start_simt_host;
    return address - low < (uintptr_t)__stop_simt_host - low;
}

size_t simt_device_variables(void)
{
    return (size_t)(__stop_simt_device - __start_simt_device);
}

/* On ARM `$d`, without a size, marks where data begins, thread-local data too. */
static bool is_array(const ElfW(Sym) * s)
{
    return ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_size > 0 &&
           strncmp(strings + s->st_name, "_Z", 2) == 0;
}

/* A variable of a function is _ZZ...; its readable form is function::name. */
static const char *array_name(const char *symbol)
{
    char *full = demangle(symbol);
    if (!full)
        return symbol;
    const char *last = full;
    for (const char *p = full; (p = strstr(p, "::")) != NULL; p += 2)
        last = p + 2;
    return last;
}

void symbols_init(void (*shared_array)(const char *name, uintptr_t low, size_t bytes),
                  void (*segment)(uintptr_t low, size_t bytes, enum space space))
{
    struct walk walk = {segment};
    add_section(segment, __start_simt_constant, __stop_simt_constant, SPACE_CONSTANT);
    add_section(segment, __start_simt_constant_ro, __stop_simt_constant_ro, SPACE_CONSTANT);
    dl_iterate_phdr(walk_program, &walk);
    add_section(segment, __start_simt_device, __stop_simt_device, SPACE_MODULE);
    symbols_map();
    for (size_t i = 0; i < symbol_count; i++) {
        const ElfW(Sym) *s = &symbols[i];
        const char *name = strings + s->st_name;
        if (is_array(s))
            shared_array(array_name(name), tls_address + s->st_value, s->st_size);
    }
}

/*
 * The constants for a shared array: _ZZ<function>E6s_data has _ZZ<function>E16simt_type_s_data, and
 * a suffix, such as `_0` for a second array of that name, is the same in both.
 */
static unsigned size_beside(const char *array, const char *name, const char *kind)
{
    char old[256], wanted[1024];
    snprintf(old, sizeof old, "E%zu%s", strlen(name), name);
    const char *at = NULL;
    for (const char *p = array; (p = strstr(p, old)) != NULL; p++)
        at = p;
    if (!at)
        return 0;
    snprintf(wanted, sizeof wanted, "%.*sE%zu%s%s%s", (int)(at - array), array,
             strlen(kind) + strlen(name), kind, name, at + strlen(old));
    for (size_t i = 0; i < symbol_count; i++)
        if (strcmp(strings + symbols[i].st_name, wanted) == 0)
            return (unsigned)symbols[i].st_size;
    return 0;
}

struct shared_type symbols_shared_type(uintptr_t address)
{
    for (size_t i = 0; i < symbol_count; i++) {
        const ElfW(Sym) *s = &symbols[i];
        const char *symbol = strings + s->st_name;
        if (!is_array(s) || tls_address + s->st_value != address)
            continue;
        const char *name = array_name(symbol);
        return (struct shared_type){.number = size_beside(symbol, name, "simt_type_"),
                                    .columns = size_beside(symbol, name, "simt_columns_"),
                                    .bytes = size_beside(symbol, name, "simt_bytes_")};
    }
    return (struct shared_type){0};
}

void symbols_shared_element(const struct region *r, uintptr_t address, uint32_t bytes, char *out,
                            size_t out_bytes)
{
    const struct shared_type type = symbols_shared_type(r->low);
    const size_t from = (size_t)(address - r->low);
    if (type.columns > 1 && type.bytes > 0)
        snprintf(out, out_bytes, "%s[%zu][%zu]", r->name, from / type.bytes / type.columns,
                 from / type.bytes % type.columns);
    else if (r->bytes <= bytes)
        snprintf(out, out_bytes, "%s", r->name);
    else
        snprintf(out, out_bytes, "%s[%zu]", r->name, from / bytes);
}

/* ---- kernels ---- */

static const ElfW(Sym) * function_at(uintptr_t pc)
{
    for (size_t i = 0; i < symbol_count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
            pc - load_address - symbols[i].st_value < symbols[i].st_size)
            return &symbols[i];
    return NULL;
}

/* Is the return address in code of the program itself, not of a library or of the emulator's
 * runtime? The jump to a library function is in the program too, but is not a function: it has no
 * line. */
bool symbols_is_program(uintptr_t pc)
{
    const uintptr_t low = (uintptr_t)__start_simt_runtime, high = (uintptr_t)__stop_simt_runtime;
    return pc - (uintptr_t)__executable_start < (size_t)(etext - __executable_start) &&
           pc - low >= high - low && (!symbols || function_at(pc - 1));
}

static void add_array(struct kernel *k, uintptr_t array, size_t bytes)
{
    if (k->array_count < MAX_KERNEL_ARRAYS)
        k->arrays[k->array_count++] = array;
    k->static_shared += bytes;
}

/* What is left of 48 KiB is for the launch, unless more was asked for. */
bool kernel_takes(struct kernel *k, uintptr_t array, size_t bytes)
{
    for (unsigned i = 0; i < k->array_count; i++)
        if (k->arrays[i] == array)
            return false;
    if (k->array_count == MAX_KERNEL_ARRAYS)
        return false;
    if (k->max_dynamic + k->static_shared == STATIC_SHARED_LIMIT)
        k->max_dynamic -= bytes < k->max_dynamic ? bytes : k->max_dynamic;
    add_array(k, array, bytes);
    return true;
}

/* The variables of the function _Z<kernel> are named _ZZ<kernel>E<variable>. */
static void find_variables(struct kernel *k, const char *kernel)
{
    char prefix[1024];
    if (strncmp(kernel, "_Z", 2) == 0)
        snprintf(prefix, sizeof prefix, "_ZZ%sE", kernel + 2);
    else
        snprintf(prefix, sizeof prefix, "_ZZ%zu%sE", strlen(kernel), kernel);
    const size_t length = strlen(prefix);
    for (size_t i = 0; i < symbol_count; i++) {
        const char *name = strings + symbols[i].st_name;
        if (strncmp(name, prefix, length) != 0)
            continue;
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS)
            add_array(k, tls_address + symbols[i].st_value, symbols[i].st_size);
        else if (strcmp(name + length, "11simt_bounds") == 0 && symbols[i].st_size < MAX_THREADS)
            k->max_threads = (unsigned)symbols[i].st_size;
        else if (strcmp(name + length, "12simt_cluster") == 0) { /* simt::cluster_number() */
            const unsigned n = (unsigned)symbols[i].st_size;
            k->cluster = (uint3){n % 32, n / 32 % 32, n / 1024};
        }
    }
}

/* "void ns::kernel<float>(float const*)" becomes "ns::kernel"; "(anonymous namespace)::" is
 * removed. */
static void short_name(const char *symbol, char *out, size_t out_bytes)
{
    char *full = demangle(symbol);
    const char *name = full ? full : symbol;
    name = strncmp(name, "void ", 5) == 0 ? name + 5 : name;
    for (const char *p; (p = strstr(name, "(anonymous namespace)::"));)
        name = p + strlen("(anonymous namespace)::");
    snprintf(out, out_bytes, "%.*s", (int)strcspn(name, "<("), name);
    free(full);
}

static struct kernel unknown = {.name = "kernel",
                                .max_dynamic = STATIC_SHARED_LIMIT,
                                .max_threads = MAX_THREADS,
                                .cluster = {1, 1, 1}};

/* A kernel without a hook has no known address, but a name. */
struct kernel *symbols_kernel_named(const char *name)
{
    static struct named {
        struct kernel kernel;
        struct named *next;
    } * all;
    struct named *n = all;
    while (n && strcmp(n->kernel.name, name) != 0)
        n = n->next;
    if (!n && (n = malloc(sizeof *n))) {
        *n = (struct named){unknown, all};
        snprintf(n->kernel.name, sizeof n->kernel.name, "%s", name);
        all = n;
    }
    return n ? &n->kernel : &unknown;
}

/* One entry per kernel, made when it is first seen. */
struct kernel *symbols_kernel(uintptr_t pc)
{
    static struct kernel *known[4096];
    const ElfW(Sym) *s = pc ? function_at(pc) : NULL;
    if (!s)
        return &unknown;
    size_t i = 0;
    while (i < 4095 && known[i] && known[i]->entry != s->st_value)
        i++;
    if (known[i])
        return known[i];
    struct kernel *k = calloc(1, sizeof *k);
    if (!k)
        return &unknown;
    k->entry = s->st_value;
    k->max_threads = MAX_THREADS;
    k->cluster = (uint3){1, 1, 1};
    find_variables(k, strings + s->st_name);
    if (k->static_shared < STATIC_SHARED_LIMIT)
        k->max_dynamic = STATIC_SHARED_LIMIT - k->static_shared;
    short_name(strings + s->st_name, k->name, sizeof k->name);
    known[i] = k;
    return k;
}

size_t symbols_size(uintptr_t address)
{
    const uintptr_t at = address - load_address;
    for (size_t i = 0; i < symbol_count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT &&
            at - symbols[i].st_value < symbols[i].st_size)
            return symbols[i].st_size - (at - symbols[i].st_value);
    return 0;
}

uintptr_t symbols_function(uintptr_t pc)
{
    const ElfW(Sym) *s = function_at(pc);
    return s ? s->st_value : 0;
}

size_t symbols_offset(uintptr_t pc)
{
    return (size_t)(pc - load_address);
}
