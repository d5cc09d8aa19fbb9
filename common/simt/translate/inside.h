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

size_t skip_back(const struct source *s, size_t i); /* to the last token before i, or 0 */

/* From an opening bracket to the token after its partner: round or square ones, or curly ones. */
size_t skip_brackets(const struct source *s, size_t i);
size_t skip_braces(const struct source *s, size_t i);

/* Each of these translates the declaration around token i, which is the word in its name. */
void declare_shared(const struct source *s, size_t i, bool in_function);
void declare_device(const struct source *s, size_t i);
void declare_noinline(const struct source *s, size_t i);

/* declare.c: the specifiers of the declaration that token i stands in. */
size_t find_specifier(const struct source *s, size_t i, const char *word);
bool is_variable(const struct source *s, size_t i);
bool is_const(const struct source *s, size_t i);

/* scope.c: where in the program a token stands. */
struct scope {
    size_t marker;      /* the last line marker: # 12 "file.cu" */
    bool user;          /* that file is the user's, not a header of the system or of simtcc */
    size_t device_end;  /* end of the device function that we are in */
    bool device_only;   /* ... and the host cannot call it */
    int depth;          /* of braces */
    int function_depth; /* the depth of the function's body, or INT_MAX outside of functions */
};

void scope_follow(struct scope *scope, const struct source *s, size_t i);

/* refuse.c: what simtcc does not take is refused with its name, file and line. */
void refuse(const struct scope *scope, const struct source *s, size_t i, const char *what);
void refuse_words(const struct scope *scope, const struct source *s, size_t i);
bool refused_any(void);

#endif
