/* SPDX-License-Identifier: MIT */
/*
 * quiz.c - asks what an access pattern costs; the emulator runs it and answers. `make quiz` calls
 * it. `quiz --help` lists the rest: marking a file of answers, and printing questions.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quiz.h"
#include "talk.h"

enum { LINE_BYTES = 256, MOST_TRIES = 999 };

static const char head[] = "# make quiz SEED=%llu LEVEL=%d N=%d LESSON=%s KIND=%s TRY=%d \n";
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

static struct question questions[QUIZ_MOST];

static void die(const char *option, const char *value, const char *accepted)
{
    complain("quiz: %s: '%s' is not accepted; accepted: %s", option, value, accepted);
    exit(2);
}

/* ---- the choice ---- */

static void check_names(const struct choice *c)
{
    char known[LINE_BYTES] = "";
    for (int p = 0; p < PATTERNS; p++) {
        if (choice_fits(c, &kinds[p]))
            return;
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", kinds[p].name);
    }
    if (*c->kind && !*c->lesson)
        die("kind", c->kind, known + 1);
    if (*c->kind)
        die("kind", c->kind, "one that the lesson has; or leave the lesson out");
    die("lesson", c->lesson, "01 02 03 04 05 06 07");
}

/* The options of the choice; false: it is another option. */
static bool choose(struct choice *c, const char *option, const char *value)
{
    unsigned long long number = 0;
    if (strcmp(option, "--seed") == 0) {
        if (!read_number(value, UINT32_MAX, &number))
            die("seed", value, "a whole number, 0 to 4294967295");
        c->seed = number;
    } else if (strcmp(option, "--level") == 0) {
        if (!read_number(value, QUIZ_LEVELS, &number) || number < 1)
            die("level", value, "1, 2 and 3");
        c->level = (int)number;
    } else if (strcmp(option, "--count") == 0) {
        if (!read_number(value, QUIZ_MOST, &number) || number < 1)
            die("count (N)", value, "1 to 1000");
        c->count = (int)number;
    } else if (strcmp(option, "--lesson") == 0) {
        c->lesson = strcmp(value, "all") == 0 ? "" : value;
        if (*c->lesson && (strlen(value) != 2 || strspn(value, "0123456789") != 2))
            die("lesson", value, "01 02 03 04 05 06 07");
    } else if (strcmp(option, "--kind") == 0) {
        c->kind = strcmp(value, "all") == 0 ? "" : value;
    } else {
        return false;
    }
    return true;
}

/* ---- asking ---- */

/* Asks until a number or the end comes. Returns whether there is a number. */
static bool read_answer(unsigned long long *answer)
{
    char line[MOST_TYPED];
    for (int tries = 0; tries < MOST_MISTYPED; tries++) {
        if (read_reply(line) == ENDED)
            return false;
        if (read_number(line, MOST_ANSWER, answer))
            return true;
        say("'%.40s' is not a number: type a whole number such as 4, or Ctrl-D to end", line);
    }
    return false;
}

static void put_question(const struct question *q, int number, const struct choice *c)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        kinds[q->pattern].ask(out, q->arg);
    if (!out || fclose(out) != 0) {
        fprintf(stderr, "quiz: no memory\n");
        exit(2);
    }
    printf("\n---- question %d of %d: %s ----\n", number, c->count, kinds[q->pattern].name);
    put(text);
    free(text);
}

/* Returns whether there was an answer; a right one is added to `right`. */
static bool ask(const struct question *q, int number, const struct choice *c, FILE *results,
                int *right)
{
    const struct kind *kind = &kinds[q->pattern];
    char text[QUIZ_TEXT];
    unsigned long long answer;
    question_text(q, text);
    put_question(q, number, c);
    if (!read_answer(&answer))
        return false;
    if (results) {
        fprintf(results, "%d,%s,%llu\n", number, text, answer);
        fflush(results);
    }
    const long count = question_count(q);
    if (count == (long)answer) {
        (*right)++;
        printf("right\n");
        return true;
    }
    printf("wrong: the emulator counts %ld %.*s\n", count, /* one of them has no s */
           (int)strlen(kind->unit) - (count == 1), kind->unit);
    put(kind->why);
    printf("The picture: make show QUIZ='%s'\n", text);
    return true;
}

/* The head of a file of answers. `tries` is the number of this one. */
static void write_head(const struct choice *c, int tries, char line[LINE_BYTES])
{
    snprintf(line, LINE_BYTES, head, (unsigned long long)c->seed, c->level, c->count,
             *c->lesson ? c->lesson : "all", *c->kind ? c->kind : "all", tries);
}

/* How many tries at these questions are in the file: after the first try the answers are known. */
static int tries_in(const char *path, const struct choice *c)
{
    char line[LINE_BYTES] = "", wanted[LINE_BYTES];
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    for (int tries = 1; tries < MOST_TRIES; tries++) {
        write_head(c, tries, wanted);
        if (strcmp(line, wanted) == 0)
            return tries;
    }
    return 0;
}

static FILE *open_results(const struct choice *c, const char *path)
{
    char line[LINE_BYTES];
    write_head(c, tries_in(path, c) + 1, line);
    FILE *results = fopen(path, "w");
    if (!results || fputs(line, results) < 0 || fputs(columns, results) < 0) {
        fprintf(stderr, "quiz: cannot write '%s': %s\n", path, strerror(errno));
        exit(2);
    }
    return results;
}

static int ask_all(const struct choice *c, const char *path)
{
    FILE *results = *path ? open_results(c, path) : NULL;
    int right = 0, asked = 0;
    while (asked < c->count && ask(&questions[asked], asked + 1, c, results, &right))
        asked++;
    if (asked < c->count)
        printf("\n");
    printf("\n%d of %d right. The same questions:\n  make quiz%s%s SEED=%llu LEVEL=%d N=%d%s%s\n",
           right, c->count, *c->lesson ? "-" : "", c->lesson, (unsigned long long)c->seed, c->level,
           c->count, *c->kind ? " KIND=" : "", c->kind);
    put_stopped(asked, c->count);
    if (!results)
        return 0;
    if (fclose(results) != 0) {
        fprintf(stderr, "quiz: cannot write '%s': %s\n", path, strerror(errno));
        return 2;
    }
    printf("answers, to hand in: %s (try %d)\n", path, tries_in(path, c));
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

/* A spreadsheet begins a file with a byte order mark. */
static const char *without_mark(const char *line)
{
    return line + (strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

/* The choice in the first line of a file. False: it is none. */
static bool read_head(const char *line, struct choice *c, int *tries)
{
    static char lesson[8], kind[16];
    unsigned long long seed = 0;
    int end = 0;
    if (sscanf(line, "# make quiz SEED=%10llu LEVEL=%1d N=%4d LESSON=%7s KIND=%15s TRY=%3d %n",
               &seed, &c->level, &c->count, lesson, kind, tries, &end) != 6 ||
        line[end] != '\0' || seed > UINT32_MAX || c->level < 1 || c->level > QUIZ_LEVELS ||
        c->count < 1 || c->count > QUIZ_MOST || *tries < 1)
        return false;
    c->seed = seed;
    c->lesson = strcmp(lesson, "all") == 0 ? "" : lesson;
    c->kind = strcmp(kind, "all") == 0 ? "" : kind;
    bool known = false;
    for (int p = 0; p < PATTERNS; p++)
        known |= choice_fits(c, &kinds[p]);
    return known && (!*c->lesson || strlen(c->lesson) == 2);
}

/* Does the line have each word of `asked`? */
static bool has_words(const char *line, const char *asked)
{
    char word[LINE_BYTES];
    for (int end = 0; sscanf(asked, " %200s%n", word + 1, &end) == 1; asked += end) {
        word[0] = ' ';
        strcat(word, " ");
        if (!strstr(line, word))
            return false;
    }
    return true;
}

/* The file says what was asked and what was typed. Whether it was right is computed here again. */
static int mark(const char *path, const char *asked)
{
    char line[LINE_BYTES], text[QUIZ_TEXT];
    unsigned long long answer;
    struct choice c;
    int right = 0, answered = 0, tries = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "quiz: cannot read '%s': %s\n", path, strerror(errno));
        return 2;
    }
    if (!fgets(line, sizeof line, file) || !read_head(without_mark(line), &c, &tries))
        return refuse("it is not the first line of a file that make quiz has written", 1);
    if (!has_words(line, asked))
        return refuse("other questions were to be asked", 1);
    questions_draw(&c, questions);
    if (!fgets(line, sizeof line, file) || strncmp(line, columns, strlen(columns) - 1) != 0)
        return refuse("accepted is: number,question,answer", 2);
    for (; fgets(line, sizeof line, file); answered++) {
        char wanted[QUIZ_TEXT + 16];
        if (answered == c.count)
            return refuse("there are more answers than questions", answered + 3);
        question_text(&questions[answered], text);
        snprintf(wanted, sizeof wanted, "%d,%s,", answered + 1, text);
        if (strncmp(line, wanted, strlen(wanted)) != 0)
            return refuse("this is not the question of this seed", answered + 3);
        if (!read_number(line + strlen(wanted), MOST_ANSWER, &answer))
            return refuse("the answer is not a number", answered + 3);
        right += question_count(&questions[answered]) == (long)answer;
    }
    fclose(file);
    printf("%d %llu level %d: %d of %d right, %d answered, try %d\n",
           (100 * right + c.count / 2) / c.count, (unsigned long long)c.seed, c.level, right,
           c.count, answered, tries);
    return 0;
}

/* ---- questions without asking ---- */

static int list(const struct choice *c)
{
    char text[QUIZ_TEXT];
    for (int i = 0; i < c->count; i++) {
        question_text(&questions[i], text);
        printf("%s\n", text);
    }
    return 0;
}

static bool run(const char *text)
{
    char why[2 * LINE_BYTES];
    struct question q;
    if (!question_read(text, &q, why, sizeof why)) {
        complain("quiz: %s", why);
        return false;
    }
    printf("%s,%s,%ld\n", text, kinds[q.pattern].counter, question_count(&q));
    return true;
}

static int run_all(void)
{
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!run(line))
            return 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct choice c = {.level = 1, .count = 10, .lesson = "", .kind = ""};
    const char *results = "";
    bool listing = false;
    c.seed = (uint64_t)time(NULL) % 1000000;
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
        if (!value)
            die("option", option, "what quiz --help lists");
        if (strcmp(option, "--mark") == 0)
            return mark(value, i + 2 < argc ? argv[i + 2] : "");
        if (strcmp(option, "--show") == 0)
            return run(value) ? 0 : 2;
        if (strcmp(option, "--results") == 0)
            results = value;
        else if (!choose(&c, option, value))
            die("option", option, "what quiz --help lists");
        i++;
    }
    check_names(&c);
    questions_draw(&c, questions);
    return listing ? list(&c) : ask_all(&c, results);
}
