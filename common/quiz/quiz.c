/* SPDX-License-Identifier: MIT */
/*
 * quiz.c - asks what an access pattern costs; the emulator runs it and answers. `make quiz` calls
 * it. `quiz --help` lists the rest: marking a file of answers, and printing questions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quiz.h"
#include "talk.h"

enum { LINE_BYTES = 256 };

static const char columns[] = "number,question,answer\n";

static const char help[] =
    "usage: quiz [options]              asks, from stdin\n"
    "       quiz [options] --list       prints the questions\n"
    "       quiz --run                  prints the count after each question that stdin has\n"
    "       quiz --show 'stride 6 1'    runs one question once: for a trace\n"
    "       quiz --mark FILE ASKED      marks a file of answers: POINTS of 100, the seed, a note;\n"
    "                                   ASKED: what was to be asked, as 'SEED=7 LEVEL=2 N=10', or "
    "''\n"
    "\n"
    "  --seed S      the same questions for a whole class; default: new ones each time\n"
    "  --level L     1, 2 or 3; default 1\n"
    "  --count N     1 to 1000 questions; default 10\n"
    "  --lesson 03   what this lesson is about; --kind NAME: one kind alone\n"
    "  --results F   write the answers to this file, and which try at these questions it is\n"
    "Exit codes: 0 done, 2 usage.\n";

static struct choice choice = {.level = 1, .count = 10, .lesson = "", .kind = ""};
static struct question questions[QUIZ_MOST];

static void reject(const char *option, const char *value, const char *accepted)
{
    put_to(stderr, text("quiz: %s: '%s' is not accepted; accepted: %s", option, value, accepted));
    exit(2);
}

/* ---- the choice ---- */

static const char lessons[] = "01 02 03 04 05 06 07";

static void check_names(void)
{
    const struct choice *c = &choice;
    if (*c->lesson && !listed(lessons, c->lesson))
        reject("lesson", c->lesson, lessons);
    if (!*choice_kinds(c))
        reject("kind", c->kind,
               *c->lesson ? "one that the lesson has; or leave the lesson out"
                          : choice_kinds(&(struct choice){.lesson = "", .kind = ""}));
}

static unsigned long long number_of(const char *option, const char *value, unsigned long long least,
                                    unsigned long long most, const char *accepted)
{
    unsigned long long number = 0;
    if (!read_number(value, most, &number) || number < least)
        reject(option, value, accepted);
    return number;
}

static const char *name_of(const char *value)
{
    return strcmp(value, "all") == 0 ? "" : value;
}

/* The options of the choice; false: it is another option. */
static bool choose(const char *option, const char *value)
{
    if (strcmp(option, "--seed") == 0)
        choice.seed = number_of("seed", value, 0, UINT32_MAX, "a whole number, 0 to 4294967295");
    else if (strcmp(option, "--level") == 0)
        choice.level = (int)number_of("level", value, 1, QUIZ_LEVELS, "1, 2 and 3");
    else if (strcmp(option, "--count") == 0)
        choice.count = (int)number_of("count (N)", value, 1, QUIZ_MOST, "1 to 1000");
    else if (strcmp(option, "--lesson") == 0)
        choice.lesson = name_of(value);
    else if (strcmp(option, "--kind") == 0)
        choice.kind = name_of(value);
    else
        return false;
    return true;
}

/* ---- asking ---- */

static FILE *results; /* or NULL */

static const char *title(int i)
{
    return text(": %s", kinds[questions[i].pattern].name);
}

static void put_question(int i)
{
    const struct kind *kind = &kinds[questions[i].pattern];
    put(text("%s\n%s\n", kind->show(questions[i].arg), kind->question));
}

static verdict_t judge(int i, const char *typed)
{
    const struct kind *kind = &kinds[questions[i].pattern];
    const long answer = atol(typed);
    if (results) {
        fprintf(results, "%d,%s,%ld\n", i + 1, question_text(&questions[i]), answer);
        fflush(results);
    }
    const long count = question_count(&questions[i]);
    if (count == answer) {
        printf("right\n");
        return RIGHT;
    }
    printf("wrong: the emulator counts %ld %.*s\n", count, /* one of them has no s */
           (int)strlen(kind->unit) - (count == 1), kind->unit);
    put(kind->why);
    printf("The picture: make show QUIZ='%s'\n", question_text(&questions[i]));
    return WRONG;
}

/* ---- a file of answers ---- */

/* Its first line. `tries` says which try at these questions it is. */
static const char *head(const struct choice *c, int tries)
{
    return text("# make quiz SEED=%llu LEVEL=%d N=%d LESSON=%s KIND=%s TRY=%d \n",
                (unsigned long long)c->seed, c->level, c->count, *c->lesson ? c->lesson : "all",
                *c->kind ? c->kind : "all", tries);
}

/* The choice in a first line. False: it is none. */
static bool read_head(const char *line, struct choice *c, int *tries)
{
    static char lesson[8], kind[16];
    unsigned long long seed = 0;
    int end = 0;
    if (sscanf(line, "# make quiz SEED=%10llu LEVEL=%1d N=%4d LESSON=%7s KIND=%15s TRY=%3d %n",
               &seed, &c->level, &c->count, lesson, kind, tries, &end) != 6 ||
        line[end] != '\0')
        return false;
    c->seed = seed;
    c->lesson = name_of(lesson);
    c->kind = name_of(kind);
    return seed <= UINT32_MAX && c->level >= 1 && c->level <= QUIZ_LEVELS && c->count >= 1 &&
           c->count <= QUIZ_MOST && *tries >= 1 && *choice_kinds(c) &&
           (!*c->lesson || listed(lessons, c->lesson));
}

/* How many tries at these questions are in the file: after the first try the answers are known. */
static int tries_in(const char *path)
{
    char line[LINE_BYTES] = "";
    struct choice c;
    int tries = 0;
    FILE *file = fopen(path, "r");
    const bool same = file && fgets(line, sizeof line, file) && read_head(line, &c, &tries) &&
                      strcmp(line, head(&choice, tries)) == 0;
    if (file)
        fclose(file);
    return same ? tries : 0;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "quiz: cannot write '%s': %s\n", path, strerror(errno));
    return 2;
}

static int ask_all(const char *path)
{
    const struct choice *c = &choice;
    const session_t session = {
        .count = c->count,
        .title = title,
        .put = put_question,
        .mistyped = "'%.40s' is not a number: type a whole number such as 4, or Ctrl-D to end",
        .judge = judge};
    if (*path) {
        const char *first = head(c, tries_in(path) + 1);
        results = fopen(path, "w");
        if (!results || fputs(first, results) < 0 || fputs(columns, results) < 0)
            return cannot_write(path);
    }
    int right = 0;
    const int asked = talk(&session, &right);
    printf("\n%d of %d right. The same questions:\n  make quiz%s%s SEED=%llu LEVEL=%d N=%d%s%s\n",
           right, c->count, *c->lesson ? "-" : "", c->lesson, (unsigned long long)c->seed, c->level,
           c->count, *c->kind ? " KIND=" : "", c->kind);
    put_stopped(asked, c->count);
    if (!results)
        return 0;
    if (fclose(results) != 0)
        return cannot_write(path);
    printf("answers, to hand in: %s (try %d)\n", path, tries_in(path));
    if (asked < c->count)
        printf("what has no answer counts as wrong\n");
    return 0;
}

/* ---- marks ---- */

static int refuse(const char *why, int line)
{
    printf("0 - refused: line %d: %s\n", line, why);
    return 0;
}

/* The file says what was asked and what was typed. Whether it was right is computed here again. */
static int mark(const char *path, const char *asked)
{
    char line[LINE_BYTES];
    unsigned long long answer;
    struct choice c;
    int right = 0, answered = 0, tries = 0;
    const struct list words = list_split(asked, " ", false);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "quiz: cannot read '%s': %s\n", path, strerror(errno));
        return 2;
    }
    /* A spreadsheet begins a file with a byte order mark. */
    if (!fgets(line, sizeof line, file) ||
        !read_head(line + (begins(line, "\xef\xbb\xbf") ? 3 : 0), &c, &tries))
        return refuse("it is not the first line of a file that make quiz has written", 1);
    for (size_t i = 0; i < words.count; i++)
        if (!listed(line, words.words[i]))
            return refuse("other questions were to be asked", 1);
    questions_draw(&c, questions);
    if (!fgets(line, sizeof line, file) || strncmp(line, columns, strlen(columns) - 1) != 0)
        return refuse("accepted is: number,question,answer", 2);
    for (; fgets(line, sizeof line, file); answered++) {
        const struct question *q = &questions[answered];
        if (answered == c.count)
            return refuse("there are more answers than questions", answered + 3);
        const char *wanted = text("%d,%s,", answered + 1, question_text(q));
        if (!begins(line, wanted))
            return refuse("this is not the question of this seed", answered + 3);
        if (!read_number(line + strlen(wanted), MOST_ANSWER, &answer))
            return refuse("the answer is not a number", answered + 3);
        right += question_count(q) == (long)answer;
    }
    fclose(file);
    printf("%d %llu level %d: %d of %d right, %d answered, try %d\n",
           (100 * right + c.count / 2) / c.count, (unsigned long long)c.seed, c.level, right,
           c.count, answered, tries);
    return 0;
}

/* ---- questions without asking ---- */

static int list(void)
{
    for (int i = 0; i < choice.count; i++)
        printf("%s\n", question_text(&questions[i]));
    return 0;
}

static int run(const char *typed)
{
    const char *why;
    struct question q;
    if (!question_read(typed, &q, &why)) {
        put_to(stderr, text("quiz: %s", why));
        return 2;
    }
    printf("%s,%s,%ld\n", typed, kinds[q.pattern].counter, question_count(&q));
    return 0;
}

static int run_all(void)
{
    char line[LINE_BYTES];
    int status = 0;
    while (status == 0 && fgets(line, sizeof line, stdin))
        status = run(until(line, "\r\n"));
    return status;
}

int main(int argc, char **argv)
{
    const char *results_path = "";
    bool listing = false;
    choice.seed = (uint64_t)time(NULL) % 1000000;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0)
            return fputs(help, stdout) < 0;
        if (strcmp(option, "--run") == 0)
            return run_all();
        if (strcmp(option, "--list") == 0) {
            listing = true;
            continue;
        }
        if (value && strcmp(option, "--mark") == 0)
            return mark(value, i + 2 < argc ? argv[i + 2] : "");
        if (value && strcmp(option, "--show") == 0)
            return run(value);
        if (value && strcmp(option, "--results") == 0)
            results_path = value;
        else if (!value || !choose(option, value))
            reject("option", option, "what quiz --help lists");
        i++;
    }
    check_names();
    questions_draw(&choice, questions);
    return listing ? list() : ask_all(results_path);
}
