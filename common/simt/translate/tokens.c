/* SPDX-License-Identifier: MIT */
/*
 * tokens.c - splits C++ into tokens. It must know comments, strings and numbers, so that a `<<<` in
 * one of them is left alone.
 */
#define _GNU_SOURCE
#include "inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A letter beyond ASCII is its bytes, or \U0000683c, as g++ before 14 prints it. */
static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '\\' || (c & 0x80);
}

/* "..." or '...', with escapes. */
static const char *skip_quoted(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* R"tag( ... )tag" */
static const char *skip_raw_string(const char *p)
{
    char end[32] = ")";
    const char *open = strchr(p, '(');
    if (!open || open - p > 16)
        return skip_quoted(p);
    memcpy(end + 1, p + 1, (size_t)(open - p - 1));
    end[open - p] = '"';
    end[open - p + 1] = '\0';
    const char *close = strstr(open, end);
    return close ? close + strlen(end) : open + strlen(open);
}

static const char *skip_comment(const char *p)
{
    if (p[1] == '*') {
        const char *close = strstr(p + 2, "*/");
        return close ? close + 2 : p + strlen(p);
    }
    while (*p && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static bool is_comment(const char *p)
{
    return p[0] == '/' && (p[1] == '/' || p[1] == '*');
}

/* Numbers may hold ' as a separator: 1'000'000. */
static const char *skip_number(const char *p)
{
    while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1])))
        p++;
    return p;
}

/* Before the quote of a raw string. */
static bool is_raw(const char *word, size_t length)
{
    return word[length - 1] == 'R' && (length == 1 || (length == 2 && strchr("LuU", *word)) ||
                                       (length == 3 && strncmp(word, "u8", 2) == 0));
}

static const char *skip_word(const char *p)
{
    const char *start = p;
    while (is_word(*p))
        p++;
    return *p == '"' && is_raw(start, (size_t)(p - start)) ? skip_raw_string(p) : p;
}

static const char *skip_directive(const char *p);

static enum token_kind next_token(const char *p, bool line_start, const char **end)
{
    if (isspace((unsigned char)*p) || is_comment(p)) {
        *end = is_comment(p) ? skip_comment(p) : skip_space(p);
        return TOKEN_BLANK;
    }
    if (*p == '#' && line_start) {
        *end = skip_directive(p);
        return TOKEN_DIRECTIVE;
    }
    if (*p == '"' || *p == '\'') {
        *end = skip_quoted(p);
        return TOKEN_STRING;
    }
    if (isdigit((unsigned char)*p)) {
        *end = skip_number(p);
        return TOKEN_NUMBER;
    }
    if (is_word(*p)) {
        *end = skip_word(p);
        return (*end)[-1] == '"' ? TOKEN_STRING : TOKEN_WORD;
    }
    *end = p + 1;
    return TOKEN_PUNCT;
}

/* To the end of the line, or of several lines joined by backslashes or a comment. */
static const char *skip_directive(const char *p)
{
    for (p++; *p && *p != '\n';)
        if (p[0] == '\\' && p[1])
            p += 2;
        else if (isspace((unsigned char)*p))
            p++;
        else
            next_token(p, false, &p);
    return p;
}

void append_text(char **text, const char *format, ...)
{
    char *part, *longer;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&part, format, arguments) < 0 ||
        asprintf(&longer, "%s%s", *text ? *text : "", part) < 0)
        exit(1);
    va_end(arguments);
    *text = longer;
}

static void add(struct source *s, size_t *capacity, enum token_kind kind, const char *text,
                size_t length)
{
    if (s->count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 4096;
        s->tokens = realloc(s->tokens, *capacity * sizeof *s->tokens);
        if (!s->tokens) {
            fprintf(stderr, "translate: out of memory\n");
            exit(1);
        }
    }
    s->tokens[s->count++] = (struct token){.kind = kind, .text = text, .length = length};
}

static void cut(struct source *s, size_t *capacity, const char *text)
{
    bool line_start = true;
    for (const char *p = text, *end; *p; p = end) {
        const enum token_kind kind = next_token(p, line_start, &end);
        const size_t length = (size_t)(end - p);
        add(s, capacity, kind, p, length);
        line_start =
            kind == TOKEN_BLANK && (line_start || (!is_comment(p) && memchr(p, '\n', length)));
    }
}

struct source tokens_cut(const char *text)
{
    struct source s = {NULL, 0};
    size_t capacity = 0;
    cut(&s, &capacity, text);
    return s;
}

struct source tokens_cut_directives(char *text)
{
    const struct source whole = tokens_cut(text);
    struct source s = {NULL, 0};
    size_t capacity = 0;
    for (size_t i = 0; i < whole.count; i++) {
        const struct token *t = &whole.tokens[i];
        add(&s, &capacity, t->kind, t->text, t->length);
        if (t->kind != TOKEN_DIRECTIVE)
            continue;
        s.tokens[s.count - 1].length = 1;
        char *const end = text + (t->text - text) + t->length, after = *end;
        *end = '\0';
        cut(&s, &capacity, t->text + 1);
        *end = after;
        add(&s, &capacity, TOKEN_BLANK, end, 0);
    }
    free(whole.tokens);
    return s;
}

/* ---- navigation ---- */

bool is_any(const struct source *s, size_t i, const char *list)
{
    if (i >= s->count || (s->tokens[i].kind != TOKEN_WORD && s->tokens[i].kind != TOKEN_PUNCT))
        return false;
    const struct token *t = &s->tokens[i];
    for (const char *word = list; (word = strchr(word, *t->text)) != NULL; word++)
        if ((word == list || word[-1] == ' ') && strncmp(word, t->text, t->length) == 0 &&
            (word[t->length] == ' ' || word[t->length] == '\0'))
            return true;
    return false;
}

bool is_pragma(const struct source *s, size_t i)
{
    return s->tokens[i].kind == TOKEN_DIRECTIVE && strncmp(s->tokens[i].text, "#pragma", 7) == 0;
}

bool is_blank(const struct source *s, size_t i)
{
    return s->tokens[i].kind == TOKEN_BLANK ||
           (s->tokens[i].kind == TOKEN_DIRECTIVE && !is_pragma(s, i));
}

size_t skip_blank(const struct source *s, size_t i)
{
    while (i < s->count && is_blank(s, i))
        i++;
    return i;
}

size_t skip_brackets(const struct source *s, size_t i)
{
    int depth = 0;
    for (; i < s->count; i++) {
        depth += is(s, i, "(") || is(s, i, "[");
        depth -= is(s, i, ")") || is(s, i, "]");
        if (depth == 0)
            return i + 1;
    }
    return i;
}

size_t skip_back(const struct source *s, size_t i)
{
    do
        i -= i > 0;
    while (i > 0 && is_blank(s, i));
    return i;
}

size_t skip_braces(const struct source *s, size_t i)
{
    int depth = 0;
    for (; i < s->count; i++) {
        depth += is(s, i, "{");
        depth -= is(s, i, "}");
        if (depth == 0)
            return i + 1;
    }
    return i;
}

size_t skip_part(const struct source *s, size_t i)
{
    return is(s, i, "{")                    ? skip_braces(s, i)
           : is(s, i, "(") || is(s, i, "[") ? skip_brackets(s, i)
                                            : i + 1;
}

size_t skip_angles(const struct source *s, size_t i)
{
    int depth = 0;
    for (const size_t start = i; i < s->count; i++) {
        if (is(s, i, "(") || is(s, i, "["))
            i = skip_brackets(s, i) - 1;
        depth += is(s, i, "<");
        depth -= is(s, i, ">") && !is(s, i - 1, "-");
        if (depth == 0)
            return i + 1;
        if (is_any(s, i, "; { }"))
            return start + 1; /* it is a comparison */
    }
    return i;
}

size_t triple_end(const struct source *s, size_t i, const char *c)
{
    const size_t last = is(s, i, c) && is(s, i + 1, c) ? skip_blank(s, i + 2) : 0;
    return is(s, last, c) ? last : 0;
}
