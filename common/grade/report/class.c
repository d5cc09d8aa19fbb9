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

enum { ROW_BYTES = 1 << 16, BAR = 40, MOST_TRIED = 8, SHORT_NAME = 200 };

/* A student and an exercise. Its result is shared with the process that makes it. */
struct row {
    size_t student;
    const struct task *task;
};
struct outcome {
    bool done;
    char record[ROW_BYTES];
};

struct class
{
    const struct class_options *o;
    struct finding f;
    int reports; /* the folder, open */
    struct row *row;
    struct outcome *outcome;
    size_t rows;
};

/* ---- the mark of a student for an exercise ---- */

static bool mark_missing(const struct finding *f, size_t student, const struct task *task,
                         const struct class_options *o, struct mark *m)
{
    char path[2 * PATH_BYTES], instead[MESSAGE_BYTES / 2];
    *m = (struct mark){.task = task, .seed = o->seed, .file = "no file"};
    snprintf(path, sizeof path, "%s/%s/tests.txt", o->course->root, task->folder);
    if (!tests_read(path, task, &m->tests, m->refused, sizeof m->refused))
        return false;
    find_instead(f, student, task, instead, sizeof instead);
    snprintf(m->refused, sizeof m->refused, "missing: there is no file of exercise %s%s%s",
             task->name, instead[0] ? "; " : "", instead);
    return true;
}

/* Judges the last file by name, or all, of which the best one counts; `taken` is that file, NULL
 * where there is none. False: the exercise cannot be read, and `m->refused` says why. */
static bool mark_student(const struct finding *f, size_t student, const struct task *task,
                         const struct class_options *o, struct mark *m, const struct found **taken)
{
    static struct mark other;
    const struct found *files[MOST_TRIED];
    const size_t n = find_files(f, student, task, files, o->best ? MOST_TRIED : 1);
    *taken = NULL;
    for (size_t i = 0; i < n; i++) {
        char path[PATH_BYTES];
        const char *name;
        const int folder = find_open(f, files[i]->path, &name);
        snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
        const bool judged = judge(o->course, task, path, o->seed, &other);
        close(folder);
        snprintf(other.file, sizeof other.file, "%s", files[i]->path);
        if (!*taken || !judged || other.points > m->points) {
            *m = other;
            *taken = files[i];
        }
        if (!judged)
            return false;
    }
    return n > 0 || mark_missing(f, student, task, o, m);
}

/* ---- one row, in a process of its own ---- */

/* reports/student.03.txt */
static bool write_report(const struct class *c, const struct row *row, const struct mark *m)
{
    char name[NAME_BYTES], longer[16] = "", *records = NULL;
    size_t bytes;
    const char *student = c->f.student[row->student];
    if (strlen(student) > SHORT_NAME)
        snprintf(longer, sizeof longer, "~%zu", row->student);
    snprintf(name, sizeof name, "%.*s%s.%s.txt", SHORT_NAME, student, longer, row->task->name);
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
static void describe(const struct class *c, const struct mark *m, const struct found *taken,
                     char *note, size_t bytes)
{
    const struct found *files[MOST_TRIED];
    const size_t n = taken ? find_files(&c->f, taken->student, m->task, files, MOST_TRIED) : 0;
    note[0] = '\0';
    if (m->refused[0])
        snprintf(note, bytes, "%s%s", taken ? "refused: " : "", m->refused);
    for (size_t i = 0; i < m->tests.count && !note[0]; i++)
        if (m->verdict[i].result != RESULT_PASSED)
            snprintf(note, bytes, "%s: %s", m->tests.test[i].name, m->verdict[i].seen);
    note[strcspn(note, "\n")] = '\0';
    for (size_t i = n; i-- > 0;) {
        char shown[PATH_BYTES];
        const size_t used = strlen(note);
        text_show(shown, sizeof shown, files[i]->path);
        if (files[i] != taken)
            snprintf(note + used, bytes - used, "%snot taken: %.200s", used ? "; " : "", shown);
    }
}

static bool write_row(const struct class *c, const struct row *row, struct outcome *r)
{
    static struct mark m;
    const struct found *taken;
    char note[4 * MESSAGE_BYTES];
    if (!mark_student(&c->f, row->student, row->task, c->o, &m, &taken)) {
        fprintf(stderr, "grade: %s\n", m.refused);
        return false;
    }
    describe(c, &m, taken, note, sizeof note);
    FILE *record = fmemopen(r->record, sizeof r->record, "w");
    fprintf(record, "row\t%g\t%g\t%llu\t%.1f\t%s", m.points, m.tests.points,
            (unsigned long long)c->o->seed, m.seconds, c->f.student[row->student]);
    report_texts(record, row->task->name, taken ? taken->path : "", note, NULL);
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
    for (size_t next = 0, ended = 0; ended < c->rows; ended++) {
        for (; next < c->rows && next - ended < c->o->jobs; next++)
            if (fork() == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* not longer than the class */
                if (getppid() != class)
                    _exit(2);
                _exit(write_row(c, &c->row[next], &c->outcome[next]) ? 0 : 2);
            }
        wait(NULL);
        show_progress(ended + 1, c->rows);
    }
}

/* Returns whether every row has its mark, and all could be written. */
static bool show_rows(const struct class *c)
{
    bool done = true;
    size_t bytes;
    char *records = NULL;
    FILE *memory = open_memstream(&records, &bytes);
    for (size_t i = 0; i < c->rows; i++) {
        const char *student = c->f.student[c->row[i].student], *task = c->row[i].task->name;
        if (c->outcome[i].done) {
            fputs(c->outcome[i].record, memory);
            continue;
        }
        fprintf(stderr, "grade: '%s' has no mark for exercise %s: the grader itself has failed\n",
                student, task);
        fprintf(memory, "row\t\t\t%llu\t\t%s", (unsigned long long)c->o->seed, student);
        report_texts(memory, task, "", "not graded: the grader itself has failed", NULL);
        done = false;
    }
    return fclose(memory) == 0 && report_show(c->o->course, "rows", "", records) && done;
}

/* The rows of the students that are chosen: all, or the one of this name. */
static void add_rows(struct class *c, task_set chosen)
{
    char shown[4 * NAME_BYTES] = "";
    const char *name = c->o->student;
    if (name)
        text_show(shown, sizeof shown, name);
    for (size_t s = 0; s < c->f.students; s++)
        for (size_t k = 0; k < task_count; k++)
            if (chosen >> k & 1 && (!name || strcmp(name, c->f.student[s]) == 0 ||
                                    strcmp(shown, c->f.student[s]) == 0))
                c->row[c->rows++] = (struct row){s, tasks[k]};
}

int class_grade(const struct class_options *o)
{
    struct class c = {.o = o};
    char reports[32];
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than class.sh */
    if (!find_class(&c.f, o->folder, o->asked))
        return 2;
    const size_t most = c.f.students * task_count + 1;
    const task_set chosen = o->asked ? o->asked : find_tasks(&c.f);
    c.row = calloc(most, sizeof *c.row);
    c.outcome = mmap(NULL, most * sizeof *c.outcome, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!c.row || c.outcome == MAP_FAILED) {
        fprintf(stderr, "grade: no memory for the rows\n");
        return 2;
    }
    add_rows(&c, chosen);
    if (c.f.students == 0 || chosen == 0 || c.rows == 0) {
        if (c.f.students == 0 || chosen == 0)
            fprintf(
                stderr,
                "grade: no submission in '%s'; accepted are FOLDER/student/03.cu, "
                "FOLDER/student.cu of an exercise that is named, and what Moodle and Canvas give\n",
                o->folder);
        else
            fprintf(stderr, "grade: there is no student '%s' in '%s'\n", o->student, o->folder);
        return 2;
    }
    c.reports = find_reports(&c.f, reports, sizeof reports);
    if (c.reports < 0) {
        fprintf(stderr, "grade: cannot write '%s/%s': %s\n", o->folder, reports, strerror(errno));
        return 2;
    }
    make_rows(&c);
    const bool done = show_rows(&c);
    fprintf(stderr, "graded %zu rows with SEED=%llu; reports are in %s/%s/\n", c.rows,
            (unsigned long long)o->seed, o->folder, reports);
    return done ? 0 : 2;
}

/* ---- one student ---- */

/* What is said of other files, and of exercises that are not asked for. */
static void write_remark(const struct class_options *o, const struct finding *f, bool empty,
                         FILE *records)
{
    char text[4 * MESSAGE_BYTES], accepted[NAME_BYTES] = "";
    find_instead(f, 0, NULL, text, MESSAGE_BYTES);
    for (size_t k = 0; k < task_count; k++) {
        const size_t used = strlen(accepted);
        if (o->asked >> k & 1)
            snprintf(accepted + used, sizeof accepted - used, " %s", tasks[k]->name);
    }
    for (size_t k = 0; k < task_count && o->asked; k++) {
        const size_t used = strlen(text);
        if (find_tasks(f) & ~o->asked & (task_set)1 << k)
            snprintf(text + used, sizeof text - used,
                     "%sexercise %s was handed in and is refused; accepted here:%s",
                     used ? "; " : "", tasks[k]->name, accepted);
    }
    fprintf(records, "remark");
    report_texts(records, empty && !text[0] ? "there is no .cu file here" : text, NULL);
}

int folder_grade(const struct class_options *o, FILE *records)
{
    static struct mark m;
    const struct found *taken;
    struct finding f;
    int marks = 0, full = 0;
    if (!find_student(&f, o->folder, o->asked))
        return 2;
    const task_set chosen = o->asked ? o->asked : find_tasks(&f);
    for (size_t k = 0; k < task_count; k++) {
        if (!(chosen >> k & 1))
            continue;
        if (!mark_student(&f, 0, tasks[k], o, &m, &taken)) {
            fprintf(stderr, "grade: %s\n", m.refused);
            return 2;
        }
        report_mark(records, &m);
        full += m.points == m.tests.points;
        marks++;
    }
    write_remark(o, &f, marks == 0, records);
    return marks > 0 && full == marks ? 0 : 1;
}
