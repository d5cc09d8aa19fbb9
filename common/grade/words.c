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

struct text {
    const char *at, *end;
    const char *file; /* as the last line marker has it */
    size_t file_length;
    unsigned long line;
    bool of_submission;
    bool refused;
};

static const char *submission, *course;

static void refuse(struct text *t, const char *what, size_t length)
{
    fprintf(stderr, "%s:%lu: error: '%.*s' is not accepted in a graded file\n", submission, t->line,
            (int)length, what);
    t->refused = true;
}

/* Is the word one of these, or does it begin like one that ends with `*`? */
static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    for (; *list; list++) {
        const size_t n = strlen(*list);
        if ((*list)[n - 1] == '*' ? length >= n - 1 && memcmp(word, *list, n - 1) == 0
                                  : length == n && memcmp(word, *list, n) == 0)
            return true;
    }
    return false;
}

/* ---- files ---- */

static bool starts_with(const char *text, const char *start)
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

/* ---- words ---- */

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
    static const char *const words[] = {"asm",         "__asm",      "__asm__",  "__extension__",
                                        "_Pragma",     "__label__",  "__thread", "thread_local",
                                        "__attribute", "__declspec", NULL};
    static const char *const builtins[] = {"__builtin_nan*",
                                           "__builtin_inf*",
                                           "__builtin_huge_val*",
                                           "__builtin_expect",
                                           "__builtin_offsetof",
                                           "__builtin_is*",
                                           "__builtin_popcount*",
                                           "__builtin_clz*",
                                           "__builtin_ctz*",
                                           "__builtin_ffs*",
                                           "__builtin_bswap*",
                                           "__builtin_unreachable",
                                           "__builtin_signbit*",
                                           "__builtin_fabs*",
                                           "__builtin_assume_aligned",
                                           "__builtin_bit_cast",
                                           "__builtin_LINE",
                                           "__builtin_FILE",
                                           NULL};
    if (is_one_of(word, n, words) ||
        (n > 10 && memcmp(word, "__builtin_", 10) == 0 && !is_one_of(word, n, builtins)))
        refuse(t, word, n);
}

/* At an opening bracket: names of attributes stand at depth 2, `((name(argument)))`. */
static void check_attribute(struct text *t)
{
    static const char *const accepted[] = {
        "aligned",     "__aligned__", "always_inline", "__always_inline__", "noinline",
        "unused",      "__unused__",  "maybe_unused",  "__noinline__",      "nodiscard",
        "fallthrough", "likely",      "unlikely",      "may_alias",         NULL};
    int depth = 0;
    do {
        if (*t->at == '(' || *t->at == '[')
            depth++;
        else if (*t->at == ')' || *t->at == ']')
            depth--;
        else if (strchr("{};\"'", *t->at))
            refuse(t, t->at, 1);
        const size_t n = word_length(t);
        if (n > 0 && depth <= 2 && !is_one_of(t->at, n, accepted))
            refuse(t, t->at, n);
        t->line += *t->at == '\n';
        t->at += n > 0 ? n : 1;
    } while (t->at < t->end && depth > 0);
}

static void check_pragma(struct text *t)
{
    static const char *const accepted[] = {"unroll", "nounroll", "once", "nv*", NULL};
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    const char *word = t->at + strlen("#pragma");
    word += strspn(word, " \t");
    size_t n = 0;
    while (is_word(word[n]))
        n++;
    if (t->of_submission && !is_one_of(word, n, accepted))
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

static const char *skip_blank(const char *p)
{
    return p + strspn(p, " \t\n");
}

/* At a character that is not blank, in the submission's own text. */
static void check_token(struct text *t)
{
    const size_t n = word_length(t);
    const char *word = t->at;
    if (isdigit((unsigned char)*word)) {
        while (is_word(*t->at) || *t->at == '.' || *t->at == '\'')
            t->at++;
    } else if (n > 0) {
        check_word(t, word, n);
        t->at += n;
        if (n == 13 && memcmp(word, "__attribute__", n) == 0)
            check_attribute(t);
        else if (word[n - 1] == 'R' && n < 4 && *t->at == '"')
            skip_string(t, true);
    } else if (*word == '"' || *word == '\'') {
        skip_string(t, false);
    } else if (*word == '[' && *skip_blank(word + 1) == '[') {
        check_attribute(t);
    } else {
        if (starts_with(word, "<:"))
            refuse(t, word, 2);
        t->at++;
    }
}

static void check_text(struct text *t)
{
    bool at_start = true;
    while (t->at < t->end) {
        if (*t->at == '#' && at_start) {
            read_directive(t);
        } else if (*t->at == '\n' || !t->of_submission) {
            at_start = *t->at == '\n';
            t->line += at_start;
            t->at++;
        } else {
            at_start = false;
            check_token(t);
        }
    }
}

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

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity);
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
    struct text t = {.at = text, .end = text + bytes, .line = line};
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
