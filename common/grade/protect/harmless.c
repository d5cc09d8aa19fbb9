/* SPDX-License-Identifier: MIT */
/*
 * harmless.c - removes what changes nothing from the text of a submission, so that no style costs
 * points: pragmas, code for other compilers, exceptions. What is left is judged by policy.c.
 */
#define _GNU_SOURCE
#include "inside.h"

#include <stdlib.h>
#include <string.h>

static struct source s; /* the tokens of the text */

/* ---- tokens ---- */

bool is_in(const struct source *of, const char *section, size_t i)
{
    return is_listed(section, of->tokens[i].text, of->tokens[i].length);
}

bool is_word(const struct source *of, size_t i)
{
    return i < of->count && of->tokens[i].kind == TOKEN_WORD;
}

static bool in_directive_end(const struct source *of, size_t i)
{
    return i >= of->count || of->tokens[i].kind == TOKEN_BLANK;
}

size_t directive_end(const struct source *of, size_t i)
{
    while (!in_directive_end(of, i))
        i++;
    return i;
}

size_t partner(const struct source *of, size_t i)
{
    int depth = 0;
    for (; !in_directive_end(of, i); i++) {
        depth += is_any(of, i, "( [ {");
        depth -= is_any(of, i, ") ] }");
        if (depth == 0)
            break;
    }
    return i;
}

const char *header_at(const struct source *of, size_t i, size_t *length)
{
    const bool included = of->tokens[i].kind == TOKEN_DIRECTIVE && is(of, i + 1, "include");
    const char *from = included && !in_directive_end(of, i + 2) ? of->tokens[i + 2].text : "";
    const char *to = NULL;
    if (*from == '<' || *from == '"')
        to = strpbrk(from + 1, *from == '<' ? ">\n" : "\"\n");
    *length = to && *to != '\n' ? (size_t)(to - from) - 1 : 0;
    return *length > 0 ? from + 1 : "";
}

/* s gets the tokens, without blanks but for those that end a directive. */
static void cut(char *text)
{
    size_t kept = 0;
    free(s.tokens);
    s = tokens_cut_directives(text);
    for (size_t i = 0; i < s.count; i++)
        if (s.tokens[i].kind != TOKEN_BLANK || s.tokens[i].length == 0)
            s.tokens[kept++] = s.tokens[i];
    s.count = kept;
}

/* Blanks the text of tokens from..to - 1, and of what is between them. */
static void drop(size_t from, size_t to)
{
    const struct token *last = &s.tokens[to - 1];
    for (char *p = (char *)s.tokens[from].text; p < last->text + last->length; p++)
        if (*p != '\n')
            *p = ' ';
}

/* ---- after each of these the text is cut again ---- */

/* `<:` is `[`, but not in `<::x`; and so on. */
static void replace_digraphs(void)
{
    static const char pairs[] = "<:[:>]<%{%>}%:#";
    for (size_t i = 0; i + 1 < s.count; i++) {
        char *p = (char *)s.tokens[i].text;
        if (s.tokens[i].kind != TOKEN_PUNCT || s.tokens[i + 1].text != p + 1 ||
            (strncmp(p, "<::", 3) == 0 && p[3] != ':' && p[3] != '>'))
            continue;
        for (const char *pair = pairs; *pair; pair += 3)
            if (p[0] == pair[0] && p[1] == pair[1]) {
                const bool paste = strncmp(p, "%:%:", 4) == 0;
                memcpy(p, paste ? "##  " : (char[]){pair[2], ' '}, paste ? 4 : 2);
                i += paste ? 3 : 1;
                break;
            }
    }
}

/* Nothing that a pragma says changes what a kernel asks of memory, but for the layout of structs.
 * An operand of _Pragma is blanked with it, wherever it comes from. */
static void drop_pragmas(void)
{
    for (size_t i = 0; i + 1 < s.count; i++) {
        const size_t end = is(&s, i, "_Pragma") && is(&s, i + 1, "(") ? partner(&s, i + 1) : 0;
        if (end > 0 && end < s.count && is(&s, end, ")"))
            drop(i, end + 1);
        else if (s.tokens[i].kind == TOKEN_DIRECTIVE && is(&s, i + 1, "pragma") &&
                 !(is_word(&s, i + 2) && is_in(&s, "pragmas", i + 2)))
            drop(i, directive_end(&s, i));
    }
}

/* `#if 0`, and `#ifdef NAME` or `#if defined(NAME)` of another compiler: what is not compiled. */
static bool is_elsewhere(size_t i)
{
    const size_t end = directive_end(&s, i);
    size_t name = i + 2;
    if (is(&s, i + 1, "if") && end == i + 3)
        return s.tokens[name].length == 1 && *s.tokens[name].text == '0';
    if (is(&s, i + 1, "if") && is(&s, name, "defined"))
        name += 1 + is(&s, name + 1, "(");
    else if (!is(&s, i + 1, "ifdef"))
        return false;
    return is_word(&s, name) && end == name + 1 + is(&s, name + 1, ")") &&
           is_in(&s, "elsewhere", name);
}

static void drop_elsewhere(void)
{
    for (size_t i = 0; i < s.count; i++) {
        if (s.tokens[i].kind != TOKEN_DIRECTIVE || !is_elsewhere(i))
            continue;
        const size_t first = directive_end(&s, i) + 1;
        size_t k = first;
        for (int depth = 0; k < s.count; k++) {
            if (s.tokens[k].kind != TOKEN_DIRECTIVE)
                continue;
            if (depth == 0 && is_any(&s, k + 1, "else elif elifdef elifndef endif"))
                break;
            depth += is_any(&s, k + 1, "if ifdef ifndef");
            depth -= is(&s, k + 1, "endif");
        }
        if (k < s.count && k > first)
            drop(first, k);
        i = k - 1;
    }
}

/* What a pair of braces is around. */
enum inside { OTHER, HOST_CODE, DEVICE_CODE };

static enum inside inside_of(size_t i, enum inside outer)
{
    const size_t last = i - 1;
    bool device = outer == DEVICE_CODE;
    for (size_t k = i; k-- > 0 && !is_any(&s, k, "; { }") && !in_directive_end(&s, k);) {
        if (is_any(&s, k, "class struct union enum namespace") && !is(&s, last, ")"))
            return OTHER;
        device = device || is(&s, k, "__device__") || is(&s, k, "__global__");
    }
    return device                                                  ? DEVICE_CODE
           : is_any(&s, last, ") const noexcept override mutable") ? HOST_CODE
                                                                   : outer;
}

/* The braces around a token, when they are followed from the first token on. */
enum { MOST_DEPTH = 256 };
struct braces {
    enum inside in[MOST_DEPTH];
    size_t depth;
};

static void follow(struct braces *b, size_t i)
{
    if (is(&s, i, "{"))
        b->depth++, b->in[b->depth] = inside_of(i, b->in[b->depth - 1]);
    b->depth -= is(&s, i, "}") && b->depth > 0;
}

/* A file is compiled without exceptions: one that is thrown in host code ends the program, as
 * abort() does, and none is caught. In device code nvcc refuses them, and so does simtcc. */
static void drop_exceptions(void)
{
    struct braces at = {0};
    for (size_t i = 1; i + 2 < s.count && at.depth + 1 < MOST_DEPTH; i++) {
        size_t end = i + 1;
        follow(&at, i);
        if (at.in[at.depth] == DEVICE_CODE)
            continue;
        if (is(&s, i, "try") && is(&s, end, "{"))
            drop(i, end);
        if (is(&s, i, "catch") && is(&s, end, "(") && is(&s, partner(&s, end) + 1, "{") &&
            (end = partner(&s, partner(&s, end) + 1)) < s.count && is(&s, end, "}"))
            drop(i, end + 1);
        if (!is(&s, i, "throw") || is_any(&s, end, "; ( )"))
            continue;
        while (!in_directive_end(&s, end) && !is_any(&s, end, "; ) ] }"))
            end = is_any(&s, end, "( [ {") ? partner(&s, end) + 1 : end + 1;
        const char *from = s.tokens[i].text;
        drop(i, end);
        if (s.tokens[end - 1].text - from > 5)
            memcpy((char *)from, "abort()", 7);
    }
}

/* A main, which is never called: from the type in front of it to its brace. */
static void drop_main(void)
{
    int depth = 0;
    for (size_t i = 1; i + 2 < s.count; i++) {
        depth += is(&s, i, "{") - is(&s, i, "}");
        if (depth != 0 || !is(&s, i, "main") || !is_any(&s, i - 1, "int void") ||
            !is(&s, i + 1, "("))
            continue;
        const size_t open = partner(&s, i + 1) + 1, end = partner(&s, open);
        if (end < s.count && is(&s, open, "{") && is(&s, end, "}"))
            drop(i - 1, end + 1);
    }
}

/* Headers of Thrust that are not there, if nothing but a main has used them. */
static void drop_thrust(void)
{
    size_t n;
    for (size_t i = 0; i < s.count; i++)
        if (s.tokens[i].kind == TOKEN_DIRECTIVE)
            i = directive_end(&s, i);
        else if (is(&s, i, "thrust"))
            return;
    for (size_t i = 0; i < s.count; i++) {
        const char *header = header_at(&s, i, &n);
        if (strncmp(header, "thrust/", 7) == 0 && !is_listed("headers", header, n))
            drop(i, directive_end(&s, i));
    }
}

/* `bool zeroed = false;`, after a static: one number, with a number or nothing to begin with. */
static bool is_flag(size_t i)
{
    size_t words = 0;
    for (; is_any(&s, i, "bool char short int long unsigned signed size_t std :"); i++)
        words++;
    if (words == 0 || !is_word(&s, i) || is(&s, i + 1, ";"))
        return words > 0 && is_word(&s, i);
    const bool brace = is(&s, i + 1, "{");
    i += is(&s, i + 2, "-") ? 3 : 2;
    const bool number = s.tokens[i].kind == TOKEN_NUMBER || is_any(&s, i, "false true");
    return number && (brace ? is(&s, i + 1, "}") : is(&s, i - 1, "=") || is(&s, i - 1, "-")) &&
           is(&s, i + 1 + brace, ";");
}

/* A variable that host code keeps from call to call is made anew in each, but for a number: a flag
 * that says what is done already stays what it is, and solve is called twice. */
static void drop_static(void)
{
    struct braces at = {0};
    for (size_t i = 1; i < s.count && at.depth + 1 < MOST_DEPTH; i++) {
        if (s.tokens[i].kind == TOKEN_DIRECTIVE)
            i = directive_end(&s, i);
        follow(&at, i);
        if (!is(&s, i, "static") || at.in[at.depth] != HOST_CODE)
            continue;
        size_t k = i;
        while (k < s.count && !is_any(&s, k, "; = { ( const constexpr constinit __shared__"))
            k++;
        if (is_flag(i + 1))
            memcpy((char *)s.tokens[i].text, "__kept", 6); /* see given.h */
        else if (is_any(&s, k, "; = { ("))
            drop(i, i + 1);
    }
}

static void (*const removals[])(void) = {replace_digraphs, drop_elsewhere,  drop_pragmas, drop_main,
                                         drop_thrust,      drop_exceptions, drop_static};

struct source harmless_removed(char *text)
{
    cut(text);
    for (size_t k = 0; k < sizeof removals / sizeof *removals; k++) {
        removals[k]();
        cut(text);
    }
    return s;
}
