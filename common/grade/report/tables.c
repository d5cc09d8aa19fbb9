/* SPDX-License-Identifier: MIT */
/*
 * tables.c - the marks of a class as tables. marks_long.csv keeps all rows from run to run; the
 * others are made from it. Our fields contain no line breaks.
 */
#define _GNU_SOURCE
#include "tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simt/driver/inside.h"

static const char mark_of_order[] = "\xef\xbb\xbf"; /* UTF-8: Excel needs it */
static const char head[] = "student,exercise,points,of,seconds,file,note,seed,score";

static struct cells *rows;
static size_t count;

/* ---- rows ---- */

static bool is_task(const char *name)
{
    return task_find(name) || strcmp(name, "quiz") == 0 || strcmp(name, "viva") == 0;
}

static struct cells *table_row(const char *student, const char *exercise)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].cell[STUDENT], student) == 0 &&
            strcmp(rows[i].cell[EXERCISE], exercise) == 0)
            return &rows[i];
    return NULL;
}

void table_put(const struct cells *row)
{
    struct cells *place = table_row(row->cell[STUDENT], row->cell[EXERCISE]);
    if (!place) {
        rows = longer(rows, count, sizeof *rows);
        place = &rows[count++];
    }
    for (int k = 0; k < CELLS; k++)
        place->cell[k] = strdup(row->cell[k]);
}

const char *table_line(const struct cells *row)
{
    const char *line = csv_quote(row->cell[0]);
    for (int k = 1; k < CELLS; k++)
        line = text("%s,%s", line, csv_quote(row->cell[k]));
    return line;
}

const char *table_add(char *line)
{
    char *cell[CELLS + 1];
    struct cells row = {{"", "", "", "", "", "", "", "", ""}};
    const size_t cells = csv_split(line, cell, CELLS + 1);
    if (cells < CELLS - 1) /* older ones have no score */
        return "a row has 9 fields";
    for (size_t k = 0; k < cells && k < CELLS; k++)
        row.cell[k] = cell[k];
    if (!is_task(row.cell[EXERCISE]))
        return text("there is no exercise '%.64s'", row.cell[EXERCISE]);
    table_put(&row);
    return NULL;
}

void table_read(const char *path)
{
    char *line = NULL;
    const char *wrong = NULL;
    size_t capacity = 0, number = 0;
    FILE *file = fopen(path, "r");
    while (file && !wrong && getline(&line, &capacity, file) > 0) {
        char *start = line + (begins(line, mark_of_order) ? strlen(mark_of_order) : 0);
        start[strcspn(start, "\r\n")] = '\0';
        if (++number > 1)
            wrong = *start ? table_add(start) : NULL;
        else if (strcmp(start, head) != 0 && strcmp(text("%s,score", start), head) != 0)
            wrong = text("this is not '%s'", head);
    }
    if (wrong)
        stop("%s line %zu: %s; move the file away, or bring it back as it was", path, number,
             wrong);
    free(line);
    if (file)
        fclose(file);
}

/* Is row i the first of its student? */
static bool is_first(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(rows[k].cell[STUDENT], rows[i].cell[STUDENT]) == 0)
            return false;
    return true;
}

/* Exercise i in the order of the course; quiz and viva are the last ones. NULL: there are no more.
 */
static const char *exercise(size_t i)
{
    static const char *const others[] = {"quiz", "viva", NULL};
    return i < task_count ? tasks[i]->name : i < task_count + 2 ? others[i - task_count] : NULL;
}

const char *table_seed(const char *name)
{
    const char *seed = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].cell[EXERCISE], name) == 0)
            seed = rows[i].cell[SEED];
    return seed;
}

/* ---- tables ---- */

/* 0 for what was not graded, empty for what the grader could not grade. */
static const char *points_of(const char *student, const char *name)
{
    const struct cells *row = table_row(student, name);
    return row ? row->cell[POINTS] : "0";
}

/* A column for each exercise that was graded: its name, or with a student the points there. */
static void print_columns(FILE *out, const char *before, const char *student)
{
    for (size_t k = 0; exercise(k); k++)
        if (table_seed(exercise(k)))
            fprintf(out, ",%s%s", before, student ? points_of(student, exercise(k)) : exercise(k));
}

static void long_table(FILE *out)
{
    fprintf(out, "%s%s\n", mark_of_order, head);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; is_first(i) && exercise(k); k++) {
            const struct cells *row = table_row(rows[i].cell[STUDENT], exercise(k));
            if (row)
                fprintf(out, "%s\n", table_line(row));
        }
}

/* One seed, or `01=7 02=9` where they differ. */
static const char *seeds_of(const char *student)
{
    const char *one = NULL, *all = "";
    bool same = true;
    for (size_t k = 0; exercise(k); k++) {
        const struct cells *row = table_row(student, exercise(k));
        if (!row)
            continue;
        const char *seed = row->cell[SEED];
        same = same && (!one || strcmp(one, seed) == 0);
        one = seed;
        all = text("%s%s%s=%s", all, *all ? " " : "", exercise(k), seed);
    }
    return !same ? all : one ? one : "";
}

/* smithalice_123 is smithalice, whose number on the platform is 123: where that begins, or NULL. */
static const char *number_of(const char *student)
{
    const char *number = strrchr(student, '_');
    return number && number[1] && number[1 + strspn(number + 1, "0123456789")] == '\0' ? number + 1
                                                                                       : NULL;
}

/* The same, but NULL if another student has it too. */
static const char *sole_number_of(const char *student)
{
    const char *number = number_of(student), *other;
    for (size_t i = 0; number && i < count; i++) {
        const char *same = number_of(other = rows[i].cell[STUDENT]);
        if (!same || strcmp(same, number) != 0 || strcmp(other, student) == 0)
            continue;
        fprintf(stderr, "grade: two students have the number %s, so it is left out: '%s', '%s'\n",
                number, student, other);
        return NULL;
    }
    return number;
}

static const char *name_of(const char *student)
{
    const char *number = number_of(student);
    return csv_quote(number ? text("%.*s", (int)(number - student - 1), student) : student);
}

static void each_student(FILE *out, void (*print)(FILE *out, const char *student))
{
    for (size_t i = 0; i < count; i++)
        if (is_first(i)) {
            print(out, rows[i].cell[STUDENT]);
            fprintf(out, "\n");
        }
}

static void wide_row(FILE *out, const char *student)
{
    fprintf(out, "%s", csv_quote(student));
    print_columns(out, "", student);
    fprintf(out, ",%s", seeds_of(student));
}

static void wide_table(FILE *out)
{
    fprintf(out, "%sstudent", mark_of_order);
    print_columns(out, "", NULL);
    fprintf(out, ",seed\n");
    each_student(out, wide_row);
}

/* Without a number the name may be the student's login name. */
static void canvas_row(FILE *out, const char *student)
{
    const char *number = sole_number_of(student);
    fprintf(out, "%s,%s,,%s,", name_of(student), number ? number : "",
            number ? "" : csv_quote(student));
    print_columns(out, "", student);
}

static void canvas_table(FILE *out)
{
    fprintf(out, "Student,ID,SIS User ID,SIS Login ID,Section");
    print_columns(out, "Exercise ", NULL);
    fprintf(out, "\n");
    each_student(out, canvas_row);
}

static const char *moodle_task;

static void moodle_row(FILE *out, const char *student)
{
    const char *number = sole_number_of(student);
    fprintf(out, "%s%s,%s,%s,-", number ? "Participant " : "", number ? number : "",
            name_of(student), points_of(student, moodle_task));
}

static void moodle_table(FILE *out)
{
    fprintf(out, "Identifier,Full name,Grade,Last modified (grade)\n");
    each_student(out, moodle_row);
}

/* ---- the board: students with all points of an open task, by score; less is better ---- */

static const char *(*speed_of)(const struct cells *row);

static int by_score(const void *a, const void *b)
{
    const struct cells *const *p = a, *const *q = b;
    const double x = atof((*p)->cell[SCORE]), y = atof((*q)->cell[SCORE]);
    return x != y ? (x > y) - (x < y) : (*p > *q) - (*p < *q);
}

/* Students with the same score share a rank. */
static void board_table(FILE *out)
{
    const struct cells **list = memory((count + 1) * sizeof *list);
    fprintf(out, "%sexercise,place,student,score%s\n", mark_of_order,
            speed_of ? ",times_solution" : "");
    for (size_t k = 0; exercise(k); k++) {
        size_t n = 0, place = 0;
        for (size_t i = 0; i < count; i++)
            if (*rows[i].cell[SCORE] && strcmp(rows[i].cell[EXERCISE], exercise(k)) == 0)
                list[n++] = &rows[i];
        qsort(list, n, sizeof *list, by_score);
        for (size_t i = 0; i < n; i++) {
            const char *const *cell = list[i]->cell;
            if (i == 0 || strcmp(cell[SCORE], list[i - 1]->cell[SCORE]) != 0)
                place = i + 1;
            fprintf(out, "%s,%zu,%s,%s%s%s\n", exercise(k), place, csv_quote(cell[STUDENT]),
                    cell[SCORE], speed_of ? "," : "", speed_of ? speed_of(list[i]) : "");
        }
    }
    free(list);
}

/* ---- files: either complete or unchanged ---- */

static bool write_table(const char *path, void (*print)(FILE *))
{
    const char *const other = text("%s.new", path);
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        fprintf(stderr, "grade: cannot write '%s': it is not a plain file\n", path);
        return false;
    }
    unlink(other);
    FILE *out = fopen(other, "w");
    if (out)
        print(out);
    const bool written = out && !ferror(out);
    if (out && fclose(out) == 0 && written && rename(other, path) == 0)
        return true;
    unlink(other);
    fprintf(stderr, "grade: cannot write '%s'; the marks of this run are not in it\n", path);
    return false;
}

bool tables_write(const struct places *at, const char *format,
                  const char *(*speed)(const struct cells *))
{
    bool board = false;
    speed_of = speed;
    for (size_t i = 0; i < count; i++)
        board = board || *rows[i].cell[SCORE];
    if (!write_table(at->long_table, long_table) || !write_table(at->marks, wide_table) ||
        (board && !write_table(text("%s/board.csv", at->folder), board_table)))
        return false;
    if (strcmp(format, "canvas") == 0)
        return write_table(text("%s/canvas.csv", at->folder), canvas_table);
    for (size_t k = 0; strcmp(format, "moodle") == 0 && (moodle_task = exercise(k)) != NULL; k++)
        if (table_seed(moodle_task) &&
            !write_table(text("%s/moodle.%s.csv", at->folder, moodle_task), moodle_table))
            return false;
    return true;
}
