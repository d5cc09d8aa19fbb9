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

#include "simt/driver/inside.h"
#include "simt/translate/inside.h"

enum { MOST_TASKS = 256, MOST_FOLDERS = 64, MOST_COLUMNS = 18, MOST_TESTS = 32, MOST_SHAPES = 8 };
#define EXPRESSION "([a-z0-9_ .+*/()-]+)"

static struct folder {
    char *name, *data, *table, *board;
    struct list sizes;
    int tests;
    double points;
} folders[MOST_FOLDERS];

static struct task {
    char *symbol, *name;
    struct folder *folder;
} tasks[MOST_TASKS];

static int folder_count, task_count, functions, boards;
static const char *path;
static int line_number;
static char *kinds = "", *hint_rows = "";

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

#define APPEND(to, ...) ((to) = text("%s%s", to, text(__VA_ARGS__)))

/* A C string. */
static const char *string(const char *from)
{
    char *const quoted = memory(2 * strlen(from) + 3), *to = quoted;
    for (*to++ = '"'; *from; *to++ = *from++)
        if (*from == '"' || *from == '\\')
            *to++ = '\\';
    memcpy(to, "\"", 2);
    return quoted;
}

/* Is the word in a list that is separated by spaces? */
static bool has(const char *list, const char *word)
{
    return strstr(text(" %s ", list), text(" %s ", word));
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
        folders[folder_count++] = (struct folder){text("%s", name), "", "", "", {0}, 0, 0};
    return f;
}

/* The strings of a field of the struct that begins at token i. */
static struct list field(const struct source *s, size_t i, const char *name)
{
    const size_t end = skip_braces(s, i);
    struct list found = {0};
    while (i < end && !(is(s, i, ".") && is(s, i + 1, name)))
        i++;
    for (; i < end && !is(s, i, "}") && !(found.count > 0 && is(s, i, ".")); i++)
        if (s->tokens[i].kind == TOKEN_STRING)
            ADD(&found, text("%.*s", (int)s->tokens[i].length - 2, s->tokens[i].text + 1));
    return found;
}

static void add_task(const struct source *s, size_t i, const char *folder)
{
    const size_t open = skip_blank(s, skip_blank(s, i + 1) + 1);
    if (!is(s, open, "{") || task_count == MOST_TASKS)
        return;
    struct folder *const f = folder_of(folder);
    const struct list name = field(s, open, "name"), sizes = field(s, open, "size_names"),
                      data = field(s, open, "data_sets");
    tasks[task_count++] = (struct task){text("%.*s", NAME(s, i)), list_text(&name, " "), f};
    if (f->sizes.count > 0 && strcmp(list_text(&f->sizes, " "), list_text(&sizes, " ")) != 0) {
        fprintf(stderr, "%s/task.c: the exercises of a folder have the same sizes\n", folder);
        exit(1);
    }
    f->sizes = sizes;
    f->data = list_text(&data, " ");
}

static void read_tasks(const char *all)
{
    struct source s = tokens_cut(all);
    char *folder = "";
    for (size_t i = 0; i < s.count; i++) {
        const struct token *t = &s.tokens[i];
        const char *name = t->kind == TOKEN_DIRECTIVE ? memchr(t->text, '"', t->length) : NULL;
        if (name) {
            folder = until(name + 1, "\"");
            if (strrchr(folder, '/'))
                *strrchr(folder, '/') = '\0';
        } else if (t->kind == TOKEN_WORD && t->length > 5 && begins(t->text, "task_") &&
                   is(&s, skip_back(&s, i), "task")) {
            add_task(&s, i, folder);
        }
    }
    free(s.tokens);
}

/* ---- the columns of a test ---- */

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

/* 1..255, or 7: goes over it. NULL: it is neither. */
static char *range(const char **p)
{
    const char *found[PARTS];
    if (!match("^([0-9]+)(\\.\\.([0-9]+))?", *p, found))
        return NULL;
    const unsigned long low = strtoul(found[1], NULL, 10);
    const unsigned long high = *found[3] ? strtoul(found[3], NULL, 10) : low;
    *p += strlen(found[0]);
    return low <= high ? text("{%lu, %lu}", low, high) : NULL;
}

/* 1..255x0..100@3, or @0+1. NULL: it is no shape. */
static char *shape(const char *p, size_t sizes)
{
    const char *found[PARTS] = {"", "0"};
    char *values = "", *offset = "{0, 0}", *one;
    for (size_t k = 0; k < sizes; k++) {
        if ((k > 0 && *p++ != 'x') || !(one = range(&p)))
            return NULL;
        APPEND(values, "%s%s", k > 0 ? ", " : "", one);
    }
    if (*p == '@' && (p++, !(offset = range(&p)) || (*p && !match("^\\+([0-9]+)", p, found))))
        return NULL;
    if (p[strlen(found[0])] != '\0')
        return NULL;
    return text("{{%s}, %s, %lu}", values, offset, strtoul(found[1], NULL, 10));
}

static char *shapes(const struct folder *f, const char *sizes)
{
    char *list = "", *rest = text("%s", sizes), *one;
    int n = 0;
    for (char *next; (next = part(&rest, ',')) != NULL; n++) {
        if (n == MOST_SHAPES || !(one = shape(next, f->sizes.count)))
            wrong("sizes: '%s'; accepted are up to 8 shapes such as 1000x3 or 1..255x3@0..3, with "
                  "a value for each of: %s",
                  sizes, list_text(&f->sizes, " "));
        APPEND(list, "%s%s", n > 0 ? ", " : "", one);
    }
    return text(",\n     %d, (const struct shape[]){%s}", n, list);
}

/* A name becomes its fact, and a number a double. */
static char *expression(const char *p)
{
    char *made = "";
    for (size_t m; *p; p += m) {
        m = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (isdigit((unsigned char)*p)) {
            m = strspn(p, "0123456789.");
            APPEND(made, "%.*s%s", (int)m, p, memchr(p, '.', m) ? "" : ".0");
        } else if (m > 0) {
            APPEND(made, "fact(f, \"%.*s\")", (int)m, p);
        } else {
            m = 1;
            APPEND(made, "%c", *p);
        }
    }
    return made;
}

/* Prints a function for a condition; `no faults` is faults == 0. */
static void condition(const char *one)
{
    const char *side[PARTS];
    if (match("^no ([a-z_]+)$", one, side))
        one = text("%s == 0", side[1]);
    if (!match("^" EXPRESSION "(<=|>=|==|!=|<|>)" EXPRESSION "$", one, side))
        wrong("requires: cannot read '%s'; accepted are conditions such as `global_ld_sectors <= "
              "1.05 * in_bytes / 32` with `;` between, and `no faults`",
              one);
    printf("static bool holds_%d(const struct facts *f, double *left, double *right)\n{\n"
           "#line %d %s\n    *left = %s;\n    *right = %s;\n    return *left %s *right;\n}\n",
           ++functions, line_number, string(path), expression(side[1]), expression(side[3]),
           side[2]);
}

static char *conditions(const char *requires)
{
    char *list = "", *rest = *requires ? text("%s", requires) : NULL;
    int n = 0;
    for (char *one; (one = part(&rest, ';')) != NULL; n++) {
        condition(one);
        APPEND(list, "%s{%s, holds_%d}", n > 0 ? ", " : "", string(one), functions);
    }
    return text(",\n     %d, (const struct condition[]){%s}", n, n ? list : "{0}");
}

/* `WHEN: text`, or just a text. */
static char *hints(const char *requires, char **column, int n)
{
    const char *found[PARTS];
    char *list = "";
    if (n > 12)
        wrong("hint: a test has at most 12");
    for (int i = 0; i < n; i++) {
        const bool own = match("^([a-z_]+): (.*)", column[i], found);
        if (own && !has(kinds, found[1]) && !strstr(requires, found[1]))
            wrong("hint: '%s'; accepted are the counters that this test requires, and%s", found[1],
                  kinds);
        APPEND(list, "%s{%s, \"\", %s}", i > 0 ? ", " : "", string(found[1]),
               string(own ? found[2] : column[i]));
    }
    return text(",\n     %d, (const struct hint[]){%s}", n, n ? list : "{0}");
}

/* ---- the tables ---- */

static void add_hint(char **column, int columns)
{
    if (columns != 3)
        wrong("a line has 3 columns: kind | part of the message | hint");
    if (!has(kinds, column[0]))
        APPEND(kinds, " %s", column[0]);
    APPEND(hint_rows, "    {%s, %s, %s},\n", string(column[0]), string(column[1]),
           string(column[2]));
}

static void add_board(struct folder *f, char **column)
{
    if (!match("^" EXPRESSION "$", column[4], NULL))
        wrong("board: cannot read '%s'; accepted is one expression, such as `global_ld_sectors + "
              "1000 * launches`",
              column[4]);
    printf("static double score_%d(const struct facts *f)\n{\n#line %d %s\n    return %s;\n}\n",
           ++boards, line_number, string(path), expression(column[4]));
    f->board = text("{%s, %s, 0%s,\n     0, (const struct condition[]){{0}},\n     0, (const "
                    "struct hint[]){{0}}}, score_%d",
                    string(column[0]), string(column[3]), shapes(f, column[2]), boards);
}

static void add_test(struct folder *f, char **column, int columns)
{
    char *end;
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
    APPEND(f->table, "    {%s, %s, %s%s%s%s},\n", string(column[0]), string(column[3]), column[1],
           shapes(f, column[2]), conditions(column[4]), hints(column[4], column + 5, columns - 5));
}

static void read_table(const char *name, bool is_hints)
{
    char *line = NULL, *column[MOST_COLUMNS + 8];
    size_t capacity = 0;
    FILE *file = fopen(path = name, "r");
    if (!file) {
        perror(name);
        exit(1);
    }
    for (line_number = 1; getline(&line, &capacity, file) > 0; line_number++) {
        char *rest = line;
        int columns = 0;
        if (strchr("#\r\n", line[strspn(line, " \t")]))
            continue;
        while (columns < MOST_COLUMNS && (column[columns] = part(&rest, '|')) != NULL)
            columns++;
        for (int i = columns; i < 6; i++)
            column[i] = "";
        if (is_hints)
            add_hint(column, columns);
        else
            add_test(folder_of(text("%.*s", (int)(strrchr(name, '/') - name), name)), column,
                     columns);
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
               *f->board ? f->board : "{0}, NULL");
    }
    printf("};\nconst struct hint hint_kinds[] = {\n%s};\n", hint_rows);
    printf("const size_t hint_kind_count = sizeof hint_kinds / sizeof *hint_kinds;\n");
}

int main(int argc, char **argv)
{
    size_t bytes = 0;
    char *all = NULL;
    if (getdelim(&all, &bytes, '\0', stdin) < 0 || argc < 2)
        return 1;
    printf("#include \"grade/tasks/tests.h\"\n");
    read_tasks(all);
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
    free(all);
    return fflush(stdout) != 0;
}
