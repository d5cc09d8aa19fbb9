/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

enum { MOST_COLUMNS = 32 };

typedef struct file {
    const char *path;
    const char *comments;           /* lines */
    char *column[MOST_COLUMNS + 1]; /* NULL after the last, as in the rows */
    row_t *rows;
    size_t count;
    struct file *next;
} file_t;

struct row {
    const file_t *file; /* NULL after the last row */
    char *field[MOST_COLUMNS + 1];
};

void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

/* ---- files ---- */

static void split(char *line, char *field[MOST_COLUMNS + 1])
{
    for (size_t n = 0; n < MOST_COLUMNS && line; n++)
        field[n] = strsep(&line, ",");
}

static void read_file(file_t *file, char *all)
{
    for (char *line; (line = strsep(&all, "\n")) != NULL;) {
        if (*line == '#')
            file->comments = text("%s%s\n", file->comments, line);
        else if (!file->column[0])
            split(line, file->column);
        else if (*line) {
            file->rows = realloc(file->rows, (file->count + 2) * sizeof *file->rows);
            if (!file->rows)
                stop("out of memory");
            row_t *row = &file->rows[file->count++];
            memset(row, 0, 2 * sizeof *row);
            row->file = file;
            split(line, row->field);
        }
    }
}

const row_t *first_row(const char *gpu, const char *name)
{
    static file_t *files;
    const char *path = text("common/results/%s/%s.csv", gpu, name);
    file_t *file = files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    if (!file) {
        file = memory(sizeof *file);
        *file = (file_t){.path = path, .comments = "", .next = files};
        files = file;
        char *all = file_read(path);
        if (all)
            read_file(file, all);
    }
    return file->rows;
}

const row_t *next_row(const row_t *row)
{
    return row[1].file ? row + 1 : NULL;
}

const char *head_of(const row_t *row, const char *field)
{
    for (const char *line = row->file->comments; *line; line = next_line(line)) {
        const char *found = strstr(until(line, "\n"), text("%s: ", field));
        if (found && (found[-2] == '#' || found[-2] == ';'))
            return found + strlen(field) + strspn(found + strlen(field), ": ");
    }
    return "";
}

const char *field_of(const row_t *row, const char *column)
{
    for (size_t i = 0; row->file->column[i]; i++)
        if (strcmp(row->file->column[i], column) == 0)
            return row->field[i] ? row->field[i] : "";
    return NULL;
}

/* A recorded share has four digits, and the peak in a head none: rounded again, each alone can give
 * a wrong percent. The quotient, kept within what rounds to the share, does not. */
double number(const row_t *row, const char *column)
{
    const char *field = field_of(row, column);
    if (!field)
        stop("%s: there is no column '%s'", row->file->path, column);
    const double value = atof(field), peak = atof(head_of(row, "memory"));
    if (strcmp(column, "peak_share") != 0 || peak <= 0)
        return value;
    return fmin(fmax(number(row, "gbps") / peak, value - 0.00005), value + 0.00005);
}

/* ---- cells ---- */

/* 2^28 in digits; another text as it is. */
static const char *plain(const char *key)
{
    const char *power = strchr(key, '^');
    return power ? text("%.0f", pow(atof(key), atof(power + 1))) : key;
}

static bool fits(const char *field, const char *value)
{
    const size_t n = strlen(value);
    return n > 0 && value[n - 1] == '*' ? strncmp(field, value, n - 1) == 0
                                        : strcmp(field, value) == 0;
}

static bool has_key(const row_t *row, const char *key)
{
    const char *equal = strchr(key, '='), *value = plain(equal ? equal + 1 : key);
    if (equal) {
        const bool unlike = equal[-1] == '!';
        const char *field = field_of(row, text("%.*s", (int)(equal - key) - unlike, key));
        return field && fits(field, value) != unlike;
    }
    size_t i = 0;
    while (row->field[i] && !fits(row->field[i], value))
        i++;
    return row->field[i] != NULL;
}

static const row_t *with_keys(const row_t *row, const char *keys)
{
    const struct list list = list_split(until(keys, ")"), ",", false);
    for (; row; row = next_row(row)) {
        size_t i = 0;
        while (i < list.count && has_key(row, list.words[i]))
            i++;
        if (i == list.count)
            return row;
    }
    return NULL;
}

/* The first row of NAME or GPU/NAME, which a bracket or a dot may follow. */
static const row_t *rows_of(const char *gpu, const char *name)
{
    const char *only = until(name, "(."), *slash = strchr(only, '/');
    return slash ? first_row(until(only, "/"), slash + 1) : first_row(gpu, only);
}

const row_t *find(const char *gpu, const char *cell)
{
    return with_keys(rows_of(gpu, cell), strchr(cell, '(') + 1);
}

const row_t *find_next(const row_t *row, const char *cell)
{
    return with_keys(next_row(row), strchr(cell, '(') + 1);
}

/* ---- formulas ---- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of all rows of a cell: `which` is "", last, least, most or rank0.25. */
static double cell_value(const char *gpu, const char *which, const char *cell, const char *column,
                         const char **wrong)
{
    double values[1000];
    size_t count = 0;
    for (const row_t *row = find(gpu, cell); row; row = find_next(row, cell)) {
        if (count == sizeof values / sizeof *values)
            stop("%s: too many rows", cell);
        values[count++] = number(row, column);
    }
    if (count == 0 || (count > 1 && !*which)) {
        *wrong = text(count == 0 ? "no such cell: %s" : "several rows: %s", cell);
        return 0;
    }
    const double last = values[count - 1];
    qsort(values, count, sizeof *values, by_value);
    return begins(which, "last")    ? last
           : begins(which, "least") ? values[0]
           : begins(which, "rank")  ? values[(size_t)(atof(which + 4) * (double)count)]
                                    : values[count - 1];
}

static bool alike(const row_t *a, const row_t *b)
{
    static const char *const columns[] = {"type", "op", "n", "cols"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (field_of(a, columns[i]) &&
            strcmp(field_of(a, columns[i]), field_of(b, columns[i])) != 0)
            return false;
    return true;
}

static double ratio_value(const char *gpu, const char *term, const char **wrong)
{
    const char *part[PARTS];
    match("^(.*/)?ratio\\(([^;]*);([^;]*);([^)]*)\\)\\.", term, part);
    const row_t *const rows = rows_of(gpu, text("%s%s", part[1], part[2]));
    double least = INFINITY, most = 0, logs = 0, pairs = 0;
    for (const row_t *row = with_keys(rows, part[4]); row;) {
        double base = 0;
        for (const row_t *other = with_keys(rows, part[3]); other;) {
            if (alike(row, other))
                base = number(other, "median_us");
            other = with_keys(next_row(other), part[3]);
        }
        const double x = base / number(row, "median_us");
        if (base > 0) {
            least = fmin(least, x);
            most = fmax(most, x);
            logs += log(x);
            pairs++;
        }
        row = with_keys(next_row(row), part[4]);
    }
    if (pairs == 0)
        *wrong = text("no pairs: %s", term);
    return ends(term, ".least") ? least : ends(term, ".most") ? most : exp(logs / pairs);
}

/* The value of the term that a formula begins with. */
static double term_value(const char *gpu, const char *formula, const char **end, const char **wrong)
{
    const char *part[PARTS];
    const char *which = "";
    double x = 0;
    if (match("^(last|least|most|rank[0-9.]+) ", formula, part)) {
        which = part[1];
        formula += strlen(part[0]);
    }
    if (match("^([a-z_0-9]+/)?ratio\\([^)]*\\)\\.[a-z]+", formula, part))
        x = ratio_value(gpu, part[0], wrong);
    else if (match("^(([a-z0-9_]+/)?[a-z_0-9]+\\([^()]*\\))\\.([a-z0-9_]+)", formula, part))
        x = cell_value(gpu, which, part[1], part[3], wrong);
    else if (match("^([a-z_]+)\\.([A-Za-z0-9]+)", formula, part))
        x = first_row(gpu, part[1]) ? atof(head_of(first_row(gpu, part[1]), part[2])) : 0;
    else if (match("^-?[0-9.]+(\\^[0-9]+|e[-+][0-9]+)?", formula, part))
        x = atof(plain(part[0]));
    else
        *wrong = text("not a term: %s", formula);
    *end = formula + strlen(part[0]);
    return x;
}

double formula_value(const char *gpu, const char *formula, const char **wrong)
{
    double sum = 0;
    char sign = '+';
    *wrong = NULL;
    for (formula += strspn(formula, " "); *formula; formula += strspn(formula, " ")) {
        if (strchr("+-*/", *formula) && formula[1] == ' ') {
            sign = *formula++;
            continue;
        }
        const double x = term_value(gpu, formula, &formula, wrong);
        if (!*wrong && sign == '/' && x == 0)
            *wrong = "division by zero";
        if (*wrong)
            return 0;
        sum = sign == '+' ? sum + x : sign == '-' ? sum - x : sign == '*' ? sum * x : sum / x;
    }
    return sum;
}
