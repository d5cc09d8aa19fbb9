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
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"

static const char usage[] =
    "usage: grade --course FOLDER --build FOLDER [options] EXERCISE=FILE...\n"
    "  EXERCISE=FILE      03=my.cu grades my.cu as exercise 03\n"
    "  --folder FOLDER    grades what one student has handed in, in folders of any depth\n"
    "  --class FOLDER     grades all of a class: FOLDER/student/03.cu, or what Moodle and Canvas\n"
    "                     give; writes its tables\n"
    "  --marks FILE       with --class: the table of marks; default FOLDER.marks/marks.csv\n"
    "  --quiz PROGRAM     with --class: marks answers of a quiz\n"
    "  --questions 'SEED=7'  only answers to these\n"
    "  --viva FILE        with --class: only adds the column viva, from rows student,points,note\n"
    "  --speed FOLDER     with --class: times what is on the board, on a GPU\n"
    "  --only 'EXERCISES' these exercises; a missing one has 0 points\n"
    "  --pick last|best   of several files of one exercise; default last, by name\n"
    "  --student NAME     with --class: only this one again, the other marks stay\n"
    "  --jobs N           with --class: so many at a time\n"
    "  --seed N           the inputs of an earlier run; default is a new one each time\n"
    "  --seconds S        of the processor, for one run of a submission, default 10\n"
    "  --format NAME      text, csv, gradescope, prairielearn or github; default text;\n"
    "                     with --class canvas and moodle; or files, which only prints those taken\n"
    "  --visibility WHEN  for gradescope, of all tests but the first of each exercise: visible,\n"
    "                     hidden, after_due_date or after_published\n"
    "  --output FILE      where to, default stdout\n"
    "  --list             the exercises\n";

static const char *root, *build, *folder, *class, *seed, *pick, *jobs, *seconds, *visibility,
    *output;
static struct class_options all;

/* Each word of a value must be one of the accepted. */
static const struct {
    const char *name, **value, *otherwise, *accepted;
} options[] = {{"course", &root, NULL, NULL},
               {"build", &build, NULL, NULL},
               {"folder", &folder, NULL, NULL},
               {"class", &class, NULL, NULL},
               {"marks", &all.marks, "", NULL},
               {"quiz", &all.quiz, "", NULL},
               {"questions", &all.questions, "", NULL},
               {"viva", &all.viva, "", NULL},
               {"speed", &all.speed, "", NULL},
               {"only", &all.asked, "", NULL},
               {"pick", &pick, "last", "last best"},
               {"student", &all.student, "", NULL},
               {"jobs", &jobs, "2", NULL},
               {"seed", &seed, NULL, NULL},
               {"seconds", &seconds, "10", NULL},
               {"format", &all.format, "text", NULL},
               {"visibility", &visibility, "", "visible hidden after_due_date after_published"},
               {"output", &output, NULL, NULL}};
enum { VALUES = sizeof options / sizeof *options, LIST = VALUES, HELP, OPTIONS };

static _Noreturn void refuse(const char *what, const char *given, const char *instead)
{
    fprintf(stderr, "grade: %s: '%s'; accepted: %s\n", what, given, instead);
    exit(2);
}

/* Each word must be in the list. */
static void check_words(const char *name, const char *given, const char *list)
{
    for (const char *p = given; *p; p += strcspn(p, " ,"), p += strspn(p, " ,"))
        if (!strchr(" ,", *p) && !has_word(list, until(p, " ,")))
            refuse(text("--%s", name), p, list);
}

static double number(const char *name, const char *given, double low, double high)
{
    char *end;
    const double x = strtod(given, &end);
    if (*end != '\0' || !(x >= low && x <= high))
        refuse(name, given, text("a number from %g to %g", low, high));
    return x;
}

/* A random one if none is given. */
static uint64_t seed_of(const char *given)
{
    uint64_t random;
    if (given && (*given == '\0' || given[strspn(given, "0123456789")] != '\0'))
        refuse("--seed", given, "a whole number");
    if (given)
        return strtoull(given, NULL, 10);
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        refuse("--seed", "", "a number, because there are no random ones here");
    return random % 1000000000;
}

static _Noreturn void list_tasks(void)
{
    for (size_t i = 0; i < task_count; i++)
        printf("%-10s %-32s %s\n", tasks[i]->name, tasks[i]->folder, tasks[i]->title);
    exit(0);
}

/* argv[optind] is then the first file. */
static void read_options(int argc, char **argv)
{
    struct option known[OPTIONS + 1] = {
        [LIST] = {"list", no_argument, NULL, LIST}, [HELP] = {"help", no_argument, NULL, HELP}};
    for (int i = 0; i < VALUES; i++) {
        known[i] = (struct option){options[i].name, required_argument, NULL, i};
        *options[i].value = options[i].otherwise;
    }
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (id == HELP || id == 'h') {
            printf("%s", usage);
            exit(0);
        }
        if (id == LIST)
            list_tasks();
        if (id == '?' || id == ':')
            refuse("option", argv[optind - 1], "a known one, with its value; see grade --help");
        if (options[id].accepted)
            check_words(options[id].name, optarg, options[id].accepted);
        *options[id].value = optarg;
    }
    if (!root || !build || (optind < argc) + !!class + !!folder != 1) {
        fprintf(stderr, "%s", usage);
        exit(2);
    }
}

/* 03 of 03=my.cu */
static const struct task *task_of(const char *argument)
{
    const char *name = until(argument, "=");
    if (!strchr(argument, '='))
        refuse("submission", argument, "EXERCISE=FILE");
    if (!task_find(name))
        refuse("exercise", name, task_names());
    return task_find(name);
}

/* Returns 0: all have full points, 1: fewer. */
static int grade_files(char **arguments, struct marks *to)
{
    bool full = true;
    while (arguments[to->count])
        to->count++;
    to->mark = memory((to->count + 1) * sizeof *to->mark);
    for (size_t i = 0; i < to->count; i++) {
        struct mark *m = &to->mark[i];
        judge(all.course, task_of(arguments[i]), strchr(arguments[i], '=') + 1, all.seed, m);
        full = full && m->points == m->tests->points;
    }
    return full ? 0 : 1;
}

static void show_plain(const struct marks *marks, FILE *out)
{
    show_text(marks, out, "");
}

static const struct {
    const char *name;
    void (*show)(const struct marks *marks, FILE *out);
} formats[] = {{"text", show_plain},
               {"csv", show_csv},
               {"gradescope", show_gradescope},
               {"prairielearn", show_prairielearn},
               {"github", show_github}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* The number of the format. A class has formats of its own, and gets 0. */
static size_t format_of(const char *name)
{
    size_t i = 0;
    while (i < FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    if (class && !has_word("text canvas moodle files", name))
        refuse("FORMAT", name, "of a class: text, canvas, moodle");
    if (!class && i == FORMATS)
        refuse("--format", name, "text csv gradescope prairielearn github");
    return class ? 0 : i;
}

/* Each file must exist: a missing one is a mistyped name, not a submission with 0 points. A link
 * that leads nowhere exists. */
static void check_files(char **arguments)
{
    for (; *arguments; arguments++) {
        task_of(*arguments);
        const char *file = strchr(*arguments, '=') + 1;
        struct stat st;
        if (lstat(file, &st) != 0 && errno == ENOENT)
            refuse("submission", file, "a file that exists");
    }
}

int main(int argc, char **argv)
{
    static struct course course;
    struct marks marks = {.remark = ""};
    read_options(argc, argv);
    const size_t format = format_of(all.format);
    all.course = &course;
    all.folder = folder ? folder : class;
    all.best = strcmp(pick, "best") == 0;
    all.has_seed = seed;
    all.seed = seed_of(seed);
    all.jobs = (size_t)number("--jobs", jobs, 1, 1024);
    check_words("only", all.asked, text("%s%s", task_names(), class ? " quiz" : ""));
    check_files(argv + optind);
    tests_read_all(root);
    course_init(&course, root, build, number("--seconds", seconds, 0.001, 3600));
    if (class)
        return class_grade(&all);
    const int status = folder ? folder_grade(&all, &marks) : grade_files(argv + optind, &marks);
    if (status == 2)
        return 2;
    if (output && !freopen(output, "w", stdout))
        refuse("--output", output, "a file that can be written");
    marks.visibility = visibility;
    formats[format].show(&marks, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "grade: the marks cannot be written\n");
    return 2;
}
