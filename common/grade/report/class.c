/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ROWS = 4096, NOTE_BYTES = 256, BAR = 40 };

/* One submission, and what its process found. The rows are shared with these processes. */
struct row {
    const struct task *task;
    char student[NAME_BYTES], path[PATH_BYTES], note[NOTE_BYTES];
    int before; /* files of the same student for the same exercise */
    double points, of, seconds;
};

/* ---- which files there are ---- */

/* 03_transpose.cu is of exercise 03. */
static const struct task *task_of(const char *name, const char *only)
{
    const struct task *task = only ? task_find(only) : NULL;
    for (size_t i = 0; i < task_count; i++)
        if (strncmp(name, tasks[i]->name, strlen(tasks[i]->name)) == 0)
            task = tasks[i];
    return only && task != task_find(only) ? NULL : task;
}

static bool is_source(const char *name)
{
    const size_t n = strlen(name);
    return n > 3 && name[0] != '.' && strcmp(name + n - 3, ".cu") == 0;
}

static void add_row(struct row *rows, size_t *count, const char *student, const char *path,
                    const struct task *task)
{
    if (!task) {
        fprintf(stderr, "grade: skipped '%s': its name begins with no exercise that is graded\n",
                path);
        return;
    }
    if (*count == MOST_ROWS) {
        fprintf(stderr, "grade: skipped '%s': more than %d submissions\n", path, MOST_ROWS);
        return;
    }
    struct row *r = &rows[(*count)++];
    r->task = task;
    snprintf(r->student, sizeof r->student, "%s", student);
    snprintf(r->path, sizeof r->path, "%s", path);
    snprintf(r->note, sizeof r->note, "the grader itself failed");
    for (const struct row *other = rows; other < r; other++)
        r->before += other->task == task && strcmp(other->student, student) == 0;
}

/* The files of a student, or of the class's folder itself (student == NULL), in sorted order. */
static void scan(const struct class_options *o, const char *folder, const char *student,
                 struct row *rows, size_t *count)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char path[PATH_BYTES], base[NAME_BYTES];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        snprintf(base, sizeof base, "%.*s", (int)(strlen(name) - (is_source(name) ? 3 : 0)), name);
        if (name[0] == '.' || stat(path, &st) != 0)
            ;
        else if (S_ISDIR(st.st_mode) && !student && strcmp(name, "reports") != 0)
            scan(o, path, name, rows, count);
        else if (S_ISREG(st.st_mode) && is_source(name) && student)
            add_row(rows, count, student, path, task_of(name, o->only));
        else if (S_ISREG(st.st_mode) && is_source(name))
            add_row(rows, count, base, path, o->only ? task_find(o->only) : NULL);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* ---- one submission, in a process of its own ---- */

static void write_report(const struct class_options *o, const struct row *r, const struct mark *m)
{
    char path[PATH_BYTES + 2 * NAME_BYTES];
    char again[16] = ""; /* ".2" for a second file */
    if (r->before)
        snprintf(again, sizeof again, ".%d", r->before + 1);
    snprintf(path, sizeof path, "%s/reports/%s.%s%s.txt", o->folder, r->student, r->task->name,
             again);
    FILE *file = fopen(path, "w");
    if (file)
        report_text(file, &m, 1);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "grade: cannot write '%s'\n", path);
}

static void judge_row(const struct class_options *o, struct row *r)
{
    static struct mark m;
    if (!judge(o->course, r->task, r->path, o->seed, &m))
        _exit(2);
    r->points = m.points;
    r->of = m.tests.points;
    r->seconds = m.seconds;
    snprintf(r->note, sizeof r->note, "%s%.*s", m.refused[0] ? "refused: " : "", NOTE_BYTES - 16,
             m.refused);
    for (size_t i = 0; i < m.tests.count && !r->note[0]; i++)
        if (m.verdict[i].result != RESULT_PASSED)
            snprintf(r->note, sizeof r->note, "%s: %.*s", m.tests.test[i].name, NOTE_BYTES / 2,
                     m.verdict[i].seen);
    r->note[strcspn(r->note, "\n")] = '\0';
    write_report(o, r, &m);
    _exit(0);
}

/* ---- all of them ---- */

static void show_progress(size_t done, size_t count)
{
    static const char bar[] = "########################################";
    if (!isatty(STDERR_FILENO))
        return;
    const int filled = (int)(done * BAR / count);
    fprintf(stderr, "\r[%.*s%*s] %zu of %zu ", filled, bar, BAR - filled, "", done, count);
    if (done == count)
        fprintf(stderr, "\n");
}

/* Keeps `jobs` processes going until every row has had its own. */
static void run_all(const struct class_options *o, struct row *rows, size_t count)
{
    size_t next = 0, done = 0;
    int running = 0;
    show_progress(0, count);
    while (done < count) {
        if (next < count && running < o->jobs) {
            const pid_t process = fork();
            if (process == 0)
                judge_row(o, &rows[next]);
            done += process < 0; /* its row says that the grader failed */
            running += process > 0;
            next++;
            continue;
        }
        if (waitpid(-1, NULL, 0) > 0) {
            running--;
            show_progress(++done, count);
        } else if (errno == ECHILD) {
            return;
        }
    }
}

static bool write_marks(const struct class_options *o, const struct row *rows, size_t count,
                        const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "student,exercise,points,of,seconds,file,note\n");
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        report_field(file, r->student);
        fprintf(file, ",%s,%g,%g,%.1f,", r->task->name, r->points, r->of, r->seconds);
        report_field(file, r->path);
        fprintf(file, ",");
        report_field(file, r->note);
        fprintf(file, "\n");
    }
    if (fclose(file) != 0)
        return false;
    fprintf(stderr, "graded %zu submissions with SEED=%llu: %s, and %s/reports/\n", count,
            (unsigned long long)o->seed, path, o->folder);
    return true;
}

int class_grade(const struct class_options *o)
{
    char path[PATH_BYTES];
    struct row *rows = mmap(NULL, MOST_ROWS * sizeof *rows, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t count = 0;
    if (rows == MAP_FAILED)
        return 2;
    scan(o, o->folder, NULL, rows, &count);
    if (count == 0) {
        fprintf(
            stderr, "grade: no submission in '%s'; accepted are FOLDER/student/EXERCISE*.cu%s\n",
            o->folder, o->only ? " and FOLDER/student.cu" : ", and FOLDER/student.cu with --only");
        return 2;
    }
    snprintf(path, sizeof path, "%s/reports", o->folder);
    mkdir(path, 0755);
    run_all(o, rows, count);
    snprintf(path, sizeof path, "%s/marks.csv", o->folder);
    if (write_marks(o, rows, count, o->marks ? o->marks : path))
        return 0;
    fprintf(stderr, "grade: cannot write '%s'\n", o->marks ? o->marks : path);
    return 2;
}
