/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find.h"

enum { NOTE_BYTES = 1024, BAR = 40, MOST_TRIED = 8, SHORT_NAME = 200 };

/* A file to judge. Its result is shared with the process that judges it. */
struct work {
    const struct found *file;
    size_t again; /* the how many-th file of this student for this exercise, from 0 */
};
struct outcome {
    bool done;
    double points, of, seconds;
    char note[NOTE_BYTES];
};

struct class
{
    const struct class_options *o;
    struct finding f;
    task_set tasks;
    int reports; /* the folder, open */
    struct work *job;
    struct outcome *outcome;
    size_t jobs;
};

/* ---- the folder of the reports ---- */

/* reports; reports_2 where a student has that name. Returns the open folder, or -1. */
static int open_reports(int folder, char *name, size_t bytes)
{
    snprintf(name, bytes, "reports");
    for (int i = 2; mkdirat(folder, name, 0755) != 0 && !find_is_ours(folder, name); i++) {
        if (errno != EEXIST && errno != ENOENT)
            return -1;
        snprintf(name, bytes, "reports_%d", i);
    }
    const int reports = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int sign =
        openat(reports, find_our_sign, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    close(sign);
    return sign < 0 ? -1 : reports;
}

/* reports/student.03.txt; .03.2.txt for a second file. */
static bool write_report(const struct class *c, const struct work *job, const struct mark *m)
{
    char name[PATH_BYTES], again[16] = "", longer[16] = "";
    const char *student = c->f.student[job->file->student];
    if (job->again)
        snprintf(again, sizeof again, ".%zu", job->again + 1);
    if (strlen(student) > SHORT_NAME)
        snprintf(longer, sizeof longer, "~%zu", job->file->student);
    snprintf(name, sizeof name, "%.*s%s.%s%s.txt", SHORT_NAME, student, longer, m->task->name,
             again);
    unlinkat(c->reports, name, 0);
    const int fd = openat(c->reports, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file)
        report_text(file, &(struct shown){.marks = &m, .count = 1});
    const bool fine = file && fflush(file) == 0 && !ferror(file);
    if (!fine || fclose(file) != 0) {
        fprintf(stderr, "grade: cannot write '%s' in the folder of the reports: %s\n", name,
                strerror(errno));
        return false;
    }
    return true;
}

/* ---- one submission, in a process of its own ---- */

static _Noreturn void judge_job(const struct class *c, const struct work *job, struct outcome *r)
{
    static struct mark m;
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than the grader */
    if (!find_judge(&c->f, job->file, job->file->student, job->file->task, c->o->course, c->o->seed,
                    &m)) {
        fprintf(stderr, "grade: %s\n", m.refused);
        _exit(2);
    }
    char note[2 * MESSAGE_BYTES] = "";
    if (m.refused[0])
        snprintf(note, sizeof note, "refused: %s", m.refused);
    for (size_t i = 0; i < m.tests.count && !note[0]; i++)
        if (m.verdict[i].result != RESULT_PASSED)
            snprintf(note, sizeof note, "%s: %s", m.tests.test[i].name, m.verdict[i].seen);
    note[strcspn(note, "\n")] = '\0';
    text_show(r->note, sizeof r->note, note);
    r->points = m.points;
    r->of = m.tests.points;
    r->seconds = m.seconds;
    r->done = write_report(c, job, &m);
    _exit(r->done ? 0 : 2);
}

/* ---- all of them ---- */

static void show_progress(size_t done, size_t count)
{
    static const char bar[] = "########################################";
    if (!isatty(STDERR_FILENO) || count == 0)
        return;
    const int filled = (int)(done * BAR / count);
    fprintf(stderr, "\r[%.*s%*s] %zu of %zu ", filled, bar, BAR - filled, "", done, count);
    if (done == count)
        fprintf(stderr, "\n");
}

/* Keeps `jobs` processes going until every file has had its own. */
static void run_jobs(const struct class *c)
{
    size_t next = 0, done = 0;
    int running = 0;
    show_progress(0, c->jobs);
    while (done < c->jobs) {
        if (next < c->jobs && running < c->o->jobs) {
            const pid_t process = fork();
            if (process == 0)
                judge_job(c, &c->job[next], &c->outcome[next]);
            done += process < 0; /* its result is not done */
            running += process > 0;
            next++;
            continue;
        }
        if (waitpid(-1, NULL, 0) > 0) {
            running--;
            show_progress(++done, c->jobs);
        } else if (errno == ECHILD) {
            return;
        }
    }
}

static bool is_chosen(const struct class *c, size_t student)
{
    char shown[4 * NAME_BYTES];
    if (!c->o->student || strcmp(c->o->student, c->f.student[student]) == 0)
        return true;
    text_show(shown, sizeof shown, c->o->student);
    return strcmp(shown, c->f.student[student]) == 0;
}

static void add_jobs(struct class *c)
{
    const struct found *files[MOST_TRIED];
    for (size_t s = 0; s < c->f.students; s++)
        for (size_t k = 0; k < task_count && is_chosen(c, s); k++) {
            const size_t n = c->tasks >> k & 1 ? find_files(&c->f, s, tasks[k], files,
                                                            c->o->best ? MOST_TRIED : 1)
                                               : 0;
            for (size_t i = 0; i < n; i++)
                c->job[c->jobs++] = (struct work){files[i], i};
        }
}

/* ---- the rows ---- */

/* The files that were not taken, as a part of the note. */
static void note_others(const struct class *c, const struct found *taken, char *note, size_t bytes)
{
    const struct found *files[MOST_TRIED];
    const size_t n = find_files(&c->f, taken->student, taken->task, files, MOST_TRIED);
    for (size_t i = 0; i < n; i++) {
        char shown[PATH_BYTES];
        const size_t used = strlen(note);
        text_show(shown, sizeof shown, files[i]->path);
        if (files[i] != taken)
            snprintf(note + used, bytes - used, "%snot taken: %.200s", used ? "; " : "", shown);
    }
}

/* The row of a student for an exercise. False: the grader itself has failed. */
static bool print_row(FILE *out, const struct class *c, size_t student, const struct task *task)
{
    static struct mark missing;
    const struct outcome *best = NULL;
    const struct found *taken = NULL;
    bool done = true;
    for (size_t i = 0; i < c->jobs; i++)
        if (c->job[i].file->student == student && c->job[i].file->task == task) {
            const struct outcome *r = &c->outcome[i];
            done = done && r->done;
            if (!best || r->points >= best->points) {
                best = r;
                taken = c->job[i].file;
            }
        }
    char path[PATH_BYTES] = "", note[3 * NOTE_BYTES];
    if (best) {
        text_show(path, sizeof path, taken->path);
        snprintf(note, sizeof note, "%s", best->note);
        note_others(c, taken, note, sizeof note);
    } else {
        done = find_judge(&c->f, NULL, student, task, c->o->course, c->o->seed, &missing);
        snprintf(note, sizeof note, "%s", missing.refused);
    }
    report_field(out, c->f.student[student]);
    if (done)
        fprintf(out, ",%s,%g,%g,%.1f,", task->name, best ? best->points : 0,
                best ? best->of : missing.tests.points, best ? best->seconds : 0);
    else
        fprintf(out, ",%s,,,,", task->name);
    report_field(out, path);
    fprintf(out, ",");
    report_field(out, done ? note : "not graded: the grader itself has failed");
    fprintf(out, ",%llu\n", (unsigned long long)c->o->seed);
    if (!done)
        fprintf(stderr, "grade: '%s' has no mark for exercise %s: the grader itself has failed\n",
                c->f.student[student], task->name);
    return done;
}

/* ---- the class ---- */

/* Says why there is nothing to grade, where that is so. */
static bool has_work(const struct class *c)
{
    bool known = !c->o->student;
    for (size_t s = 0; s < c->f.students; s++)
        known = known || is_chosen(c, s);
    if (!known)
        fprintf(stderr, "grade: there is no student '%s' in '%s'\n", c->o->student, c->o->folder);
    else if (c->f.students == 0 || c->tasks == 0)
        fprintf(
            stderr,
            "grade: no submission in '%s'; accepted are FOLDER/student/03.cu, FOLDER/student.cu "
            "of an exercise that is named, and what Moodle and Canvas give\n",
            c->o->folder);
    return known && c->f.students > 0 && c->tasks != 0;
}

static bool print_rows(const struct class *c)
{
    bool done = true;
    for (size_t s = 0; s < c->f.students; s++)
        for (size_t k = 0; k < task_count && is_chosen(c, s); k++)
            if (c->tasks >> k & 1)
                done = print_row(stdout, c, s, tasks[k]) && done;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return done;
    fprintf(stderr, "grade: cannot write the rows: %s\n", strerror(errno));
    return false;
}

int class_grade(const struct class_options *o)
{
    struct class c = {.o = o};
    char reports[32];
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); /* not longer than class.sh */
    if (!find_class(&c.f, o->folder, o->asked))
        return 2;
    c.tasks = o->asked ? o->asked : find_tasks(&c.f);
    if (!has_work(&c))
        return 2;
    c.reports = open_reports(c.f.folder, reports, sizeof reports);
    const size_t most = c.f.files + 1;
    c.job = calloc(most, sizeof *c.job);
    c.outcome = mmap(NULL, most * sizeof *c.outcome, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (c.reports < 0 || !c.job || c.outcome == MAP_FAILED) {
        fprintf(stderr, "grade: cannot write '%s/%s': %s\n", o->folder, reports, strerror(errno));
        return 2;
    }
    add_jobs(&c);
    run_jobs(&c);
    const bool done = print_rows(&c);
    fprintf(stderr, "graded %zu files with SEED=%llu; reports are in %s/%s/\n", c.jobs,
            (unsigned long long)o->seed, o->folder, reports);
    return done ? 0 : 2;
}

/* ---- one student ---- */

int folder_grade(const struct class_options *o, struct mark *marks, char *remarks, size_t bytes)
{
    static struct mark other;
    const struct found *files[MOST_TRIED];
    char accepted[NAME_BYTES] = "";
    struct finding f;
    int count = 0;
    if (!find_student(&f, o->folder, o->asked))
        return -1;
    const task_set there = find_tasks(&f), chosen = o->asked ? o->asked : there;
    find_instead(&f, 0, NULL, remarks, bytes);
    for (size_t k = 0; k < task_count; k++) {
        const size_t used = strlen(accepted);
        if (!(chosen >> k & 1))
            continue;
        snprintf(accepted + used, sizeof accepted - used, " %s", tasks[k]->name);
        const size_t n = find_files(&f, 0, tasks[k], files, o->best ? MOST_TRIED : 1);
        struct mark *m = &marks[count++];
        bool fine = find_judge(&f, n ? files[0] : NULL, 0, tasks[k], o->course, o->seed, m);
        for (size_t i = 1; fine && i < n; i++) {
            fine = find_judge(&f, files[i], 0, tasks[k], o->course, o->seed, &other);
            if (fine && other.points >= m->points)
                *m = other;
        }
        if (!fine) {
            fprintf(stderr, "grade: %s\n", m->refused);
            return -1;
        }
    }
    for (size_t k = 0; k < task_count; k++) {
        const size_t used = strlen(remarks);
        if (there & ~chosen & (task_set)1 << k)
            snprintf(remarks + used, bytes - used,
                     "%sexercise %s was handed in and is refused; accepted here:%s",
                     used ? "; " : "", tasks[k]->name, accepted);
    }
    if (count == 0 && !remarks[0])
        snprintf(remarks, bytes, "there is no .cu file here");
    return count;
}
