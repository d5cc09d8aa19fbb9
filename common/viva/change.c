/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"

enum { MOST_CHANGES = 200, MOST_QUOTED = 80 };
enum { LINES_BEFORE = 2 }; /* a loop, a condition, and then the access */

/* A line of the file with another text in one place; or another size of the run: `by` is "N=233",
 * and `phrase` has no change. */
typedef struct {
    change_t kind;
    unsigned line;
    size_t at, bytes; /* what is replaced */
    const char *by, *phrase;
} edit_t;

typedef struct {
    edit_t edits[MOST_CHANGES];
    int count;
    const run_t *run;
    rng_t *rng;
    const char *usual, *drawn, *shape; /* "With rows = 32: ", "N=29x17" */
    const char *own; /* " in value ": a thread's own arrays, and variables without a value */
} plan_t;

static void add(plan_t *p, edit_t e)
{
    if (p->count < MOST_CHANGES)
        p->edits[p->count++] = e;
}

static void add_barrier(plan_t *p, const char *code, unsigned line)
{
    static const char barrier[] = "__syncthreads()";
    const trace_t *t = &p->run->trace;
    const char *at = strstr(code, barrier);
    bool waits = false;
    for (size_t i = 0; at && i < t->step_count; i++)
        waits = waits || (t->steps[i].kind == TRACE_ARRIVE && t->steps[i].line == line);
    if (waits)
        add(p, (edit_t){CHANGE_BARRIER, line, (size_t)(at - code), strlen(barrier), "(void)0",
                        text("Remove the barrier in line %u. ", line)});
}

/* The + 1 of s_tile[32][32 + 1]: without it, and another number in its place. */
static void add_padding(plan_t *p, const char *code, unsigned line)
{
    static const char padding[] = " + 1]";
    const char *at = strstr(code, "__shared__") ? strstr(code, padding) : NULL;
    const unsigned by = 2u << rng_below(p->rng, 3);
    if (!at || strstr(at + 1, padding))
        return;
    edit_t e = {CHANGE_PADDING,
                line,
                (size_t)(at - code),
                strlen(padding) - strlen("]"),
                "",
                text("Remove the + 1 in line %u. ", line)};
    add(p, e);
    e.by = text(" + %u", by);
    e.phrase = text("In line %u, write + %u in place of + 1. ", line, by);
    add(p, e);
}

static void add_block(plan_t *p, const char *code, unsigned line)
{
    int threads = 0, begin = 0, end = 0;
    sscanf(code, "#define BLOCK_SIZE %n%d%n", &begin, &threads, &end);
    const int by = threads == 128 ? 64 : 128;
    if (threads >= 64)
        add(p, (edit_t){CHANGE_BLOCK, line, (size_t)begin, (size_t)(end - begin), text("%d", by),
                        text("Take BLOCK_SIZE %d. ", by)});
}

/* ---- comparisons ---- */

/* The end of an operand that begins at c, in this direction. NULL: there is none, or it has a
 * comparison or what is like one: a template, a shift, an arrow; or an element of an array, since
 * its value is not in the source. */
static const char *operand_end(const char *code, const char *c, int step)
{
    const char *end = NULL;
    for (int depth = 0; c >= code && *c; c += step) {
        if (strchr("<>\"',[", *c))
            return NULL;
        depth += *c == '(' ? step : *c == ')' ? -step : 0;
        if (depth < 0 || (depth == 0 && strchr(";{}?:&|=!", *c)))
            break;
        end = isspace((unsigned char)*c) ? end : c;
    }
    return end;
}

/* "row < rows" becomes "row <= rows" or "row + 1 < rows": it bites where a block is not full. */
static void add_edge(plan_t *p, const char *code, unsigned line, const char *op)
{
    const int width = op[1] == '=' ? 2 : 1;
    const char *const first = operand_end(code, op - 1, -1);
    const char *const last = operand_end(code, op + width, 1);
    if (!first || !last || op[-1] == '-' || last + 1 - first > MOST_QUOTED)
        return;
    const char *const whole = text("%.*s", (int)(last + 1 - first), first), *c = whole;
    const int before = (int)(op - first);
    while (isprint((unsigned char)*c))
        c++;
    if (*c || strstr(code, whole) != first || strstr(first + 1, whole))
        return;
    for (int shrinks = 0; shrinks < (*op == '<' && width == 1 ? 2 : 1); shrinks++) {
        int left = before;
        while (isspace((unsigned char)whole[left - 1]))
            left--;
        const char *by = shrinks ? text("%.*s + 1%s", left, whole, whole + left)
                                 : text("%.*s%c%s%s", before, whole, *op, width == 1 ? "=" : "",
                                        whole + before + width);
        add(p, (edit_t){CHANGE_EDGE, line, (size_t)(first - code), strlen(whole), by,
                        text("In line %u, write %s in place of %s. ", line, by, whole)});
    }
}

static size_t word_length(const char *c)
{
    size_t length = 0;
    while (isalnum((unsigned char)c[length]) || c[length] == '_')
        length++;
    return length;
}

/* "float in[INPUTS], value;" adds " in value ", and "float sum[4] = {0};" adds " sum ". */
static void add_own(plan_t *p, const char *code)
{
    const char *const line = until(code, "="), *const type = line + strspn(line, " ");
    if (strpbrk(line, "(){}#") || strstr(line, "__shared__") || !strchr(code, ';') ||
        begins(type, "return ") || begins(type, "else "))
        return;
    for (const char *c = type, *end; *c; c = end + (*end != '\0')) {
        end = c + word_length(c);
        if (end > c && c > type && c[-1] == ' ' && *end && strchr("[;,", *end))
            p->own = text("%s%.*s ", p->own, (int)(end - c), c);
    }
}

/* Does the line use one? With another condition a word of it may be read without a value, or one
 * behind it, which nobody reports. */
static bool uses_own(const plan_t *p, const char *code)
{
    for (size_t length; *code; code += length + !length)
        if ((length = word_length(code)) > 0 && strstr(p->own, text(" %.*s ", (int)length, code)))
            return true;
    return false;
}

/* Not around what has no access near. */
static void add_edges(plan_t *p, const char *code, unsigned line)
{
    const trace_t *t = &p->run->trace;
    bool is_near = false;
    for (size_t i = 0; i < t->step_count; i++)
        is_near = is_near || (t->steps[i].lane_count > 0 && t->steps[i].line >= line &&
                              t->steps[i].line <= line + LINES_BEFORE);
    if (!is_near || strcmp(p->usual, p->drawn) == 0 || strchr(code, '#'))
        return;
    for (const char *op = code; (op = strpbrk(op, "<>")) != NULL; op++)
        add_edge(p, code, line, op);
}

/* ---- sizes ---- */

static const char *and_size(const char *sizes, const char *name, unsigned long size)
{
    return text("%s%s%s = %lu: ", until(sizes, ":"), *sizes ? ", " : "With ", name, size);
}

/* "rows 32, cols 32" becomes N=29x17: odd sizes between the half and the whole, each unlike the one
 * before, so that none is a multiple of a warp. Or N=61x83, one or two wholes more, so that the
 * last block has more than half of its work. Small sizes, and a threshold, stay. */
static void draw_sizes(plan_t *p, bool many)
{
    unsigned long before = 0;
    const char *name = "";
    p->usual = p->drawn = p->shape = "";
    p->own = " ";
    for (char *word = strtok(text("%s", p->run->ran.what), " ,"); word;
         name = word, word = strtok(NULL, " ,")) {
        const unsigned long usual = strtoul(word, NULL, 10);
        unsigned long size = usual;
        if (!isdigit((unsigned char)*word))
            continue;
        while (usual >= 32 && strcmp(name, "threshold") != 0 && (size == usual || size == before))
            size = (usual / 2 | 1) + 2 * rng_below(p->rng, usual / 4) +
                   (many ? usual * (1 + rng_below(p->rng, 2)) : 0);
        before = size;
        p->usual = and_size(p->usual, name, usual);
        p->drawn = and_size(p->drawn, name, size);
        p->shape = text("%s%s%lu", p->shape, *p->shape ? "x" : "N=", size);
    }
    if (strcmp(p->usual, p->drawn) != 0)
        add(p, (edit_t){CHANGE_SIZE, 0, 0, 0, p->shape, p->drawn});
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

/* No edge is around a line that uses a variable without a value. */
static void drop_own(plan_t *p, const char *code, unsigned line)
{
    for (int i = p->count; i-- > 0 && uses_own(p, code);)
        if (p->edits[i].kind == CHANGE_EDGE && line - p->edits[i].line <= LINES_BEFORE)
            p->edits[i] = p->edits[--p->count];
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
        add_barrier(p, code, line);
        add_padding(p, code, line);
        add_edges(p, code, line);
        add_block(p, code, line);
        add_own(p, code);
        drop_own(p, code, line);
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
static bool write_edit(const plan_t *p, FILE *runs, const char *source, const char *folder,
                       int number, const edit_t *e)
{
    const char *option = p->shape, *sizes = p->drawn;
    if (e->kind == CHANGE_BARRIER || e->kind == CHANGE_BLOCK)
        option = "", sizes = p->usual;
    if (e->kind == CHANGE_SIZE)
        option = e->by, sizes = "";
    fprintf(runs, "%d,%d,%u,%s,%s\n", number, e->kind, e->line, option,
            csv_quote(text("%s%s", e->phrase, sizes)));
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
            written = write_edit(p, runs, source, folder, ++number, &p->edits[i]) && written;
        }
    return written;
}

bool changes_write(const char *source, const char *folder, rng_t *rng)
{
    static viva_t v;
    static plan_t p;
    v = (viva_t){.source = source, .folder = folder};
    if (!run_read(&v, &v.runs[0], "trace"))
        return false;
    p = (plan_t){.run = &v.runs[0], .rng = rng};
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
