/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"

enum { MOST_CHANGES = 200, MOST_QUOTED = 80 };
enum { LINES_BEFORE = 3 }; /* the loop around the first access */

/* A line of the file with another text in one place, or another size of the run. */
typedef struct {
    change_t kind;
    unsigned line, first;       /* element of an input of positive numbers */
    const char *sizes, *option; /* "With n = 233: ", "N=233" or "" */
    size_t at, bytes;           /* what is replaced */
    const char *by, *phrase;
} edit_t;

typedef struct {
    edit_t edits[MOST_CHANGES];
    int count;
    const run_t *run;
    rng_t *rng;
    unsigned first, last;              /* lines of the file that the trace has */
    const char *usual, *drawn, *shape; /* "With rows = 32: ", "N=29x17" */
} plan_t;

static edit_t *add(plan_t *p, change_t kind, unsigned line)
{
    if (p->count == MOST_CHANGES)
        return NULL;
    edit_t *e = &p->edits[p->count++];
    *e = (edit_t){.kind = kind, .line = line, .sizes = p->usual, .option = "", .phrase = ""};
    return e;
}

static bool waits_at(const run_t *run, unsigned line)
{
    for (size_t i = 0; i < run->trace.step_count; i++)
        if (run->trace.steps[i].kind == TRACE_ARRIVE && run->trace.steps[i].line == line)
            return true;
    return false;
}

/* What is replaced in a line. */
static const struct {
    change_t kind;
    const char *from, *by, *phrase;
} texts[] = {{CHANGE_BARRIER, "__syncthreads()", "(void)0", "Remove the barrier in line %u. "},
             {CHANGE_IDENTITY, "Op::identity()", "0",
              "In line %u, write 0 in place of Op::identity(), and take OP=min "
              "and the input %u, %u, ... "}};

static bool is_fit(const plan_t *p, change_t kind, const char *code, unsigned line)
{
    char digit[2];
    if (kind == CHANGE_BARRIER)
        return waits_at(p->run, line);
    if (kind == CHANGE_IDENTITY && sscanf(p->run->ran.what, "f32 %*s n %1[0-9]", digit) != 1)
        return false;
    return line >= p->first && line <= p->last && !strstr(code, "template");
}

static void add_text(plan_t *p, const char *code, unsigned line)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *at = strstr(code, texts[i].from);
        edit_t *e = at && is_fit(p, texts[i].kind, code, line) ? add(p, texts[i].kind, line) : NULL;
        if (!e)
            continue;
        e->at = (size_t)(at - code);
        e->bytes = strlen(texts[i].from);
        e->by = texts[i].by;
        e->first = 2 + (unsigned)rng_below(p->rng, 97);
        e->phrase = text(texts[i].phrase, line, e->first, e->first + 1);
        if (e->kind == CHANGE_IDENTITY)
            e->sizes = rng_below(p->rng, 2) ? p->usual : p->drawn;
    }
}

/* The + 1 of s_tile[32][32 + 1]: without it, and another number in its place. */
static void add_padding(plan_t *p, const char *code, unsigned line)
{
    const char *plus = strstr(code, "__shared__") ? strchr(code, '+') : NULL;
    int end = 0;
    if (!plus || strchr(plus + 1, '+') || sscanf(plus, "+ 1 %n", &end) != 0 || end == 0 ||
        plus[end] != ']')
        return;
    while (end > 0 && plus[end - 1] == ' ')
        end--;
    for (int other = 0; other < 2; other++) {
        edit_t *e = add(p, CHANGE_PADDING, line);
        if (!e)
            return;
        const unsigned by = 2u << rng_below(p->rng, 3);
        e->at = (size_t)(plus - code);
        e->bytes = (size_t)end;
        e->by = other ? text("+ %u", by) : "";
        e->phrase = other ? text("In line %u, write + %u in place of + 1. ", line, by)
                          : text("Remove the + 1 in line %u. ", line);
        e->option = p->shape;
        e->sizes = p->drawn;
    }
}

/* ---- comparisons ---- */

/* Bytes of the token; a string or a character is one. */
static size_t token_bytes(const char *c)
{
    static const char *const longs[] = {
        "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::",
        "->",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    size_t n = 0;
    while (isalnum((unsigned char)c[n]) || c[n] == '_' || (n > 0 && c[n] == '.'))
        n++;
    for (size_t i = 0; n == 0 && i < sizeof longs / sizeof *longs; i++)
        n = strncmp(c, longs[i], strlen(longs[i])) == 0 ? strlen(longs[i]) : 0;
    if (*c == '"' || *c == '\'')
        for (n = 1; c[n] && c[n - 1 + (c[n] == '\\')] && c[n] != *c; n++)
            n += c[n] == '\\' && c[n + 1];
    return n + (n == 0 || ((*c == '"' || *c == '\'') && c[n] == *c));
}

typedef struct {
    const char *at;
    size_t bytes;
} token_t;

enum { MOST_TOKENS = 400 };

/* Is it one of these? They have a blank between them. */
static bool token_is(const token_t *k, const char *words)
{
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (n == k->bytes && strncmp(k->at, words, n) == 0)
            return true;
    }
    return false;
}

static int tokens_of(const char *code, token_t tokens[MOST_TOKENS])
{
    int count = 0;
    for (size_t n; *code && count < MOST_TOKENS; code += n) {
        n = isspace((unsigned char)*code) ? 1 : token_bytes(code);
        if (!isspace((unsigned char)*code))
            tokens[count++] = (token_t){code, n};
    }
    return count;
}

/* The end of an operand of token i: the last one in this direction. -1: it is not a plain one. */
static int operand_end(const token_t *k, int count, int i, int step)
{
    static const char ends[] = "&& || == != = += -= *= /= %= ; , ? : { } return";
    const char *const open = step > 0 ? "( [" : ") ]", *const shut = step > 0 ? ") ]" : "( [";
    int depth = 0, at = i + step;
    for (; at >= 0 && at < count; at += step) {
        if (depth == 0 && (token_is(&k[at], ends) || token_is(&k[at], shut)))
            break;
        if (depth == 0 && token_is(&k[at], "< > <= >= & | ^ << >> <<= >>= &= |= ^= !"))
            return -1;
        depth += token_is(&k[at], open) ? 1 : token_is(&k[at], shut) ? -1 : 0;
    }
    return depth == 0 && at != i + step ? at - step : -1;
}

/* a<b, of a template, or of a type: after a name, and up to a > only what names a type. */
static bool is_template(const token_t *k, int count, int i)
{
    const int step = *k[i].at == '<' ? 1 : -1;
    for (int at = i + step; at >= 0 && at < count; at += step) {
        if (token_is(&k[at], step > 0 ? ">" : "<") || token_is(&k[at], step > 0 ? ">>" : "<<"))
            return true;
        if (!isalnum((unsigned char)*k[at].at) && !token_is(&k[at], ":: , * & < > _ + -") &&
            *k[at].at != '_')
            return false;
    }
    return false;
}

/* "row < rows" becomes "row <= rows" or "row + 1 < rows": it bites where a block is not full. */
static void add_edge(plan_t *p, const char *code, unsigned line, const token_t *first,
                     const token_t *op, const token_t *last)
{
    const int before = (int)(op->at - first->at), after = (int)(last->at + last->bytes - op->at);
    const int rest = after - (int)op->bytes;
    const char *const quoted = text("%.*s", before + after, first->at);
    const char *const again = strstr(code, quoted);
    const bool is_equal = op->bytes == 2;
    for (const char *c = quoted; *c; c++)
        if (!isprint((unsigned char)*c))
            return;
    if (before + after > MOST_QUOTED || again != first->at || strstr(again + 1, quoted))
        return;
    for (int shrinks = 0; shrinks < (*op->at == '<' && !is_equal ? 2 : 1); shrinks++) {
        int left = before;
        while (isspace((unsigned char)quoted[left - 1]))
            left--;
        edit_t *e = add(p, CHANGE_EDGE, line);
        if (!e)
            return;
        e->at = (size_t)(first->at - code);
        e->bytes = (size_t)(before + after);
        e->by = shrinks ? text("%.*s + 1%s", left, quoted, quoted + left)
                        : text("%.*s%c%s%.*s", before, quoted, *op->at, is_equal ? "" : "=", rest,
                               op->at + op->bytes);
        e->phrase = text("In line %u, write %s in place of %s. ", line, e->by, quoted);
        e->option = p->shape;
        e->sizes = p->drawn;
    }
}

static void add_edges(plan_t *p, const char *code, unsigned line)
{
    static token_t k[MOST_TOKENS];
    const int count = tokens_of(code, k);
    if (!is_fit(p, CHANGE_EDGE, code, line) || strcmp(p->usual, p->drawn) == 0 || *code == '#')
        return;
    for (int i = 0; i < count; i++) {
        if (!token_is(&k[i], "< > <= >=") || (k[i].bytes == 1 && is_template(k, count, i)))
            continue;
        const int first = operand_end(k, count, i, -1), last = operand_end(k, count, i, 1);
        if (first >= 0 && last >= 0)
            add_edge(p, code, line, &k[first], &k[i], &k[last]);
    }
}

static void add_block(plan_t *p, const char *code, unsigned line)
{
    int threads = 0, begin = 0, end = 0;
    sscanf(code, "#define BLOCK_SIZE %n%d%n", &begin, &threads, &end);
    edit_t *e = threads >= 64 ? add(p, CHANGE_BLOCK, line) : NULL;
    if (!e)
        return;
    e->at = (size_t)begin;
    e->bytes = (size_t)(end - begin);
    const int other = threads == 128 ? 64 : 128;
    e->by = text("%d", other);
    e->phrase = text("Take BLOCK_SIZE %d. ", other);
}

static const char *and_size(const char *sizes, const char *name, unsigned long size)
{
    return text("%s%s%s = %lu: ", until(sizes, ":"), *sizes ? ", " : "With ", name, size);
}

/* "rows 32, cols 32" becomes N=29x17: odd sizes between the half and the whole, each unlike the one
 * before, so that none is a multiple of a warp. Or N=75x61, up to three times as much, which is
 * several blocks. Small sizes, and a threshold, stay. */
static void draw_sizes(plan_t *p, bool many)
{
    unsigned long before = 0;
    const char *name = "";
    p->usual = p->drawn = p->shape = "";
    for (char *word = strtok(text("%s", p->run->ran.what), " ,"); word;
         name = word, word = strtok(NULL, " ,")) {
        const unsigned long usual = strtoul(word, NULL, 10);
        unsigned long size = usual;
        if (!isdigit((unsigned char)*word))
            continue;
        while (usual >= 32 && strcmp(name, "threshold") != 0 && (size == usual || size == before))
            size = many ? ((usual + usual / 2) | 1) + 2 * rng_below(p->rng, usual * 3 / 4)
                        : (usual / 2 | 1) + 2 * rng_below(p->rng, usual / 4);
        before = size;
        p->usual = and_size(p->usual, name, usual);
        p->drawn = and_size(p->drawn, name, size);
        p->shape = text("%s%s%lu", p->shape, *p->shape ? "x" : "N=", size);
    }
    if (strcmp(p->usual, p->drawn) == 0)
        return;
    edit_t *e = add(p, CHANGE_SIZE, 0);
    e->option = p->shape;
    e->sizes = p->drawn;
}

/* Lines of code, without what is in comments: those keep their place and become blank. */
static void blank_comments(char *line, bool *inside)
{
    for (char *c = line; *c; c++) {
        if (!*inside && c[0] == '/' && c[1] == '/') {
            *c = '\0';
            return;
        }
        if (!*inside && c[0] == '/' && c[1] == '*')
            *inside = true;
        if (*inside && c[0] == '*' && c[1] == '/') {
            *inside = false;
            c[0] = c[1] = ' ';
        }
        if (*inside)
            *c = ' ';
    }
}

static bool add_lines(plan_t *p, const char *source)
{
    char code[MOST_LINE];
    bool inside = false;
    FILE *file = fopen(source, "r");
    if (!file) {
        fprintf(stderr, "viva: cannot read '%s'\n", source);
        return false;
    }
    for (unsigned line = 1, next = 1; fgets(code, sizeof code, file); line = next) {
        next += strchr(code, '\n') != NULL;
        blank_comments(code, &inside);
        add_text(p, code, line);
        add_padding(p, code, line);
        add_edges(p, code, line);
        add_block(p, code, line);
    }
    fclose(file);
    return true;
}

static bool write_copy(const char *source, const char *folder, int number, const edit_t *e)
{
    char code[MOST_LINE];
    FILE *from = fopen(source, "r"), *to = fopen(text("%s/%d.cu", folder, number), "w");
    for (unsigned line = 1; from && to && fgets(code, sizeof code, from);) {
        const bool whole = strchr(code, '\n') != NULL;
        if (whole && line == e->line)
            fprintf(to, "%.*s%s%s", (int)e->at, code, e->by, code + e->at + e->bytes);
        else
            fputs(code, to);
        line += whole;
    }
    if (from)
        fclose(from);
    return to && fclose(to) == 0;
}

/* The input of an identity: the smallest comes first. */
static void write_input(const char *path, const edit_t *e)
{
    unsigned elements = 0;
    FILE *to = fopen(path, "w");
    sscanf(e->sizes, "With n = %u", &elements);
    for (unsigned i = 0; to && i < elements; i++)
        fwrite(&(float){(float)(e->first + i)}, sizeof(float), 1, to);
    if (to)
        fclose(to);
}

static void find_lines(plan_t *p)
{
    p->first = ~0u;
    for (size_t i = 0; i < p->run->trace.step_count; i++) {
        const unsigned line = p->run->trace.steps[i].line;
        p->first = line > 0 && line < p->first ? line : p->first;
        p->last = line > p->last ? line : p->last;
    }
    p->first -= p->first > LINES_BEFORE ? LINES_BEFORE : 0;
}

static void shuffle(plan_t *p)
{
    for (int i = p->count - 1; i > 0; i--) {
        const int k = (int)rng_below(p->rng, (size_t)i + 1);
        const edit_t kept = p->edits[i];
        p->edits[i] = p->edits[k];
        p->edits[k] = kept;
    }
}

/* Writes a copy, and its line of FOLDER/runs. */
static bool write_edit(FILE *runs, const char *source, const char *folder, int number,
                       const edit_t *e)
{
    fprintf(runs, "%d,%d,%u,%s", number, e->kind, e->line, e->option);
    if (e->kind == CHANGE_IDENTITY) {
        const char *input = text("%s/%d.raw", folder, number);
        write_input(input, e);
        fprintf(runs, "OP=min TYPE=f32 INPUT=%s", input);
    }
    fprintf(runs, ",%s\n", csv_quote(text("%s%s", e->phrase, e->sizes)));
    return e->kind == CHANGE_SIZE || write_copy(source, folder, number, e);
}

/* One of each kind first, and all sizes, then others. */
static bool write_chosen(const plan_t *p, FILE *runs, const char *source, const char *folder)
{
    bool used[MOST_CHANGES] = {false}, has[CHANGES] = {false}, written = true;
    int number = 0;
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < p->count && number < MOST_RUNS - 1; i++) {
            if (used[i] || (!again && has[p->edits[i].kind] && p->edits[i].kind != CHANGE_SIZE))
                continue;
            used[i] = has[p->edits[i].kind] = true;
            written = write_edit(runs, source, folder, ++number, &p->edits[i]) && written;
        }
    return written;
}

bool changes_write(const char *source, const char *folder, rng_t *rng)
{
    static viva_t v;
    static plan_t p;
    v = (viva_t){.source = source, .folder = folder};
    if (!run_read(&v, &v.runs[0]))
        return false;
    p = (plan_t){.run = &v.runs[0], .rng = rng};
    find_lines(&p);
    /* Without the sandbox only one block's outputs are known, so that an edge needs that. */
    draw_sizes(&p, true);
    if (!*setting("TASK", ""))
        draw_sizes(&p, false);
    FILE *runs = add_lines(&p, source) ? fopen(text("%s/runs", folder), "w") : NULL;
    if (!runs)
        return false;
    shuffle(&p);
    fprintf(runs, "0,%d,0,,%s\n", CHANGE_NONE, csv_quote(p.usual));
    const bool written = write_chosen(&p, runs, source, folder);
    return fclose(runs) == 0 && written;
}
