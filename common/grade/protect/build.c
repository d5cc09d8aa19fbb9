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

/* ---- steps ---- */

static double used_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

/* Runs a command: no path has a blank, because make accepts none. All of them together have the
 * processor for COMPILE_SECONDS, our own limit. */
static bool runs(const char *command, const char **out)
{
    const struct list words = list_split(command, " ", false);
    return process_run(&words, out) == 0;
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

/* Runs a command that must succeed. Returns what it prints. */
static const char *must(const char *command)
{
    const char *out;
    if (runs(command, &out))
        return out;
    refuse_for_time();
    fputs(out, stdout);
    fputs(process_messages(), stderr);
    exit(1);
}

/* What a command prints. */
static const char *output(const char *command)
{
    const char *out;
    return runs(command, &out) ? out : "";
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
static struct list choose_compiler(void)
{
    const char *wanted = setting("GRADE_CXX", "");
    const struct list names = list_split(
        *wanted ? wanted : text("%s g++ g++-15 g++-14 g++-13 g++-12 g++-11", setting("CXX", "")),
        " ", false);
    for (size_t i = 0; i < names.count && !*compiler; i++)
        if (strstr(names.words[i], "g++") && !strstr(names.words[i], "clang") &&
            is_executable(names.words[i]))
            compiler = names.words[i];
    setenv("CXX", compiler, 1);
    return names;
}

static int check(const struct list *compilers)
{
    const struct list tools = list_split("sh as ld objcopy objdump addr2line c++filt", " ", false);
    const struct list ours =
        list_split(text("%s/common/simt/simtcc %s/simt/driver/simtcc %s/grade/hooked "
                        "%s/grade/policy %s/common/grade/protect/accepted.txt "
                        "%s/grade/protect/child.o %s/simt/libsimt.a",
                        course, build, build, build, course, build, build),
                   " ", false);
    enum { PROGRAMS = 4 };
    struct list missing = {0}, lacks = {0};
    if (!*compiler)
        ADD(&lacks, text("no compiler of these was found: %s (Debian, Ubuntu: apt install g++)",
                         list_text(compilers, " ")));
    for (size_t i = 0; i < tools.count; i++)
        if (!is_executable(tools.words[i]))
            ADD(&missing, tools.words[i]);
    if (missing.count > 0)
        ADD(&lacks, text("these tools were not found: %s (Debian, Ubuntu: apt install binutils)",
                         list_text(&missing, " ")));
    for (size_t i = 0; i < ours.count; i++)
        if (access(ours.words[i], i < PROGRAMS ? X_OK : R_OK) != 0)
            ADD(&lacks,
                text("'%s' cannot be %s", ours.words[i], i < PROGRAMS ? "executed" : "read"));
    if (lacks.count > 0)
        puts(list_text(&lacks, "; "));
    return lacks.count > 0 ? 3 : 0;
}

/* ---- policy ---- */

/* Judges the text, which is written back, or the compiled file, for which `renames` and `aliases`
 * are written: see policy.c. */
static void judge(const char *object)
{
    must(text("%s/grade/policy %s/common/grade/protect/accepted.txt %s %s", build, course,
              submission, object));
}

/* ---- compile ---- */

/* Exceptions, run-time types and warnings are of no use to a kernel. The messages name lines, but
 * do not show them. A builtin function might read memory without a hook. On x86-64 a call of a
 * computed address becomes a call of __x86_indirect_thunk_rax, which is ours, and the start
 * addresses of functions are listed in a section for it: see called.c. */
static const char compiler_options[] =
    "-w -fno-exceptions -U__cpp_exceptions -U__EXCEPTIONS -fno-rtti -U__cpp_rtti -U__GXX_RTTI "
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
            shown = shown || strstr(line, "error: ") || strstr(line, ": simtcc: ");
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
    return runs(text("%s/common/simt/simtcc %s %s -isystem%s/common/grade/protect/include "
                     "-isystem%s/grade/include -include %s/common/grade/protect/given.h "
                     "-I%s/common -c %s -o compiled.o",
                     course, standard, compiler_options, course, build, course, course, submission),
                NULL);
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
    must(text("%s -R .init* -R .preinit* -R .fini* -R .ctors* -R .dtors* -R __libc* "
              "--keep-global-symbol=solve --redefine-syms=renames compiled.o submission.o",
              setting("OBJCOPY", "objcopy")));
}

/* The objects with which a submission is linked. */
static const char *ours(void)
{
    return text("%s/grade/protect/child.o %s/grade/protect/called.o %s/grade/protect/host.o "
                "%s/grade/protect/filter.o",
                build, build, build, build);
}

/* One file without libraries: it reads no other when it starts. Nothing of it is below 4 GiB, so a
 * number of 32 bits is no address: verify/hooked.c. */
static const char linked[] = "-static-pie -Wl,-z,noexecstack -Wl,-Map=map -o program";

static void link_program(void)
{
    must(text("%s %s %s submission.o aliases %s/simt/libsimt.a -lm -lpthread", compiler, linked,
              ours(), build));
}

/* ---- what is the same for all submissions, linked once ---- */

/* Files of the C library: base.o begins with some, others come after the submission. */
static const char begin_files[] = "rcrt1.o crti.o crtbeginS.o", end_files[] = "crtendS.o crtn.o";

/* Links what a submission is linked with, and what that needs of the libraries, to one object:
 * nearly all of the work of a linker. */
static void link_base(void)
{
    const struct list files = list_split(text("%s %s", begin_files, end_files), " ", false);
    for (size_t i = 0; i < files.count; i++)
        must(text("cp %s %s",
                  until(output(text("%s -print-file-name=%s", compiler, files.words[i])), "\n"),
                  files.words[i]));
    must(text("%s -r -nostdlib -Wl,-S -o base.o %s %s %s/simt/libsimt.a "
              "-Wl,--start-group -lstdc++ -lm -lc -lgcc -lgcc_eh -Wl,--end-group",
              compiler, begin_files, ours(), build));
    file_write("compiler", compiler);
}

/* False: base.o is missing, is of another compiler, or lacks something that is needed. */
static bool link_with_base(void)
{
    const char *made_by = file_read(of_head("compiler"));
    if (!made_by || strcmp(made_by, compiler) != 0 || access(of_head("base.o"), R_OK) != 0)
        return false;
    return runs(text("%s %s -nostdlib -fno-use-linker-plugin %s submission.o aliases -lm %s %s",
                     compiler, linked, of_head("base.o"), of_head("crtendS.o"), of_head("crtn.o")),
                NULL);
}

/* Removes base.o if a program with it cannot be linked, or does not reach main(), which asks for a
 * job. */
static void try_base(void)
{
    if (!link_with_base() || runs("./program", NULL) ||
        !strstr(process_messages(), "the job is not"))
        unlink("base.o");
}

/* ---- what its machine code may do: read on x86-64 ---- */

/* The submission's line that made the code at an address, `0x1234`; 1 if it is not known. */
static int line_of(const char *address)
{
    const char *mark = text("%s:", submission);
    const char *at = strstr(output(text("addr2line -i -e program %s", address)), mark);
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
    const char *name = output(text("c++filt %s", until(hole, ":")));
    printf("%s:%d: error: %s reaches memory in a way that is not counted, as bit-fields in shared "
           "or global memory do; accepted are plain loads and stores, and CUDA's functions: take "
           "whole words\n",
           submission, line_of(address ? until(address + 2, ":") : "0"), until(name, "\n"));
    exit(1);
}

/* Refuses long double, and proves that each memory access has its hook. */
static void read_code(void)
{
    unsigned long long low = 0, high = 0;
    const char *holes = "";
    char *map = file_read("map");
    if (!map || !own_code(map, &low, &high)) {
        fprintf(stderr, "build: the map of the linker has no code of the submission\n");
        exit(2);
    }
    const char *sections =
        must(strstr(compiler, "clang") ? "objdump -hw program" : "objdump -hwR program");
    const char *frames = must("objdump -s -j .eh_frame -j .gcc_except_table program");
    const char *code = must(text("objdump -d -j .text --no-show-raw-insn --start-address=0x%llx "
                                 "--stop-address=0x%llx program",
                                 low, high));
    refuse_long_double(text("%s", code));
    file_write("code", text("%s%s%s", sections, frames, code));
    if (!freopen("code", "r", stdin) ||
        !runs(text("%s/grade/hooked map %s %s", build, ours(), of_head("base.o")), &holes))
        refuse_hole(holes);
}

int main(int argc, char **argv)
{
    course = setting("COURSE", "");
    build = setting("BUILD", "");
    submission = setting("SUBMISSION", "");
    setenv("SIMT_BUILD", text("%s/simt", build), 1);
    const struct list compilers = choose_compiler();
    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        return check(&compilers);
    const bool records = argc > 1 && strcmp(argv[1], "--record") == 0;
    setenv(records ? "SIMT_RECORD" : "SIMT_HEAD", of_head("."), 1);
    own_text = file_read(submission);
    judge("");
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
