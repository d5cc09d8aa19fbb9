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
    "  EXERCISE=FILE      03=my.cu grades my.cu as exercise 03\n"
    "  --folder FOLDER    grades what one student has handed in, in folders of any depth\n"
    "  --class FOLDER     grades all of a class: FOLDER/student/03.cu, or what Moodle and Canvas\n"
    "                     give; prints a row for each student and exercise, and reports\n"
    "  --only 'EXERCISES' these exercises; a missing one has 0 points\n"
    "  --pick last|best   of several files of one exercise; default last, by name\n"
    "  --student NAME     with --class: only this one again, the other marks stay\n"
    "  --jobs N           with --class: so many at a time\n"
    "  --seed N           the inputs of an earlier run; default is a new one each time\n"
    "  --seconds S        for one run of a submission, default 10\n"
    "  --format NAME      text, csv, gradescope or prairielearn; default text\n"
    "  --visibility WHEN  for gradescope, of all tests but the first of each exercise: visible,\n"
    "                     hidden, after_due_date or after_published\n"
    "  --output FILE      where to, default stdout\n"
    "  --list             the exercises\n";

struct options {
    const char *course, *build, *folder, *class_folder, *only, *student, *output;
    const char *pick, *format, *visibility;
    task_set asked;
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

/* Is the word one of those in the list, which has blanks between them? */
static bool is_one_of(const char *word, const char *list)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if (n > 0 && (at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* "01 02" */
static task_set read_tasks(const char *text)
{
    char names[PATH_BYTES];
    task_set set = 0;
    snprintf(names, sizeof names, "%s", text);
    for (char *name = strtok(names, " ,"); name; name = strtok(NULL, " ,")) {
        if (!task_find(name))
            die("--only", name, task_names());
        for (size_t k = 0; k < task_count; k++)
            set |= (task_set)(tasks[k] == task_find(name)) << k;
    }
    return set;
}

static void read_option(struct options *o, const char *name, char *value)
{
    const struct {
        const char *name, **text, *accepted; /* NULL: anything */
    } texts[] = {{"--course", &o->course, NULL},
                 {"--build", &o->build, NULL},
                 {"--folder", &o->folder, NULL},
                 {"--class", &o->class_folder, NULL},
                 {"--only", &o->only, NULL},
                 {"--student", &o->student, NULL},
                 {"--output", &o->output, NULL},
                 {"--pick", &o->pick, "last best"},
                 {"--format", &o->format, NULL},
                 {"--visibility", &o->visibility, "visible hidden after_due_date after_published"}};
    char *end;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) {
            if (texts[i].accepted && !is_one_of(value, texts[i].accepted))
                die(name, value, texts[i].accepted);
            *texts[i].text = value;
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
    struct options o = {.seconds = 10, .jobs = 2, .pick = "last", .format = "text"};
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
    if (!o.course || !o.build || (o.count > 0) + !!o.class_folder + !!o.folder != 1) {
        fprintf(stderr, "%s", usage);
        exit(2);
    }
    if (!report_find(o.format))
        die("--format", o.format, report_formats);
    o.asked = o.only ? read_tasks(o.only) : 0;
    return o;
}

/* Shows the marks. Returns the exit code. */
static int show_marks(const struct options *o, const struct mark *mark, size_t count,
                      const char *remarks)
{
    const struct mark *marks[MOST_SUBMISSIONS];
    bool full = count > 0;
    for (size_t i = 0; i < count; i++) {
        marks[i] = &mark[i];
        full = full && mark[i].points == mark[i].tests.points;
    }
    FILE *out = o->output ? fopen(o->output, "w") : stdout;
    if (!out)
        die("--output", o->output, "a file that can be written");
    report_find(o->format)(out, &(struct shown){marks, count, remarks, o->visibility});
    if (fflush(out) != 0 || ferror(out))
        die("--output", o->output ? o->output : "stdout", "a file that can be written");
    return full ? 0 : 1;
}

/* Returns the number of marks, -1: stderr says why. */
static int grade_files(const struct options *o, const struct course *course, struct mark *marks)
{
    for (size_t i = 0; i < o->count; i++)
        if (!judge(course, o->task[i], o->file[i], o->seed, &marks[i])) {
            fprintf(stderr, "grade: %s\n", marks[i].refused);
            return -1;
        }
    return (int)o->count;
}

int main(int argc, char **argv)
{
    static struct mark marks[MOST_SUBMISSIONS];
    static char remarks[4 * MESSAGE_BYTES];
    const struct options o = read_options(argc, argv);
    static struct course course;
    course_init(&course, o.course, o.build, o.seconds);
    const struct class_options c = {.course = &course,
                                    .folder = o.folder ? o.folder : o.class_folder,
                                    .asked = o.asked,
                                    .student = o.student,
                                    .best = strcmp(o.pick, "best") == 0,
                                    .seed = o.seed,
                                    .jobs = o.jobs};
    if (o.class_folder)
        return class_grade(&c);
    const int count = o.folder ? folder_grade(&c, marks, remarks, sizeof remarks)
                               : grade_files(&o, &course, marks);
    return count < 0 ? 2 : show_marks(&o, marks, (size_t)count, remarks);
}
