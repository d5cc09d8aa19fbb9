/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"

enum { MOST_CHANGES = 200, MOST_QUOTED = 80 };
enum { LINES_BEFORE = 2 }; /* a loop, a condition, and then the access */

typedef struct {
    change_t kind;
    unsigned line;
    const char *by;     /* what the line becomes; for another size of the run "N=233" */
    const char *phrase; /* "Remove the barrier in line 4. "; or "With n = 233: " */
} edit_t;

typedef struct {
    edit_t edits[MOST_CHANGES];
    int count;
    const trace_t *trace;
    const char *what; /* "f32 sum n 256" */
    rng_t *rng;
    const char *usual, *drawn, *shape; /* "With rows = 32: ", "N=29x17" */
    const char *own; /* "in value ": a thread's own arrays, and variables without a value */
    /* The line that is looked at: its number, its text, and that with blanks for comments. */
    unsigned line;
    char *whole, *code;
} plan_t;

/* Another text in place of some bytes of the line. */
static void add(plan_t *p, change_t kind, const char *at, size_t bytes, const char *by,
                const char *phrase)
{
    const int before = (int)(at - p->code);
    if (p->count < MOST_CHANGES)
        p->edits[p->count++] =
            (edit_t){kind, p->line,
                     text("%.*s%s%s", before, p->whole, by, p->whole + before + bytes), phrase};
}

static void add_barrier(plan_t *p)
{
    static const char barrier[] = "__syncthreads()";
    const trace_t *t = p->trace;
    const char *at = strstr(p->code, barrier);
    bool waits = false;
    for (size_t i = 0; at && i < t->step_count; i++)
        waits = waits || (t->steps[i].kind == TRACE_ARRIVE && t->steps[i].line == p->line);
    if (waits)
        add(p, CHANGE_BARRIER, at, strlen(barrier), "(void)0",
            text("Remove the barrier in line %u. ", p->line));
}

/* The + 1 of s_tile[32][32 + 1]: without it, and another number in its place. */
static void add_padding(plan_t *p)
{
    static const char padding[] = " + 1";
    const char *at = strstr(p->code, "__shared__") ? strstr(p->code, " + 1]") : NULL;
    const unsigned by = 2u << rng_below(p->rng, 3);
    if (!at || strstr(at + 1, " + 1]"))
        return;
    add(p, CHANGE_PADDING, at, strlen(padding), "", text("Remove the + 1 in line %u. ", p->line));
    add(p, CHANGE_PADDING, at, strlen(padding), text(" + %u", by),
        text("In line %u, write + %u in place of + 1. ", p->line, by));
}

static void add_block(plan_t *p)
{
    const char *part[PARTS];
    if (!match("^#define BLOCK_SIZE ([0-9]+)", p->code, part) || atoi(part[1]) < 64)
        return;
    const char *by = atoi(part[1]) == 128 ? "64" : "128";
    add(p, CHANGE_BLOCK, p->code + strlen(part[0]) - strlen(part[1]), strlen(part[1]), by,
        text("Take BLOCK_SIZE %s. ", by));
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
static void add_edge(plan_t *p, const char *op)
{
    const int width = op[1] == '=' ? 2 : 1;
    const char *const first = operand_end(p->code, op - 1, -1);
    const char *const last = operand_end(p->code, op + width, 1);
    if (!first || !last || op[-1] == '-' || last + 1 - first > MOST_QUOTED)
        return;
    const char *const whole = text("%.*s", (int)(last + 1 - first), first);
    if (match("[^[:print:]]", whole, NULL) || strstr(p->code, whole) != first ||
        strstr(first + 1, whole))
        return;
    for (int shrinks = 0; shrinks < (*op == '<' && width == 1 ? 2 : 1); shrinks++) {
        const char *by = shrinks ? " + 1" : text("%c%s", *op, width == 1 ? "=" : ""), *at = op;
        while (shrinks && isspace((unsigned char)at[-1]))
            at--;
        const char *rest = shrinks ? at : op + width;
        add(p, CHANGE_EDGE, at, (size_t)(rest - at), by,
            text("In line %u, write %.*s%s%.*s in place of %s. ", p->line, (int)(at - first), first,
                 by, (int)(last + 1 - rest), rest, whole));
    }
}

/* Not around what has no access near. */
static void add_edges(plan_t *p)
{
    const trace_t *t = p->trace;
    bool is_near = false;
    for (size_t i = 0; i < t->step_count; i++)
        is_near = is_near || (t->steps[i].lane_count > 0 && t->steps[i].line >= p->line &&
                              t->steps[i].line <= p->line + LINES_BEFORE);
    if (!is_near || strcmp(p->usual, p->drawn) == 0 || strchr(p->code, '#'))
        return;
    for (const char *op = p->code; (op = strpbrk(op, "<>")) != NULL; op++)
        add_edge(p, op);
}

/* "float in[INPUTS], value;" adds "in value ", and "float sum[4] = {0};" adds "sum ". */
static void add_own(plan_t *p)
{
    const char *const line = until(p->code, "="), *at = line + strspn(line, " "), *part[PARTS];
    if (strpbrk(line, "(){}#") || strstr(line, "__shared__") || !strchr(p->code, ';') ||
        begins(at, "return ") || begins(at, "else "))
        return;
    for (; (at = match(" ([A-Za-z0-9_]+)[[;,]", at, part)) != NULL; at++)
        p->own = text("%s%s ", p->own, part[1]);
}

/* No edge is around a line that uses one: with another condition a word of it may be read without a
 * value, or one behind it, which nobody reports. */
static void drop_own(plan_t *p)
{
    const char *part[PARTS];
    bool uses = false;
    for (const char *c = p->code; !uses && (c = match("[A-Za-z0-9_]+", c, part)) != NULL;
         c += strlen(part[0]))
        uses = listed(p->own, part[0]);
    for (int i = p->count; uses && i-- > 0;)
        if (p->edits[i].kind == CHANGE_EDGE && p->line - p->edits[i].line <= LINES_BEFORE)
            p->edits[i] = p->edits[--p->count];
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
    p->own = "";
    for (char *word = strtok(text("%s", p->what), " ,"); word;
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
        p->edits[p->count++] = (edit_t){CHANGE_SIZE, 0, p->shape, p->drawn};
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

static void add_lines(plan_t *p, const char *source)
{
    bool inside = false;
    for (p->line = 1; *source; source = next_line(source), p->line++) {
        p->whole = until(source, "\n");
        p->code = text("%s", p->whole);
        blank_comments(p->code, &inside);
        add_barrier(p);
        add_padding(p);
        add_edges(p);
        add_block(p);
        add_own(p);
        drop_own(p);
    }
}

static bool write_copy(const char *source, const char *path, const edit_t *e)
{
    FILE *to = fopen(path, "w");
    for (unsigned line = 1; to && *source; source = next_line(source), line++)
        fprintf(to, "%s\n", line == e->line ? e->by : until(source, "\n"));
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
static bool write_edit(const plan_t *p, FILE *runs, const char *source, const char *copy,
                       int number, const edit_t *e)
{
    const bool usual = e->kind == CHANGE_BARRIER || e->kind == CHANGE_BLOCK;
    const bool size = e->kind == CHANGE_SIZE;
    fprintf(runs, "%d,%d,%u,%s,%s\n", number, e->kind, e->line,
            size    ? e->by
            : usual ? ""
                    : p->shape,
            csv_quote(text("%s%s", e->phrase,
                           size    ? ""
                           : usual ? p->usual
                                   : p->drawn)));
    return size || write_copy(source, copy, e);
}

/* One of each kind first, and all sizes, then others. */
static bool write_chosen(const plan_t *p, FILE *runs, const char *source, const char *folder)
{
    bool used[MOST_CHANGES] = {false}, has[CHANGES] = {false}, written = true;
    int number = 0;
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < p->count && number < MOST_RUNS - 1; i++) {
            const edit_t *e = &p->edits[i];
            if (used[i] || (!again && has[e->kind] && e->kind != CHANGE_SIZE))
                continue;
            used[i] = has[e->kind] = true;
            number++;
            written =
                write_edit(p, runs, source, text("%s/%d.cu", folder, number), number, e) && written;
        }
    return written;
}

bool changes_write(const char *source, const char *folder, rng_t *rng)
{
    static viva_t v;
    static plan_t p;
    const char *const code = file_read(source);
    v = (viva_t){.source = source, .folder = folder};
    if (!code)
        fprintf(stderr, "viva: cannot read '%s'\n", source);
    if (!code || !run_read(&v, &v.runs[0], "trace"))
        return false;
    p = (plan_t){.trace = &v.runs[0].trace, .what = v.runs[0].ran.what, .rng = rng};
    /* Without the sandbox only one block's outputs are known, so that an edge needs that. */
    draw_sizes(&p, true);
    if (!*setting("TASK", ""))
        draw_sizes(&p, false);
    add_lines(&p, code);
    shuffle(&p);
    FILE *runs = fopen(text("%s/runs", folder), "w");
    if (!runs)
        return false;
    fprintf(runs, "0,%d,0,,%s\n", CHANGE_NONE, csv_quote(p.usual));
    const bool written = write_chosen(&p, runs, code, folder);
    return fclose(runs) == 0 && written;
}
