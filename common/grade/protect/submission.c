/* SPDX-License-Identifier: MIT */
/*
 * submission.c - one student's file, from its copy in a temporary folder to the reply of its
 * process: compiled, looked at, linked with child.c, and run.
 */
#define _GNU_SOURCE
#include "protect.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limited.h"
#include "object.h"
#include "source.h"

enum {
    MOST_SOURCE_BYTES = 1 << 20,
    COMPILE_SECONDS = 60,
    COMPILE_FILE_BYTES = 64 << 20,
    ENVIRONMENT = 12,
    FIRST_MESSAGES_BYTES = 1 << 16,
    MESSAGE_FILE_BYTES = 1 << 20
};
static const size_t compile_bytes = (size_t)3 << 30;

void course_init(struct course *c, const char *root, const char *build, double seconds)
{
    char path[PATH_BYTES + 64];
    if (!realpath(root, c->root)) /* the compiler's names of headers begin like this */
        snprintf(c->root, sizeof c->root, "%s", root);
    snprintf(c->build, sizeof c->build, "%s", build);
    c->seconds = seconds;
    snprintf(path, sizeof path, "%s/simt/libsimt.a", build);
    c->other_user = limited_nobody_reads(path);
    snprintf(path, sizeof path, "%s/common/simt/simtcc", root);
    c->other_user = c->other_user && limited_nobody_reads(path);
}

/* ---- files ---- */

/* A file without a name, for what a process reads or writes. */
static FILE *nameless_file(void)
{
    FILE *file = tmpfile();
    if (!file) {
        fprintf(stderr, "grade: no temporary file: %s\n", strerror(errno));
        exit(2);
    }
    return file;
}

/* The start of what a process has written, as a string; what is not text becomes '?'. */
static void read_text(FILE *file, char *text, size_t bytes)
{
    rewind(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    for (char *p = text; *p; p++)
        if (!isprint((unsigned char)*p) && *p != '\n')
            *p = '?';
}

/* Copies the student's file into the folder. Its name is kept where it is a plain one. */
static bool copy_source(struct submission *s, const char *file)
{
    char path[sizeof s->folder + NAME_BYTES + 2];
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const size_t n = strlen(base);
    const bool plain = n > 3 && n < sizeof s->name && strcmp(base + n - 3, ".cu") == 0 &&
                       base[0] != '-' &&
                       base[strspn(base, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789._-")] == '\0';
    snprintf(s->name, sizeof s->name, "%s", plain ? base : "submission.cu");
    snprintf(path, sizeof path, "%s/%s", s->folder, s->name);
    FILE *from = fopen(file, "rb"), *to = fopen(path, "wb");
    char *text = calloc(MOST_SOURCE_BYTES, 1);
    const size_t bytes = from && text ? fread(text, 1, MOST_SOURCE_BYTES, from) : 0;
    bool fine = from && to && text && !ferror(from) && bytes < MOST_SOURCE_BYTES;
    if (fine && memchr(text, '\0', bytes))
        fine = false;
    fine = fine && fwrite(text, 1, bytes, to) == bytes;
    if (from)
        fclose(from);
    if (to)
        fine = fclose(to) == 0 && fine;
    if (fine && !source_accept(text, s->name, s->refused, sizeof s->refused))
        fine = false;
    s->text = text;
    if (!fine && !s->refused[0])
        snprintf(s->refused, sizeof s->refused,
                 "'%.500s' cannot be read as a text file of less than 1 MiB", file);
    chmod(path, 0644);
    return fine;
}

/* ---- compile ---- */

struct environment {
    char text[ENVIRONMENT][PATH_BYTES + 64];
    char *list[ENVIRONMENT + 1];
    int count;
};

static void set(struct environment *e, const char *name, const char *value, const char *rest)
{
    snprintf(e->text[e->count], sizeof e->text[0], "%s=%s%s", name, value, rest);
    e->list[e->count] = e->text[e->count];
    e->list[++e->count] = NULL;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* Nothing of the grader's own environment gets through but the path. The compiler is g++, since
 * clang gives other counts (common/simt/README.md), and marks are the same everywhere. */
static void environment_fill(struct environment *e, const struct submission *s)
{
    e->count = 0;
    set(e, "PATH", setting("PATH", "/usr/local/bin:/usr/bin:/bin"), "");
    set(e, "LC_ALL", "C", "");
    set(e, "HOME", s->folder, "");
    set(e, "TMPDIR", s->folder, "");
    set(e, "CXX", setting("GRADE_CXX", "g++"), "");
    set(e, "COURSE", s->course->root, "");
    set(e, "BUILD", s->course->build, "");
    set(e, "SUBMISSION", s->name, "");
    set(e, "SIMT_BUILD", s->course->build, "/simt");
}

/* The compiler's messages about the student's own file; others may quote files of ours. */
static void own_messages(const struct submission *s, const char *text, char *out, size_t bytes)
{
    size_t used = 0;
    const size_t n = strlen(s->name);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const char *colon = strncmp(text, s->name, n) == 0 ? text + n : NULL;
        if (colon && *colon == ':' && used + length + 2 < bytes && memmem(text, length, ": ", 2)) {
            memcpy(out + used, text, length);
            used += length;
            out[used++] = '\n';
        }
        text += length + (text[length] == '\n');
    }
    out[used] = '\0';
}

static void refuse_build(struct submission *s, const struct ended *e, FILE *messages)
{
    char text[1 << 16];
    read_text(messages, text, sizeof text);
    if (e->timeout) {
        snprintf(s->refused, sizeof s->refused, "it takes more than %d seconds to compile",
                 COMPILE_SECONDS);
        return;
    }
    own_messages(s, text, s->refused, sizeof s->refused);
    if (!s->refused[0])
        snprintf(s->refused, sizeof s->refused, "it does not compile%s",
                 WIFEXITED(e->status) && WEXITSTATUS(e->status) == 127
                     ? ": the compiler cannot be started"
                     : "");
}

void submission_build(struct submission *s, const struct course *course, const char *file)
{
    *s = (struct submission){.course = course, .file = file};
    const char *where = setting("TMPDIR", "/tmp");
    const int n = snprintf(s->folder, sizeof s->folder, "%s/grade.XXXXXX", where);
    if (n >= (int)sizeof s->folder || !mkdtemp(s->folder)) { /* not the fault of the submission */
        fprintf(stderr, "grade: no temporary folder in TMPDIR '%s': %s\n", where,
                n >= (int)sizeof s->folder ? "the name is too long" : strerror(errno));
        exit(2);
    }
    if (!copy_source(s, file))
        return;
    if (course->other_user)
        limited_give_to_nobody(s->folder);
    char script[PATH_BYTES + 32], object[sizeof s->folder + 16], why[MESSAGE_BYTES];
    snprintf(script, sizeof script, "%s/common/grade/protect/build.sh", course->root);
    snprintf(object, sizeof object, "%s/compiled.o", s->folder);
    struct environment e;
    environment_fill(&e, s);
    FILE *messages = nameless_file();
    const struct limits limits = {.seconds = COMPILE_SECONDS,
                                  .file_bytes = COMPILE_FILE_BYTES,
                                  .memory_bytes = compile_bytes,
                                  .files = {-1, -1, fileno(messages), -1, -1},
                                  .folder = s->folder,
                                  .other_user = course->other_user};
    char *const argv[] = {"sh", script, NULL};
    const struct ended ended = limited_run(argv, e.list, &limits);
    if (access(object, R_OK) == 0 && !object_accept(object, s->text, s->name, why, sizeof why))
        snprintf(s->refused, sizeof s->refused, "%s", why);
    else if (ended.timeout || ended.status != 0)
        refuse_build(s, &ended, messages);
    fclose(messages);
}

/* ---- messages of the emulator ---- */

/*
 * The child may start no addr2line, so its messages say `code address 0x1234`. Here this becomes
 * `kernel.cu:33`. A return address lies behind the call: one byte less is inside of it.
 */
void submission_line(const struct submission *s, unsigned long address, char *place, size_t bytes)
{
    char code[32], text[4096];
    snprintf(code, sizeof code, "0x%lx", address - 1);
    char *const argv[] = {"addr2line", "-i", "-e", "program", code, NULL};
    char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
    FILE *out = nameless_file();
    const struct limits limits = {.seconds = 10,
                                  .file_bytes = sizeof text,
                                  .files = {-1, fileno(out), -1, -1, -1},
                                  .folder = s->folder,
                                  .other_user = s->course->other_user};
    limited_run(argv, environment, &limits);
    read_text(out, text, sizeof text);
    fclose(out);
    snprintf(place, bytes, "%s", s->name);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *name = strstr(line, s->name);
        if (!name)
            continue;
        snprintf(place, bytes, "%.*s", (int)strcspn(name, " "), name);
        return;
    }
}

/* The file that was given, not its copy: the program might have reached that one. */
bool submission_code(const struct submission *s, unsigned long line, char *code, size_t bytes)
{
    FILE *file = fopen(s->file, "r");
    if (!file)
        return false;
    size_t used = 0;
    unsigned long at = 1;
    for (int c; at <= line && (c = fgetc(file)) != EOF;) {
        if (c == '\n')
            at++;
        else if (at == line && used + 1 < bytes && (used > 0 || c > ' '))
            code[used++] = c > ' ' ? (char)c : ' ';
    }
    fclose(file);
    while (used > 0 && code[used - 1] == ' ')
        used--;
    code[used] = '\0';
    return used > 0;
}

/* The first message of the emulator, or of the child: `simt: race on s_data[128] ...`; a note is
 * none. Its lines are joined: those after the first begin with four spaces. */
static void first_fault(const struct submission *s, const char *text, char *fault, size_t bytes)
{
    static const char code[] = "code address 0x",
                      note[] = "simt: note: ", *const marks[] = {"simt: ", "grade: "};
    const char *at = NULL;
    for (int i = 0; i < 2 && !at; i++)
        for (at = strstr(text, marks[i]);
             at && ((at != text && at[-1] != '\n') || strncmp(at, note, strlen(note)) == 0);)
            at = strstr(at + 1, marks[i]);
    size_t used = 0;
    fault[0] = '\0';
    if (!at)
        return;
    at += strcspn(at, " ") + 1;
    while (*at && used + 2 < bytes) {
        unsigned long address;
        if (strncmp(at, code, strlen(code)) == 0 &&
            sscanf(at + strlen(code), "%lx", &address) == 1) {
            submission_line(s, address, fault + used, bytes - used);
            used += strlen(fault + used);
            at += strlen(code) + strspn(at + strlen(code), "0123456789abcdef");
        } else if (strncmp(at, "\n    ", 5) == 0) {
            used += (size_t)snprintf(fault + used, bytes - used, ", ");
            at += 5;
        } else if (*at == '\n') {
            break;
        } else {
            fault[used++] = *at++;
        }
    }
    fault[used] = '\0';
}

/* ---- one run ---- */

static void write_job(FILE *file, const struct job *job, void *const *in)
{
    fwrite(job, sizeof *job, 1, file);
    for (uint64_t k = 0; k < job->inputs; k++)
        fwrite(in[k], 1, job->in[k].bytes, file);
    fflush(file);
    rewind(file);
}

/* `error` is the name of an error of CUDA. */
static bool read_reply(FILE *file, const struct job *job, struct run *run, void *const *out)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct reply *reply = &run->reply;
    uint64_t protections;
    rewind(file);
    if (fread(&protections, sizeof protections, 1, file) != 1)
        return false;
    run->protections |= (unsigned)protections;
    if (run->timeout || fread(reply, sizeof *reply, 1, file) != 1 || reply->token != job->token)
        return false;
    for (uint64_t k = 0; k < job->outputs; k++)
        if (fread(out[k], 1, job->out[k].bytes, file) != job->out[k].bytes)
            return false;
    reply->error[sizeof reply->error - 1] = '\0';
    reply->error[strspn(reply->error, letters)] = '\0';
    return fgetc(file) == EOF;
}

static size_t reply_bytes(const struct job *job)
{
    size_t bytes = sizeof(uint64_t) + sizeof(struct reply);
    for (uint64_t k = 0; k < job->outputs; k++)
        bytes += job->out[k].bytes;
    return bytes;
}

void submission_run(const struct submission *s, const struct job *given, void *const *in,
                    void *const *out, struct run *run)
{
    static char text[FIRST_MESSAGES_BYTES];
    struct job job = *given;
    *run = (struct run){0};
    if (getrandom(&job.token, sizeof job.token, 0) != sizeof job.token)
        return;
    FILE *input = nameless_file(), *reply = nameless_file(), *messages = nameless_file();
    write_job(input, &job, in);
    const size_t bytes = reply_bytes(&job);
    const struct limits limits = {.seconds = s->course->seconds,
                                  .file_bytes =
                                      bytes > MESSAGE_FILE_BYTES ? bytes : MESSAGE_FILE_BYTES,
                                  .files = {-1, -1, fileno(messages), fileno(input), fileno(reply)},
                                  .folder = s->folder,
                                  .other_user = s->course->other_user};
    char *const argv[] = {"./program", NULL};
    char *const environment[] = {"SIMT_STEPS=2097152", "SIMT_REPORT=source", NULL};
    const struct ended ended = limited_run(argv, environment, &limits);
    run->timeout =
        ended.timeout || (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGXCPU);
    run->status = ended.status;
    run->protections = ended.protections;
    run->replied = read_reply(reply, &job, run, out);
    read_text(messages, text, sizeof text);
    first_fault(s, text, run->fault, sizeof run->fault);
    run->endless = run->timeout || strncmp(run->fault, "step budget", strlen("step budget")) == 0;
    fclose(input);
    fclose(reply);
    fclose(messages);
}

/* ---- the end ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

void submission_remove(struct submission *s)
{
    free(s->text);
    nftw(s->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
