/* SPDX-License-Identifier: MIT */
/*
 * words_text.c - goes over preprocessed text, word by word.
 */
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
    static const char *const words[] = {"asm",          "__asm",    "__asm__",     "_Pragma",
                                        "__label__",    "__thread", "__attribute", "__declspec",
                                        "thread_local", "simt",     "simt_*",      "__tsan_*",
                                        "__ubsan_*",    "__asan_*", NULL};
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

/* At an opening bracket. Names of attributes stand at depth 2, `((name(argument)))`. */
static void check_attribute(struct text *t, int depth)
{
    static const char *const accepted[] = {
        "aligned",     "__aligned__", "always_inline", "__always_inline__", "noinline",
        "unused",      "__unused__",  "maybe_unused",  "__noinline__",      "nodiscard",
        "fallthrough", "likely",      "unlikely",      "may_alias",         NULL};
    do {
        if (*t->at == '(' || *t->at == '[')
            depth++;
        else if (*t->at == ')' || *t->at == ']')
            depth--;
        else if (strchr("{};\"'#", *t->at))
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

static void check_word_at(struct text *t)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    const size_t n = word_length(t);
    const char *word = t->at;
    check_word(t, word, n);
    t->at += n;
    t->attribute = n == 13 && memcmp(word, "__attribute__", n) == 0;
    if (*t->at == '"' && is_one_of(word, n, raw))
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

void check_text(struct text *t)
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
