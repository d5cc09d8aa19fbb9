/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

enum { ROW_BYTES = 1 << 20 };

/* A row's record, shared with the process that makes it. */
struct outcome {
    bool done;
    char record[ROW_BYTES];
};

struct class
{
    const struct class_options *o;
    struct finding f;
    struct outcome *outcome;
};

/* ---- the mark of a student for an exercise ---- */

/* Judges the last file by name, or all files, of which the best one counts: the mark has its
 * path. */
static void mark_row(const struct finding *f, const struct row *row, const struct class_options *o,
                     struct mark *m)
{
    static struct mark other;
    const size_t first = o->best || row->files == 0 ? 0 : row->files - 1;
    *m = (struct mark){
        .task = row->task, .tests = tests_of(row->task), .seed = o->seed, .file = "no file"};
    snprintf(m->refused, sizeof m->refused, "missing: there is no file of exercise %s%s%s",
             row->task->name, *row->instead ? "; " : "", row->instead);
    for (size_t i = first; i < row->files; i++) {
        char path[PATH_BYTES];
        const char *name;
        const int folder = find_open(f, row->file[i], &name);
        snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
        judge(o->course, row->task, path, o->seed, &other);
        close(folder);
        snprintf(other.file, sizeof other.file, "%s", row->file[i]);
        if (i == first || other.points >= m->points)
            *m = other;
    }
}

/* ---- all rows, each in its own process ---- */

/* Writes the mark, and whose it is. */
static void write_row(const struct class *c, const struct row *row, struct outcome *r)
{
    static struct mark m;
    mark_row(&c->f, row, c->o, &m);
    FILE *record = fmemopen(r->record, sizeof r->record, "w");
    report_mark(record, &m);
    fprintf(record, "student\t%s\n", row->student);
    for (size_t i = 0; i < row->files; i++)
        if (strcmp(row->file[i], m.file) != 0) {
            fprintf(record, "other");
            report_texts(record, row->file[i], NULL);
        }
    r->done = fclose(record) == 0;
}

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
                    write_row(c, &c->f.row[next], &c->outcome[next]);
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

/* Returns whether every row has its mark, and all could be written. */
static bool show_rows(const struct class *c)
{
    bool done = true;
    size_t bytes;
    char *records = NULL;
    FILE *memory = open_memstream(&records, &bytes);
    for (size_t i = 0; i < c->f.rows; i++) {
        const struct row *row = &c->f.row[i];
        if (c->outcome[i].done) {
            fputs(c->outcome[i].record, memory);
            continue;
        }
        done = false;
        fprintf(stderr, "grade: '%s' has no mark for exercise %s: the grader itself has failed\n",
                row->student, row->task->name);
        fprintf(memory, "row\t\t\t%llu\t\t%s\t%s\t\tnot graded: the grader itself has failed\n",
                (unsigned long long)c->o->seed, row->student, row->task->name);
    }
    setenv("REPORTS", c->o->reports, 1);
    return fclose(memory) == 0 && report_show(c->o->course, "rows", "", records) && done;
}

int class_grade(const struct class_options *o)
{
    struct class c = {.o = o};
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than class.sh */
    if (!find_rows(&c.f, o, true))
        return 2;
    c.outcome = mmap(NULL, c.f.rows * sizeof *c.outcome, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c.outcome == MAP_FAILED) {
        perror("grade: no memory for the marks");
        return 2;
    }
    if (!make_rows(&c))
        return 2;
    const bool done = show_rows(&c);
    fprintf(stderr, "graded %zu rows with SEED=%llu\n", c.f.rows, (unsigned long long)o->seed);
    return done ? 0 : 2;
}

/* ---- one student ---- */

int folder_grade(const struct class_options *o, FILE *records)
{
    static struct mark m;
    struct finding f;
    size_t full = 0;
    if (!find_rows(&f, o, false))
        return 2;
    for (size_t i = 0; i < f.rows; i++) {
        mark_row(&f, &f.row[i], o, &m);
        report_mark(records, &m);
        full += m.points == m.tests->points;
    }
    fprintf(records, "remark");
    report_texts(records, f.remark, NULL);
    return f.rows > 0 && full == f.rows ? 0 : 1;
}
