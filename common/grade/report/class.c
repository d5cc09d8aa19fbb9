/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simt/driver/inside.h"
#include "tables.h"

/* What the process of a row leaves: the row of the table, and what the student may read. */
struct outcome {
    bool done;
    char row[1 << 16], report[1 << 20];
};

struct class
{
    const struct class_options *o;
    struct finding f;
    struct outcome *outcome;
    const char *reports; /* the folder for the students' reports */
};

/* ---- the mark of a student for an exercise ---- */

static bool is_missing(const struct mark *m)
{
    return strcmp(m->file, "no file") == 0;
}

/* Judges the last file by name, or all files, of which the best one counts: the mark has its
 * path. */
static struct mark mark_row(const struct finding *f, const struct row *row,
                            const struct class_options *o)
{
    struct mark best = mark_none(row->task, o->seed, "no file"), other;
    const size_t first = o->best || row->files == 0 ? 0 : row->files - 1;
    best.refused = text("missing: there is no file of exercise %s%s%s", row->task->name,
                        *row->instead ? "; " : "", row->instead);
    for (size_t i = first; i < row->files; i++) {
        const char *name;
        const int folder = find_open(f, row->file[i], &name);
        judge(o->course, row->task, text("/proc/self/fd/%d/%s", folder, name), o->seed, &other);
        close(folder);
        other.file = row->file[i];
        if (i == first || other.points >= best.points)
            best = other;
    }
    return best;
}

/* ---- its row of the table, and its report ---- */

static const char *joined(const char *note, const char *more)
{
    return text("%s%s%s", note, *note && *more ? "; " : "", more);
}

/* Why points are missing, on one line, and the files that were not accepted. */
static const char *note_of(const struct row *row, const struct mark *m)
{
    const char *note = "", *why = why_of_mark(m);
    size_t failed = 0;
    while (failed < m->tests->count && m->verdict[failed].result == RESULT_PASSED)
        failed++;
    if (*m->refused)
        note = text("%s%s", is_missing(m) ? "" : "refused: ", until(text_plain(m->refused), "\n"));
    else if (failed < m->tests->count)
        note = text("%s: %s", m->tests->test[failed].name,
                    until(text_plain(m->verdict[failed].seen), "\n"));
    if (*why && (!*m->refused || *m->why))
        note = joined(note, text("why: %s", *m->why ? text_plain(why) : "not said"));
    for (size_t i = 0; i < row->files; i++)
        if (strcmp(row->file[i], m->file) != 0)
            note = joined(note, text("not taken: %.200s", text_shown(row->file[i])));
    return joined(note, row->remark);
}

/* Makes the row of the table, and the report, whose commands work from the folder of the course. */
static void make_row(const struct class *c, const struct row *row, struct outcome *to)
{
    struct mark m = mark_row(&c->f, row, c->o);
    const struct cells cells = {
        {row->student, m.task->name, text("%g", m.points), text("%g", m.tests->points),
         text("%.1f", m.seconds), is_missing(&m) ? "" : text_shown(m.file), note_of(row, &m),
         text("%llu", (unsigned long long)m.seed), m.score > 0 ? text("%.10g", m.score) : ""}};
    snprintf(to->row, sizeof to->row, "%s", table_line(&cells));
    if (!is_missing(&m))
        m.file = text("%s/%s", c->o->folder, m.file);
    FILE *out = fmemopen(to->report, sizeof to->report, "w");
    if (out)
        show_text(&(struct marks){&m, 1, row->remark, ""}, out, "");
    to->done = out && fclose(out) == 0;
}

/* ---- all rows, each in its own process ---- */

/* Keeps `jobs` processes running until every row has had one. False: nothing could be built, not
 * even a right file of ours; the process has reported it and exited with 2. */
static bool make_rows(const struct class *c)
{
    const pid_t class = getpid();
    bool works = true;
    for (size_t next = 0, ended = 0; ended < (works ? c->f.rows : next); ended++) {
        for (; works && next < c->f.rows && next - ended < c->o->jobs; next++)
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* not longer than the class */
                if (getppid() == class)
                    make_row(c, &c->f.row[next], &c->outcome[next]);
                _exit(0);
            }
        int status = 0;
        wait(&status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
            works = course_works();
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%zu of %zu graded%s", ended + 1, c->f.rows,
                    ended + 1 == c->f.rows ? "\n" : "");
    }
    return works || course_works();
}

static bool write_report(const struct class *c, size_t i)
{
    const struct row *row = &c->f.row[i];
    const char *path = text("%s/%.200s%s.%s.txt", c->reports, row->student,
                            strlen(row->student) > 200 ? text("~%zu", i + 1) : "", row->task->name);
    FILE *out = fopen(path, "w");
    const bool written = out && fputs(c->outcome[i].report, out) >= 0;
    if (out && fclose(out) == 0 && written)
        return true;
    fprintf(stderr, "grade: cannot write '%s': %s\n", path, strerror(errno));
    return false;
}

/* Returns whether every row has its mark, and all could be written. */
static bool add_rows(const struct class *c, bool *written)
{
    bool done = true;
    for (size_t i = 0; i < c->f.rows; i++) {
        const struct row *row = &c->f.row[i];
        if (c->outcome[i].done && !table_add(c->outcome[i].row)) {
            *written = *written && write_report(c, i);
            continue;
        }
        done = false;
        fprintf(stderr, "grade: '%s' has no mark for exercise %s: the grader itself has failed\n",
                row->student, row->task->name);
        table_put(&(struct cells){{row->student, row->task->name, "", "", "", "",
                                   "not graded: the grader itself has failed",
                                   text("%llu", (unsigned long long)c->o->seed), ""}});
    }
    return done;
}

/* Grades the exercises of the options. Returns 0, 1: a row has no mark, 2: there are none. */
static int grade_rows(const struct class_options *o, const char *reports)
{
    struct class c = {.o = o, .reports = reports};
    bool written = true;
    if (!find_rows(&c.f, o, true, false))
        return 2;
    c.outcome = mmap(NULL, c.f.rows * sizeof *c.outcome, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c.outcome == MAP_FAILED)
        stop("no memory for the marks: %s", strerror(errno));
    if (!make_rows(&c))
        return 2;
    const bool done = add_rows(&c, &written);
    fprintf(stderr, "graded %zu rows with SEED=%llu\n", c.f.rows, (unsigned long long)o->seed);
    munmap(c.outcome, c.f.rows * sizeof *c.outcome);
    return !written ? 2 : done ? 0 : 1;
}

/* ---- a quiz ---- */

/* The first line that a command of the shell prints; NULL: it fails. */
static const char *output_of(const char *command)
{
    char line[1024] = "";
    FILE *from = popen(command, "r");
    const bool read = from && fgets(line, sizeof line, from);
    while (from && fgetc(from) != EOF)
        ;
    return from && pclose(from) == 0 && read ? until(line, "\n") : NULL;
}

/* Adds the students' quiz points to the tables, 0 without answers; returns the number of rows. */
static size_t add_quiz(const struct class_options *o)
{
    struct finding f;
    if (!*o->quiz || !find_rows(&f, o, true, true))
        return 0;
    for (size_t i = 0; i < f.rows; i++) {
        const struct row *row = &f.row[i];
        const char *last = row->files > 0 ? row->file[row->files - 1] : "";
        char points[16] = "0", seed[32] = "-", note[1024] = "";
        const char *line = text("0 - missing: %.900s", row->instead);
        if (*last)
            line = output_of(text("%s --mark %s %s", text_quoted(o->quiz),
                                  text_quoted(text("%s/%s", o->folder, last)),
                                  text_quoted(o->questions)));
        if (!line)
            line = "0 - cannot be read";
        sscanf(line, "%15s %31s %1000[^\n]", points, seed, note);
        table_put(&(struct cells){{row->student, "quiz", points, "100", "0.0", text_shown(last),
                                   note, strcmp(seed, "-") == 0 ? "" : seed, ""}});
    }
    return f.rows;
}

/* ---- a viva: common/viva/ ---- */

/* For each student with a file, a line: NAME<tab>FILE. */
static int list_files(const struct class_options *o)
{
    struct finding f;
    if (!find_rows(&f, o, true, false))
        return 2;
    for (size_t i = 0; i < f.rows; i++) {
        const struct row *row = &f.row[i];
        const char *last = row->files > 0 ? row->file[row->files - 1] : "";
        if (*last && !last[strcspn(last, "\t\n")])
            printf("%s\t%s\n", row->student, last);
        else
            fprintf(stderr, "grade: %s has no file that can be taken\n", row->student);
    }
    return 0;
}

/* Adds the rows `student,points,note` of a file to the tables. */
static void add_viva(const char *path)
{
    char *line = NULL, *cell[4];
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        stop("cannot read '%s': %s", path, strerror(errno));
    while (getline(&line, &capacity, file) > 0)
        if (csv_split(line, cell, 4) == 3)
            table_put(
                &(struct cells){{cell[0], "viva", cell[1], "100", "0.0", "", cell[2], "", ""}});
    free(line);
    fclose(file);
}

/* ---- where the marks are ---- */

static bool is_inside(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* DIR.marks/marks.csv, or the given file. It is not among the files of students. */
static void find_places(const struct class_options *o, struct places *at)
{
    char *folder = text("%s", o->folder);
    struct stat st;
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    const char *inside = realpath(folder, NULL), *place;
    if (!*folder)
        stop("DIR: give the folder of the class: make grade-class DIR=submissions");
    if (!inside || stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
        stop("DIR: '%s' is not a folder that can be read", folder);
    if (*o->marks)
        at->marks = text("%s%s", strchr(o->marks, '/') ? "" : "./", o->marks);
    else
        at->marks = text("%s.marks/marks.csv", strcmp(folder, ".") == 0 ? inside : folder);
    at->folder = text("%.*s", (int)(strrchr(at->marks, '/') - at->marks), at->marks);
    if (!*o->marks && mkdir(at->folder, 0777) != 0 && errno != EEXIST)
        stop("cannot write '%s'; give MARKS=file", at->folder);
    if (!(place = realpath(*at->folder ? at->folder : "/", NULL)))
        stop("MARKS: '%s' is in no folder", o->marks);
    if (is_inside(place, inside))
        stop("MARKS: '%s' is in DIR, among the students' files; accepted is a file elsewhere, or "
             "none: '%s.marks/marks.csv'",
             o->marks, folder);
    at->reports = text("%s/reports", at->folder);
    at->long_table = text("%.*s_long.csv",
                          (int)strlen(at->marks) - (ends(at->marks, ".csv") ? 4 : 0), at->marks);
    if (mkdir(at->reports, 0777) != 0 && errno != EEXIST)
        stop("cannot write '%s'", at->reports);
}

/* ---- with DEVICE=gpu, for all on the board ---- */

static const struct class_options *timed;

/* The speed as a ratio to the solution. */
static const char *speed_of(const struct cells *row)
{
    const char *ratio = output_of(
        text("sh %s %s %s %s </dev/null | sed -n 's/^ *\\([0-9.]*\\) times the solution.*/\\1/p'",
             text_quoted(text("%s/grade/report/speed.sh", timed->course->common)),
             text_quoted(timed->speed), row->cell[EXERCISE],
             text_quoted(text("%s/%s", timed->folder, row->cell[FILE_NAME]))));
    return ratio ? ratio : "";
}

/* ---- all of it ---- */

static bool has_seeds(void)
{
    size_t i = 0;
    while (i < task_count && !table_seed(tasks[i]->name))
        i++;
    return i < task_count;
}

/* A single student gets the same inputs as the others. */
static int grade_again(const struct class_options *o, const char *reports)
{
    int status = 2;
    bool any = false;
    for (size_t i = 0; i < task_count; i++) {
        const char *name = tasks[i]->name, *seed = table_seed(name);
        if (*o->asked ? !has_word(o->asked, name) : !seed)
            continue;
        struct class_options one = *o;
        one.asked = name;
        one.seed = seed ? strtoull(seed, NULL, 10) : o->seed;
        const int now_is = grade_rows(&one, reports);
        status = any && status > now_is ? status : now_is;
        any = true;
    }
    return status;
}

int class_grade(const struct class_options *given)
{
    static struct places at;
    struct class_options o = *given;
    char *asked = text("%s", o.asked), *quiz;
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than make */
    if (strcmp(o.format, "files") == 0)
        return list_files(&o);
    find_places(&o, &at);
    table_read(at.long_table);
    if (*o.viva) {
        add_viva(o.viva);
        return tables_write(&at, o.format, NULL) ? 0 : 2;
    }
    size_t answers = 0;
    const bool of_quiz = has_word(o.asked, "quiz");
    if (of_quiz || !*o.asked)
        answers = add_quiz(&o);
    if (of_quiz && (quiz = strstr(asked, "quiz")) != NULL)
        memset(quiz, ' ', 4);
    o.asked = asked + strspn(asked, " ,");
    int status = 0;
    if (of_quiz && !*o.asked) {
        if (answers == 0)
            fprintf(stderr,
                    "grade: no answers of a quiz in '%s'; accepted are files named quiz.csv\n",
                    o.folder);
        status = answers > 0 ? 0 : 2;
    } else if (*o.student && !o.has_seed && has_seeds()) {
        status = grade_again(&o, at.reports);
    } else {
        status = grade_rows(&o, at.reports);
    }
    if (status == 2 && answers == 0)
        return 2;
    timed = &o;
    const bool written = tables_write(&at, o.format, *o.speed ? speed_of : NULL);
    timed = NULL;
    if (!written)
        return 2;
    fprintf(stderr, "%s\n", at.marks);
    return status == 0 ? 0 : 2;
}

/* ---- one student ---- */

int folder_grade(const struct class_options *o, struct marks *all)
{
    struct finding f;
    size_t full = 0;
    if (!find_rows(&f, o, false, false))
        return 2;
    all->mark = memory((f.rows + 1) * sizeof *all->mark);
    for (size_t i = 0; i < f.rows; i++) {
        all->mark[i] = mark_row(&f, &f.row[i], o);
        full += all->mark[i].points == all->mark[i].tests->points;
    }
    all->count = f.rows;
    all->remark = f.remark;
    return f.rows > 0 && full == f.rows ? 0 : 1;
}
