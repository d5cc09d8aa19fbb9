/* SPDX-License-Identifier: MIT */
/*
 * build.c - checks one submission, compiles it and links it with the child: the program `build`,
 * which the grader starts in the submission's folder, in a sandbox.
 *
 *   COURSE=.. BUILD=.. SUBMISSION=my.cu build     makes `program`
 *   build --check                                 says what is missing for that, and exits with 3
 *   build --record                                also makes, in BUILD/grade/head, what is the same
 *                                                 for all submissions
 *
 * Why a submission is refused goes to stdout, `my.cu:12: error: ...`; any other failure to stderr.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "protect.h"
#include "simt/driver/inside.h"

static const char *course, *build, *submission, *compiler = "";
static const char *own_text; /* of the submission, before policy.c renamed words in it */

static const char *of_head(const char *name)
{
    return text("%s/grade/head/%s", build, name);
}

static void add(struct list *w, const char *words)
{
    list_add(w, list_split(words, " ", false).words);
}

/* ---- steps ---- */

static double used_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

/* Runs a step. All of them together have the processor for COMPILE_SECONDS, our own limit. */
static bool runs(const struct list *w, const char **out)
{
    return process_run(w, out) == 0;
}

/* Refuses it if a step was ended by the limit, of which some systems count more than they say. */
static void refuse_for_time(void)
{
    const char *messages = process_messages();
    if (used_seconds() < 0.8 * COMPILE_SECONDS || (*messages && !strstr(messages, "signal")))
        return;
    printf("%s: error: it takes more than %d seconds of a processor to compile\n", submission,
           COMPILE_SECONDS);
    exit(1);
}

/* Runs a step that must succeed. */
static void must(const struct list *w, const char **out)
{
    if (runs(w, out))
        return;
    refuse_for_time();
    fputs(process_messages(), stderr);
    exit(1);
}

/* What a command prints. */
static const char *output(const struct list *w)
{
    const char *out;
    return runs(w, &out) ? out : "";
}

/* ---- what is needed ---- */

static bool is_executable(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    for (const char *p = setting("PATH", ""); *p; p += strcspn(p, ":"), p += *p == ':')
        if (access(text("%s/%s", until(p, ":"), name), X_OK) == 0)
            return true;
    return false;
}

/* With gcc, because clang gives other counts (common/simt/README.md) and marks must be the same
 * everywhere. */
static void choose_compiler(struct list *names)
{
    add(names, setting("GRADE_CXX", setting("CXX", "")));
    if (!*setting("GRADE_CXX", ""))
        add(names, "g++ g++-15 g++-14 g++-13 g++-12 g++-11");
    for (size_t i = 0; i < names->count && !*compiler; i++)
        if (strstr(names->words[i], "g++") && !strstr(names->words[i], "clang") &&
            is_executable(names->words[i]))
            compiler = names->words[i];
    setenv("CXX", compiler, 1);
}

static int check(const struct list *compilers)
{
    static const char *const tools[] = {"sh",      "as",        "ld",     "objcopy",
                                        "objdump", "addr2line", "c++filt"};
    static const struct {
        bool run;
        const char **folder, *path;
    } ours[] = {{true, &course, "common/simt/simtcc"},
                {true, &build, "simt/driver/simtcc"},
                {true, &build, "grade/hooked"},
                {true, &build, "grade/policy"},
                {false, &course, "common/grade/protect/accepted.txt"},
                {false, &build, "grade/protect/child.o"},
                {false, &build, "simt/libsimt.a"}};
    struct list missing = {0}, lacks = {0};
    if (!*compiler)
        ADD(&lacks, text("no compiler of these was found: %s (Debian, Ubuntu: apt install g++)",
                         list_text(compilers, " ")));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (!is_executable(tools[i]))
            ADD(&missing, tools[i]);
    if (missing.count > 0)
        ADD(&lacks, text("these tools were not found: %s (Debian, Ubuntu: apt install binutils)",
                         list_text(&missing, " ")));
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        const char *path = text("%s/%s", *ours[i].folder, ours[i].path);
        if (access(path, ours[i].run ? X_OK : R_OK) != 0)
            ADD(&lacks, text("'%s' cannot be %s", path, ours[i].run ? "executed" : "read"));
    }
    for (size_t i = 0; i < lacks.count; i++)
        printf("%s%s", lacks.words[i], i + 1 < lacks.count ? "; " : "\n");
    return lacks.count > 0 ? 3 : 0;
}

/* ---- policy ---- */

/* Judges the text, which is written back, or the compiled file, for which `renames` and `aliases`
 * are written: see policy.c. */
static void judge(const char *object)
{
    struct list w = {0};
    ADD(&w, text("%s/grade/policy", build));
    ADD(&w, text("%s/common/grade/protect/accepted.txt", course));
    ADD(&w, submission);
    if (object)
        ADD(&w, object);
    must(&w, NULL);
}

/* ---- compile ---- */

/* Exceptions, run-time types and warnings are of no use to a kernel. The messages name lines, but
 * do not show them. A builtin function might read memory without a hook. On x86-64 a call of a
 * computed address becomes a call of __x86_indirect_thunk_rax, which is ours, and the start
 * addresses of functions are listed in a section for it: see called.c. */
static const char compiler_options[] =
    "-fno-exceptions -U__cpp_exceptions -U__EXCEPTIONS -fno-rtti -U__cpp_rtti -U__GXX_RTTI "
    "-fno-builtin -fno-diagnostics-show-caret -ffunction-sections -fdata-sections "
    "-DSIMT_PLAIN_COPY "
#ifdef __x86_64__
    "-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables "
    "-fpatchable-function-entry=1"
#endif
    ;

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is it a word of the submission? */
static bool is_own(const char *word, size_t n)
{
    for (const char *p = own_text; (p = strstr(p, word)) != NULL; p++)
        if ((p == own_text || !is_part(p[-1])) && !is_part(p[n]))
            return true;
    return false;
}

/* A word that policy.c renamed, one of CUDA's, gets its `_` or `s` back. */
static void restore(char *word, size_t n)
{
    const char *const now = text("%.*s", (int)n, word);
    if (!is_own(now, n)) {
        char *const before = text("%s", now);
        for (char *p = before; (p = strpbrk(p, "uU")) != NULL; p++)
            if (begins(p, "uimt") || begins(p, "UIMT"))
                *p -= 'u' - 's';
        *before = *before == 'u' ? '_' : *before;
        if (is_own(before, n))
            memcpy(word, before, n);
    }
}

/* Those about the file itself, from the first error on, in its own words. */
static void show_messages(char *messages)
{
    const char *const own = text("%s:", submission);
    bool shown = false;
    for (char *line; (line = strsep(&messages, "\n")) != NULL;) {
        if (begins(line, own))
            shown = strstr(line, "error: ") || strstr(line, ": simtcc: ") ||
                    (shown && !strstr(line, "warning: "));
        else if (*line != ' ')
            shown = false;
        for (char *p = line; *p; p += *p != '\0') {
            char *const word = p;
            while (is_part(*p))
                p++;
            if (p > word)
                restore(word, (size_t)(p - word));
        }
        const char *const mine = strstr(line, ": declare it above"); /* not if it is CUDA's */
        if (shown && mine && strstr(line, ": simtcc: __"))
            printf("%.*s: it is outside the subset, or misspelt\n", (int)(mine - line), line);
        else if (shown)
            puts(line);
    }
}

static bool compiles(const char *standard)
{
    struct list w = {0};
    ADD(&w, text("%s/common/simt/simtcc", course));
    add(&w, standard);
    add(&w, compiler_options);
    add(&w, "--extended-lambda");
    ADD(&w, text("-isystem%s/common/grade/protect/include", course));
    ADD(&w, text("-isystem%s/grade/include", build));
    add(&w, "-include");
    ADD(&w, text("%s/common/grade/protect/given.h", course));
    ADD(&w, text("-I%s/common", course));
    add(&w, "-c");
    ADD(&w, submission);
    add(&w, "-o compiled.o");
    return runs(&w, NULL);
}

/* As nvcc does, or as C++20 if it has words or names that C++17 does not know. */
static void compile(void)
{
    if (compiles("-std=c++17"))
        return;
    refuse_for_time();
    const char *messages = process_messages();
    if (strstr(messages, " is not known here") && compiles("-std=c++20"))
        return;
    refuse_for_time();
    fputs(messages, stderr);
    show_messages(text("%s", messages));
    exit(1);
}

/* ---- what is compiled ---- */

/* Removes sections whose functions would run before or after main(). No name of the submission
 * except solve can replace one of ours. */
static void rename_calls(void)
{
    struct list w = {0};
    add(&w, setting("OBJCOPY", "objcopy"));
    add(&w, "-R .init* -R .preinit* -R .fini* -R .ctors* -R .dtors* -R __libc* "
            "--keep-global-symbol=solve");
    add(&w, "--redefine-syms=renames compiled.o submission.o");
    must(&w, NULL);
}

/* The objects with which a submission is linked. */
static void add_ours(struct list *w)
{
    static const char *const ours[] = {"child", "called", "host", "filter"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        ADD(w, text("%s/grade/protect/%s.o", build, ours[i]));
}

/* One file without libraries: it reads no other when it starts. Nothing of it is below 4 GiB, so a
 * number of 32 bits is no address: verify/hooked.c. */
static void add_link(struct list *w)
{
    *w = (struct list){0};
    ADD(w, compiler);
    add(w, "-static-pie -Wl,-z,noexecstack -Wl,-Map=map -o program");
}

static void link_program(void)
{
    struct list w;
    add_link(&w);
    add_ours(&w);
    add(&w, "submission.o aliases");
    ADD(&w, text("%s/simt/libsimt.a", build));
    add(&w, "-lm -lpthread");
    must(&w, NULL);
}

/* ---- what is the same for all submissions, linked once ---- */

/* Files of the C library: base.o begins with the first three; two come after the submission. */
static const char *const of_library[] = {"rcrt1.o", "crti.o", "crtbeginS.o", "crtendS.o", "crtn.o"};
enum { LIBRARY_FIRST = 3, LIBRARY_FILES = sizeof of_library / sizeof *of_library };

/* Links what a submission is linked with, and what that needs of the libraries, to one object:
 * nearly all of the work of a linker. */
static void link_base(void)
{
    struct list w = {0};
    ADD(&w, compiler);
    add(&w, "-r -nostdlib -Wl,-S -o base.o");
    for (int i = 0; i < LIBRARY_FILES; i++) {
        struct list ask = {0}, copy = {0};
        ADD(&ask, compiler);
        ADD(&ask, text("-print-file-name=%s", of_library[i]));
        add(&copy, "cp");
        ADD(&copy, until(output(&ask), "\n"));
        ADD(&copy, of_library[i]);
        must(&copy, NULL);
        if (i < LIBRARY_FIRST)
            ADD(&w, of_library[i]);
    }
    add_ours(&w);
    ADD(&w, text("%s/simt/libsimt.a", build));
    add(&w, "-Wl,--start-group -lstdc++ -lm -lc -lgcc -lgcc_eh -Wl,--end-group");
    must(&w, NULL);
    file_write("compiler", compiler);
}

/* False: base.o is missing, is of another compiler, or lacks something that is needed. */
static bool link_with_base(void)
{
    struct list w;
    const char *made_by = file_read(of_head("compiler"));
    if (!made_by || strcmp(made_by, compiler) != 0 || access(of_head("base.o"), R_OK) != 0)
        return false;
    add_link(&w);
    add(&w, "-nostdlib -fno-use-linker-plugin");
    ADD(&w, of_head("base.o"));
    add(&w, "submission.o aliases -lm");
    for (int i = LIBRARY_FIRST; i < LIBRARY_FILES; i++)
        ADD(&w, of_head(of_library[i]));
    return runs(&w, NULL);
}

/* Removes base.o if a program with it cannot be linked, or does not reach main(), which asks for a
 * job. */
static void try_base(void)
{
    struct list w = {0};
    add(&w, "./program");
    if (!link_with_base() || runs(&w, NULL) || !strstr(process_messages(), "the job is not"))
        unlink("base.o");
}

/* ---- what its machine code may do: read on x86-64 ---- */

/* The submission's line that made the code at an address, `0x1234`; 1 if it is not known. */
static int line_of(const char *address)
{
    struct list w = {0};
    add(&w, "addr2line -i -e program");
    ADD(&w, address);
    const char *mark = text("%s:", submission), *at = strstr(output(&w), mark);
    const int line = at ? atoi(at + strlen(mark)) : 0;
    return line > 0 ? line : 1;
}

/* A GPU has no long double: nvcc uses double for it. Here only long double needs the instructions
 * whose names begin with f; on other processors it is a call that is not listed. */
static void refuse_long_double(char *code)
{
    char address[24], op[2];
    for (char *line; (line = strsep(&code, "\n")) != NULL;)
        if (sscanf(line, " %20[0-9a-f]: %1[f]", address, op) == 2) {
            printf("%s:%d: error: long double is not accepted, because a GPU has none: write "
                   "double\n",
                   submission, line_of(address));
            exit(1);
        }
}

/* The code of the submission in the linker's map: ` .text 0x401000 0x1234 submission.o`. */
static bool own_code(char *map, unsigned long long *low, unsigned long long *high)
{
    char section[8] = "", file[16];
    bool found = false;
    for (char *line; (line = strsep(&map, "\n")) != NULL;) {
        unsigned long long at, bytes;
        const char *number = strstr(line, " 0x");
        if (strncmp(line, " .", 2) == 0)
            snprintf(section, sizeof section, "%.5s", line + 1);
        if (!number || strcmp(section, ".text") != 0 ||
            sscanf(number, " 0x%llx 0x%llx %15[^\n]", &at, &bytes, file) != 3 || at == 0 ||
            bytes == 0 || strcmp(file, "submission.o") != 0)
            continue;
        *low = found && *low < at ? *low : at;
        *high = found && *high > at + bytes ? *high : at + bytes;
        found = true;
    }
    return found;
}

/* A hole is `FUNCTION: 0x1234: ...`. */
static _Noreturn void refuse_hole(const char *hole)
{
    const char *address = strstr(hole, ": 0x");
    struct list name = {0};
    add(&name, "c++filt");
    ADD(&name, until(hole, ":"));
    printf("%s:%d: error: %s reaches memory in a way that is not counted, as bit-fields in shared "
           "or global memory do; accepted are plain loads and stores, and CUDA's functions: take "
           "whole words\n",
           submission, line_of(address ? until(address + 2, ":") : "0"),
           until(output(&name), "\n"));
    exit(1);
}

/* Refuses long double, and proves that each memory access has its hook. */
static void read_code(void)
{
    unsigned long long low = 0, high = 0;
    const char *sections, *frames, *code, *holes = "";
    struct list w = {0};
    char *map = file_read("map");
    if (!map || !own_code(map, &low, &high)) {
        fprintf(stderr, "build: the map of the linker has no code of the submission\n");
        exit(2);
    }
    add(&w, strstr(compiler, "clang") ? "objdump -hw program" : "objdump -hwR program");
    must(&w, &sections);
    w = (struct list){0};
    add(&w, "objdump -s -j .eh_frame -j .gcc_except_table program");
    must(&w, &frames);
    w = (struct list){0};
    add(&w, "objdump -d -j .text --no-show-raw-insn");
    ADD(&w, text("--start-address=0x%llx", low));
    ADD(&w, text("--stop-address=0x%llx", high));
    add(&w, "program");
    must(&w, &code);
    refuse_long_double(text("%s", code));
    file_write("code", text("%s%s%s", sections, frames, code));
    w = (struct list){0};
    ADD(&w, text("%s/grade/hooked", build));
    add(&w, "map");
    add_ours(&w);
    ADD(&w, of_head("base.o"));
    if (!freopen("code", "r", stdin) || !runs(&w, &holes))
        refuse_hole(holes);
}

int main(int argc, char **argv)
{
    struct list compilers = {0};
    course = setting("COURSE", "");
    build = setting("BUILD", "");
    submission = setting("SUBMISSION", "");
    setenv("SIMT_BUILD", text("%s/simt", build), 1);
    choose_compiler(&compilers);
    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        return check(&compilers);
    const bool records = argc > 1 && strcmp(argv[1], "--record") == 0;
    setenv(records ? "SIMT_RECORD" : "SIMT_HEAD", of_head("."), 1);
    own_text = file_read(submission);
    judge(NULL);
    compile();
    judge("compiled.o");
    rename_calls();
    if (records) {
        link_base();
        try_base();
    }
    if (!link_with_base())
        link_program();
#ifdef __x86_64__
    read_code();
#endif
    return 0;
}
