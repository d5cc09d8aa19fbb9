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
enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT, TOKEN_BLANK, TOKEN_DIRECTIVE };

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    const char *before;      /* text to write in front of it, or NULL */
    const char *replacement; /* text to write in its place, or NULL */
};

/* Returns an array of *count tokens that point into the text; the caller frees it. */
struct token *tokens_cut(const char *text, size_t *count);

/* Is this token the given word or punctuation? */
bool token_is(const struct token *token, const char *text);

#endif
