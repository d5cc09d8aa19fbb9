/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of the translator share. tokens.c splits preprocessed C++ into tokens;
 * joined again, they are the text, byte for byte.
 */
#ifndef SIMT_TOKENS_H
#define SIMT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
    const char *before;      /* text to write before it, or NULL */
    const char *replacement; /* text to write instead of it, or NULL */
};

struct source {
    struct token *tokens;
    size_t count;
};

/* Splits a text. The tokens point into it; the caller frees them. */
struct source tokens_cut(const char *text);

/* The same, but a directive is its `#` as a DIRECTIVE, its tokens, and an empty BLANK. */
struct source tokens_cut_directives(char *text);

/* Appends to a text, which may be NULL. Texts are never freed: the translator ends soon. */
void append_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Is token i the given word or punctuation? Inline, because it runs for every word of the
 * headers. */
static inline bool is(const struct source *s, size_t i, const char *text)
{
    if (i >= s->count)
        return false;
    const struct token *t = &s->tokens[i];
    return *t->text == *text && (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCT) &&
           strlen(text) == t->length && memcmp(t->text, text, t->length) == 0;
}
bool is_any(const struct source *s, size_t i, const char *list); /* words separated by spaces */

/* Line markers of the preprocessor may be anywhere; a #pragma is between statements. */
bool is_pragma(const struct source *s, size_t i);
bool is_blank(const struct source *s, size_t i);
size_t skip_blank(const struct source *s, size_t i);

size_t skip_back(const struct source *s, size_t i); /* to the last token before i, or 0 */

/* From an opening bracket to the token after its partner: round or square ones, or braces. */
size_t skip_brackets(const struct source *s, size_t i);
size_t skip_braces(const struct source *s, size_t i);
size_t skip_part(const struct source *s, size_t i);   /* this token, or all that it opens */
size_t skip_angles(const struct source *s, size_t i); /* where a template allows them */

/* `<<<` or `>>>`: the last of the three, or 0. Some editors write `<< <` and `>> >`. */
size_t triple_end(const struct source *s, size_t i, const char *c);

/* Each of these translates the declaration around token i, which is the word in its name. */
void declare_shared(const struct source *s, size_t i, int depth); /* of braces; 0: no function */
void declare_close(int depth);                                    /* after a `}` */
void declare_device(const struct source *s, size_t i);
void declare_noinline(const struct source *s, size_t i);
void declare_bounds(const struct source *s, size_t i);

/* returns.c, locals.c, loops.c: of the function that ends at token `end`; i is its __global__ or
 * __device__. */
size_t body_start(const struct source *s, size_t i, size_t end);
void mark_returns(const struct source *s, size_t i, size_t end);
struct scope;
void mark_locals(const struct scope *scope, const struct source *s, size_t i, size_t end);
void mark_loops(const struct source *s, size_t i, size_t end);

/* declare.c: the specifiers of the declaration that contains token i. */
size_t specifiers_start(const struct source *s, size_t i);
size_t find_specifier(const struct source *s, size_t i, const char *word);
bool is_variable(const struct source *s, size_t i);
bool is_const(const struct source *s, size_t i);

/* scope.c: where in the program a token is. */
struct scope {
    size_t marker;       /* the last line marker: # 12 "file.cu" */
    bool user;           /* that file is the user's ... */
    bool ours;           /* ... or one of simtcc's headers; else it is a system header */
    size_t device_start; /* the device function that we are in, or were in: its first qualifier, */
    size_t device_end;   /* its end, */
    int device_depth;    /* its depth in braces, */
    bool device_only;    /* whether the host cannot call it */
    int depth;           /* of braces */
    int function_depth;  /* the depth of the function's body, or INT_MAX outside functions */
    size_t function_start; /* the `{` of that body */
    bool unions;           /* the user's code so far has some */
};

void scope_follow(struct scope *scope, const struct source *s, size_t i);
void scope_file(struct scope *scope, const struct source *s, size_t i); /* reads a line marker */
bool file_is(const struct scope *scope, const struct source *s, const char *part); /* of its path */
size_t function_end(const struct source *s, size_t i);

/* starts.c: the `(` of the only function of that name with a body, or 0; a parameter's start. */
size_t definition_of(const struct source *s, size_t name);
size_t parameter(const struct source *s, size_t i, unsigned k);

/* starts.c: of the variable whose name is before token `declarator`: is it read too early? */
void mark_start(const struct scope *scope, const struct source *s, size_t declarator,
                size_t semicolon, size_t end);

/* names.c: what a name may mean. */
enum {
    NAME_HOST = 1,      /* a function that device code cannot call */
    NAME_CONSTEXPR = 2, /* ... unless --expt-relaxed-constexpr is given */
    NAME_DEVICE = 4,    /* a function that the host cannot call */
    NAME_KERNEL = 8,
    NAME_TEMPLATE = 16,         /* ... that is a template */
    NAME_CLASS = 32,            /* with a function's bit: that of its constructors */
    NAME_VARIABLE = 64,         /* of the host */
    NAME_TABLE = 128,           /* a host array of constants */
    NAME_LIBRARY = 256,         /* a header calls or declares a function of that name */
    NAME_MEMBER = 512,          /* a kernel in a class */
    NAME_OTHER = 1024,          /* anything else: unknown */
    NAME_DEVICE_VARIABLE = 2048 /* with NAME_TABLE: an array */
};

void names_read(const struct source *s);
bool same_text(const struct source *s, size_t i, size_t k);
unsigned name_bits(const struct source *s, size_t i);
void name_add(const struct source *s, size_t i, unsigned bits);

/* place.c: how a name is used. */
bool in_device(const struct scope *scope, size_t i);
bool in_host(const struct scope *scope, size_t i);
bool is_member(const struct source *s, size_t i);
bool is_statement_word(const struct source *s, size_t i);
bool is_declarator(const struct source *s, size_t i);
bool is_local(const struct scope *scope, const struct source *s, size_t i);
bool is_call(const struct source *s, size_t i);
bool is_construction(const struct source *s, size_t i);
bool is_asked_for(const struct source *s, size_t i);
size_t function_head(const struct source *s, size_t i);
size_t after_name(const struct source *s, size_t i);

/* brackets.c, calls.c, rules.c: what nvcc rejects. */
void brackets_check(const struct source *s);
void calls_library(const struct scope *scope, const struct source *s, size_t i); /* std::i */
void calls_in_device(const struct scope *scope, const struct source *s, size_t i);
void calls_in_host(const struct scope *scope, const struct source *s, size_t i);
void rules_word(const struct scope *scope, const struct source *s, size_t i);
void rules_shared(const struct scope *scope, const struct source *s, size_t i);
void rules_launch(const struct scope *scope, const struct source *s, size_t from, size_t i,
                  size_t end); /* tokens: the kernel, `<<<`, `>>>` */

/* sides.c: a function, from its first token, with one of its head, to its end; a `[` that may begin
 * a lambda of the host. */
extern bool sides_relaxed; /* --expt-relaxed-constexpr is given */
void sides_function(const struct source *s, size_t from, size_t head, size_t end, bool user);
bool sides_lambda(const struct scope *scope, const struct source *s, size_t i);

/* The text of a token, for "%.*s". */
#define NAME(s, i) (int)(s)->tokens[i].length, (s)->tokens[i].text

/* launch.c: `<<<`, the name of a function of the API, a `void`. */
void translate_launch(const struct scope *scope, const struct source *s, size_t i);
void translate_api_launch(const struct source *s, size_t i);
void translate_kernel_pointer(const struct source *s, size_t i);

/* assembly.c: false if this `asm` is to be refused. */
bool assembly_translate(const struct source *s, size_t i, unsigned long number); /* its line */

/* packs.c: token i is a name after `.` or `->` in device code, or a `[`. */
void packs_member(const struct scope *scope, const struct source *s, size_t i);
void packs_choice(const struct source *s, size_t i);

/* refuse.c: refuses what simtcc does not support, with its name, file and line. */
void refuse(const struct scope *scope, const struct source *s, size_t i, const char *what);
void mistake(const struct scope *scope, const struct source *s, size_t i, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void refuse_words(const struct scope *scope, const struct source *s, size_t i);
unsigned long line_of(const struct scope *scope, const struct source *s, size_t i);
bool refused_any(void);

#endif
