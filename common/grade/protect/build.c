/* SPDX-License-Identifier: MIT */
/*
 * build.c - checks one submission, compiles it and links it with the child: the program `build`,
 * which the grader starts in the submission's folder, in a sandbox.
 *
 *   COURSE=.. BUILD=.. SUBMISSION=my.cu build     makes `program`
 *   build --check                                 says what is missing for that, and exits with 3
 *   build --record                                in BUILD/grade/head: also records what is the
 * same for all submissions
 *
 * Why a submission is refused goes to stdout, `my.cu:12: error: ...`; any other failure to stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simt/translate/translate.h"

enum { MOST_WORDS = 256, WORD_BYTES = 4096, COMPILE_SECONDS = 30 };

static const char *course, *build, *submission;
static char compiler[WORD_BYTES];

/* ---- words and files ---- */

/* The words of a command; a text of several words is split at its blanks. */
struct words {
    char *word[MOST_WORDS];
    size_t count;
};

static void add_word(struct words *w, const char *text, size_t bytes)
{
    if (w->count + 1 == MOST_WORDS || !(w->word[w->count] = strndup(text, bytes))) {
        fprintf(stderr, "build: no memory for a command\n");
        exit(2);
    }
    w->word[++w->count] = NULL;
}

static void add(struct words *w, const char *text)
{
    for (size_t n; *(text += strspn(text, " \n")); text += n) {
        n = strcspn(text, " \n");
        add_word(w, text, n);
    }
}

/* One word. */
static void __attribute__((format(printf, 2, 3))) addf(struct words *w, const char *format, ...)
{
    char text[WORD_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    add_word(w, text, strlen(text));
}

/* The text of a file, to be freed; NULL if it cannot be read. */
static char *text_of(const char *path)
{
    struct stat st;
    FILE *file = fopen(path, "re");
    char *text = file && fstat(fileno(file), &st) == 0 ? calloc((size_t)st.st_size + 1, 1) : NULL;
    if (text)
        text[fread(text, 1, (size_t)st.st_size, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* ---- steps ---- */

static double used_seconds(void)
{
    struct rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

static _Noreturn void refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("%s: error: ", submission);
    vprintf(format, values);
    printf("\n");
    va_end(values);
    fflush(stdout);
    exit(1);
}

static void redirect(const char *path, int fd)
{
    const int how = fd == STDIN_FILENO ? O_RDONLY
                    : *path == '+'     ? O_WRONLY | O_APPEND
                                       : O_WRONLY | O_CREAT | O_TRUNC;
    const int file = open(path + (*path == '+'), how, 0600);
    if (file < 0 || dup2(file, fd) < 0) {
        perror(path);
        _exit(2);
    }
}

/* Starts a process with these files; NULL: ours; `+code` is added to. All steps together have the
 * processor for COMPILE_SECONDS. */
static pid_t start(const char *in, const char *out, const char *messages)
{
    const double left = COMPILE_SECONDS - used_seconds();
    const rlim_t most = left > 1 ? (rlim_t)left : 1;
    fflush(stdout);
    const pid_t child = fork();
    if (child != 0)
        return child;
    setrlimit(RLIMIT_CPU, &(struct rlimit){most, most + 1});
    if (in)
        redirect(in, STDIN_FILENO);
    if (out)
        redirect(out, STDOUT_FILENO);
    if (messages)
        redirect(messages, STDERR_FILENO);
    return 0;
}

/* Returns its exit status, or 128 and more after a signal. */
static int end(pid_t child)
{
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("build: no process");
        exit(2);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run(const struct words *w, const char *in, const char *out, const char *messages)
{
    const pid_t child = start(in, out, messages);
    if (child == 0) {
        execvp(w->word[0], w->word);
        fprintf(stderr, "build: %s: %s\n", w->word[0], strerror(errno));
        _exit(127);
    }
    return end(child);
}

static void refuse_for_time(void)
{
    if (used_seconds() > COMPILE_SECONDS - 1)
        refuse("it takes more than %d seconds of a processor to compile", COMPILE_SECONDS);
}

/* Runs a step that must succeed. */
static void must(const struct words *w, const char *in, const char *out)
{
    const int status = run(w, in, out, NULL);
    if (status == 0)
        return;
    refuse_for_time();
    exit(status);
}

/* The first line that a command prints. */
static void first_line(const struct words *w, char *text, size_t bytes)
{
    run(w, NULL, "line", NULL);
    char *all = text_of("line");
    snprintf(text, bytes, "%.*s", all ? (int)strcspn(all, "\n") : 0, all ? all : "");
    free(all);
}

/* ---- what is needed ---- */

static bool is_executable(const char *name)
{
    char path[WORD_BYTES];
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    for (const char *p = getenv("PATH"); p && *p; p += strcspn(p, ":"), p += *p == ':') {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(p, ":"), p, name);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* With gcc, because clang gives other counts (common/simt/README.md) and marks must be the same
 * everywhere. */
static void choose_compiler(char *names, size_t bytes)
{
    struct words w = {.count = 0};
    if (*setting("GRADE_CXX", ""))
        snprintf(names, bytes, "%s", getenv("GRADE_CXX"));
    else
        snprintf(names, bytes, "%s g++ g++-15 g++-14 g++-13 g++-12 g++-11", setting("CXX", ""));
    add(&w, names);
    for (size_t i = 0; i < w.count && !*compiler; i++)
        if (strstr(w.word[i], "g++") && !strstr(w.word[i], "clang") && is_executable(w.word[i]))
            snprintf(compiler, sizeof compiler, "%s", w.word[i]);
    setenv("CXX", compiler, 1);
}

/* Starts the next text of a list. */
static void lacks(bool *any, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (*any)
        printf("; ");
    vprintf(format, values);
    va_end(values);
    *any = true;
}

static int check(const char *names)
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
    bool any = false;
    char missing[WORD_BYTES] = "", path[2 * WORD_BYTES];
    if (!*compiler)
        lacks(&any, "no compiler of these was found: %s (Debian, Ubuntu: apt install g++)",
              names + strspn(names, " "));
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (!is_executable(tools[i]))
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", tools[i]);
    if (*missing)
        lacks(&any, "these tools were not found:%s (Debian, Ubuntu: apt install binutils)",
              missing);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        snprintf(path, sizeof path, "%s/%s", *ours[i].folder, ours[i].path);
        if (access(path, ours[i].run ? X_OK : R_OK) != 0)
            lacks(&any, "'%s' cannot be %s", path, ours[i].run ? "executed" : "read");
    }
    printf(any ? "\n" : "");
    return any ? 3 : 0;
}

/* ---- policy ---- */

static void start_policy(struct words *w)
{
    *w = (struct words){.count = 0};
    addf(w, "%s/grade/policy", build);
}

/* Judges the text, which is written back, or the compiled file, for which `renames` and `aliases`
 * are written: see policy.c. */
static void judge(const char *object)
{
    struct words w;
    start_policy(&w);
    addf(&w, "%s/common/grade/protect/accepted.txt", course);
    addf(&w, "%s", submission);
    if (object)
        addf(&w, "%s", object);
    must(&w, NULL, NULL);
}

/* ---- compile ---- */

/* Exceptions, run-time types and warnings are of no use to a kernel. The messages name lines, but
 * do not show them. A builtin function might read memory without a hook. On x86-64 a call of a
 * computed address becomes a call of __x86_indirect_thunk_rax, which is ours, and the start
 * addresses of functions are listed in a section for it: see called.c. */
static const char compiler_options[] =
    "-w -fno-exceptions -U__cpp_exceptions -U__EXCEPTIONS -fno-rtti -U__cpp_rtti -U__GXX_RTTI "
    "-fno-builtin -fno-diagnostics-show-caret -ffunction-sections -fdata-sections "
#ifdef __x86_64__
    "-fcf-protection=none -mindirect-branch=thunk-extern -fno-jump-tables "
    "-fpatchable-function-entry=1"
#endif
    ;

static void compile_by_simtcc(void)
{
    struct words w = {.count = 0};
    addf(&w, "%s/common/simt/simtcc", course);
    add(&w, compiler_options);
    add(&w, "-isystem");
    addf(&w, "%s/common/grade/protect/include", course);
    add(&w, "-include");
    addf(&w, "%s/common/grade/protect/given.h", course);
    addf(&w, "-I%s/common", course);
    add(&w, "-c");
    addf(&w, "%s", submission);
    add(&w, "-o compiled.o");
    if (run(&w, NULL, NULL, "messages") == 0)
        return;
    refuse_for_time();
    char *text = text_of("messages");
    fputs(text ? text : "", stderr);
    start_policy(&w);
    add(&w, "--messages");
    addf(&w, "%s", submission);
    run(&w, "messages", NULL, NULL);
    exit(1);
}

/* The n-th command of what simtcc has recorded, a word each line. */
static bool recorded(const char *commands, int n, struct words *w)
{
    for (; n > 0 && commands; n--)
        if ((commands = strstr(commands, "\n\n")) != NULL)
            commands += 2;
    *w = (struct words){.count = 0};
    for (size_t bytes; commands && *commands && *commands != '\n'; commands += bytes + 1) {
        bytes = strcspn(commands, "\n");
        add_word(w, commands, bytes);
    }
    return w->count > 0;
}

/* Preprocessed text begins with `# 0 "FILE"`, and its head. The file itself begins where its name
 * appears a second time, in a line `# 1 "FILE"`. Returns the end of the line before, or NULL. */
static char *end_of_head(const char *text)
{
    char mark[WORD_BYTES] = "\n# 1";
    const size_t n = text ? strcspn(text, "\n") : 0;
    if (n < 4 || n > sizeof mark - 8)
        return NULL;
    memcpy(mark + 4, text + 3, n - 3);
    return strstr(text + n, mark);
}

/* Writes `made`: the first line of `own`, the head of `head`, its own first line excepted, and the
 * file itself of `own`. */
static bool join_text(const char *own, const char *head, const char *made)
{
    const char *own_part = end_of_head(own), *end = end_of_head(head);
    FILE *file = own_part && end ? fopen(made, "we") : NULL;
    if (!file)
        return false;
    const char *start = head + strcspn(head, "\n");
    fwrite(own, 1, strcspn(own, "\n"), file);
    fwrite(start, 1, (size_t)(end - start), file);
    fputs(own_part, file);
    return fclose(file) == 0;
}

/* With the recorded text of the head in the place of the precompiled one. */
static bool complete_text(const char *path)
{
    char *own = text_of("own.ii"), *head = text_of(path);
    const bool done = own && head && strstr(own, "\n#pragma GCC pch_preprocess ") &&
                      join_text(own, head, "in.ii");
    free(own);
    free(head);
    return done;
}

/* And the other way round: the head must be the one that is precompiled. Its options are in a
 * comment. */
static bool split_text(const char *path)
{
    char *text = text_of("out.ii"), *head = text_of(path);
    const char *known = head ? strstr(head, "*/\n") : NULL, *own = end_of_head(text);
    const size_t first = own ? strcspn(text, "\n") : 0, bytes = own ? (size_t)(own - text) : 0;
    const bool same = own && known && strlen(known + 2) == bytes - first + 1 &&
                      memcmp(known + 2, text + first, bytes - first) == 0;
    FILE *rest = same ? fopen("rest.ii", "we") : NULL;
    if (rest)
        fprintf(rest, "%.*s\n#pragma GCC pch_preprocess \"%s/grade/head/head.gch\"%s", (int)first,
                text, build, own);
    free(text);
    free(head);
    return rest && fclose(rest) == 0;
}

static bool has_messages(void)
{
    struct stat st;
    return stat("messages", &st) != 0 || st.st_size > 0;
}

/* A step that has nothing to report. */
static bool is_silent(const struct words *w, const char *out)
{
    return run(w, NULL, out, "messages") == 0 && !has_messages();
}

static bool translates(void)
{
    const pid_t child = start(NULL, "out.ii", "messages");
    if (child == 0) {
        const char *text = text_of("in.ii");
        exit(text ? translate(text, false) : 2);
    }
    return end(child) == 0 && !has_messages();
}

static const char *of_head(const char *name)
{
    static char path[WORD_BYTES];
    snprintf(path, sizeof path, "%s/grade/head/%s", build, name);
    return path;
}

/* What simtcc would do, by the commands that it has recorded for these options. False: something is
 * different this time, or the compiler has a message; then simtcc does it. */
static bool compile_by_record(void)
{
    struct words preprocess, compile;
    char *commands = text_of(of_head("commands"));
    if (!commands || !recorded(commands, 0, &preprocess) || !recorded(commands, 1, &compile) ||
        strcmp(preprocess.word[0], compiler) != 0)
        return false;
    addf(&preprocess, "%s", submission);
    add(&compile, "-x c++-cpp-output -c rest.ii -o compiled.o");
    return is_silent(&preprocess, "own.ii") && complete_text(of_head("in.ii")) && translates() &&
           split_text(of_head("head.ii")) && is_silent(&compile, NULL);
}

/* ---- what is compiled ---- */

/* Removes sections whose functions would run before or after main(). No name of the submission
 * except solve can replace one of ours. */
static void rename_calls(void)
{
    struct words w = {.count = 0};
    add(&w, setting("OBJCOPY", "objcopy"));
    add(&w, "-R .init* -R .preinit* -R .fini* -R .ctors* -R .dtors* -R __libc* "
            "--keep-global-symbol=solve");
    add(&w, "--redefine-syms=renames compiled.o submission.o");
    must(&w, NULL, NULL);
}

/* The objects with which a submission is linked. */
static void add_ours(struct words *w)
{
    static const char *const ours[] = {"child", "called", "host", "filter"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        addf(w, "%s/grade/protect/%s.o", build, ours[i]);
}

/* One file without libraries: it reads no other when it starts. Nothing of it is below 4 GiB, so a
 * number of 32 bits is no address: verify/hooked.c. */
static void add_link(struct words *w)
{
    *w = (struct words){.count = 0};
    addf(w, "%s", compiler);
    add(w, "-static-pie -Wl,-z,noexecstack -Wl,-Map=map -o program");
}

static void link_program(void)
{
    struct words w;
    add_link(&w);
    add_ours(&w);
    add(&w, "submission.o aliases");
    addf(&w, "%s/simt/libsimt.a", build);
    add(&w, "-lm -lpthread");
    must(&w, NULL, NULL);
}

/* ---- what is the same for all submissions, linked once ---- */

/* Of the C library's files: `base.o` begins with the first, and the last two follow a submission.
 */
static const char *const of_library[] = {"rcrt1.o", "crti.o", "crtbeginS.o", "crtendS.o", "crtn.o"};
enum { LIBRARY_FIRST = 3, LIBRARY_FILES = sizeof of_library / sizeof *of_library };

/* Links what a submission is linked with, and what that needs of the libraries, to one object:
 * nearly all of the work of a linker. */
static void link_base(void)
{
    struct words w = {.count = 0};
    char path[WORD_BYTES];
    addf(&w, "%s", compiler);
    add(&w, "-r -nostdlib -Wl,-S -o base.o");
    for (int i = 0; i < LIBRARY_FILES; i++) {
        struct words ask = {.count = 0}, copy = {.count = 0};
        addf(&ask, "%s", compiler);
        addf(&ask, "-print-file-name=%s", of_library[i]);
        first_line(&ask, path, sizeof path);
        add(&copy, "cp");
        addf(&copy, "%s", path);
        addf(&copy, "%s", of_library[i]);
        must(&copy, NULL, NULL);
        if (i < LIBRARY_FIRST)
            addf(&w, "%s", of_library[i]);
    }
    add_ours(&w);
    addf(&w, "%s/simt/libsimt.a", build);
    add(&w, "-Wl,--start-group -lstdc++ -lm -lc -lgcc -lgcc_eh -Wl,--end-group");
    must(&w, NULL, NULL);
}

/* False: there is none by this compiler, or more is needed than it has. */
static bool link_with_base(void)
{
    struct words w;
    char *commands = text_of(of_head("commands"));
    const size_t n = strlen(compiler);
    const bool same = commands && strncmp(commands, compiler, n) == 0 && commands[n] == '\n';
    free(commands);
    if (!same || access(of_head("base.o"), R_OK) != 0)
        return false;
    add_link(&w);
    add(&w, "-nostartfiles");
    addf(&w, "%s", of_head("base.o"));
    add(&w, "submission.o aliases -lm -lpthread");
    for (int i = LIBRARY_FIRST; i < LIBRARY_FILES; i++)
        addf(&w, "%s", of_head(of_library[i]));
    return run(&w, NULL, NULL, "messages") == 0;
}

/* Where it cannot be linked, or does not reach main(), which asks for a job, it is removed. */
static void try_base(void)
{
    enum { WITHOUT_JOB = 3 };
    struct words w = {.count = 0};
    add(&w, "./program");
    if (!link_with_base() || run(&w, NULL, NULL, "messages") != WITHOUT_JOB)
        unlink("base.o");
}

/* ---- what its machine code may do: read on x86-64 ---- */

static FILE *reads(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

/* A GPU has no long double: nvcc uses double for it. Here only long double needs the instructions
 * whose names begin with f; on other processors it is a call that is not listed. */
static void refuse_long_double(void)
{
    struct words w = {.count = 0};
    char *line = NULL, place[WORD_BYTES] = "", op[2];
    size_t capacity = 0;
    add(&w, "objdump -d -l --no-show-raw-insn submission.o");
    must(&w, NULL, "code");
    FILE *code = reads("code");
    while (getline(&line, &capacity, code) > 0) {
        unsigned number;
        const char *colon = strrchr(line, ':');
        if (*line != ' ' && colon && sscanf(colon, ":%u", &number) == 1) {
            *(char *)(uintptr_t)colon = '\0';
            const char *slash = strrchr(line, '/');
            snprintf(place, sizeof place, "%s:%u", slash ? slash + 1 : line, number);
        }
        if (*line == ' ' && sscanf(line, " %*s %1[f]", op) == 1) {
            const size_t n = strlen(submission);
            const bool own = strncmp(place, submission, n) == 0 && place[n] == ':';
            printf("%s:%s: error: long double is not accepted, because a GPU has none: write "
                   "double\n",
                   submission, own ? place + n + 1 : "1");
            exit(1);
        }
    }
    fclose(code);
    free(line);
}

/* The code of the submission in the linker's map: ` .text 0x401000 0x1234 submission.o`. */
static bool own_code(char *text, unsigned long long *low, unsigned long long *high)
{
    char section[8] = "", file[WORD_BYTES];
    bool found = false;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        unsigned long long at, bytes;
        const char *number = strstr(line, " 0x");
        if (strncmp(line, " .", 2) == 0)
            snprintf(section, sizeof section, "%.5s", line + 1);
        if (!number || strcmp(section, ".text") != 0 ||
            sscanf(number, " 0x%llx 0x%llx %4095[^\n]", &at, &bytes, file) != 3 || at == 0 ||
            bytes == 0 || strcmp(file, "submission.o") != 0)
            continue;
        *low = found && *low < at ? *low : at;
        *high = found && *high > at + bytes ? *high : at + bytes;
        found = true;
    }
    return found;
}

/* A hole is `FUNCTION: 0x1234: ...`. */
static _Noreturn void refuse_hole(void)
{
    char *hole = text_of("holes"), function[WORD_BYTES], *all, mark[WORD_BYTES];
    struct words w = {.count = 0};
    const char *address = hole ? strstr(hole, ": 0x") : NULL;
    const size_t n = hole ? strcspn(hole, ":") : 0;
    add(&w, "c++filt");
    addf(&w, "%.*s", (int)n, hole ? hole : "");
    first_line(&w, function, sizeof function);
    w = (struct words){.count = 0};
    add(&w, "addr2line -i -e program");
    addf(&w, "%.*s", address ? (int)strcspn(address + 2, ":") : 1, address ? address + 2 : "0");
    run(&w, NULL, "line", NULL);
    snprintf(mark, sizeof mark, "%s:", submission);
    all = text_of("line");
    const char *at = all ? strstr(all, mark) : NULL;
    const int line = at ? atoi(at + strlen(mark)) : 0;
    printf("%s:%d: error: %s reaches memory in a way that is not counted, as bit-fields in shared "
           "or global memory do; accepted are plain loads and stores, and CUDA's functions: take "
           "whole words\n",
           submission, line > 0 ? line : 1, function);
    exit(1);
}

/* Each memory access has its hook: this is proven wherever we can read the machine code. */
static void prove_hooks(void)
{
    unsigned long long low = 0, high = 0;
    struct words w = {.count = 0};
    char *map = text_of("map");
    if (!map || !own_code(map, &low, &high)) {
        fprintf(stderr, "build: the map of the linker has no code of the submission\n");
        exit(2);
    }
    free(map);
    add(&w, "objdump -hw program");
    must(&w, NULL, "code");
    w = (struct words){.count = 0};
    add(&w, "objdump -d -j .text --no-show-raw-insn");
    addf(&w, "--start-address=0x%llx", low);
    addf(&w, "--stop-address=0x%llx", high);
    add(&w, "program");
    must(&w, NULL, "+code");
    w = (struct words){.count = 0};
    addf(&w, "%s/grade/hooked", build);
    add(&w, "map");
    add_ours(&w);
    addf(&w, "%s", of_head("base.o"));
    if (run(&w, "code", "holes", NULL) != 0)
        refuse_hole();
}

int main(int argc, char **argv)
{
    char names[WORD_BYTES], path[WORD_BYTES];
    course = setting("COURSE", "");
    build = setting("BUILD", "");
    submission = setting("SUBMISSION", "");
    snprintf(path, sizeof path, "%s/simt", build);
    setenv("SIMT_BUILD", path, 1);
    choose_compiler(names, sizeof names);
    if (argc > 1 && strcmp(argv[1], "--check") == 0)
        return check(names);
    const bool records = argc > 1 && strcmp(argv[1], "--record") == 0;
    if (records)
        setenv("SIMT_RECORD", of_head("."), 1);
    judge(NULL);
    if (records || !compile_by_record()) {
        refuse_for_time();
        compile_by_simtcc();
    }
    judge("compiled.o");
    rename_calls();
#ifdef __x86_64__
    refuse_long_double();
#endif
    if (records) {
        link_base();
        try_base();
    }
    if (!link_with_base())
        link_program();
#ifdef __x86_64__
    prove_hooks();
#endif
    return 0;
}
