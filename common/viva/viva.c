/* SPDX-License-Identifier: MIT */
/*
 * viva.c - asks about a kernel; traces of it answer. `make viva` calls viva.sh, which calls it:
 *
 *     viva plan SOURCE FOLDER SEED N          FOLDER/0.trace is there: which copies shall run
 *     viva ask SOURCE FOLDER SEED N SHOW      asks N questions, from stdin. SHOW is the command of
 *                                             the page, but for the file: "make show KERNEL="
 *     viva list SOURCE FOLDER SEED N SHOW     prints them with their answers, a row of CSV each;
 *                                             SEED may be several, "1 2 3", of the same runs
 *     viva sheet SOURCE FOLDER SEED N OUT     writes code and questions to OUT.md and OUT.html, and
 *                                             prints the student's rows of the key
 *     viva mark KEY ANSWERS                   rows `student,4,none,...`, typed from sheets or left
 *                                             by `ask`: prints `student,points,note`
 *
 * In the environment: SUM, of the file, so that a key knows whether it is the same one; STUDENT,
 * whose sheet it is; TASK and GIVEN, the seed that was announced, for its head. And of `ask`:
 * ASKED, " OP=max", for the command of the page; MINUTES, after which no answer counts; LOG, the
 * file for the answers of a STUDENT.
 * Exit codes: 0 done, 1 a row of answers was refused, 2 there is nothing to ask.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grade/report/report.h"
#include "harness/fnv.h"
#include "quiz/talk.h"
#include "simt/driver/inside.h"
#include "viva.h"

enum { WIDTH = 80, NUMBER_WIDTH = 7 };

static viva_t viva;
static question_t questions[MOST_QUESTIONS];
static int count;
static char replies[MOST_QUESTIONS][MOST_ANSWER_TEXT];

/* ---- asking ---- */

/* A long line goes on below. */
static void put_line(unsigned number, const char *code)
{
    enum { ROOM = WIDTH - NUMBER_WIDTH };
    printf("%4u | ", number);
    while (strlen(code) > ROOM) {
        int length = ROOM;
        while (length > ROOM / 2 && code[length] != ' ')
            length--;
        length = code[length] == ' ' ? length : ROOM;
        printf("%.*s\n     | ", length, code);
        code += length + (code[length] == ' ');
    }
    printf("%s\n", code);
}

static void put_question(const question_t *q, int number)
{
    char line[MOST_LINE];
    printf("\n---- question %d of %d ----\n", number, count);
    const char *code = source_line(viva.source, q->line, line, sizeof line);
    for (size_t i = 0, n; line[i]; i += n > 0 ? n : 1)
        if ((n = text_character(line + i)) == 0) /* what a terminal obeys */
            line[i] = ' ';
    if (q->line > 0)
        put_line(q->line, code);
    put(q->text);
}

/* The command of the page that shows the answer, if that page is not too large. */
static void put_page(const question_t *q, const char *show)
{
    const run_t *run = q->run;
    if (run->trace.step_count >= MOST_STEPS)
        return;
    printf("  ");
    if (block_of(run) > 0)
        printf("SIMT_TRACE_BLOCK=%u ", block_of(run));
    if (run->number == 0 || run->change == CHANGE_SIZE)
        printf("%s%s", show, viva.source);
    else
        printf("%s%s/%d.cu", show, viva.folder, run->number);
    printf("%s%s%s   #step=%d\n", setting("ASKED", ""), *run->options ? " " : "", run->options,
           run->places[q->step] + 1);
}

static reply_t read_answer(const question_t *q, char answer[MOST_ANSWER_TEXT])
{
    char line[MOST_TYPED];
    for (int tries = 0; tries < MOST_MISTYPED; tries++) {
        const reply_t reply = read_reply(line);
        if (reply != TYPED || (answer_read(line, answer) && answer_fits(q->kind, answer)))
            return reply;
        printf("'%.30s' is no answer here: type a number,\n"
               "or as many as the question asks for, or a word that it names; %s\n",
               line,
               *setting("STUDENT", "") ? "ENTER\nor q leaves it empty, for good"
                                       : "ENTER\nor q shows the answer");
    }
    return ENDED;
}

static time_t started;

static bool is_late(void)
{
    const long minutes = atol(setting("MINUTES", ""));
    return minutes > 0 && time(NULL) - started > 60 * minutes;
}

static reply_t ask(int i, const char *show, int *right)
{
    const question_t *q = &questions[i];
    char answer[MOST_ANSWER_TEXT];
    put_question(q, i + 1);
    const reply_t reply = read_answer(q, answer);
    if (reply == ENDED || is_late()) {
        fputs(reply == ENDED ? "\n" : "the time is over\n", stdout);
        return ENDED;
    }
    snprintf(replies[i], sizeof replies[i], "%s", reply == TYPED ? answer : "");
    const bool is = reply == TYPED && answer_is_right(q->answer, answer);
    *right += is;
    if (*setting("STUDENT", "")) /* an exam */
        return reply;
    if (is)
        printf("right\n");
    else
        printf("%sIt is %s.\n", reply == TYPED ? "wrong. " : "", q->answer);
    if (*q->why)
        put(q->why);
    put_page(q, show);
    return reply;
}

static void write_log(const char *seed)
{
    FILE *log = fopen(setting("LOG", ""), "w");
    if (!log) {
        fprintf(stderr, "viva: cannot write '%s'\n", setting("LOG", ""));
        return;
    }
    fprintf(log, "# SEED=%s FILE=%s SECONDS=%ld\n", seed, setting("SUM", ""),
            (long)(time(NULL) - started));
    fputs(csv_quote(setting("STUDENT", "")), log);
    for (int i = 0; i < count; i++)
        fprintf(log, ",%s", replies[i]);
    fprintf(log, "\n");
    if (fclose(log) == 0)
        printf("answers, to hand in: %s\n", setting("LOG", ""));
}

/* What was run, "<<<1, 32 x 8>>>". */
static const char *launch(void)
{
    const trace_t *t = &viva.runs[0].trace;
    const unsigned *dim = t->block_dim;
    return text(
        "%s<<<%u, %u%s%s>>>, %s: launch 1. A question may be about another size. Each array "
        "in global memory begins at a multiple of 128 bytes.",
        t->kernel, t->grid[0] * t->grid[1] * t->grid[2], dim[0],
        dim[1] * dim[2] > 1 ? text(" x %u", dim[1]) : "", dim[2] > 1 ? text(" x %u", dim[2]) : "",
        viva.runs[0].ran.what);
}

static int ask_all(const char *show, const char *seed)
{
    int right = 0, asked = 0;
    started = time(NULL);
    put(launch());
    if (!*setting("STUDENT", ""))
        put("After each answer you get the command for a page that shows it. Open that page, and "
            "add the #step=... to its address; the shell ignores it.");
    while (asked < count && ask(asked, show, &right) != ENDED)
        asked++;
    if (*setting("STUDENT", ""))
        write_log(seed);
    else
        printf("\n%d of %d right\n", right, count);
    put_stopped(asked, count);
    return 0;
}

/* The text as one line of CSV. */
static const char *text_field(const question_t *q)
{
    char *const line = text("%s", q->text);
    for (char *c = line; (c = strchr(c, '\n')) != NULL;)
        *c = ' ';
    return csv_quote(line);
}

/* number,kind,line,copy,answer,step,text */
static int list(void)
{
    for (int i = 0; i < count; i++) {
        const question_t *q = &questions[i];
        printf("%d,%s,%u,%d,%s,%d,%s\n", i + 1, q->kind, q->line, q->run->number, q->answer,
               q->run->places[q->step] + 1, text_field(q));
    }
    return 0;
}

/* ---- a sheet ---- */

static void put_text(FILE *out, const char *text, bool html)
{
    for (; *text; text++)
        if (html && strchr("<>&", *text))
            fprintf(out, "&#%d;", *text);
        else if (*text == '\n' && text[1])
            fprintf(out, html ? "<br>" : "  \n   ");
        else if (*text != '\n' && *text != '\r')
            fputc(*text, out);
}

static void put_code(FILE *out, bool html)
{
    char line[MOST_LINE];
    FILE *file = fopen(viva.source, "r");
    fprintf(out, html ? "<section>\n" : "\n\n");
    for (unsigned n = 1; file && fgets(line, sizeof line, file); n++) {
        fprintf(out, html ? "<div>%4u  " : "    %4u  ", n);
        put_text(out, line, html);
        fprintf(out, html ? "</div>\n" : "\n");
    }
    fprintf(out, html ? "</section>\n<ol>\n" : "\n");
    if (file)
        fclose(file);
}

static bool write_sheet(const char *path, bool html)
{
    FILE *out = fopen(text("%s.%s", path, html ? "html" : "md"), "w");
    if (!out)
        return false;
    /* The head of a table is on each page that is printed. */
    fprintf(out, html ? "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><style>\n"
                        "body{font:11pt serif;max-width:46em;margin:auto}\n"
                        "th{text-align:left;border-bottom:1px solid}\n"
                        "section{font:8pt monospace}li{margin:1em 0;break-inside:avoid}\n"
                        "div{white-space:pre-wrap;padding-left:6ch;text-indent:-6ch}\n"
                        "</style><title>viva</title><table><thead><tr><th>"
                      : "# ");
    put_text(out, setting("STUDENT", ""), html);
    fprintf(out, html ? " &nbsp; " : "\n\n");
    put_text(out, text("Viva of exercise %s, seed %s.", setting("TASK", ""), setting("GIVEN", "")),
             html);
    fprintf(out,
            html ? " &nbsp; Date: ____________</thead><tr><td><p>" : " Date: ____________\n\n");
    put_text(out,
             "Write a number, several with spaces between in any order, or a letter or a word that "
             "the question names. Threads, warps, lanes, blocks and elements count from 0.",
             html);
    fprintf(out, html ? "<p>" : "\n\n");
    put_text(out, launch(), html);
    put_code(out, html);
    for (int i = 0; i < count; i++) {
        if (html)
            fprintf(out, "<li>");
        else
            fprintf(out, "%d. ", i + 1);
        put_text(out, questions[i].text, html);
        fprintf(out,
                html ? "<p>Answer: ______________________\n" : "\n\n   Answer: ____________\n\n");
    }
    return fclose(out) == 0;
}

/* Rows of the key: student,seed,file,number,answer,kind,line,text */
static int sheet(const char *path, const char *seed)
{
    if (!write_sheet(path, false) || !write_sheet(path, true)) {
        fprintf(stderr, "viva: cannot write '%s.md'\n", path);
        return 2;
    }
    for (int i = 0; i < count; i++)
        printf("%s,%s,%s,%d,%s,%s,%u,%s\n", csv_quote(setting("STUDENT", "")), seed,
               setting("SUM", ""), i + 1, questions[i].answer, questions[i].kind, questions[i].line,
               text_field(&questions[i]));
    return 0;
}

/* Each use of a seed has numbers of its own, and so has a student: who types the seed of an exam's
 * log gets other questions. */
static rng_t rng_of(const char *seed, unsigned use)
{
    const char *student = setting("STUDENT", "");
    rng_t rng = {strtoull(seed, NULL, 10) * 2 + use};
    if (*student)
        rng.state ^= fnv_add(fnv_start, student, strlen(student));
    rng.state = rng_bits(&rng);
    return rng;
}

static int use(const char *command, const char *seed, int most, const char *rest)
{
    rng_t rng = rng_of(seed, 1);
    count = questions_draw(&viva, &rng, questions, most);
    if (count == 0) {
        complain(
            "viva: nothing can be asked about '%s': block 0 of its first launch does too little, "
            "or all in a library",
            viva.source);
        return 2;
    }
    return *command == 'l' ? list() : *command == 's' ? sheet(rest, seed) : ask_all(rest, seed);
}

int main(int argc, char **argv)
{
    const char *const command = argc > 1 ? argv[1] : "";
    const bool plans = strcmp(command, "plan") == 0;
    unsigned long long most = 0;
    int status = 0;
    if (argc == 4 && strcmp(command, "mark") == 0)
        return marks_print(argv[2], argv[3]);
    if (argc != (plans ? 6 : 7)) {
        fputs("usage: viva plan|ask|list|sheet SOURCE FOLDER SEED N [SHOW|OUT], "
              "viva mark KEY ANSWERS\n",
              stderr);
        return 2;
    }
    if (!read_number(argv[5], MOST_QUESTIONS, &most) || most == 0) {
        fprintf(stderr, "viva: N: '%s' is not accepted; accepted: 1 to %d\n", argv[5],
                MOST_QUESTIONS);
        return 2;
    }
    rng_t rng = rng_of(argv[4], 0);
    if (plans)
        return changes_write(argv[2], argv[3], &rng) ? 0 : 2;
    viva = (viva_t){.source = argv[2], .folder = argv[3]};
    if (!runs_read(&viva))
        return 2;
    for (char *seed = strtok(argv[4], " "); seed && status == 0; seed = strtok(NULL, " "))
        status = use(command, seed, (int)most, argv[6]);
    return status;
}
