/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "submission.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limited.h"
#include "object.h"

enum {
    MOST_SOURCE_BYTES = 1 << 20,
    COMPILE_SECONDS = 60,
    COMPILE_FILE_BYTES = 64 << 20,
    ENVIRONMENT = 12
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

FILE *nameless_file(void)
{
    FILE *file = tmpfile();
    if (!file) {
        fprintf(stderr, "grade: no temporary file: %s\n", strerror(errno));
        exit(2);
    }
    return file;
}

void read_text(FILE *file, char *text, size_t bytes)
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
    char *text = malloc(MOST_SOURCE_BYTES);
    const size_t bytes = from && text ? fread(text, 1, MOST_SOURCE_BYTES, from) : 0;
    bool fine = from && to && text && !ferror(from) && bytes < MOST_SOURCE_BYTES;
    if (fine && memchr(text, '\0', bytes))
        fine = false;
    fine = fine && fwrite(text, 1, bytes, to) == bytes;
    if (from)
        fclose(from);
    if (to)
        fine = fclose(to) == 0 && fine;
    free(text);
    if (!fine)
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
    set(e, "SIMT_FILTER", s->course->build, "/grade/words");
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
    *s = (struct submission){.course = course};
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
    if (access(object, R_OK) == 0 && !object_accept(object, why, sizeof why))
        snprintf(s->refused, sizeof s->refused, "%s", why);
    else if (ended.timeout || ended.status != 0)
        refuse_build(s, &ended, messages);
    fclose(messages);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

void submission_remove(struct submission *s)
{
    nftw(s->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
