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

#include "grade/report/report.h"

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
    "  --format NAME      text, csv, gradescope, prairielearn or github; default text\n"
    "  --visibility WHEN  for gradescope, of all tests but the first of each exercise: visible,\n"
    "                     hidden, after_due_date or after_published\n"
    "  --output FILE      where to, default stdout\n"
    "  --list             the exercises\n";

/* What is given stands in the place of the value. */
static struct {
    const char *name, *value, *accepted;
} options[] = {{"course", NULL, NULL},
               {"build", NULL, NULL},
               {"folder", NULL, NULL},
               {"class", NULL, NULL},
               {"only", "", NULL},
               {"pick", "last", "last best"},
               {"student", "", NULL},
               {"jobs", "2", NULL},
               {"seed", NULL, NULL},
               {"seconds", "10", NULL},
               {"format", "text", "text csv gradescope prairielearn github"},
               {"visibility", "", "visible hidden after_due_date after_published"},
               {"output", NULL, NULL}};
enum { VALUES = sizeof options / sizeof *options, LIST = VALUES, HELP, OPTIONS };

static _Noreturn void die(const char *what, const char *value, const char *instead)
{
    fprintf(stderr, "grade: %s: '%s'; accepted: %s\n", what, value, instead);
    exit(2);
}

static const struct task *find_task(const char *what, const char *name)
{
    char names[256] = "";
    const struct task *task = task_find(name);
    for (size_t i = 0; i < task_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "",
                 tasks[i]->name);
    if (!task)
        die(what, name, names);
    return task;
}

/* "01 02" */
static const char *check_tasks(const char *text)
{
    char *names = strdup(text);
    for (char *name = strtok(names, " ,"); name; name = strtok(NULL, " ,"))
        find_task("--only", name);
    free(names);
    return text;
}

static uint64_t read_whole(const char *what, const char *text, uint64_t low, uint64_t high,
                           const char *instead)
{
    char *end;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || text[0] == '-' || value < low || value > high)
        die(what, text, instead);
    return value;
}

static double read_seconds(const char *text)
{
    char *end;
    const double seconds = strtod(text, &end);
    if (*end != '\0' || !(seconds > 0 && seconds <= 3600))
        die("--seconds", text, "a number above 0, up to 3600");
    return seconds;
}

/* One of the words in the list, which has blanks between them. */
static void check_word(const char *name, const char *word, const char *list)
{
    char words[256], what[32];
    snprintf(words, sizeof words, "%s", list);
    for (char *one = strtok(words, " "); one; one = strtok(NULL, " "))
        if (strcmp(one, word) == 0)
            return;
    snprintf(what, sizeof what, "--%s", name);
    die(what, word, list);
}

static _Noreturn void list_tasks(void)
{
    for (size_t i = 0; i < task_count; i++)
        printf("%-10s %-32s %s\n", tasks[i]->name, tasks[i]->folder, tasks[i]->title);
    exit(0);
}

static const char *value(const char *name)
{
    size_t i = 0;
    while (strcmp(options[i].name, name) != 0)
        i++;
    return options[i].value;
}

/* argv[optind] is the first file then. */
static void read_options(int argc, char **argv)
{
    struct option known[OPTIONS + 1] = {
        [LIST] = {"list", no_argument, NULL, LIST}, [HELP] = {"help", no_argument, NULL, HELP}};
    for (int i = 0; i < VALUES; i++)
        known[i] = (struct option){options[i].name, required_argument, NULL, i};
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
            check_word(options[id].name, optarg, options[id].accepted);
        options[id].value = optarg;
    }
    if (!value("course") || !value("build") ||
        (optind < argc) + !!value("class") + !!value("folder") != 1) {
        fprintf(stderr, "%s", usage);
        exit(2);
    }
}

/* 03 of 03=my.cu */
static const struct task *task_of(const char *argument)
{
    const char *equals = strchr(argument, '=');
    if (!equals)
        die("submission", argument, "EXERCISE=FILE");
    char *name = strndup(argument, (size_t)(equals - argument));
    const struct task *task = find_task("exercise", name);
    free(name);
    return task;
}

/* Returns 0: all have full points, 1: fewer; 2: stderr says why there are none. */
static int grade_files(const struct class_options *o, char **arguments, FILE *records)
{
    static struct mark m;
    bool full = true;
    for (; *arguments; arguments++) {
        if (!judge(o->course, task_of(*arguments), strchr(*arguments, '=') + 1, o->seed, &m)) {
            fprintf(stderr, "grade: %s\n", m.refused);
            return 2;
        }
        report_mark(records, &m);
        full = full && m.points == m.tests.points;
    }
    return full ? 0 : 1;
}

static uint64_t random_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        die("--seed", "", "a number, as there are no random ones here");
    return seed % 1000000000;
}

int main(int argc, char **argv)
{
    static struct course course;
    char *text = NULL;
    size_t bytes;
    read_options(argc, argv);
    const char *folder = value("folder"), *class = value("class"), *seed = value("seed");
    const struct class_options o = {
        .course = &course,
        .folder = folder ? folder : class,
        .asked = check_tasks(value("only")),
        .student = value("student"),
        .best = strcmp(value("pick"), "best") == 0,
        .seed = seed ? read_whole("--seed", seed, 0, UINT64_MAX, "a whole number") : random_seed(),
        .jobs = read_whole("--jobs", value("jobs"), 1, 1024, "a whole number from 1 to 1024")};
    for (int i = optind; i < argc; i++)
        task_of(argv[i]); /* or it ends here */
    course_init(&course, value("course"), value("build"), read_seconds(value("seconds")));
    if (class)
        return class_grade(&o);
    FILE *records = open_memstream(&text, &bytes);
    const int status = folder ? folder_grade(&o, records) : grade_files(&o, argv + optind, records);
    if (fclose(records) != 0 || status == 2)
        return 2;
    if (value("output") && !freopen(value("output"), "w", stdout))
        die("--output", value("output"), "a file that can be written");
    return report_show(&course, value("format"), value("visibility"), text) ? status : 2;
}
