/* SPDX-License-Identifier: MIT */
/*
 * viva.c - asks about a kernel; traces of it answer. `make viva` calls viva.sh, which calls it:
 *
 *     viva plan SOURCE FOLDER SEED            FOLDER/0.trace is there: which copies shall run
 *     viva ask SOURCE FOLDER SEED N SHOW      asks N questions, from stdin. SHOW is the command of
 *                                             the page, but for the file: "make show KERNEL="
 *     viva list SOURCE FOLDER SEED N SHOW     prints them with their answers, a row of CSV each
 *
 * Exit codes: 0 done, 1 the input ended before the last question, 2 there is nothing to ask.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pages/trace/rows.h"
#include "quiz/talk.h"
#include "viva.h"

enum { MOST_QUESTIONS = 50, MOST_NUMBERS = 16, WIDTH = 80, NUMBER_WIDTH = 7 };
enum { MOST_STEPS_SHOWN = 4000 }; /* about what a page holds */

static const char usage[] = "usage: viva plan|ask|list SOURCE FOLDER SEED [N SHOW]\n";

static viva_t viva;
static question_t questions[MOST_QUESTIONS];
static int count;

/* ---- an answer ---- */

static int compare_numbers(const void *a, const void *b)
{
    const unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;
    return (p > q) - (p < q);
}

/* "19, 3 3" becomes "3 19": a set of numbers. False: it is none. */
static bool read_numbers(const char *typed, char answer[MOST_ANSWER_TEXT])
{
    unsigned long long number[MOST_NUMBERS];
    size_t numbers = 0, used = 0;
    for (; *typed; typed += strspn(typed, " ,\t\r\n")) {
        const size_t digits = strspn(typed, "0123456789");
        if (digits == 0 || digits > 9 || numbers == MOST_NUMBERS)
            return false;
        number[numbers++] = strtoull(typed, NULL, 10);
        typed += digits;
    }
    qsort(number, numbers, sizeof *number, compare_numbers);
    for (size_t i = 0; i < numbers && used < MOST_ANSWER_TEXT; i++)
        if (i == 0 || number[i] != number[i - 1])
            used += (size_t)snprintf(answer + used, MOST_ANSWER_TEXT - used, "%s%llu", i ? " " : "",
                                     number[i]);
    return numbers > 0;
}

/* Numbers, a letter, or a word. */
static bool read_answer(const char *typed, char answer[MOST_ANSWER_TEXT])
{
    static const char *const words[] = {"none", "no", "yes", "a", "b", "c"};
    char word[MOST_ANSWER_TEXT] = "";
    typed += strspn(typed, " \t");
    for (size_t i = 0; isalpha((unsigned char)typed[i]) && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)typed[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0 &&
            typed[strlen(word) + strspn(typed + strlen(word), " \t\r\n")] == '\0') {
            snprintf(answer, MOST_ANSWER_TEXT, "%s", word);
            return true;
        }
    return read_numbers(typed, answer);
}

static bool is_right(const question_t *q, const char *answer)
{
    char wanted[MOST_ANSWER_TEXT];
    return read_answer(q->answer, wanted) && strcmp(wanted, answer) == 0;
}

/* ---- asking ---- */

static void put_question(const question_t *q, int number)
{
    char line[MOST_LINE];
    printf("\n---- question %d of %d ----\n", number, count);
    if (q->line > 0)
        printf("%4u | %.*s\n", q->line, WIDTH - NUMBER_WIDTH,
               source_line(viva.source, q->line, line, sizeof line));
    put(q->text);
}

/* The page of `make show` that shows the answer. */
static void page_of(const question_t *q, const char *show, char *text, size_t bytes)
{
    const run_t *run = q->run;
    if (run->number > 0 && run->change != CHANGE_SIZE)
        snprintf(text, bytes, "%s%s/%d.cu", show, viva.folder, run->number);
    else
        snprintf(text, bytes, "%s%s%s%s", show, viva.source, *run->options ? " " : "",
                 run->options);
    snprintf(text + strlen(text), bytes - strlen(text), "   #step=%d", run->places[q->step] + 1);
}

typedef enum { TYPED, GIVEN_UP, ENDED } reply_t;

static reply_t read_reply(char answer[MOST_ANSWER_TEXT])
{
    char line[256];
    for (;;) {
        printf("> ");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin))
            return ENDED;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0' || strcmp(line, "q") == 0)
            return GIVEN_UP;
        if (read_answer(line, answer))
            return TYPED;
        printf("'%.30s' is no answer: type a number, or several with spaces, or one of\n"
               "the words that the question names; ENTER or q shows the answer\n",
               line);
    }
}

static reply_t ask(int i, const char *show, int *right)
{
    const question_t *q = &questions[i];
    char answer[MOST_ANSWER_TEXT], page[2 * MOST_PATH];
    put_question(q, i + 1);
    const reply_t reply = read_reply(answer);
    if (reply == ENDED)
        return reply;
    const bool is = reply == TYPED && is_right(q, answer);
    *right += is;
    if (is)
        printf("right\n");
    else
        printf("%sIt is %s.\n", reply == TYPED ? "wrong. " : "", q->answer);
    if (*q->why)
        put(q->why);
    if (q->run->trace.step_count < MOST_STEPS_SHOWN) {
        page_of(q, show, page, sizeof page);
        printf("  %s\n", page);
    }
    return reply;
}

static int ask_all(const char *show)
{
    const trace_t *t = &viva.runs[0].trace;
    int right = 0, asked = 0;
    printf("%s<<<%u, %u>>>, %s: block 0 of launch 1.\n"
           "After each question comes the command of the page that shows the answer; put\n"
           "its #step=NUMBER at the end of the page's address.\n",
           t->kernel, t->grid[0] * t->grid[1] * t->grid[2], t->threads, viva.runs[0].what);
    while (asked < count && ask(asked, show, &right) != ENDED)
        asked++;
    printf("\n%d of %d right\n", right, count);
    if (asked == count)
        return 0;
    fflush(stdout);
    fprintf(stderr, "viva: the input ended at question %d of %d\n", asked + 1, count);
    return 1;
}

/* number,kind,line,copy,answer,step,text */
static int list(void)
{
    for (int i = 0; i < count; i++) {
        const question_t *q = &questions[i];
        printf("%d,%s,%u,%d,%s,%d,\"", i + 1, q->kind, q->line, q->run->number, q->answer,
               q->run->places[q->step] + 1);
        for (const char *c = q->text; *c; c++)
            putchar(*c == '\n' ? ' ' : *c);
        printf("\"\n");
    }
    return 0;
}

/* Each use of a seed has numbers of its own. */
static rng_t rng_of(const char *seed, unsigned use)
{
    rng_t rng = {strtoull(seed, NULL, 10) * 2 + use};
    rng.state = rng_bits(&rng);
    return rng;
}

int main(int argc, char **argv)
{
    const bool plans = argc == 5 && strcmp(argv[1], "plan") == 0;
    const bool asks = argc == 7 && strcmp(argv[1], "ask") == 0;
    const bool lists = argc == 7 && strcmp(argv[1], "list") == 0;
    unsigned long long most = 0;
    if (!plans && !asks && !lists) {
        fputs(usage, stderr);
        return 2;
    }
    rng_t rng = rng_of(argv[4], !plans);
    if (plans)
        return changes_write(argv[2], argv[3], &rng) ? 0 : 2;
    if (!read_number(argv[5], MOST_QUESTIONS, &most) || most == 0) {
        fprintf(stderr, "viva: N: '%s' is not accepted; accepted: 1 to %d\n", argv[5],
                MOST_QUESTIONS);
        return 2;
    }
    viva = (viva_t){.source = argv[2], .folder = argv[3]};
    if (!runs_read(&viva))
        return 2;
    count = questions_draw(&viva, &rng, questions, (int)most);
    if (count == 0) {
        fprintf(stderr,
                "viva: nothing can be asked about '%s': block 0 of its first launch "
                "does too little, or all in a library\n",
                viva.source);
        return 2;
    }
    return lists ? list() : ask_all(argv[6]);
}
