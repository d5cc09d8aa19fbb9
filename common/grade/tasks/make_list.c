/* SPDX-License-Identifier: MIT */
/*
 * make_list.c - prints a C file with all exercises, their tests and the hints:
 *
 *   cc -E ... | make_list hints.txt 01_naive/exercise/tests.txt ...
 *
 * Its stdin are all task.c after the preprocessor: they define the exercises, with the sizes and
 * data sets of each. The exercises of a folder use the tests.txt there; tests.h describes it. The
 * compiler refuses what is not a C expression, at its line of tests.txt.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/translate/inside.h"

enum { MOST_TASKS = 256, MOST_FOLDERS = 64, MOST_COLUMNS = 18, MOST_TESTS = 32, MOST_SHAPES = 8 };
enum { TEXT_BYTES = 1 << 16, WORD_BYTES = 256 };

static struct folder {
    char name[WORD_BYTES], sizes[WORD_BYTES], data[WORD_BYTES];
    int tests, task; /* the first exercise of the folder */
    double points;
    char table[TEXT_BYTES], board[TEXT_BYTES];
} folders[MOST_FOLDERS];

static struct task {
    char symbol[WORD_BYTES], name[WORD_BYTES];
    struct folder *folder;
} tasks[MOST_TASKS];

static int folder_count, task_count, functions, boards;
static const char *path;
static int line_number;
static char kinds[TEXT_BYTES], hint_rows[TEXT_BYTES];

static _Noreturn void wrong(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s:%d: ", path, line_number);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

/* Adds to a text that is an array. */
#define ADD(text, ...) snprintf((text) + strlen(text), sizeof(text) - strlen(text), __VA_ARGS__)

/* A C string, good until the fourth call after. */
static const char *string(const char *text)
{
    static char strings[4][TEXT_BYTES];
    static int next;
    char *const start = strings[next++ % 4], *to = start;
    for (*to++ = '"'; *text; *to++ = *text++)
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
    memcpy(to, "\"", 2);
    return start;
}

/* Is the word in a list that is separated by spaces? */
static bool has(const char *list, const char *word)
{
    char padded[TEXT_BYTES + 4], one[WORD_BYTES + 2];
    snprintf(padded, sizeof padded, " %s ", list);
    snprintf(one, sizeof one, " %s ", word);
    return strstr(padded, one);
}

static int count_of(const char *list)
{
    int n = *list != '\0';
    for (; *list; list++)
        n += *list == ' ';
    return n;
}

/* ---- the exercises, from task.c ---- */

static struct folder *folder_of(const char *name)
{
    struct folder *f = folders;
    while (f < folders + folder_count && strcmp(f->name, name) != 0)
        f++;
    if (f == folders + MOST_FOLDERS)
        wrong("there are more than %d folders", MOST_FOLDERS);
    if (f == folders + folder_count)
        snprintf(folders[folder_count++].name, WORD_BYTES, "%s", name);
    return f;
}

/* The strings of a field of the struct that begins at token i, joined by spaces. */
static void field(const struct source *s, size_t i, const char *name, char text[WORD_BYTES])
{
    const size_t end = skip_braces(s, i);
    text[0] = '\0';
    while (i < end && !(is(s, i, ".") && is(s, i + 1, name)))
        i++;
    for (; i < end && !is(s, i, "}"); i++) {
        const struct token *t = &s->tokens[i];
        if (*text && is(s, i, "."))
            return;
        if (t->kind == TOKEN_STRING)
            snprintf(text + strlen(text), WORD_BYTES - strlen(text), "%s%.*s", *text ? " " : "",
                     (int)t->length - 2, t->text + 1);
    }
}

static void add_task(const struct source *s, size_t i, const char *folder)
{
    const size_t open = skip_blank(s, skip_blank(s, i + 1) + 1);
    struct task *t = &tasks[task_count];
    char sizes[WORD_BYTES];
    if (!is(s, open, "{") || task_count++ == MOST_TASKS)
        return;
    snprintf(t->symbol, sizeof t->symbol, "%.*s", NAME(s, i));
    t->folder = folder_of(folder);
    field(s, open, "name", t->name);
    field(s, open, "size_names", sizes);
    field(s, open, "data_sets", t->folder->data);
    if (t->folder->sizes[0] && strcmp(t->folder->sizes, sizes) != 0) {
        fprintf(stderr, "%s/task.c: the exercises of a folder have the same sizes\n", folder);
        exit(1);
    }
    snprintf(t->folder->sizes, sizeof t->folder->sizes, "%s", sizes);
}

static void read_tasks(const char *text)
{
    struct source s = tokens_cut(text);
    char folder[WORD_BYTES] = "";
    for (size_t i = 0; i < s.count; i++) {
        const struct token *t = &s.tokens[i];
        const char *name = t->kind == TOKEN_DIRECTIVE ? memchr(t->text, '"', t->length) : NULL;
        if (name) {
            snprintf(folder, sizeof folder, "%.*s", (int)strcspn(name + 1, "\""), name + 1);
            if (strrchr(folder, '/'))
                *strrchr(folder, '/') = '\0';
        } else if (t->kind == TOKEN_WORD && t->length > 5 && strncmp(t->text, "task_", 5) == 0 &&
                   is(&s, skip_back(&s, i), "task")) {
            add_task(&s, i, folder);
        }
    }
    free(s.tokens);
}

/* ---- the columns of a test ---- */

static bool read_number(const char **p, unsigned long *value)
{
    char *end;
    if (!isdigit((unsigned char)**p))
        return false;
    *value = strtoul(*p, &end, 10);
    *p = end;
    return true;
}

/* 1..255, or 7 */
static bool range(const char **p, char *out, size_t bytes)
{
    unsigned long low, high;
    if (!read_number(p, &low))
        return false;
    high = low;
    if (strncmp(*p, "..", 2) == 0 && (*p += 2, !read_number(p, &high)))
        return false;
    snprintf(out, bytes, "{%lu, %lu}", low, high);
    return low <= high;
}

/* 1..255x0..100@3, or @0+1, up to a comma or the end */
static bool shape(const char **p, int sizes, char out[WORD_BYTES])
{
    char one[64], offset[64] = "{0, 0}", values[WORD_BYTES / 2] = "";
    unsigned long apart = 0;
    for (int k = 0; k < sizes; k++) {
        if ((k > 0 && *(*p)++ != 'x') || !range(p, one, sizeof one))
            return false;
        ADD(values, "%s%s", k > 0 ? ", " : "", one);
    }
    if (**p == '@') {
        ++*p;
        if (!range(p, offset, sizeof offset) || (**p == '+' && (++*p, !read_number(p, &apart))))
            return false;
    }
    snprintf(out, WORD_BYTES, "{{%s}, %s, %lu}", values, offset, apart);
    *p += strspn(*p, " ");
    return **p == ',' || **p == '\0';
}

static void shapes(const struct folder *f, const char *text, char out[TEXT_BYTES])
{
    char list[TEXT_BYTES / 2] = "", one[WORD_BYTES];
    int n = 0;
    for (const char *p = text; n <= MOST_SHAPES;) {
        if (!shape(&p, count_of(f->sizes), one))
            n = MOST_SHAPES;
        ADD(list, "%s%s", n > 0 ? ", " : "", one);
        n++;
        if (*p != ',' || n > MOST_SHAPES)
            break;
        p += 1 + strspn(p + 1, " ");
    }
    if (n > MOST_SHAPES)
        wrong("sizes: '%s'; accepted are up to 8 shapes such as 1000x3 or 1..255x3@0..3, with a "
              "value for each of: %s",
              text, f->sizes);
    snprintf(out, TEXT_BYTES, ",\n     %d, (const struct shape[]){%s}", n, list);
}

static bool is_expression(const char *text, size_t n)
{
    return n > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_ .+*/()") >= n;
}

/* A name becomes its fact, and a number a double. */
static void expression(const char *text, size_t n)
{
    for (const char *p = text; p < text + n;) {
        size_t m = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (isdigit((unsigned char)*p)) {
            m = strspn(p, "0123456789.");
            printf("%.*s%s", (int)m, p, memchr(p, '.', m) ? "" : ".0");
        } else if (m > 0) {
            printf("fact(f, \"%.*s\")", (int)m, p);
        } else {
            putchar(*p);
        }
        p += m > 0 ? m : 1;
    }
}

/* Prints a function for a condition; `no faults` is faults == 0. */
static void condition(const char *text)
{
    char one[TEXT_BYTES];
    const bool none = strncmp(text, "no ", 3) == 0 && text[3] &&
                      strspn(text + 3, "abcdefghijklmnopqrstuvwxyz_") == strlen(text + 3);
    snprintf(one, sizeof one, "%s%s", text + (none ? 3 : 0), none ? " == 0" : "");
    const char *op = one + strcspn(one, "<>=!");
    const size_t n = *op ? 1 + (op[1] == '=') : 0;
    if (n == 0 || (n == 1 && !strchr("<>", *op)) || !is_expression(one, (size_t)(op - one)) ||
        !is_expression(op + n, strlen(op + n)))
        wrong("requires: cannot read '%s'; accepted are conditions such as `global_ld_sectors <= "
              "1.05 * in_bytes / 32` with `;` between, and `no faults`",
              text);
    printf("static bool holds_%d(const struct facts *f, double *left, double *right)\n{\n",
           ++functions);
    printf("#line %d %s\n    *left = ", line_number, string(path));
    expression(one, (size_t)(op - one));
    printf(";\n    *right = ");
    expression(op + n, strlen(op + n));
    printf(";\n    return *left %.*s *right;\n}\n", (int)n, op);
}

/* Cuts the next part of a text that is separated by `sign`, without blanks around it. */
static char *part(char **text, char sign)
{
    char *start = *text, *end = start ? strchr(start, sign) : NULL;
    if (!start)
        return NULL;
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    start += strspn(start, " \t");
    for (size_t n = strlen(start); n > 0 && isspace((unsigned char)start[n - 1]); n--)
        start[n - 1] = '\0';
    return start;
}

static void conditions(const char *requires, char out[TEXT_BYTES])
{
    char copy[TEXT_BYTES], list[TEXT_BYTES / 2] = "", *rest = copy;
    int n = 0;
    snprintf(copy, sizeof copy, "%s", requires);
    for (char *one; *requires && (one = part(&rest, ';')) != NULL; n++) {
        condition(one);
        ADD(list, "%s{%s, holds_%d}", n > 0 ? ", " : "", string(one), functions);
    }
    snprintf(out, TEXT_BYTES, ",\n     %d, (const struct condition[]){%s}", n, n ? list : "{0}");
}

/* `WHEN: text`, or just a text. */
static void hints(const char *requires, char **text, int n, char out[TEXT_BYTES])
{
    char list[TEXT_BYTES / 2] = "", when[WORD_BYTES];
    if (n > 12)
        wrong("hint: a test has at most 12");
    for (int i = 0; i < n; i++) {
        const size_t m = strspn(text[i], "abcdefghijklmnopqrstuvwxyz_");
        const bool own = m > 0 && strncmp(text[i] + m, ": ", 2) == 0;
        snprintf(when, sizeof when, "%.*s", own ? (int)m : 0, text[i]);
        if (own && !has(kinds, when) && !strstr(requires, when))
            wrong("hint: '%s'; accepted are the counters that this test requires, and%s", when,
                  kinds);
        ADD(list, "%s{%s, \"\", %s}", i > 0 ? ", " : "", string(when),
            string(text[i] + (own ? m + 2 : 0)));
    }
    snprintf(out, TEXT_BYTES, ",\n     %d, (const struct hint[]){%s}", n, n ? list : "{0}");
}

/* ---- the tables ---- */

static void add_hint(char **column, int columns)
{
    if (columns != 3)
        wrong("a line has 3 columns: kind | part of the message | hint");
    if (!has(kinds, column[0]))
        ADD(kinds, " %s", column[0]);
    ADD(hint_rows, "    {%s, %s, %s},\n", string(column[0]), string(column[1]), string(column[2]));
}

static void add_board(struct folder *f, char **column)
{
    char out[TEXT_BYTES];
    if (!is_expression(column[4], strlen(column[4])))
        wrong("board: cannot read '%s'; accepted is one expression, such as `global_ld_sectors + "
              "1000 * launches`",
              column[4]);
    printf("static double score_%d(const struct facts *f)\n{\n#line %d %s\n    return ", ++boards,
           line_number, string(path));
    expression(column[4], strlen(column[4]));
    printf(";\n}\n");
    shapes(f, column[2], out);
    snprintf(f->board, sizeof f->board,
             "{%s, %s, 0%.*s,\n     0, (const struct condition[]){{0}},\n     0, (const struct "
             "hint[]){{0}}}, score_%d",
             string(column[0]), string(column[3]), 4096, out, boards);
}

static void add_test(struct folder *f, char **column, int columns)
{
    char *end, out[TEXT_BYTES];
    const double points = strtod(column[1], &end);
    if (columns < 6)
        wrong("a line has 6 columns: name | points | sizes | data | requires | hint");
    if (strcmp(column[0], "board") == 0 && points == 0) {
        add_board(f, column);
        return;
    }
    if (*end || column[1][strspn(column[1], "0123456789.")] || points <= 0)
        wrong("points: '%s'; accepted is a number above 0", column[1]);
    if (!has(f->data, column[3]))
        wrong("data: '%s'; accepted are %s", column[3], f->data);
    if (++f->tests > MOST_TESTS)
        wrong("there are more than %d tests", MOST_TESTS);
    f->points += points;
    ADD(f->table, "    {%s, %s, %s", string(column[0]), string(column[3]), column[1]);
    shapes(f, column[2], out);
    ADD(f->table, "%s", out);
    conditions(column[4], out);
    ADD(f->table, "%s", out);
    hints(column[4], column + 5, columns - 5, out);
    ADD(f->table, "%s},\n", out);
}

static void read_table(const char *name, bool is_hints)
{
    static char none[] = "";
    char *line = NULL, *column[MOST_COLUMNS + 8], folder[WORD_BYTES];
    size_t capacity = 0;
    FILE *file = fopen(path = name, "r");
    if (!file) {
        perror(name);
        exit(1);
    }
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(name, '/') - name), name);
    for (line_number = 1; getline(&line, &capacity, file) > 0; line_number++) {
        char *rest = line;
        int columns = 0;
        if (strchr("#\r\n", line[strspn(line, " \t")]))
            continue;
        while (columns < MOST_COLUMNS && (column[columns] = part(&rest, '|')) != NULL)
            columns++;
        for (int i = columns; i < 6; i++)
            column[i] = none;
        if (is_hints)
            add_hint(column, columns);
        else
            add_test(folder_of(folder), column, columns);
    }
    free(line);
    fclose(file);
}

/* ---- the C file ---- */

static int by_symbol(const void *a, const void *b)
{
    return strcmp(((const struct task *)a)->symbol, ((const struct task *)b)->symbol);
}

static void print_lists(void)
{
    qsort(tasks, (size_t)task_count, sizeof *tasks, by_symbol);
    for (int i = 0; i < task_count; i++)
        printf("extern const struct task %s;\n", tasks[i].symbol);
    for (struct folder *f = folders; f < folders + folder_count; f++)
        printf("static const struct test tests_%d[] = {\n%s};\n", (int)(f - folders), f->table);
    printf("const struct task *const tasks[] = {\n");
    for (int i = 0; i < task_count; i++)
        printf("    &%s,\n", tasks[i].symbol);
    printf("};\nconst size_t task_count = sizeof tasks / sizeof *tasks;\n");
    printf("const char task_names[] = \"");
    for (int i = 0; i < task_count; i++)
        printf("%s%s", i > 0 ? " " : "", tasks[i].name);
    printf("\";\nconst struct tests tests[] = {\n");
    for (int i = 0; i < task_count; i++) {
        const struct folder *f = tasks[i].folder;
        printf("    {tests_%d, %d, %g, %s},\n", (int)(f - folders), f->tests, f->points,
               f->board[0] ? f->board : "{0}, NULL");
    }
    printf("};\nconst struct hint hint_kinds[] = {\n%s};\n", hint_rows);
    printf("const size_t hint_kind_count = sizeof hint_kinds / sizeof *hint_kinds;\n");
}

int main(int argc, char **argv)
{
    size_t bytes = 0;
    char *text = NULL;
    if (getdelim(&text, &bytes, '\0', stdin) < 0 || argc < 2)
        return 1;
    printf("#include \"grade/tasks/tests.h\"\n");
    read_tasks(text);
    for (int i = 1; i < argc; i++)
        read_table(argv[i], i == 1);
    if (task_count == 0) {
        fprintf(stderr, "make_list: no task.c defines `const struct task task_NAME = {`\n");
        return 1;
    }
    for (struct folder *f = folders; f < folders + folder_count; f++)
        if (f->tests == 0) {
            fprintf(stderr, "%s/tests.txt has no test\n", f->name);
            return 1;
        }
    print_lists();
    free(text);
    return fflush(stdout) != 0;
}
