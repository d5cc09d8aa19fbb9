/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find.h"

enum { ROW_BYTES = 1 << 16, BAR = 40, SHORT_NAME = 200 };

/* A row's record, shared with the process that makes it. */
struct outcome {
    bool done;
    char record[ROW_BYTES];
};

struct class
{
    const struct class_options *o;
    struct finding f;
    int reports; /* the folder, open */
    struct outcome *outcome;
};

/* ---- the mark of a student for an exercise ---- */

static bool mark_missing(const struct class_options *o, const struct row *row, struct mark *m)
{
    char path[2 * PATH_BYTES];
    *m = (struct mark){.task = row->task, .seed = o->seed, .file = "no file"};
    snprintf(path, sizeof path, "%s/%s/tests.txt", o->course->root, row->task->folder);
    if (!tests_read(path, row->task, &m->tests, m->refused, sizeof m->refused))
        return false;
    snprintf(m->refused, sizeof m->refused, "missing: there is no file of exercise %s%s%s",
             row->task->name, *row->instead ? "; " : "", row->instead);
    return true;
}

/* Judges the last file by name, or all, of which the best one counts: the mark has its path. False:
 * the exercise cannot be read, and `m->refused` says why. */
static bool mark_row(const struct finding *f, const struct row *row, const struct class_options *o,
                     struct mark *m)
{
    static struct mark other;
    const size_t first = o->best || row->files == 0 ? 0 : row->files - 1;
    for (size_t i = first; i < row->files; i++) {
        char path[PATH_BYTES];
        const char *name;
        const int folder = find_open(f, row->file[i], &name);
        snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
        const bool judged = judge(o->course, row->task, path, o->seed, &other);
        close(folder);
        snprintf(other.file, sizeof other.file, "%s", row->file[i]);
        if (i == first || !judged || other.points >= m->points)
            *m = other;
        if (!judged)
            return false;
    }
    return row->files > 0 || mark_missing(o, row, m);
}

/* ---- one row, in a process of its own ---- */

/* reports/student.03.txt */
static bool write_report(const struct class *c, const struct row *row, const struct mark *m)
{
    char name[NAME_BYTES], longer[16] = "", *records = NULL;
    size_t bytes;
    if (strlen(row->student) > SHORT_NAME)
        snprintf(longer, sizeof longer, "~%zu", (size_t)(row - c->f.row));
    snprintf(name, sizeof name, "%.*s%s.%s.txt", SHORT_NAME, row->student, longer, row->task->name);
    unlinkat(c->reports, name, 0);
    const int file = openat(c->reports, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0) {
        fprintf(stderr, "grade: cannot write '%s' in the folder of the reports: %s\n", name,
                strerror(errno));
        return false;
    }
    FILE *memory = open_memstream(&records, &bytes);
    report_mark(memory, m);
    return fclose(memory) == 0 && report_show(c->o->course, "text", "", records);
}

/* Why there are not all points, and the files that were not taken. */
static void describe(const struct row *row, const struct mark *m, char *note, size_t bytes)
{
    note[0] = '\0';
    if (m->refused[0])
        snprintf(note, bytes, "%s%s", row->files ? "refused: " : "", m->refused);
    for (size_t i = 0; i < m->tests.count && !note[0]; i++)
        if (m->verdict[i].result != RESULT_PASSED)
            snprintf(note, bytes, "%s: %s", m->tests.test[i].name, m->verdict[i].seen);
    note[strcspn(note, "\n")] = '\0';
    for (size_t i = 0; i < row->files; i++) {
        char shown[PATH_BYTES];
        const size_t used = strlen(note);
        text_show(shown, sizeof shown, row->file[i]);
        if (strcmp(row->file[i], m->file) != 0)
            snprintf(note + used, bytes - used, "%snot taken: %.200s", used ? "; " : "", shown);
    }
}

static bool write_row(const struct class *c, const struct row *row, struct outcome *r)
{
    static struct mark m;
    char note[4 * MESSAGE_BYTES];
    if (!mark_row(&c->f, row, c->o, &m)) {
        fprintf(stderr, "grade: %s\n", m.refused);
        return false;
    }
    describe(row, &m, note, sizeof note);
    FILE *record = fmemopen(r->record, sizeof r->record, "w");
    fprintf(record, "row\t%g\t%g\t%llu\t%.1f\t%s", m.points, m.tests.points,
            (unsigned long long)c->o->seed, m.seconds, row->student);
    report_texts(record, row->task->name, row->files ? m.file : "", note, NULL);
    r->done = fclose(record) == 0 && write_report(c, row, &m);
    return r->done;
}

/* ---- all of them ---- */

static void show_progress(size_t done, size_t count)
{
    static const char bar[] = "########################################";
    const int filled = (int)(done * BAR / count);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r[%.*s%*s] %zu of %zu %s", filled, bar, BAR - filled, "", done, count,
                done == count ? "\n" : "");
}

/* Keeps `jobs` processes going until every row has had its own. */
static void make_rows(const struct class *c)
{
    const pid_t class = getpid();
    for (size_t next = 0, ended = 0; ended < c->f.rows; ended++) {
        for (; next < c->f.rows && next - ended < c->o->jobs; next++)
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* not longer than the class */
                if (getppid() != class)
                    _exit(2);
                _exit(write_row(c, &c->f.row[next], &c->outcome[next]) ? 0 : 2);
            }
        wait(NULL);
        show_progress(ended + 1, c->f.rows);
    }
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
        fprintf(memory, "row\t\t\t%llu\t\t%s", (unsigned long long)c->o->seed, row->student);
        report_texts(memory, row->task->name, "", "not graded: the grader itself has failed", NULL);
    }
    return fclose(memory) == 0 && report_show(c->o->course, "rows", "", records) && done;
}

int class_grade(const struct class_options *o)
{
    struct class c = {.o = o};
    char reports[32];
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than class.sh */
    if (!find_rows(&c.f, o, true))
        return 2;
    c.reports = find_reports(&c.f, reports, sizeof reports);
    c.outcome = mmap(NULL, c.f.rows * sizeof *c.outcome, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c.reports < 0 || c.outcome == MAP_FAILED) {
        fprintf(stderr, "grade: cannot write '%s/%s': %s\n", o->folder, reports, strerror(errno));
        return 2;
    }
    make_rows(&c);
    const bool done = show_rows(&c);
    fprintf(stderr, "graded %zu rows with SEED=%llu; reports are in %s/%s/\n", c.f.rows,
            (unsigned long long)o->seed, o->folder, reports);
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
        if (!mark_row(&f, &f.row[i], o, &m)) {
            fprintf(stderr, "grade: %s\n", m.refused);
            return 2;
        }
        report_mark(records, &m);
        full += m.points == m.tests.points;
    }
    fprintf(records, "remark");
    report_texts(records, f.remark, NULL);
    return f.rows > 0 && full == f.rows ? 0 : 1;
}
