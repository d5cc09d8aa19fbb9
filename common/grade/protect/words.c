/* SPDX-License-Identifier: MIT */
/*
 * words.c - refuses what a submission may not say. simtcc calls it on the preprocessed text:
 *
 *   SUBMISSION=file.cu COURSE=folder SIMT_FILTER=words simtcc -c file.cu
 *
 * The emulator sees every access of a submission as long as the compiler puts a hook in front of
 * each. So attributes, pragmas and builtins that take hooks away are refused, and so is text that
 * comes from other files than CUDA's and the system's headers.
 */
#define _XOPEN_SOURCE 700
#include "words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *submission, *course;

void refuse(struct text *t, const char *what, size_t length)
{
    fprintf(stderr, "%s:%lu: error: '%.*s' is not accepted in a graded file\n", submission, t->line,
            (int)length, what);
    t->refused = true;
}

/* ---- files ---- */

bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Headers of the course that an exercise may use. */
static bool is_of_course(const char *path)
{
    static const char *const accepted[] = {"/common/simt/include/", "/common/ops.cuh"};
    const size_t n = strlen(course);
    if (strncmp(path, course, n) != 0)
        return false;
    return starts_with(path + n, accepted[0]) || strcmp(path + n, accepted[1]) == 0;
}

static bool is_trusted(const char *name)
{
    char path[PATH_MAX];
    if (name[0] == '<' || !realpath(name, path)) /* <built-in> */
        return name[0] == '<';
    if (strncmp(path, course, strlen(course)) == 0 && path[strlen(course)] == '/')
        return is_of_course(path);
    return starts_with(path, "/usr/") || starts_with(path, "/opt/") ||
           starts_with(path, "/nix/store/");
}

void read_marker(struct text *t)
{
    char *after, name[PATH_MAX];
    t->line = strtoul(t->at + 1, &after, 10) - 1; /* the end of this line adds one */
    const char *open = after + 2, *close = open;
    while (close < t->end && *close != '"' && *close != '\n')
        close++;
    if (t->file && (size_t)(close - open) == t->file_length &&
        memcmp(open, t->file, t->file_length) == 0)
        return;
    t->file = open;
    t->file_length = (size_t)(close - open);
    snprintf(name, sizeof name, "%.*s", (int)t->file_length, open);
    t->of_submission = strcmp(name, submission) == 0;
    if (t->of_submission || is_trusted(name))
        return;
    t->refused = true;
    if (starts_with(close, "\" 1")) /* the file begins here */
        fprintf(stderr, "%s:1: error: it includes '%s', which is not accepted\n", submission, name);
}

/* ---- the source itself ---- */

/* Stands there nothing before it on its line but blanks and comments? */
static bool begins_line(const char *start, const char *p)
{
    while (p > start && strchr(" \t\v\f\r", p[-1]))
        p--;
    return p == start || p[-1] == '\n' || (p - start > 1 && p[-1] == '/' && p[-2] == '*');
}

/* A line marker in the source itself would make text look like that of another file. */
static void check_source(struct text *t)
{
    for (const char *start = t->at; t->at < t->end; t->at++) {
        t->line += *t->at == '\n';
        const bool hash = (*t->at == '#' || starts_with(t->at, "%:")) && begins_line(start, t->at);
        const char *p = t->at + (hash && *t->at == '%' ? 2 : 1);
        while (hash && p < t->end && strchr(" \t\\\n\v\f\r", *p) && !(*p == '\n' && p[-1] != '\\'))
            p++;
        if (starts_with(t->at, "?"
                               "?"))
            refuse(t, t->at, 3);
        else if (hash && (isdigit((unsigned char)*p) || *p == '/' || starts_with(p, "line")))
            refuse(t, t->at, 1 + (size_t)(p - t->at));
    }
}

/* The file with a line end in front, so that its first line has one before it as the others do. */
static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, used = 1;
    char *text = malloc(capacity);
    if (text)
        text[0] = '\n';
    while (file && text &&
           (used += fread(text + used, 1, capacity - used - 1, file)) + 1 == capacity)
        text = realloc(text, capacity *= 2);
    if (!file || !text) {
        fprintf(stderr, "words: cannot read '%s'\n", path);
        exit(2);
    }
    fclose(file);
    text[used] = '\0';
    *bytes = used;
    return text;
}

static bool check_file(const char *path, void (*check)(struct text *t), unsigned long line)
{
    size_t bytes;
    char *text = read_file(path, &bytes);
    struct text t = {.at = text + 1, .end = text + bytes, .line = line};
    check(&t);
    free(text);
    return !t.refused;
}

int main(int argc, char **argv)
{
    submission = getenv("SUBMISSION");
    course = getenv("COURSE");
    if (argc != 2 || !submission || !course) {
        fprintf(stderr, "usage: SUBMISSION=file.cu COURSE=folder words PREPROCESSED\n");
        return 2;
    }
    const bool fine = check_file(submission, check_source, 1);
    return check_file(argv[1], check_text, 1) && fine ? 0 : 1;
}
