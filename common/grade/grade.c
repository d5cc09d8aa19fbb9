/* SPDX-License-Identifier: MIT */
/*
 * grade.c - the grader: judges submissions and shows the marks.
 *
 *   grade --course FOLDER --build FOLDER [options] EXERCISE=FILE...
 *
 * make grade and make grade-class call it; `grade --help` lists the options.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "grade/report/report.h"

static const char usage[] =
    "usage: grade --course FOLDER --build FOLDER [options] EXERCISE=FILE...\n"
    "  EXERCISE=FILE      03=my.cu grades my.cu as exercise 03\n"
    "  --folder FOLDER    grades what one student has handed in, in folders of any depth\n"
    "  --class FOLDER     grades all of a class: FOLDER/student/03.cu, or what Moodle and Canvas\n"
    "                     give; prints a row for each student and exercise\n"
    "  --reports FOLDER   with --class: where each student's report goes\n"
    "  --only 'EXERCISES' these exercises; a missing one has 0 points\n"
    "  --pick last|best   of several files of one exercise; default last, by name\n"
    "  --student NAME     with --class: only this one again, the other marks stay\n"
    "  --jobs N           with --class: so many at a time\n"
    "  --seed N           the inputs of an earlier run; default is a new one each time\n"
    "  --seconds S        of the processor, for one run of a submission, default 10\n"
    "  --format NAME      text, csv, gradescope, prairielearn or github; default text\n"
    "  --visibility WHEN  for gradescope, of all tests but the first of each exercise: visible,\n"
    "                     hidden, after_due_date or after_published\n"
    "  --output FILE      where to, default stdout\n"
    "  --list             the exercises\n";

/* A given value replaces the default. */
static struct {
    const char *name, *value, *accepted;
} options[] = {{"--course", NULL, NULL},
               {"--build", NULL, NULL},
               {"--folder", NULL, NULL},
               {"--class", NULL, NULL},
               {"--reports", "", NULL},
               {"--only", "", NULL},
               {"--pick", "last", "last best"},
               {"--student", "", NULL},
               {"--jobs", "2", NULL},
               {"--seed", NULL, NULL},
               {"--seconds", "10", NULL},
               {"--format", "text", "text csv gradescope prairielearn github"},
               {"--visibility", "", "visible hidden after_due_date after_published"},
               {"--output", NULL, NULL}};
enum { VALUES = sizeof options / sizeof *options, LIST = VALUES, HELP, OPTIONS };

static const char *value(const char *name)
{
    size_t i = 0;
    while (strcmp(options[i].name, name) != 0)
        i++;
    return options[i].value;
}

static _Noreturn void die(const char *what, const char *given, const char *instead)
{
    fprintf(stderr, "grade: %s: '%s'; accepted: %s\n", what, given, instead);
    exit(2);
}

/* Each word must be one of those in the list, which is separated by spaces. */
static void check_words(const char *what, const char *words, const char *list)
{
    char padded[2048], one[64];
    snprintf(padded, sizeof padded, " %s ", list);
    for (size_t n; *words; words += n + (words[n] != '\0')) {
        n = strcspn(words, " ,");
        snprintf(one, sizeof one, " %.*s ", (int)n, words);
        if (n > 0 && !strstr(padded, one))
            die(what, words, list);
    }
}

static double number(const char *name, double low, double high)
{
    char *end, accepted[64];
    const double x = strtod(value(name), &end);
    snprintf(accepted, sizeof accepted, "a number from %g to %g", low, high);
    if (*end != '\0' || !(x >= low && x <= high))
        die(name, value(name), accepted);
    return x;
}

/* A random one if none is given. */
static uint64_t seed_of(const char *text)
{
    uint64_t seed;
    if (text && (*text == '\0' || text[strspn(text, "0123456789")] != '\0'))
        die("--seed", text, "a whole number");
    if (text)
        return strtoull(text, NULL, 10);
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        die("--seed", "", "a number, because there are no random ones here");
    return seed % 1000000000;
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
    for (int i = 0; i < VALUES; i++)
        known[i] = (struct option){options[i].name + 2, required_argument, NULL, i};
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":h", known, NULL)) != -1;) {
        if (id == HELP || id == 'h') {
            printf("%s", usage);
            exit(0);
        }
        if (id == LIST)
            list_tasks();
        if (id == '?' || id == ':')
            die("option", argv[optind - 1], "a known one, with its value; see grade --help");
        if (options[id].accepted)
            check_words(options[id].name, optarg, options[id].accepted);
        options[id].value = optarg;
    }
    if (!value("--course") || !value("--build") ||
        (optind < argc) + !!value("--class") + !!value("--folder") != 1) {
        fprintf(stderr, "%s", usage);
        exit(2);
    }
}

/* 03 of 03=my.cu */
static const struct task *task_of(const char *argument)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    if (!strchr(argument, '='))
        die("submission", argument, "EXERCISE=FILE");
    if (!task_find(name))
        die("exercise", name, task_names);
    return task_find(name);
}

/* Returns 0: all have full points, 1: fewer. */
static int grade_files(const struct class_options *o, char **arguments, FILE *records)
{
    static struct mark m;
    bool full = true;
    for (; *arguments; arguments++) {
        judge(o->course, task_of(*arguments), strchr(*arguments, '=') + 1, o->seed, &m);
        report_mark(records, &m);
        full = full && m.points == m.tests->points;
    }
    return full ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct course course;
    char *text = NULL;
    size_t bytes;
    read_options(argc, argv);
    const char *folder = value("--folder"), *class = value("--class");
    const struct class_options o = {.course = &course,
                                    .folder = folder ? folder : class,
                                    .reports = value("--reports"),
                                    .asked = value("--only"),
                                    .student = value("--student"),
                                    .best = strcmp(value("--pick"), "best") == 0,
                                    .seed = seed_of(value("--seed")),
                                    .jobs = (size_t)number("--jobs", 1, 1024)};
    check_words("--only", o.asked, task_names);
    for (int i = optind; i < argc; i++)
        task_of(argv[i]); /* exits here if invalid */
    course_init(&course, value("--course"), value("--build"), number("--seconds", 0.001, 3600));
    if (class)
        return class_grade(&o);
    FILE *records = open_memstream(&text, &bytes);
    const int status = folder ? folder_grade(&o, records) : grade_files(&o, argv + optind, records);
    if (fclose(records) != 0 || status == 2)
        return 2;
    if (value("--output") && !freopen(value("--output"), "w", stdout))
        die("--output", value("--output"), "a file that can be written");
    return report_show(&course, value("--format"), value("--visibility"), text) ? status : 2;
}
