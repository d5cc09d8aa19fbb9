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

#include "grade/platforms/platforms.h"

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

/* A given value replaces the default. */
static struct {
    const char *name, *value, *accepted;
} options[] = {{"--course", NULL, NULL},
               {"--build", NULL, NULL},
               {"--folder", NULL, NULL},
               {"--class", NULL, NULL},
               {"--marks", "", NULL},
               {"--quiz", "", NULL},
               {"--questions", "", NULL},
               {"--viva", "", NULL},
               {"--speed", "", NULL},
               {"--only", "", NULL},
               {"--pick", "last", "last best"},
               {"--student", "", NULL},
               {"--jobs", "2", NULL},
               {"--seed", NULL, NULL},
               {"--seconds", "10", NULL},
               {"--format", "text", NULL},
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

/* Each word must be in the list. */
static void check_words(const char *what, const char *words, const char *list)
{
    char one[64];
    for (size_t n; *words; words += n + (words[n] != '\0')) {
        n = strcspn(words, " ,");
        snprintf(one, sizeof one, "%.*s", (int)n, words);
        if (n > 0 && !has_word(list, one))
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
        die("exercise", name, task_names());
    return task_find(name);
}

/* Returns 0: all have full points, 1: fewer. */
static int grade_files(const struct class_options *o, char **arguments, struct marks *all)
{
    bool full = true;
    while (arguments[all->count])
        all->count++;
    all->mark = calloc(all->count + 1, sizeof *all->mark);
    for (size_t i = 0; all->mark && i < all->count; i++) {
        struct mark *m = &all->mark[i];
        judge(o->course, task_of(arguments[i]), strchr(arguments[i], '=') + 1, o->seed, m);
        full = full && m->points == m->tests->points;
    }
    return !all->mark ? 2 : full ? 0 : 1;
}

static void text(const struct marks *all, FILE *out)
{
    show_text(all, out, "");
}

static const struct {
    const char *name;
    void (*show)(const struct marks *all, FILE *out);
} formats[] = {{"text", text},
               {"csv", show_csv},
               {"gradescope", show_gradescope},
               {"prairielearn", show_prairielearn},
               {"github", show_github}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* The number of the format. A class has formats of its own, and gets 0. */
static size_t format_of(const char *name, bool class)
{
    size_t i = 0;
    while (i < FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    if (class && !has_word("canvas moodle files", name) && i != 0)
        die("FORMAT", name, "of a class: text, canvas, moodle");
    if (!class && i == FORMATS)
        die("--format", name, "text csv gradescope prairielearn github");
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
            die("submission", file, "a file that exists");
    }
}

int main(int argc, char **argv)
{
    static struct course course;
    struct marks all = {.remark = ""};
    read_options(argc, argv);
    const char *folder = value("--folder"), *class = value("--class");
    const struct class_options o = {.course = &course,
                                    .folder = folder ? folder : class,
                                    .marks = value("--marks"),
                                    .format = value("--format"),
                                    .quiz = value("--quiz"),
                                    .questions = value("--questions"),
                                    .viva = value("--viva"),
                                    .speed = value("--speed"),
                                    .asked = value("--only"),
                                    .student = value("--student"),
                                    .best = strcmp(value("--pick"), "best") == 0,
                                    .seed = seed_of(value("--seed")),
                                    .has_seed = value("--seed"),
                                    .jobs = (size_t)number("--jobs", 1, 1024)};
    char known[2048];
    const size_t format = format_of(o.format, class);
    snprintf(known, sizeof known, "%s%s", task_names(), class ? " quiz" : "");
    check_words("--only", o.asked, known);
    check_files(argv + optind);
    tests_read_all(value("--course"));
    course_init(&course, value("--course"), value("--build"), number("--seconds", 0.001, 3600));
    if (class)
        return class_grade(&o);
    const int status = folder ? folder_grade(&o, &all) : grade_files(&o, argv + optind, &all);
    if (status == 2)
        return 2;
    if (value("--output") && !freopen(value("--output"), "w", stdout))
        die("--output", value("--output"), "a file that can be written");
    all.visibility = value("--visibility");
    formats[format].show(&all, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "grade: the marks cannot be written\n");
    return 2;
}
