/* SPDX-License-Identifier: MIT */
/*
 * tokens.h - cuts preprocessed C++ into tokens, for the translator. Put together again, the tokens
 * are the text, byte for byte.
 */
#ifndef SIMT_TOKENS_H
#define SIMT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* A PUNCT is one character. BLANK is white space or a comment, DIRECTIVE a whole # line. */
enum token_kind {
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_PUNCT,
    TOKEN_BLANK,
    TOKEN_DIRECTIVE
};

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    const char *before;      /* text to write in front of it, or NULL */
    const char *replacement; /* text to write in its place, or NULL */
};

struct source {
    struct token *tokens;
    size_t count;
};

/* Cuts a text. The tokens point into it; the caller frees them. */
struct source tokens_cut(const char *text);

/* Is token i the given word or punctuation? */
bool is(const struct source *s, size_t i, const char *text);

/* Line markers of the preprocessor may stand anywhere; a #pragma stands between statements. */
bool is_pragma(const struct source *s, size_t i);
bool is_blank(const struct source *s, size_t i);
size_t skip_blank(const struct source *s, size_t i);

/* From an opening bracket to the token after its partner. */
size_t skip_brackets(const struct source *s, size_t i);

/* declare.c: each translates the declaration around token i, which is the word in its name. */
void declare_shared(const struct source *s, size_t i, bool in_function);
void declare_device(const struct source *s, size_t i);
void declare_noinline(const struct source *s, size_t i);

#endif
