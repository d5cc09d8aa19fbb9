/* SPDX-License-Identifier: MIT */
/*
 * submission.c - one student's file, from its copy in a temporary folder to the reply of its
 * process. build.c compiles it, checks it and links it with child.c.
 */
#define _GNU_SOURCE
#include "protect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simt/driver/inside.h"

enum { MOST_SOURCE_BYTES = 1 << 20, COMPILE_FILE_BYTES = 64 << 20 };
enum { MESSAGE_FILE_BYTES = 1 << 20, TRACE_FILE_BYTES = 64 << 20, MOST_PLACES = 1024 };
enum { MESSAGE_BYTES = 1024, MOST_CODE = 487 };
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
static const size_t compile_bytes = (size_t)3 << 30;

/* ---- files ---- */

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "grade: %s '%s': %s\n", what, which, strerror(errno));
    exit(2);
}

/* A file without a name, for the input or output of a process. */
static FILE *nameless_file(void)
{
    const int fd = memfd_create("grade", MFD_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file)
        fail("cannot make", "a temporary file");
    return file;
}

/* The start of what a process has written. */
static char *text_of(FILE *file, size_t most)
{
    char *text = memory(most + 1);
    rewind(file);
    text[fread(text, 1, most, file)] = '\0';
    return text;
}

char *source_read(int folder, const char *path, const char **why)
{
    struct stat st = {.st_mode = 0};
    ssize_t n = 0, got = 1;
    char *text = calloc(MOST_SOURCE_BYTES + 1, 1);
    /* Does not wait for the other end of a pipe. */
    const int fd = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool is_link = fd < 0 && errno == ELOOP, is_there = fd >= 0 || errno != ENOENT;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && text)
        while (n < MOST_SOURCE_BYTES &&
               (got = read(fd, text + n, (size_t)(MOST_SOURCE_BYTES - n))) > 0)
            n += got;
    if (fd >= 0)
        close(fd);
    *why = is_link                           ? "is a link: hand in the file itself"
           : !is_there                       ? "cannot be read: it does not exist"
           : fd >= 0 && !S_ISREG(st.st_mode) ? "is not a plain file"
           : fd < 0 || !text || got < 0      ? "cannot be read"
           : n == 0                          ? "is empty"
           : n == MOST_SOURCE_BYTES          ? "is larger than 1 MiB"
           : (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)
               ? "is UTF-16 text: save it as UTF-8"
           : memchr(text, '\0', (size_t)n) ? "is not a text file"
                                           : NULL;
    if (!*why)
        return text;
    free(text);
    return NULL;
}

/* Copies the student's file into the folder. Its name is kept if it is a plain one. */
static bool copy_source(struct submission *s)
{
    const char *why, *base = strrchr(s->file, '/') ? strrchr(s->file, '/') + 1 : s->file;
    const size_t n = strlen(base);
    const bool plain = n > 3 && n < NAME_BYTES && ends(base, ".cu") && base[0] != '-' &&
                       base[strspn(base, LETTERS "._-")] == '\0';
    s->name = plain ? base : "submission.cu";
    s->text = source_read(AT_FDCWD, s->file, &why);
    if (!s->text) {
        s->refused = text("'%.500s' %s", s->file, why);
        return false;
    }
    const char *path = text("%s/%s", s->folder.path, s->name);
    FILE *to = fopen(path, "wb");
    const bool written = to && fputs(s->text, to) >= 0;
    if (!to || fclose(to) != 0 || !written)
        fail("cannot write", path);
    chmod(path, 0644);
    return true;
}

/* ---- compile ---- */

/* An endless loop ends after so many steps of the emulator. A trace holds 65,536 instructions, and
 * a barrier of a warp, which is two of them, takes 32 steps. */
#define MOST_STEPS "8388608"
#define MOST_STEPS_TRACED "1048576"

/* Of the grader's own environment only the path and the compiler's name get through. */
static char *const *environment_of(const struct submission *s)
{
    char *const list[] = {text("PATH=%s", setting("PATH", "/usr/local/bin:/usr/bin:/bin")),
                          text("HOME=%s", s->folder.path),
                          text("TMPDIR=%s", s->folder.path),
                          text("GRADE_CXX=%s", setting("GRADE_CXX", "")),
                          text("CXX=%s", setting("CXX", "")),
                          text("COURSE=%s", s->course->root),
                          text("BUILD=%s", s->course->build),
                          text("SUBMISSION=%s", s->name),
                          "LC_ALL=C",
                          text("SIMT_STEPS=%s", s->trace ? MOST_STEPS_TRACED : MOST_STEPS),
                          s->trace ? "SIMT_TRACE=-" : "SIMT_REPORT=source",
                          text("SIMT_TRACE_BLOCK=%s", setting("SIMT_TRACE_BLOCK", "0")),
                          NULL};
    return memcpy(memory(sizeof list), list, sizeof list);
}

/* A submission has one sandbox for tools and one for its program; each is set up when it is first
 * needed, and again after a timeout. */
enum { FOR_TOOLS, FOR_PROGRAM, SANDBOXES };

/* Why there is none; or NULL. */
static const char *open_sandbox(const struct submission *s, int which)
{
    if (s->sandbox[which].keeper)
        return NULL;
    const char *shared = text("%s\n%s", s->course->common, s->course->build);
    const struct box b = {.level = s->course->level,
                          .enter = text("%s/grade/enter", s->course->build),
                          .folder = s->folder.path,
                          .shared = which == FOR_TOOLS ? shared : NULL,
                          .user = s->folder.user};
    return sandbox_open(&s->sandbox[which], &b, environment_of(s));
}

static struct ended run_in(const struct submission *s, int which, char *const argv[],
                           const struct limits *l)
{
    const char *why = open_sandbox(s, which);
    if (why)
        dprintf(l->files[STDERR_FILENO], "%s", why);
    return sandbox_run(&s->sandbox[which], argv, l);
}

struct printed {
    struct ended ended;
    char *out, *messages;
};

/* Runs a program that may read the course. */
static struct printed run_tool(const struct submission *s, char *const argv[])
{
    FILE *out = nameless_file(), *messages = nameless_file();
    const struct limits limits = {.seconds = COMPILE_SECONDS,
                                  .file_bytes = COMPILE_FILE_BYTES,
                                  .memory_bytes = compile_bytes,
                                  .files = {-1, fileno(out), fileno(messages), -1, -1}};
    const struct ended ended = run_in(s, FOR_TOOLS, argv, &limits);
    const struct printed p = {ended, text_of(out, MESSAGE_BYTES - 1), text_of(messages, 1 << 16)};
    fclose(out);
    fclose(messages);
    return p;
}

/* Runs the program of build.c. */
static struct printed run_build(const struct submission *s, char *option)
{
    return run_tool(s, (char *[]){text("%s/grade/build", s->course->build), option, NULL});
}

static void folder_of(struct submission *s)
{
    const char *where = setting("TMPDIR", "/tmp");
    if (!folder_make(&s->folder, where, s->course->own_user))
        fail("no temporary folder in TMPDIR", where);
    if (!(s->sandbox = calloc(SANDBOXES, sizeof *s->sandbox)))
        fail("no memory for", "a sandbox");
}

/* Shared with the processes of a class: whether any file has passed all of build.c. */
static bool *one_was_built;

bool course_works(void)
{
    return *one_was_built;
}

/* Compiles it. NULL: it can run; else what was said on stderr. It is the file's own fault if
 * `refused` says so. */
static const char *build(struct submission *s)
{
    const struct printed p = run_build(s, NULL);
    char *const end = strrchr(p.out, '\n'); /* an incomplete line follows */
    if (end)
        *end = '\0';
    *one_was_built |= p.ended.status == 0;
    if (p.ended.timeout)
        s->refused =
            text("it takes more than %d seconds of a processor to compile", COMPILE_SECONDS);
    else if (p.ended.status != 0)
        s->refused = p.out;
    return p.ended.status == 0 ? NULL : p.messages;
}

/*
 * A file of ours takes the same path when something has failed and it may not be the submission's
 * fault, or when none has been built so far. If it fails too, no marks are given.
 */
static void try_trial(const struct course *course)
{
    const char *said = NULL, *path = text("%s/grade/protect/trial.cu", course->common);
    float x[64] = {1}, y[64];
    const struct call call = {
        {.inputs = 1, .outputs = 1, .in = {{sizeof x, 0, 0}}, .out = {{sizeof y, 0, 0}}}, {x}, {y}};
    struct run run = {.fault = ""};
    struct submission s = {.course = course, .file = path, .refused = "", .is_trial = true};
    folder_of(&s);
    if (copy_source(&s) && !(said = build(&s)))
        submission_run(&s, NULL, &call, &run);
    struct statvfs disk;
    const bool full = statvfs(s.folder.path, &disk) == 0 && disk.f_bavail * disk.f_frsize < 1 << 20;
    submission_remove(&s);
    if (run.replied && memcmp(x, y, sizeof x) == 0)
        return;
    fprintf(stderr, "grade: cannot grade: a right file, %s, fails too: %s\n", path,
            full            ? text("%s: %s", setting("TMPDIR", "/tmp"), strerror(ENOSPC))
            : *s.refused    ? s.refused
            : said && *said ? until(said, "\n")
            : *run.fault    ? run.fault
                            : "no answer");
    exit(2);
}

/* What a compiler says if it runs out of memory, or if a file gets too long. */
static const char *broken_limit(const char *messages)
{
    if (match("out of memory|memory exhausted|annot allocate memory", messages, NULL))
        return "it takes more than 3 GiB of memory to compile";
    if (match("ile size limit|ile too large|ile too big", messages, NULL))
        return "it takes a file of more than 64 MiB to compile";
    return "it does not compile";
}

void submission_build(struct submission *s, const struct course *course, const char *file)
{
    const char *said;
    *s = (struct submission){.course = course, .file = file, .refused = ""};
    folder_of(s);
    if (!copy_source(s) || !(said = build(s)))
        return;
    if (!*s->refused || !course_works())
        try_trial(course);
    if (!*s->refused)
        s->refused = broken_limit(said);
}

void submission_remove(struct submission *s)
{
    for (int i = 0; i < SANDBOXES; i++)
        sandbox_close(&s->sandbox[i]);
    folder_end(&s->folder);
    free(s->sandbox);
    free(s->text);
}

/* ---- the course, and what this system offers ---- */

/* Why no submission can be compiled at this level; or NULL. */
static const char *unusable(const struct course *c)
{
    struct submission s = {.course = c, .name = "none.cu"};
    folder_of(&s);
    const char *why = open_sandbox(&s, FOR_TOOLS);
    if (!why) {
        const struct printed p = run_build(&s, "--check");
        why = p.ended.status == 0 ? NULL : text("%s%s", p.out, p.messages);
    }
    submission_remove(&s);
    return why ? until(why, "\n") : NULL;
}

/* Can each submission get a user of its own? Only if we are root, and not in a container that maps
 * too few users. */
static bool has_users(void)
{
    unsigned first, outside, count, most = 0;
    FILE *map = geteuid() == 0 ? fopen("/proc/self/uid_map", "re") : NULL;
    while (map && fscanf(map, "%u %u %u", &first, &outside, &count) == 3)
        most = count > most ? count : most;
    if (map)
        fclose(map);
    return geteuid() == 0 && (!map || most >= 1u << 23);
}

/* The best level from `most` down that is usable; if there is none, the grader ends. */
static void find_level(struct course *c, int most, bool strict)
{
    const char *why[SANDBOX_LEVELS] = {NULL};
    for (int level = most; level >= (strict ? SANDBOX_NAMESPACES : SANDBOX_LIMITS); level--) {
        c->level = (enum sandbox_level)level;
        c->own_user = has_users();
        if (!(why[level] = unusable(c)))
            return;
    }
    c->own_user = false; /* perhaps only root can read the course */
    if (!strict && geteuid() == 0 && !(why[0] = unusable(c)))
        return;
    fprintf(stderr, "grade: cannot grade%s\n",
            strict ? ": STRICT=1 and there is no sandbox with processes and files of its own; "
                     "install bubblewrap (Debian, Ubuntu, Fedora: the package bubblewrap)"
                   : "");
    for (int level = most; level >= 0 && why[level]; level--)
        fprintf(stderr, "    %s: %s\n", sandbox_names[level], why[level]);
    exit(2);
}

void course_init(struct course *c, const char *root, const char *build, double seconds)
{
    const char *const wanted = setting("SANDBOX", sandbox_names[SANDBOX_BWRAP]);
    int most = 0;
    const char *const real = realpath(root, NULL), *const real_build = realpath(build, NULL);
    c->root = real ? real : root; /* the compiler's names of headers begin like this */
    c->common = text("%s/common", c->root);
    c->build = real_build ? real_build : build;
    c->seconds = seconds;
    one_was_built = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (one_was_built == MAP_FAILED)
        fail("no memory for", "the grader");
    while (most < SANDBOX_LEVELS && strcmp(wanted, sandbox_names[most]) != 0)
        most++;
    if (most == SANDBOX_LEVELS) {
        fprintf(stderr, "grade: SANDBOX: '%s'; accepted: bwrap namespaces limits\n", wanted);
        exit(2);
    }
    find_level(c, most, strcmp(setting("STRICT", "0"), "0") != 0);
}

/* ---- messages of the emulator ---- */

/* The first message of a run, on one line: the emulator's, `race on s_data[128]`, or else the
 * child's; a note does not count. Its lines after the first begin with four spaces. */
static const char *first_message(FILE *messages)
{
    char *line = NULL;
    const char *found[2] = {"", ""}, **open = NULL;
    size_t capacity = 0;
    rewind(messages);
    while (getline(&line, &capacity, messages) > 0) {
        const bool own = begins(line, "grade: ");
        line[strcspn(line, "\n")] = '\0';
        if (begins(line, "    ")) {
            if (open)
                *open = text("%s%s%s", *open, ends(*open, ",") || ends(*open, ":") ? " " : ", ",
                             line + 4);
            continue;
        }
        const bool counts = own || (begins(line, "simt: ") && !begins(line, "simt: note: "));
        open = counts && !*found[own] ? &found[own] : NULL; /* the first of its kind */
        if (open)
            *open = text("%s", strchr(line, ' ') + 1);
    }
    free(line);
    return text("%.1000s", *found[0] ? found[0] : found[1]);
}

/* Is it a function that copies a struct? Its line is that of `struct`: see simt/state/places.c. */
static bool is_copy(const char *function)
{
    const char *end = strstr(function, "ERKS"), *name = end ? end : strstr(function, "EOS");
    return name && name - function > 2 &&
           (strncmp(name - 2, "aS", 2) == 0 ||
            (name[-2] == 'C' && name[-1] >= '1' && name[-1] <= '5'));
}

/* A return address is after the call; one byte less is inside it. addr2line prints the function and
 * the line of the code, then those that it was inlined into. */
const char *submission_line(const struct submission *s, unsigned long address)
{
    char *function, *line,
        *rest = run_tool(s, (char *[]){"addr2line", "-f", "-i", "-e", "program",
                                       text("%lx", address - 1), NULL})
                    .out;
    const char *place = s->name;
    while ((function = strsep(&rest, "\n")) != NULL && (line = strsep(&rest, "\n")) != NULL) {
        const char *at = strstr(line, s->name);
        if (at)
            place = until(at, " ");
        if (at && !is_copy(function))
            break;
    }
    return place;
}

/* Where a line of a trace has its FILE and LINE: after so many words. */
static bool find_place(const char *line, int *at, int *file, int *end)
{
    *end = 0;
    return (sscanf(line, "step %*s %*s %n%d %*u%n", at, file, end) == 1 ||
            sscanf(line, "access %*s %*s %*s %*s %n%d %*u%n", at, file, end) == 1) &&
           *end > 0;
}

void submission_trace(const struct submission *s, FILE *out)
{
    static const char mark[] = "file code address 0x";
    static unsigned long number[MOST_PLACES]; /* the source line of each `file`, or 0 */
    char *line = NULL;
    size_t capacity = 0;
    int files = 0, own = -1, at, file, end;
    rewind(s->trace);
    while (getline(&line, &capacity, s->trace) > 0)
        if (begins(line, mark) && files < MOST_PLACES) {
            const unsigned long address = strtoul(line + strlen(mark), NULL, 16);
            const char *colon = strchr(submission_line(s, address), ':');
            number[files] = colon ? strtoul(colon + 1, NULL, 10) : 0;
            own = own < 0 && number[files] > 0 ? files : own;
            fprintf(out, "file %s\n", number[files++] > 0 ? s->name : "?");
        } else if (find_place(line, &at, &file, &end) && file < files && number[file] > 0) {
            fprintf(out, "%.*s%d %lu%s", at, line, own, number[file], line + end);
        } else {
            fputs(line, out);
        }
    free(line);
}

/* What a run has reported: `code address 0x1234` becomes `my.cu:33`. The child cannot start
 * addr2line. */
static const char *fault_text(const struct submission *s, FILE *messages)
{
    static const char mark[] = "code address 0x";
    const char *from = first_message(messages), *fault = "", *at;
    for (char *end; (at = strstr(from, mark)) != NULL; from = end) {
        const unsigned long address = strtoul(at + strlen(mark), &end, 16);
        fault = text("%s%.*s%s", fault, (int)(at - from), from, submission_line(s, address));
    }
    return text("%s%s", fault, from);
}

/* From the text that was read first, not the copy: the program might have changed that one. */
const char *submission_code(const struct submission *s, unsigned long line)
{
    const char *p = s->text;
    while (line-- > 1)
        p = next_line(p);
    while (*p && *p != '\n' && (unsigned char)*p <= ' ')
        p++;
    char *const code = text("%.*s", MOST_CODE, until(p, "\n"));
    for (char *c = code; *c; c++)
        *c = (unsigned char)*c > ' ' ? *c : ' ';
    for (size_t n = strlen(code); n > 0 && code[n - 1] == ' '; n--)
        code[n - 1] = '\0';
    return code;
}

/* ---- one run ---- */

static void write_job(FILE *file, const struct call *c, uint64_t token, bool more)
{
    struct job job = c->job;
    job.token = token;
    job.more = more;
    fwrite(&job, sizeof job, 1, file);
    for (uint64_t k = 0; k < job.inputs; k++)
        fwrite(c->in[k], 1, job.in[k].bytes, file);
    if (fflush(file) != 0 || ferror(file))
        fail("no memory for", "the inputs");
}

/* `error` is the name of a CUDA error. */
static bool read_reply(FILE *file, const struct call *c, uint64_t token, struct run *run)
{
    struct reply *reply = &run->reply;
    uint64_t protections;
    rewind(file);
    if (fread(&protections, sizeof protections, 1, file) != 1)
        return false;
    run->protections |= (unsigned)protections & (PROTECT_CALLS | PROTECT_MEMORY);
    if (run->timeout || fread(reply, sizeof *reply, 1, file) != 1 || reply->token != token)
        return false;
    for (uint64_t k = 0; k < c->job.outputs; k++)
        if (fread(c->out[k], 1, c->job.out[k].bytes, file) != c->job.out[k].bytes)
            return false;
    reply->error[sizeof reply->error - 1] = '\0';
    reply->error[strspn(reply->error, LETTERS)] = '\0';
    return fgetc(file) == EOF;
}

void submission_run(const struct submission *s, const struct call *first, const struct call *c,
                    struct run *run)
{
    uint64_t token;
    *run = (struct run){.fault = ""};
    if (getrandom(&token, sizeof token, 0) != sizeof token)
        return;
    FILE *input = nameless_file(), *reply = nameless_file(), *messages = nameless_file();
    size_t bytes = s->trace ? TRACE_FILE_BYTES : MESSAGE_FILE_BYTES;
    for (uint64_t k = 0; k < c->job.outputs; k++)
        bytes += c->job.out[k].bytes;
    if (first)
        write_job(input, first, 0, true);
    write_job(input, c, token, false);
    rewind(input);
    const struct ended ended =
        run_in(s, FOR_PROGRAM, (char *[]){"./program", NULL},
               &(struct limits){.seconds = s->course->seconds,
                                .file_bytes = bytes,
                                .files = {-1, s->trace ? fileno(s->trace) : -1, fileno(messages),
                                          fileno(input), fileno(reply)}});
    run->timeout = ended.timeout;
    run->status = ended.status;
    run->protections = PROTECT_LEVEL * s->course->level | (s->course->own_user ? PROTECT_USER : 0u);
    run->replied = read_reply(reply, c, token, run);
    run->fault = fault_text(s, messages);
    run->endless = run->timeout || begins(run->fault, "step budget");
    fclose(input);
    fclose(reply);
    fclose(messages);
    if (!run->replied && !run->timeout && !*run->fault && WIFEXITED(run->status) && !s->is_trial)
        try_trial(s->course);
}

const char *protections_text(unsigned on)
{
    static const char *const levels[] = {"NONE, limits only", "namespaces", "bubblewrap"};
    return text("sandbox: %s%s; system calls %s, memory %s",
                levels[on / PROTECT_LEVEL % SANDBOX_LEVELS], on & PROTECT_USER ? ", own user" : "",
                on & PROTECT_CALLS ? "filtered" : "FREE", on & PROTECT_MEMORY ? "limited" : "FREE");
}
