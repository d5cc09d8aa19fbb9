/* SPDX-License-Identifier: MIT */
/*
 * source.c - holds the text of a submission to the table of accepted.txt: directives and words.
 *
 * The text is taken apart as the compiler does it: byte order mark, joined lines, comments,
 * strings, raw strings, the two-letter marks `<:` and `%:`. Where compilers might see another
 * text than we do, the place is refused. So a word that stands here is one for
 * the compiler too, and macros make no new ones, as they may not join words.
 */
#include "source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "listed.h"

enum { LONGEST_WORD = 200, LONGEST_DELIMITER = 16 };

enum kind { END, LINE_END, WORD, NUMBER, STRING, MARK };

struct text {
    const char *at;
    unsigned long line;
    const char *name;
    char *why;
    size_t bytes, used;
    bool refused, code, directive;
    enum kind kind;              /* of the token that was read last, */
    unsigned long began;         /* the line that it began in, */
    char word[LONGEST_WORD + 1]; /* and its letters, where it is a word or a mark */
};

__attribute__((format(printf, 2, 3))) static void refuse(struct text *t, const char *format, ...)
{
    char what[512];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    t->refused = true;
    const size_t room = t->bytes - t->used;
    const int n = snprintf(t->why + t->used, room, "%s%s:%lu: error: %s", t->used ? "\n" : "",
                           t->name, t->began, what);
    if ((size_t)n < room)
        t->used += (size_t)n;
    else
        t->why[t->used] = '\0';
}

/* ---- characters: a line that ends with a backslash goes on ---- */

static char peek(struct text *t)
{
    while (*t->at == '\\') {
        const char *p = t->at + 1 + strspn(t->at + 1, " \t\v\f\r");
        if (*p != '\n')
            break;
        t->at = p + 1;
        t->line++;
    }
    return *t->at;
}

static char take(struct text *t)
{
    const char c = peek(t);
    t->at += c != '\0';
    t->line += c == '\n';
    return c;
}

static bool follows(struct text *t, char c)
{
    if (peek(t) != c)
        return false;
    take(t);
    return true;
}

static bool begins_word(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_in_word(char c)
{
    return begins_word(c) || isdigit((unsigned char)c);
}

/* ---- tokens ---- */

static bool is_one_of(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = words; (p = strstr(p, word)) != NULL; p++)
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return true;
    return false;
}

static void skip_comment(struct text *t)
{
    char before = ' ';
    take(t);
    while (peek(t) != '\0' && !(before == '*' && peek(t) == '/'))
        before = take(t);
    take(t);
}

/* Behind the opening quote. A raw string takes everything as it is, up to `)delimiter"`. */
static void skip_raw_string(struct text *t)
{
    char close[LONGEST_DELIMITER + 3];
    const size_t n = strcspn(t->at, "(\n");
    snprintf(close, sizeof close, ")%.*s\"", n <= LONGEST_DELIMITER ? (int)n : 0, t->at);
    const char *end = strstr(t->at, close);
    bool wrong = n > LONGEST_DELIMITER || !end;
    for (const char *p = t->at; end && p < end; p++) {
        const char *first = p + 1 + strspn(p + 1, " \t\v\f\r");
        wrong |= *p == '\n' && (t->directive || *first == '#' || *first == '%');
        t->line += *p == '\n';
    }
    if (wrong)
        refuse(t, "a raw string that stands in a directive, has a line which begins with # or has "
                  "no end is not accepted: write a plain string");
    t->at = end ? end + strlen(close) : t->at + strlen(t->at);
}

static void skip_string(struct text *t, char quote)
{
    while (peek(t) != '\0' && peek(t) != '\n' && peek(t) != quote)
        if (take(t) == '\\')
            take(t);
    if (peek(t) != quote)
        return;
    take(t);
    if (begins_word(peek(t)))
        refuse(t, "a letter directly behind a string is not accepted: write a blank between");
}

/* 0x1.8p-3f, 1'000: a point, a sign behind an exponent, a quote before a digit */
static void skip_number(struct text *t)
{
    char before = '0';
    for (char c; (c = peek(t)) != '\0'; before = take(t))
        if (!is_in_word(c) && c != '.' && !(c == '\'' && is_in_word(t->at[1])) &&
            !(strchr("+-", c) && strchr("eEpP", before)))
            return;
}

static void read_word(struct text *t, char first)
{
    size_t n = 0;
    for (t->word[n++] = first; is_in_word(peek(t));) {
        const char c = take(t);
        if (n < LONGEST_WORD)
            t->word[n++] = c;
    }
    t->word[n] = '\0';
    t->kind = WORD;
    if (n == LONGEST_WORD)
        refuse(t, "a name of more than %d letters is not accepted", LONGEST_WORD - 1);
    if (peek(t) == '"' && is_one_of("R LR uR UR u8R", t->word)) {
        take(t);
        skip_raw_string(t);
        t->kind = STRING;
    }
}

/* One of the marks, with `[` for `<:` and `#` for `%:`. */
static void read_mark(struct text *t, char c)
{
    if (c == '<' && peek(t) == ':' && !(t->at[1] == ':' && t->at[2] != ':' && t->at[2] != '>'))
        c = take(t) == ':' ? '[' : c;
    else if (c == '%' && follows(t, ':'))
        c = '#';
    else if (c == ':' && follows(t, '>'))
        c = ']';
    else if (c == '\\' || iscntrl((unsigned char)c))
        refuse(t, "this character is not accepted outside of a string: code %d", c);
    t->word[0] = c;
    t->word[1] = '\0';
    t->kind = MARK;
}

static enum kind next(struct text *t)
{
    for (;;) {
        peek(t);
        t->began = t->line;
        const char c = take(t);
        if (c == '\0' || c == '\n')
            return t->kind = c ? LINE_END : END;
        if (strchr(" \t\v\f", c) || (c == '\r' && peek(t) == '\n'))
            continue;
        if (c == '/' && peek(t) == '*') {
            skip_comment(t);
        } else if (c == '/' && peek(t) == '/') {
            while (peek(t) != '\0' && peek(t) != '\n')
                take(t);
        } else if (begins_word(c)) {
            read_word(t, c);
            return t->kind;
        } else if (isdigit((unsigned char)c)) {
            skip_number(t);
            return t->kind = NUMBER;
        } else if (c == '"' || c == '\'') {
            skip_string(t, c);
            return t->kind = STRING;
        } else {
            read_mark(t, c);
            return t->kind;
        }
    }
}

/* ---- words ---- */

static bool is_mark(const struct text *t, char c)
{
    return t->kind == MARK && t->word[0] == c;
}

static bool is_reserved(const char *word)
{
    return strstr(word, "__") || (word[0] == '_' && isupper((unsigned char)word[1]));
}

static void check_word(struct text *t)
{
    const char *w = t->word;
    char text[256];
    if (strstr(w, "simt") || strstr(w, "SIMT") || strchr(w, '$') || is_listed("refused", w) ||
        (is_reserved(w) && !is_listed("names", w))) {
        what_instead(w, text, sizeof text);
        refuse(t, "'%s' is not accepted in a graded file: %s", w, text);
    }
}

/* Behind `[[`. */
static void check_attribute(struct text *t)
{
    while (next(t) != END && !is_mark(t, ']'))
        if (t->kind == WORD && !is_listed("attributes", t->word))
            refuse(t, "the attribute '%s' is not accepted; write CUDA's", t->word);
}

/* ---- directives ---- */

/* The words up to the end of the line. Brackets that do not close would reach out of a macro. */
static void check_rest(struct text *t, bool macro)
{
    int depth = 0;
    bool hash = false, open = false;
    while (next(t) != LINE_END && t->kind != END) {
        if (t->kind == WORD)
            check_word(t);
        if (macro && hash && is_mark(t, '#'))
            refuse(t, "## is not accepted: write the name in full");
        hash = is_mark(t, '#');
        depth += t->kind == MARK && strchr("([{", t->word[0]);
        depth -= t->kind == MARK && strchr(")]}", t->word[0]);
        open |= depth < 0;
    }
    if (macro && (open || depth != 0))
        refuse(t, "a macro whose brackets do not close is not accepted");
}

static void check_include(struct text *t)
{
    char name[LONGEST_WORD] = "";
    size_t n = 0;
    while (strchr(" \t", peek(t)) && *t->at)
        take(t);
    const char open = peek(t), close = open == '<' ? '>' : open;
    if (open == '<' || open == '"')
        for (take(t); n + 1 < sizeof name && !strchr("\n", peek(t)) && *t->at != close;)
            name[n++] = take(t);
    name[n] = '\0';
    if (*t->at == close && n > 0)
        take(t);
    if (!is_listed("headers", name))
        refuse(t,
               "#include of '%s' is not accepted; accepted are CUDA's headers, and of C and C++ "
               "those that common/grade/protect/accepted.txt has",
               name);
    else if (t->code)
        refuse(t, "#include <%s> stands behind code: write it at the top of the file", name);
    else if (next(t) != LINE_END && t->kind != END)
        refuse(t, "something stands behind #include <%s>", name);
}

/* A constant in capitals may stand before an #include; anything else might change the header. */
static void check_macro(struct text *t, bool define)
{
    if (next(t) != WORD)
        return;
    if (is_listed("kept", t->word) || is_listed("calls", t->word) || is_reserved(t->word))
        refuse(t, "#define '%s': this name has a meaning already; take another one", t->word);
    for (const char *p = t->word; *p; p++)
        t->code |= define && islower((unsigned char)*p);
    check_word(t);
    check_rest(t, define);
}

static void check_directive(struct text *t)
{
    t->directive = true;
    next(t);
    if (t->kind == WORD && is_one_of("include", t->word)) {
        check_include(t);
    } else if (t->kind == WORD && is_one_of("define undef", t->word)) {
        check_macro(t, t->word[0] == 'd');
    } else if (t->kind == WORD &&
               is_one_of("if ifdef ifndef elif else endif error warning", t->word)) {
        check_rest(t, false);
    } else if (t->kind == WORD && is_one_of("pragma", t->word)) {
        if (next(t) != WORD || !is_listed("pragmas", t->word))
            refuse(t, "this #pragma is not accepted; accepted are #pragma unroll and once");
        else
            check_rest(t, false);
    } else if (t->kind != LINE_END && t->kind != END) {
        refuse(t, "this directive is not accepted; accepted are #include, #define, #undef, #if and "
                  "its family, and #pragma unroll");
    }
    while (t->kind != LINE_END && t->kind != END)
        next(t);
    t->directive = false;
}

/* ---- the whole text ---- */

bool source_accept(const char *text, const char *name, char *why, size_t bytes)
{
    const bool has_mark = strncmp(text, "\xef\xbb\xbf", 3) == 0; /* of the byte order */
    struct text t = {.at = has_mark ? text + 3 : text,
                     .line = 1,
                     .began = 1,
                     .name = name,
                     .why = why,
                     .bytes = bytes};
    bool line_begins = true, bracket = false;
    for (const char *p = strchr(text, '\r'); p && !t.refused; p = strchr(p + 1, '\r'))
        if (p[1] != '\n')
            refuse(&t, "a carriage return that ends no line is not accepted");
    while (next(&t) != END) {
        if (line_begins && is_mark(&t, '#')) {
            check_directive(&t);
        } else if (t.kind == WORD) {
            check_word(&t);
        } else if (bracket && is_mark(&t, '[')) {
            check_attribute(&t);
        }
        line_begins = t.kind == LINE_END;
        bracket = is_mark(&t, '[') || (bracket && line_begins);
        t.code |= !line_begins;
    }
    return !t.refused;
}
