/* SPDX-License-Identifier: MIT */
/*
 * policy.c - judges a submission by accepted.txt.
 *
 *   policy accepted.txt my.cu              its text, before it is compiled
 *   policy accepted.txt my.cu object.o     the compiled file: symbols.c
 *
 * The text is cut into tokens as the compiler cuts it. What cannot matter is removed first, by
 * harmless.c. Reserved names that accepted.txt lacks are the file's own: they get another name, so
 * that the compiler does not take one for its own. Then the rest is judged, and written back as
 * my.cu, line for line: only what has been judged is compiled. Where compilers might see another
 * text than we do, the place is refused. Prints a line for each place, `my.cu:12: error: ...`, and
 * exits with 1 if there is one.
 */
#define _GNU_SOURCE
#include "inside.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_name;
static char *text;            /* the file, with joined lines */
static size_t *joint, joints; /* where lines were joined, in `text` */
static struct source s;       /* its tokens, see inside.h */
static bool refused, after_code;
static struct token *own; /* names that it defines as macros */
static size_t owns;

static size_t line_at(const char *place)
{
    size_t line = 1;
    for (const char *p = text; p < place; p++)
        line += *p == '\n';
    for (size_t k = 0; k < joints && text + joint[k] <= place; k++)
        line++;
    return line;
}

static void refuse_at(const char *place, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("%s:%zu: error: ", file_name, line_at(place));
    vprintf(format, values);
    putchar('\n');
    va_end(values);
    refused = true;
}

static bool has(const struct token *t, const char *part)
{
    return t->length > 0 && memmem(t->text, t->length, part, strlen(part));
}

/* ---- the text ---- */

/* A line that ends with a backslash continues; a byte order mark goes. */
static void join_lines(void)
{
    char *to = text;
    for (char *p = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); *p;) {
        const char *end = p + 1 + (*p == '\\' ? strspn(p + 1, " \t\v\f\r") : 0);
        if (*p == '\\' && *end == '\n') {
            joint[joints++] = (size_t)(to - text);
            p = (char *)end + 1;
        } else {
            *to++ = *p++;
        }
    }
    *to = '\0';
}

/* Writes the text back. A joined line is followed by as many empty ones as it had joints. */
static void write_text(void)
{
    size_t k = 0, open = 0;
    FILE *to = fopen("judged", "w");
    for (const char *p = text; to && *p; p++) {
        for (; k < joints && text + joint[k] <= p; k++)
            open++;
        for (fputc(*p, to); *p == '\n' && open > 0; open--)
            fputc('\n', to);
    }
    if (!to || fclose(to) != 0 || rename("judged", file_name) != 0) {
        perror("policy: cannot write");
        exit(2);
    }
}

/* ---- words ---- */

static bool is_reserved(const struct token *t)
{
    return has(t, "__") || (*t->text == '_' && t->length > 1 && isupper((unsigned char)t->text[1]));
}

static bool is_same(const struct token *a, const struct token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static bool is_own(const struct token *t)
{
    for (size_t i = 0; i < owns; i++)
        if (is_same(&own[i], t))
            return true;
    return false;
}

/* __GNUC__: a macro of the compiler, unless the file defines it. */
static bool is_predefined(const struct token *t)
{
    size_t n = 0;
    while (n < t->length && (isupper((unsigned char)t->text[n]) || t->text[n] == '_' ||
                             isdigit((unsigned char)t->text[n])))
        n++;
    return n == t->length && n > 4 && memcmp(t->text, "__", 2) == 0 &&
           memcmp(t->text + n - 2, "__", 2) == 0 && !is_own(t);
}

static void refuse_word(size_t i)
{
    const struct token *t = &s.tokens[i];
    refuse_at(t->text, "'%.*s' is not accepted in a graded file: %s", NAME(&s, i),
              what_instead(t->text, t->length));
}

/* No name has the emulator's in it: SIMT_ROWS becomes UIMT_ROWS. */
static void rename_simt(const struct token *t)
{
    for (char *p = (char *)t->text; p + 4 <= t->text + t->length; p++)
        if (memcmp(p, "simt", 4) == 0 || memcmp(p, "SIMT", 4) == 0)
            *p += 'u' - 's';
}

/* Judges a word; a reserved name of the file's own gets another one. */
static void check_word(size_t i)
{
    const struct token *t = &s.tokens[i];
    if (has(t, "$") || has(t, "\\") || (is_in(&s, "refused", i) && !is_in(&s, "names", i)))
        refuse_word(i);
    if (is(&s, i, "delete") && !is_any(&s, i - 1, "= operator"))
        refuse_at(t->text, "it calls 'delete': %s", what_instead("_Zd", 3));
    if (is_reserved(t) && !is_in(&s, "names", i) && !is_predefined(t))
        *(char *)t->text = 'u';
    rename_simt(t);
}

/* In a condition a name can select text, and nothing else; that text is judged. */
static void check_condition(size_t i, size_t end)
{
    for (; i < end; i++) {
        const struct token *t = &s.tokens[i], *name = &s.tokens[i + 2];
        if (t->kind != TOKEN_WORD)
            continue;
        const char *close = is(&s, i + 1, "(") ? strchr(name->text, '>') : NULL;
        if (has(t, "__has_include") && close && is(&s, i + 2, "<") &&
            is_listed("headers", name->text + 1, (size_t)(close - name->text) - 1))
            continue;
        if (has(t, "\\") || has(t, "__has_") || is(&s, i, "_Pragma"))
            refuse_word(i);
        if (is_own(t) && is_reserved(t))
            *(char *)t->text = 'u';
        rename_simt(t);
    }
}

/* L"x", R"(x)", u8R"(x)" */
static bool has_prefix(const struct token *t)
{
    return t->kind == TOKEN_STRING && *t->text != '"' && *t->text != '\'';
}

static void refuse_raw(const struct token *t)
{
    refuse_at(t->text, "a raw string that is in a directive, has a joined line, one that begins "
                       "with # or no end is not accepted: write a plain string");
}

/* Letters directly after a string are part of it, and may begin a raw one. */
static void check_string(size_t i)
{
    const struct token *t = &s.tokens[i], *next = t + 1;
    const char *const end = t->text + t->length, *quote = memchr(t->text, '"', t->length);
    const bool near = i + 1 < s.count && next->text == end;
    if (near && (has_prefix(next) ||
                 (is_any(&s, i + 1, "u8 L u U") && strchr("\"'", next->text[next->length]))))
        refuse_at(t->text,
                  "these letters directly after a string are not accepted: write a space between");
    if (!has_prefix(t) || !quote)
        return;
    bool wrong = end[-1] != '"' || !memchr(quote, '(', t->length - (size_t)(quote - t->text)) ||
                 strchr(quote, '(') - quote > 17;
    for (const char *p = quote; p < end; p++)
        wrong = wrong || (*p == '\n' && strchr("#%", p[1 + strspn(p + 1, " \t\v\f\r")]));
    for (size_t k = 0; k < joints; k++)
        wrong = wrong || (text + joint[k] > t->text && text + joint[k] < end);
    if (wrong)
        refuse_raw(t);
}

/* `__attribute__((aligned(16)))`: to its last token if all are accepted, else 0. */
static size_t attribute_end(size_t i)
{
    if (!is(&s, i, "__attribute__") || !is(&s, i + 1, "(") || !is(&s, i + 2, "("))
        return 0;
    const size_t end = partner(&s, i + 1);
    if (!is(&s, end, ")"))
        return 0;
    for (size_t k = i + 3; k + 1 < end; k++) {
        if (is(&s, k, "("))
            k = partner(&s, k) + 1;
        if (k + 1 < end && !is(&s, k, ",") && !is_in(&s, "attributes", k))
            return 0;
    }
    return end;
}

/* After `[[`. */
static size_t check_attribute(size_t i)
{
    for (; i < s.count && !is(&s, i, "]"); i++)
        if (is_word(&s, i) && !is_in(&s, "attributes", i) &&
            !(is(&s, i, "gnu") && is(&s, i + 1, ":")))
            refuse_at(s.tokens[i].text, "the attribute '%.*s' is not accepted; write CUDA's",
                      NAME(&s, i));
    return i;
}

/* Judges a token of code or of a macro; returns the last one that belongs to it. */
static size_t check_token(size_t i)
{
    const struct token *t = &s.tokens[i];
    const size_t end = attribute_end(i);
    if (end > 0)
        return end;
    if (t->kind == TOKEN_WORD)
        check_word(i);
    else if (t->kind == TOKEN_STRING)
        check_string(i);
    else if ((t->kind == TOKEN_NUMBER && (has(t, "\\") || has(t, "$"))) ||
             (t->kind == TOKEN_PUNCT && iscntrl((unsigned char)*t->text)))
        refuse_at(t->text,
                  "this character is not accepted outside a string: a backslash or one that "
                  "controls a terminal");
    else if (is(&s, i, "[") && is(&s, i + 1, "["))
        return check_attribute(i + 2);
    return i;
}

/* ---- words that macros make with ## ---- */

/* The tokens that can get between two words: of macros, and of their arguments. */
static bool is_piece(size_t i, bool in_macro, int depth)
{
    return (in_macro || depth > 0) && (is_word(&s, i) || s.tokens[i].kind == TOKEN_NUMBER) &&
           !is_in(&s, "names", i);
}

static struct token *piece;
static size_t pieces;

static void find_pieces(void)
{
    bool in_macro = false;
    int depth = 0;
    piece = calloc(s.count + 1, sizeof *piece);
    for (size_t i = 0; piece && i < s.count; i++) {
        if (s.tokens[i].kind == TOKEN_DIRECTIVE)
            in_macro = is(&s, i + 1, "define");
        in_macro = in_macro && s.tokens[i].kind != TOKEN_BLANK;
        if (depth > 0)
            depth += is(&s, i, "(") - is(&s, i, ")");
        else if (is_word(&s, i) && is(&s, i + 1, "(") && is_own(&s.tokens[i]))
            depth = 1, i++;
        if (is_piece(i, in_macro, depth))
            piece[pieces++] = s.tokens[i];
    }
}

/* Whether two or more pieces can make this word; with `inside`, one that contains it; with
 * `prefix`, one that begins with it. */
static bool can_make(const char *word, size_t n, bool inside, bool prefix)
{
    bool reached[64] = {true};
    for (size_t at = 0; at < n; at++)
        for (size_t k = 0; k < pieces && n < sizeof reached; k++) {
            const char *p = piece[k].text;
            const size_t m = piece[k].length, rest = n - at;
            for (size_t part = 1; inside && at == 0 && part < n && part <= m; part++)
                reached[part] = reached[part] || memcmp(p + m - part, word, part) == 0;
            if (!reached[at])
                continue;
            if (m < rest && memcmp(p, word + at, m) == 0)
                reached[at + m] = true;
            if (at > 0 && (m == rest || (m > rest && (inside || prefix))) &&
                memcmp(p, word + at, rest) == 0)
                return true;
        }
    return false;
}

static void check_pastes(void)
{
    const char *word, *place = NULL;
    size_t n, i = 0;
    bool prefix;
    for (size_t k = 0; k + 1 < s.count && !place; k++)
        if (is(&s, k, "#") && is(&s, k + 1, "#") && s.tokens[k + 1].text == s.tokens[k].text + 1)
            place = s.tokens[k].text;
    if (!place)
        return;
    find_pieces();
    while ((word = listed_word("refused", i++, &n, &prefix)) != NULL)
        if (can_make(word, n, false, prefix))
            refuse_at(place, "## may make '%.*s' of words of this file: rename them", (int)n, word);
    for (const char *const *part = (const char *const[]){"simt", "SIMT", NULL}; *part; part++)
        if (can_make(*part, strlen(*part), true, false))
            refuse_at(place, "## may make a name with '%s' of words of this file: rename them",
                      *part);
    for (size_t k = 0; k < pieces; k++)
        if (piece[k].length == 1 && *piece[k].text == '_')
            refuse_at(place, "## may make a reserved name of '_': rename it");
}

/* ---- directives ---- */

static void check_include(size_t i, size_t end)
{
    size_t length;
    const char *const header = header_at(&s, i - 2, &length);
    const int n = (int)length;
    if (n == 0)
        refuse_at(s.tokens[i - 1].text,
                  "#include of '%.*s' is not accepted: write the header's name in < and >",
                  i < end ? (int)s.tokens[i].length : 0, i < end ? s.tokens[i].text : "");
    else if (!is_listed("headers", header, length) || memmem(header, length, "..", 2))
        refuse_at(header,
                  "#include of '%.*s' is not accepted; accepted are the headers of CUDA, C and C++ "
                  "that common/grade/protect/accepted.txt lists",
                  n, header);
    else if (after_code)
        refuse_at(header, "#include <%.*s> comes after code: move it to the top of the file", n,
                  header);
    else if (s.tokens[end - 1].text > header + n)
        refuse_at(header, "there is text after #include <%.*s>", n, header);
}

/* Unbalanced brackets would reach out of a macro. */
static void check_body(size_t i, size_t end)
{
    char open[256];
    size_t depth = 0;
    bool wrong = false;
    for (size_t k = i; k < end && !wrong; k++) {
        const char c = s.tokens[k].kind == TOKEN_PUNCT ? *s.tokens[k].text : ' ';
        if (strchr("([{", c))
            open[depth++] = c;
        else if (strchr(")]}", c))
            wrong = depth == 0 || open[--depth] != (c == ')' ? '(' : (char)(c - 2));
        wrong = wrong || depth == sizeof open;
    }
    if (wrong || depth > 0)
        refuse_at(s.tokens[i].text, "a macro with unbalanced brackets is not accepted");
    for (size_t k = i; k < end; k++)
        k = check_token(k);
}

/* A constant in capitals may come before an #include, and so may the file's own include guard;
 * anything else might change the header. */
static void check_macro(size_t i, size_t end, bool define, bool guard)
{
    const struct token *t = &s.tokens[i];
    if (!is_word(&s, i))
        return;
    if (is_in(&s, "kept", i) || is_in(&s, "calls", i) || is_in(&s, "names", i))
        refuse_at(t->text, "#define '%.*s': this name already has a meaning: choose another one",
                  NAME(&s, i));
    for (size_t k = 0; k < t->length && define && !guard; k++)
        after_code = after_code || islower((unsigned char)t->text[k]);
    check_word(i);
    check_body(i + 1, end);
}

/* The #define of an include guard, or s.count: the first directive of a file is #ifndef X, and the
 * next one #define X, without a value. */
static size_t find_guard(void)
{
    size_t first = 0;
    while (first < s.count && s.tokens[first].kind != TOKEN_DIRECTIVE)
        first++;
    const size_t i = first + 4;
    const bool is_guard = is(&s, first + 1, "ifndef") && directive_end(&s, first) == first + 3 &&
                          is(&s, i + 1, "define") && directive_end(&s, i) == i + 3 &&
                          s.tokens[i].kind == TOKEN_DIRECTIVE &&
                          is_same(&s.tokens[i + 2], &s.tokens[first + 2]);
    return is_guard ? i : s.count;
}

/* Judges the directive at token i; returns its end. */
static size_t check_directive(size_t i, bool guard)
{
    const size_t end = directive_end(&s, i);
    if (is(&s, i + 1, "include"))
        check_include(i + 2, end);
    else if (is_any(&s, i + 1, "define undef"))
        check_macro(i + 2, end, is(&s, i + 1, "define"), guard);
    else if (is_any(&s, i + 1, "if ifdef ifndef elif elifdef elifndef"))
        check_condition(i + 2, end);
    else if (end > i + 1 && !is_any(&s, i + 1, "else endif error warning pragma"))
        refuse_at(s.tokens[i].text,
                  "this directive is not accepted; accepted are #include, #define, #undef, #if and "
                  "its family, and #pragma unroll");
    for (size_t k = i; k < end; k++)
        if (has_prefix(&s.tokens[k]))
            refuse_raw(&s.tokens[k]);
    return end;
}

/* `using namespace std;` and `namespace cg = cooperative_groups;` may be between #include lines. */
static size_t space_end(size_t i)
{
    const size_t end = i + (is(&s, i, "using") ? 3 : 4);
    const bool named = is(&s, i, "using") ? is(&s, i + 1, "namespace")
                                          : is(&s, i, "namespace") && is(&s, i + 2, "=");
    return named && is(&s, end, ";") ? end : 0;
}

/* ---- the whole text ---- */

static void find_own(void)
{
    own = calloc(s.count + 1, sizeof *own);
    for (size_t i = 0; own && i + 2 < s.count; i++)
        if (s.tokens[i].kind == TOKEN_DIRECTIVE && is(&s, i + 1, "define")) {
            own[owns] = s.tokens[i + 2];
            own[owns].text = strndup(own[owns].text, own[owns].length); /* stays as it is */
            owns += own[owns].text != NULL;
        }
}

static void check_text(void)
{
    const size_t guard = find_guard();
    for (size_t i = 0; i < s.count; i++) {
        if (s.tokens[i].kind == TOKEN_DIRECTIVE) {
            i = check_directive(i, guard == i);
        } else if (s.tokens[i].kind != TOKEN_BLANK) {
            const size_t end = space_end(i);
            after_code = after_code || end == 0;
            while ((i = check_token(i)) < end)
                i++;
        }
    }
}

/* An old editor's files: a carriage return alone ends each line, Ctrl-Z the file. */
static void end_lines(void)
{
    char *end = text + strlen(text);
    while (end > text && strchr("\x1a\r\n", end[-1]))
        end--;
    for (; *end; end++)
        *end = *end == '\x1a' ? ' ' : *end;
    const bool alone = strchr(text, '\r') && !strchr(text, '\n');
    for (char *p = text; (p = strchr(p, '\r')) != NULL && !refused; p++)
        if (alone)
            *p = '\n';
        else if (p[1] && p[1] != '\n')
            refuse_at(p, "a carriage return that does not end a line is not accepted: save the "
                         "file with one kind of line ends");
}

static bool text_accepted(void)
{
    text = file_text(file_name);
    joint = calloc(strlen(text) + 1, sizeof *joint);
    if (!joint)
        exit(2);
    end_lines();
    if (refused)
        return false;
    join_lines();
    s = harmless_removed(text);
    find_own();
    check_pastes();
    check_text();
    if (!refused)
        write_text();
    return !refused;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: policy accepted.txt FILE.cu [OBJECT]\n");
        return 2;
    }
    accepted_read(argv[1]);
    file_name = argv[2];
    return argc > 3 ? !symbols_accepted(file_name, argv[3]) : !text_accepted();
}
