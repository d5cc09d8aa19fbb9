/* SPDX-License-Identifier: MIT */
/*
 * tables.c - tables GPU PAGE: prints the page with its tables made anew from common/results/GPU, as
 * tables.txt describes them.
 * tables --values: for each formula of stdin a line, its value or `wrong: WHY`.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "simt/driver/inside.h"

enum { MOST = 300, MOST_COLUMNS = 16, MOST_SHOWN = 100, MOST_VARYING = 6 };

static const char *gpu;
static const row_t *here; /* the row of the line */
static bool measured_all; /* all that was asked for since it was set */

static const char *power(double n)
{
    int k;
    return frexp(n, &k) == 0.5 ? text("2^%d", k - 1) : text("%.0f", n);
}

/* 1234 ulps as 1234, 0.0312 as 0.03, 8.39e+06 as 8.4e6. */
static const char *rounded(double x)
{
    const char *part[PARTS];
    if (x >= 100000 && match("(.*)e\\+0*(.*)", text("%.1e", x), part))
        return text("%se%s", part[1], part[2]);
    return text("%.*f", x >= 100 ? 0 : x >= 10 ? 1 : 2, x);
}

/* 21622785 as 21,622,785. */
static const char *grouped(double n)
{
    return n < 1000 ? text("%.0f", n) : text("%s,%03.0f", grouped(floor(n / 1000)), fmod(n, 1000));
}

/* ---- names in a text ---- */

static struct {
    const char *name, *value;
} variables[MOST];
static size_t variable_count;

static void let(const char *name, const char *value)
{
    if (variable_count == MOST)
        stop("tables.txt: too many names");
    variables[variable_count].name = name;
    variables[variable_count++].value = value;
}

static const char *filled(const char *words);

static const char *value_of(const char *name)
{
    for (size_t i = variable_count; i-- > 0;)
        if (same(variables[i].name, name))
            return filled(variables[i].value);
    if (here && field_of(here, name)) {
        measured_all &= *field_of(here, name) != '\0';
        return field_of(here, name);
    }
    if (same(name, "gpu"))
        return gpu;
    if (same(name, "size"))
        return same(value_of("type"), "f64") ? "8" : same(value_of("type"), "f16") ? "2" : "4";
    if (same(name, "input"))
        return same(value_of("warm"), "1") ? "warm" : "cold";
    return "";
}

static double value(const char *formula)
{
    const char *wrong;
    const double x = formula_value(gpu, formula, &wrong);
    if (wrong && !match("^no such cell|^no pairs|: -$", wrong, NULL)) /* or of one, which is - */
        stop("tables.txt: %s: %s", formula, wrong);
    measured_all &= !wrong;
    return x;
}

/* A formula as its format says, or "-". A cell alone is its time. */
static const char *shown(const char *format, const char *formula)
{
    if (same(format, "left") || same(format, "right"))
        return formula;
    const bool before = measured_all;
    measured_all = true;
    const char *rest = strstr(formula, " & "), *result;
    const double x = value(text("%.*s%s", rest ? (int)(rest - formula) : 9999, formula,
                                ends(formula, ")") ? ".median_us" : ""));
    if (same(format, "ulps"))
        result = rounded(x);
    else if (same(format, "grouped"))
        result = grouped(x);
    else if (same(format, "whole"))
        result = text("%.*f", x == floor(x) ? 0 : 2, x);
    else if (same(format, "times"))
        result = text("%.*f", x < 2 ? 2 : 1, x);
    else if (same(format, "us"))
        result = text("%.*f us", x < 100 ? 2 : 0, x);
    else if (same(format, "speed")) /* for small sizes time matters, for large ones bandwidth */
        result = !measured_all || value(text("%s.n", formula)) < 4194304
                     ? text("%.2f us", x)
                     : text("%.0f GB/s", value(text("%s.gbps", formula)));
    else
        result = text(format, x, rest ? value(rest + strlen(" & ")) : 0);
    result = measured_all ? result : "-";
    measured_all &= before;
    return result;
}

/* The text for braces in a text: {peers}, {peers:gpu} or {%.2f | FORMULA}, without the braces. */
static const char *in_braces(const char *words)
{
    const char *part[PARTS];
    if (match("^(.*) \\| (.*)$", words, part))
        return shown(part[1], part[2]);
    match("^([a-z_]+):?(.*)$", words, part);
    const row_t *row = first_row(gpu, part[1]);
    if (!*part[2])
        return text("data in `common/results/%s/%s.csv`.", gpu, words);
    if (!row)
        return "";
    return *head_of(row, part[2]) ? until(head_of(row, part[2]), "\n") : field_of(row, part[2]);
}

/* A text with what its names and braces stand for. */
static const char *filled(const char *words)
{
    const char *part[PARTS], *at;
    while ((at = match("\\$([#^.,]?)(([A-Za-z0-9_]+)|\\{([A-Za-z0-9_]+)\\})", words, part)) !=
           NULL) {
        const char *in = value_of(*part[3] ? part[3] : part[4]);
        in = *part[1] == '^'   ? power(atof(in))
             : *part[1] == ',' ? strchr(power(atof(in)), '^') ? power(atof(in)) : grouped(atof(in))
             : *part[1] == '.' ? after(in, ".")
             : *part[1] == '#' ? in + strcspn(in, "0123456789")
                               : in;
        words = text("%.*s%s%s", (int)(at - words), words, in, at + strlen(part[0]));
    }
    while ((at = match("\\{([^{}]*)\\}", words, part)) != NULL)
        words =
            text("%.*s%s%s", (int)(at - words), words, in_braces(part[1]), at + strlen(part[0]));
    return words;
}

/* ---- lines ---- */

/* What a line, or what goes across, is about: names and their values. */
typedef struct {
    const row_t *row;
    const char *gpu;
    struct list names, values;
    bool hidden;
} item_t;

typedef struct {
    item_t item[MOST];
    size_t count;
} items_t;

static void enter(const item_t *item)
{
    here = item->row ? item->row : here;
    gpu = item->gpu ? item->gpu : gpu;
    for (size_t i = 0; i < item->names.count; i++)
        let(item->names.words[i], item->values.words[i]);
}

static item_t *add(items_t *items, item_t item)
{
    if (items->count == MOST)
        stop("tables.txt: too many lines");
    items->item[items->count] = item;
    return &items->item[items->count++];
}

static const char *name_of_gpu(const char *which)
{
    const char *name = until(head_of(first_row(which, "ladder"), "gpu"), "\n"), *part[PARTS];
    name += begins(name, "NVIDIA ") ? strlen("NVIDIA ") : 0;
    const char *memory = match("[ -][0-9]+GB", name, part);
    return memory ? text("%.*s", (int)(memory - name), name) : name;
}

/* Those with a ladder.csv, the H200 first. */
static void add_gpus(items_t *items)
{
    glob_t found = {0};
    glob("common/results/*/ladder.csv", 0, NULL, &found);
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *name = until(found.gl_pathv[i] + strlen("common/results/"), "/");
            item_t item = {.gpu = name};
            ADD(&item.names, "name");
            ADD(&item.values, name_of_gpu(name));
            if (same(name, "h200") != (others == 1))
                add(items, item);
        }
    globfree(&found);
}

static bool is_there(const items_t *items, const item_t *item)
{
    const char *values = list_text(&item->values, ",");
    for (size_t i = 0; i < items->count; i++)
        if (begins(text("%s,", list_text(&items->item[i].values, ",")), text("%s,", values)))
            return true;
    return false;
}

/* `COLUMN,COLUMN of CELL`, `from LEAST` and `as LABEL` after it; `NAME = VALUE VALUE`; or `gpu`. */
static void add_items(items_t *items, const char *words)
{
    const char *part[PARTS];
    if (same(words, "gpu")) {
        add_gpus(items);
    } else if (match("^([a-z]+) = (.*)$", words, part)) {
        const struct list values = list_split(filled(part[2]), " ", false);
        for (size_t i = 0; i < values.count; i++) {
            item_t *item = add(items, (item_t){0});
            ADD(&item->names, part[1]);
            ADD(&item->values, values.words[i]);
        }
    } else if (match("^([a-z,]+) of ([^)]*\\))( from ([^)]*))?( as .*)?$", words, part)) {
        const struct list names = list_split(part[1], ",", false);
        const char *cell = filled(part[2]), *label = part[5];
        const double least = *part[4] ? value(filled(part[4])) : 0;
        for (const row_t *row = find(gpu, cell); row; row = find_next(row, cell)) {
            item_t item = {.row = row, .names = names};
            for (size_t i = 0; i < names.count; i++)
                ADD(&item.values, field_of(row, names.words[i]));
            if (is_there(items, &item) || atof(item.values.words[0]) < least)
                continue;
            if (*label) {
                ADD(&item.names, "label");
                ADD(&item.values, label + strlen(" as "));
            }
            add(items, item);
        }
    } else
        stop("tables.txt: not lines: %s", words);
}

static int by_size(const void *a, const void *b)
{
    const item_t *p = a, *q = b;
    const double x = atof(p->values.words[0]), y = atof(q->values.words[0]);
    return (x > y) - (x < y);
}

/* In order; of powers of two those of 16 from 2^12 on. */
static void thin_out(items_t *items)
{
    size_t kept = 0;
    qsort(items->item, items->count, sizeof *items->item, by_size);
    for (size_t i = 0; i < items->count; i++) {
        int k;
        const double n = atof(items->item[i].values.words[0]);
        if (frexp(n, &k) != 0.5 || (k > 12 && k % 4 == 1))
            items->item[kept++] = items->item[i];
    }
    items->count = kept;
}

/* The mark's `1 3 7 7` asks for the lines 1 to 3 and 7. $dates are when they were measured. False:
 * there are no such lines. */
static bool pick(items_t *items, const char **ranges)
{
    const char *dates = "";
    for (size_t i = 0; i < items->count; i++) {
        item_t *item = &items->item[i];
        item->hidden = *ranges != NULL;
        for (const char **r = ranges; *r && r[1]; r += 2)
            item->hidden &= (int)i + 1 < atoi(r[0]) || (int)i + 1 > atoi(r[1]);
        if (!item->hidden && !strstr(dates, field_of(item->row, "date")))
            dates = text("%s, %s", dates, field_of(item->row, "date"));
    }
    let("dates", dates);
    bool there = items->count > 0;
    for (const char **r = ranges; there && *r; r += 2) {
        if (!r[1] || atoi(r[1]) < atoi(r[0]))
            stop("tables: no rows %s to %s", r[0], r[1] ? r[1] : "");
        there = atoi(r[1]) <= (int)items->count;
    }
    return there;
}

/* ---- Markdown ---- */

/* From `a|b|c`. */
static void print_line(const char *cells)
{
    for (; cells; cells = strchr(cells, '|') ? strchr(cells, '|') + 1 : NULL)
        printf(strchr("|", *cells) ? "| " : "| %s ", until(cells, "|"));
    puts("|");
}

static void not_measured(const char *file, const char *command)
{
    printf("Not measured yet: there is no `common/results/%s/%s.csv`%s\n", gpu, file,
           *command ? text("; `%s` on that GPU writes it.", command) : ".");
}

/* ---- a table of tables.txt ---- */

typedef struct {
    char mark; /* ? goes without a value, ~ without different ones */
    const char *title, *format, *formula;
} column_t;

typedef struct {
    items_t lines, across;
    bool optional; /* lines without a value go */
    column_t column[MOST_COLUMNS];
    size_t columns;
    const char *note;
    const char **ranges; /* of lines, from the mark */
    bool is_text, is_there;
} table_t;

static void print_table(const table_t *t);

static void read_statement(table_t *t, const char *line)
{
    const char *part[PARTS];
    const char *rest = line + strcspn(line, " ") + 1;
    if (t->columns < MOST_COLUMNS &&
        match("^\\|([~?]?) ([^|]*) \\| ([^|]*) \\|( (.*))?$", line, part))
        t->column[t->columns++] = (column_t){*part[1], part[2], part[3], part[5]};
    else if (match("^(let|set) ([A-Za-z]+) = (.*)$", line, part))
        let(part[2], *line == 'l' ? part[3] : text("{%%.0f | %s}", part[3]));
    else if (begins(line, "lines ") || begins(line, "?lines ")) {
        t->optional |= *line == '?';
        add_items(&t->lines, rest);
    } else if (same(line, "sparse"))
        thin_out(&t->lines);
    else if (begins(line, "picked ")) {
        t->is_there = pick(&t->lines, t->ranges);
        if (t->lines.count == 0)
            puts(filled(rest));
    } else if (same(line, "then")) {
        print_table(t);
        puts("");
        t->lines.count = t->columns = 0;
    } else if (begins(line, "across "))
        add_items(&t->across, rest);
    else if (match("^row (.*) \\| (.*) \\|( (.*))?$", line, part)) {
        item_t *item = add(&t->lines, (item_t){0});
        ADD(&item->names, "label", "format", "formula");
        ADD(&item->values, part[1], part[2], part[4]);
    } else if (begins(line, "note ") || begins(line, "say ")) {
        t->is_text |= *line == 's';
        t->note = text("%s%s%s", t->note, *t->note ? "\n" : "", rest);
    } else if (match("^(with|without) ([a-z_]+) (.*)$", line, part)) {
        if ((first_row(gpu, part[2]) != NULL) == same(part[1], "with"))
            t->note = text("%s%s", t->note, part[3]);
    } else if (match("^each ([^)]*\\)) (.*)$", line, part)) {
        for (here = find(gpu, part[1]); here; here = find_next(here, part[1]))
            t->note = text("%s%s", t->note, filled(part[2]));
    } else
        stop("tables.txt: not a statement: %s", line);
}

/* A column, or what it is for one of those across. */
typedef struct {
    const column_t *column;
    const item_t *item;
    const char *cell[MOST];
} shown_t;

/* The text of a cell, or with line NULL the title. */
static const char *cell_of(const shown_t *s, const item_t *line)
{
    const size_t count = variable_count;
    const row_t *const row = here;
    const char *const which = gpu, *result;
    if (line)
        enter(line);
    if (s->item)
        enter(s->item);
    here = line && line->row ? line->row : here;
    result = line ? shown(filled(s->column->format), filled(s->column->formula))
                  : filled(s->column->title);
    variable_count = count;
    here = row;
    gpu = which;
    return result;
}

/* Whether a column has a value, or different ones, as its mark asks. */
static bool is_wanted(const shown_t *s, size_t lines)
{
    size_t i = 0;
    while (i < lines && same(s->cell[i], s->column->mark == '~' ? s->cell[0] : "-"))
        i++;
    return !s->column->mark || i < lines;
}

static void print_columns(const table_t *t, shown_t *all, size_t count)
{
    const char *titles = NULL, *rule = NULL;
    size_t wanted = 0;
    bool varying = false;
    for (shown_t *s = all; s < all + count; s++) {
        const char *title = cell_of(s, NULL);
        for (size_t i = 0; i < t->lines.count && *title; i++)
            s->cell[i] = cell_of(s, &t->lines.item[i]);
        if (!*title || !is_wanted(s, t->lines.count) ||
            (s->column->mark == '~' && wanted == MOST_VARYING)) {
            s->column = NULL;
            continue;
        }
        title = same(title, "\"\"") ? "" : title;
        const char *side = same(s->column->format, "left") ? "---" : "---:";
        varying |= s->column->mark == '~';
        titles = wanted++ > 0 ? text("%s|%s", titles, title) : title;
        rule = rule ? text("%s|%s", rule, side) : side;
    }
    if (!varying)
        let("varying", "");
    print_line(titles);
    print_line(rule);
    for (size_t i = 0; i < t->lines.count; i++) {
        const char *cells = all->cell[i];
        bool any = !t->optional;
        for (shown_t *s = all + 1; s < all + count; s++)
            if (s->column) {
                any |= !same(s->cell[i], "-");
                cells = text("%s|%s", cells, s->cell[i]);
            }
        if (any && !t->lines.item[i].hidden)
            print_line(cells);
    }
}

static void print_table(const table_t *t)
{
    static shown_t all[MOST_SHOWN];
    size_t count = 0;
    memset(all, 0, sizeof all);
    for (size_t c = 0; c < t->columns && (c == 0 || t->across.count == 0); c++)
        all[count++].column = &t->column[c];
    for (size_t i = 0; i < t->across.count; i++)
        for (size_t c = 1; c < t->columns && count < MOST_SHOWN; c++)
            all[count++] = (shown_t){.column = &t->column[c], .item = &t->across.item[i]};
    print_columns(t, all, count);
}

/* ---- pages ---- */

/* The name of the step, that of the previous one if it is about the same, and its operator: what a
 * lesson was timed with first. */
static void let_lesson(const char *number_of)
{
    static items_t steps;
    const char *name = "", *op = "", *before = "";
    steps.count = 0;
    add_items(&steps, "step of ladder(kernel)");
    for (size_t i = 0; i < steps.count && !begins(name, number_of); i++) {
        before = same(op, field_of(steps.item[i].row, "op")) ? name : "";
        name = field_of(steps.item[i].row, "step");
        op = field_of(steps.item[i].row, "op");
    }
    const bool beside_cub = same(op, "sum") && !same(number_of, "06");
    let("1", number_of);
    let("this", name);
    let("before", before);
    let("op", op);
    let("cub", beside_cub ? "06_cub" : "");
    let("copy", beside_cub ? "" : "of a copy");
}

static void write_table(const char *path, const char *mark)
{
    static table_t t;
    const struct list list = list_split(mark + strlen("<!-- table:"), " ", false);
    const char *name = list.words[0], *part[PARTS];
    const char **after_name = list.words + 1;
    const char *two = list.count > 1 ? text("%s %s", name, after_name[0]) : name;
    const char *p = file_read("common/pages/tables/tables.txt");
    while (p && *p && !begins(p, text("table %s:", name)) && !begins(p, text("table %s:", two)))
        p = next_line(p);
    if (!p || !match("^table [a-z_ ]*: ([a-z_]+)( by (.*))?$", until(p, "\n"), part))
        stop("%s: unknown table: %s", path, mark);
    memset(&t, 0, sizeof t);
    t.note = "";
    t.ranges = after_name + (*after_name != NULL);
    t.is_there = true;
    variable_count = 0;
    if (!first_row(gpu, part[1])) {
        not_measured(part[1], part[3]);
        return;
    }
    if (*after_name)
        let_lesson(after_name[0]);
    for (p = next_line(p); *p && *p != '\n'; p = next_line(p))
        if (*p != '#')
            read_statement(&t, until(p, "\n"));
    if (!t.is_there)
        return; /* no run has these rows yet: the page says nothing until one has */
    if (!t.is_text)
        print_table(&t);
    measured_all = true;
    const char *note = filled(t.note);
    if (t.is_text && !measured_all)
        not_measured(part[1], part[3]);
    else if (*note)
        printf("%s%s\n", t.is_text ? "" : "\n", note);
}

static int write_page(const char *path)
{
    bool made = false;
    const char *page = file_read(path);
    if (!page)
        stop("tables: cannot read '%s'", path);
    for (const char *p = page; *p; p = next_line(p)) {
        const char *line = until(p, "\n");
        made &= !begins(line, "<!-- /table -->");
        if (!made)
            puts(line);
        if (!begins(line, "<!-- table:"))
            continue;
        puts("");
        write_table(path, text("%.*s", (int)(strstr(line, " -->") - line), line));
        puts("");
        made = true;
    }
    return 0;
}

static int print_values(void)
{
    char formula[4096];
    while (fgets(formula, sizeof formula, stdin)) {
        const char *wrong;
        const double x = formula_value("h200", until(formula, "\n"), &wrong);
        if (wrong)
            printf("wrong: %s\n", wrong);
        else
            printf("%.17g\n", x);
    }
    return 0;
}

int main(int count, char **argv)
{
    if (count == 2 && same(argv[1], "--values"))
        return print_values();
    if (count != 3)
        stop("usage: tables GPU PAGE | tables --values");
    gpu = argv[1];
    return write_page(argv[2]);
}
