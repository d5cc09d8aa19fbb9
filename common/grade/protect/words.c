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
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"

static const char *submission, *course;

/* A text that is read from its start to its end, and where the reading is. */
struct text {
    const char *at, *end;
    const char *file; /* as the last line marker has it */
    size_t file_length;
    unsigned long line;
    char last; /* the last character that was no blank and no part of a word */
    bool of_submission;
    bool attribute; /* the last word was __attribute__ */
    bool refused;
};

/* Says that these characters are not accepted. */
static void refuse(struct text *t, const char *what, size_t length)
{
    fprintf(stderr, "%s:%lu: error: '%.*s' is not accepted in a graded file\n", submission, t->line,
            (int)length, what);
    t->refused = true;
}

/* ---- files ---- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_trusted(const char *name)
{
    char path[PATH_MAX];
    if (name[0] == '<' || !realpath(name, path)) /* <built-in> */
        return name[0] == '<';
    const size_t n = strlen(course);
    if (strncmp(path, course, n) == 0 && path[n] == '/')
        return is_listed(path + n, strlen(path + n), course_headers);
    return is_listed(path, strlen(path), system_folders);
}

/* `# 12 "file.cu" 1 3`: the text goes on at line 12 of the file. */
static void read_marker(struct text *t)
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

/* ---- preprocessed text, word by word ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const struct text *t)
{
    size_t n = 0;
    while (t->at + n < t->end && is_word(t->at[n]))
        n++;
    return n;
}

/* A string or a character: goes to its end. Raw strings have no escapes and an end of their own. */
static void skip_string(struct text *t, bool raw)
{
    const char quote = *t->at++;
    char close[32] = ")";
    if (raw) {
        const size_t n = strcspn(t->at, "(");
        snprintf(close, sizeof close, ")%.*s\"", (int)(n < 17 ? n : 17), t->at);
        const char *end = strstr(t->at, close);
        t->at = end ? end + strlen(close) : t->end;
        return;
    }
    while (t->at < t->end && *t->at != quote && *t->at != '\n')
        t->at += *t->at == '\\' ? 2 : 1;
    t->at++;
}

static void check_word(struct text *t, const char *word, size_t n)
{
    if (is_listed(word, n, refused_words) ||
        (n > 10 && memcmp(word, "__builtin_", 10) == 0 && !is_listed(word, n, accepted_builtins)))
        refuse(t, word, n);
}

/* At an opening bracket. Names of attributes stand at depth 2, `((name(argument)))`. */
static void check_attribute(struct text *t, int depth)
{
    do {
        if (*t->at == '(' || *t->at == '[')
            depth++;
        else if (*t->at == ')' || *t->at == ']')
            depth--;
        else if (strchr("{};\"'#", *t->at))
            refuse(t, t->at, 1);
        const size_t n = word_length(t);
        if (n > 0 && depth <= 2 && !is_listed(t->at, n, accepted_attributes))
            refuse(t, t->at, n);
        t->line += *t->at == '\n';
        t->at += n > 0 ? n : 1;
    } while (t->at < t->end && depth > 0);
}

static void check_pragma(struct text *t)
{
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    const char *word = t->at + strlen("#pragma");
    word += strspn(word, " \t");
    size_t n = 0;
    while (is_word(word[n]))
        n++;
    if (t->of_submission && !is_listed(word, n, accepted_pragmas))
        refuse(t, t->at, (size_t)((end ? end : t->end) - t->at));
}

/* A `#` at the start of a line: a marker, a pragma. */
static void read_directive(struct text *t)
{
    if (isdigit((unsigned char)t->at[2]))
        read_marker(t);
    else if (starts_with(t->at, "#pragma"))
        check_pragma(t);
    while (t->at < t->end && *t->at != '\n')
        t->at++;
}

static void check_word_at(struct text *t)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    const size_t n = word_length(t);
    const char *word = t->at;
    check_word(t, word, n);
    t->at += n;
    t->attribute = n == 13 && memcmp(word, "__attribute__", n) == 0;
    if (*t->at == '"' && is_listed(word, n, raw))
        skip_string(t, true);
}

/* A character that is no blank and no part of a word. */
static void check_mark(struct text *t)
{
    const char mark = *t->at;
    if (t->attribute && mark == '(')
        check_attribute(t, 0);
    else if (t->attribute || starts_with(t->at, "<:"))
        refuse(t, t->at++, 1);
    else if (mark == '[' && t->last == '[')
        check_attribute(t, 1);
    else if (mark == '"' || mark == '\'')
        skip_string(t, false);
    else
        t->at++;
    t->last = mark;
    t->attribute = false;
}

/* At a character of the submission's own text. Blanks and line ends part words, no more. */
static void check_token(struct text *t)
{
    if (isspace((unsigned char)*t->at)) {
        t->line += *t->at++ == '\n';
    } else if (isdigit((unsigned char)*t->at)) {
        while (is_word(*t->at) || *t->at == '.' || *t->at == '\'')
            t->at++;
        t->last = '0';
    } else if (is_word(*t->at)) {
        t->last = 'a';
        check_word_at(t);
    } else {
        check_mark(t);
    }
}

/* Checks preprocessed text, in the parts that are the submission's own. */
static void check_text(struct text *t)
{
    while (t->at < t->end) {
        const bool at_start = t->at[-1] == '\n';
        if (*t->at == '#' && at_start)
            read_directive(t);
        else if (t->of_submission)
            check_token(t);
        else
            t->at++;
    }
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
