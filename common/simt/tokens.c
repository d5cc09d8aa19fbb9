/* SPDX-License-Identifier: MIT */
/*
 * tokens.c - cuts C++ into tokens. It must know comments, strings and numbers, so that a `<<<` in
 * one of them is left alone.
 */
#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

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

static bool is_comment(const char *p) { return p[0] == '/' && (p[1] == '/' || p[1] == '*'); }

/* To the end of the line, or of several lines joined by backslashes. Comments may hide the end. */
static const char *skip_directive(const char *p)
{
    while (*p && *p != '\n') {
        if (is_comment(p))
            p = skip_comment(p);
        else if (*p == '"')
            p = skip_quoted(p);
        else
            p += *p == '\\' && p[1] ? 2 : 1;
    }
    return p;
}

/* Numbers may hold ' as a separator: 1'000'000. */
static const char *skip_number(const char *p)
{
    while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1])))
        p++;
    return p;
}

static const char *skip_word(const char *p)
{
    const char *start = p;
    while (is_word(*p))
        p++;
    if (*p == '"' && p[-1] == 'R' && p - start <= 3)
        return skip_raw_string(p);
    return p;
}

static enum token_kind next_token(const char *p, bool line_start, const char **end)
{
    if (isspace((unsigned char)*p) || is_comment(p)) {
        *end = is_comment(p) ? skip_comment(p) : p + 1;
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

struct token *tokens_cut(const char *text, size_t *count)
{
    struct token *tokens = NULL;
    size_t room = 0, n = 0;
    bool line_start = true;
    for (const char *p = text, *end; *p; p = end) {
        if (n == room) {
            room = room ? 2 * room : 4096;
            tokens = realloc(tokens, room * sizeof *tokens);
            if (!tokens) {
                fprintf(stderr, "translate: out of memory\n");
                exit(1);
            }
        }
        const enum token_kind kind = next_token(p, line_start, &end);
        tokens[n++] = (struct token){.kind = kind, .text = p, .length = (size_t)(end - p)};
        line_start = *p == '\n' || (line_start && kind == TOKEN_BLANK);
    }
    *count = n;
    return tokens;
}

bool token_is(const struct token *token, const char *text)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_PUNCT) &&
           strlen(text) == token->length && memcmp(token->text, text, token->length) == 0;
}
