/* SPDX-License-Identifier: MIT */
/*
 * grade.c - the grader: judges submissions and shows the marks.
 *
 *   grade --course FOLDER --build FOLDER [options] EXERCISE=FILE...
 *
 * make grade and make grade-class call it; `grade --help` lists the options.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "grade/report/report.h"

enum { MOST_SUBMISSIONS = 16, MOST_JOBS = 1024 };

static const char usage[] =
    "usage: grade --course FOLDER --build FOLDER [options] EXERCISE=FILE...\n"
    "  EXERCISE=FILE     03=my.cu grades my.cu as exercise 03\n"
    "  --class FOLDER    grades all of a class: FOLDER/student/03.cu, or FOLDER/student.cu with\n"
    "                    --only; writes marks.csv and a report for each student\n"
    "  --only EXERCISE   with --class: this exercise\n"
    "  --jobs N          with --class: so many at a time\n"
    "  --marks FILE      with --class: the table, default marks.csv in the class's folder\n"
    "  --seed N          the inputs of an earlier run; default is a new one each time\n"
    "  --seconds S       for one run of a submission, default 10\n"
    "  --format NAME     text, csv, gradescope, classroom or prairielearn; default text\n"
    "  --output FILE     where to, default stdout\n"
    "  --list            the exercises\n";

struct options {
    const char *course, *build, *class_folder, *only, *marks, *output;
    report_fn report;
    uint64_t seed;
    double seconds;
    int jobs;
    const struct task *task[MOST_SUBMISSIONS];
    const char *file[MOST_SUBMISSIONS];
    size_t count;
};

static _Noreturn void die(const char *what, const char *value, const char *accepted)
{
    fprintf(stderr, "grade: %s: '%s'; accepted: %s\n", what, value, accepted);
    exit(2);
}

static const char *task_names(void)
{
    static char names[256];
    names[0] = '\0';
    for (size_t i = 0; i < task_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "",
                 tasks[i]->name);
    return names;
}

static uint64_t read_number(const char *what, const char *text)
{
    char *end;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || text[0] == '-')
        die(what, text, "a whole number");
    return value;
}

/* 03=my.cu */
static void add_submission(struct options *o, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        die("submission", text, "EXERCISE=FILE");
    *equals = '\0';
    const struct task *task = task_find(text);
    if (!task)
        die("exercise", text, task_names());
    if (o->count == MOST_SUBMISSIONS)
        die("submission", equals + 1, "at most 16 files");
    o->task[o->count] = task;
    o->file[o->count++] = equals + 1;
}

static void read_option(struct options *o, const char *name, char *value)
{
    const struct {
        const char *name, **text;
    } texts[] = {{"--course", &o->course},      {"--build", &o->build}, {"--only", &o->only},
                 {"--class", &o->class_folder}, {"--marks", &o->marks}, {"--output", &o->output}};
    char *end;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = value;
            if (o->only && !task_find(o->only))
                die("--only", value, task_names());
            return;
        }
    if (strcmp(name, "--jobs") == 0) {
        const uint64_t jobs = read_number(name, value);
        if (jobs < 1 || jobs > MOST_JOBS)
            die(name, value, "a whole number from 1 to 1024");
        o->jobs = (int)jobs;
    } else if (strcmp(name, "--seed") == 0) {
        o->seed = read_number(name, value);
    } else if (strcmp(name, "--seconds") == 0) {
        o->seconds = strtod(value, &end);
        if (*end != '\0' || !(o->seconds > 0 && o->seconds <= 3600))
            die(name, value, "a number above 0, up to 3600");
    } else if (strcmp(name, "--format") == 0) {
        o->report = report_find(value);
        if (!o->report)
            die(name, value, report_formats);
    } else {
        die("option", name, "see grade --help");
    }
}

static void list_tasks(void)
{
    for (size_t i = 0; i < task_count; i++)
        printf("%-10s %-32s %s\n", tasks[i]->name, tasks[i]->folder, tasks[i]->title);
}

static struct options read_options(int argc, char **argv)
{
    struct options o = {.report = report_text, .seconds = 10, .jobs = 2};
    if (getrandom(&o.seed, sizeof o.seed, 0) != sizeof o.seed)
        die("--seed", "", "a number, as there are no random ones here");
    o.seed %= 1000000000;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            printf("%s", usage);
            exit(0);
        }
        if (strcmp(argv[i], "--list") == 0) {
            list_tasks();
            exit(0);
        }
        if (argv[i][0] != '-')
            add_submission(&o, argv[i]);
        else if (i + 1 == argc)
            die("option", argv[i], "a known one, with a value; see grade --help");
        else
            read_option(&o, argv[i], argv[i + 1]), i++;
    }
    if (!o.course || !o.build || (o.count == 0) == !o.class_folder) {
        fprintf(stderr, "%s", usage);
        exit(2);
    }
    return o;
}

/* Judges each submission and shows the marks. Returns the exit code. */
static int grade_files(const struct options *o, const struct course *course)
{
    static struct mark mark[MOST_SUBMISSIONS];
    const struct mark *marks[MOST_SUBMISSIONS];
    bool full = true;
    for (size_t i = 0; i < o->count; i++) {
        if (!judge(course, o->task[i], o->file[i], o->seed, &mark[i])) {
            fprintf(stderr, "grade: %s\n", mark[i].refused);
            return 2;
        }
        marks[i] = &mark[i];
        full = full && mark[i].points == mark[i].tests.points;
    }
    FILE *out = o->output ? fopen(o->output, "w") : stdout;
    if (!out)
        die("--output", o->output, "a file that can be written");
    o->report(out, marks, o->count);
    if (fflush(out) != 0 || ferror(out))
        die("--output", o->output ? o->output : "stdout", "a file that can be written");
    return full ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct options o = read_options(argc, argv);
    static struct course course;
    course_init(&course, o.course, o.build, o.seconds);
    if (o.class_folder)
        return class_grade(&(struct class_options){.course = &course,
                                                   .folder = o.class_folder,
                                                   .only = o.only,
                                                   .marks = o.marks,
                                                   .jobs = o.jobs,
                                                   .seed = o.seed});
    return grade_files(&o, &course);
}
