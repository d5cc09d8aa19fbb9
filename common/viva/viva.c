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
 *     viva predict PAGE [FOLDER [--list]]     the questions of a lesson's page: predict() in viva.h
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
#include "viva.h"

static viva_t viva;
static question_t questions[MOST_QUESTIONS];
static const char *replies[MOST_QUESTIONS];
static int count;
static const char *student; /* "" is nobody: practice */

/* ---- asking ---- */

static const char *show; /* "make show KERNEL=" */
static time_t started;

static void put_question(int i)
{
    char line[MOST_LINE];
    const question_t *q = &questions[i];
    const char *code = source_line(viva.source, q->line, line, sizeof line);
    if (q->line > 0)
        put(text("%4u | %s", q->line, text_plain(code)));
    put(q->text);
}

/* Has it a word, or as many numbers, as the kind has? */
static bool accepts(int i, const char *typed)
{
    const kind_t *kind = questions[i].kind;
    const char *answer = answer_read(typed);
    if (!answer || answer[0] > '9')
        return answer && listed(kind->words, answer);
    return list_split(answer, " ", false).count <= kind->numbers;
}

/* The command of the page that shows the answer, if that page is not too large. */
static void put_page(const question_t *q)
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

static verdict_t judge_answer(int i, const char *typed)
{
    const question_t *q = &questions[i];
    const long minutes = atol(setting("MINUTES", ""));
    if (minutes > 0 && time(NULL) - started > 60 * minutes) {
        printf("the time is over\n");
        return OVER;
    }
    replies[i] = typed ? answer_read(typed) : "";
    const verdict_t verdict = strcmp(replies[i], q->answer) == 0 ? RIGHT : WRONG;
    if (*student) /* an exam */
        return verdict;
    if (verdict == RIGHT)
        printf("right\n");
    else
        printf("%sIt is %s.\n", typed ? "wrong. " : "", q->answer);
    put(q->why);
    put_page(q);
    return verdict;
}

static void write_log(const char *seed)
{
    FILE *log = fopen(setting("LOG", ""), "w");
    if (!log) {
        fprintf(stderr, "viva: cannot write '%s'\n", setting("LOG", ""));
        return;
    }
    fprintf(log, "# SEED=%s FILE=%s SECONDS=%ld\n%s", seed, setting("SUM", ""),
            (long)(time(NULL) - started), csv_quote(student));
    for (int i = 0; i < count; i++)
        fprintf(log, ",%s", replies[i] ? replies[i] : "");
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

static int ask_all(const char *seed)
{
    const session_t session = {
        .count = count,
        .can_give_up = true,
        .put = put_question,
        .accepts = accepts,
        .mistyped = *student ? "'%.30s' is no answer here: type a number,\nor as many as the "
                               "question asks for, or a word that it names; ENTER\nor q leaves it "
                               "empty, for good"
                             : "'%.30s' is no answer here: type a number,\nor as many as the "
                               "question asks for, or a word that it names; ENTER\nor q shows the "
                               "answer",
        .judge = judge_answer};
    started = time(NULL);
    put(launch());
    if (!*student)
        put("After each answer you get the command for a page that shows it. Open that page, and "
            "add the #step=... to its address; the shell ignores it.");
    int right = 0;
    const int asked = talk(&session, &right);
    if (*student)
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
        printf("%d,%s,%u,%d,%s,%d,%s\n", i + 1, q->kind->name, q->line, q->run->number, q->answer,
               q->run->places[q->step] + 1, text_field(q));
    }
    return 0;
}

/* ---- a sheet ---- */

static FILE *out;
static bool is_html;

/* What comes before a text, in Markdown or in HTML, and the text. */
static void add(const char *markdown, const char *html, const char *words)
{
    fputs(is_html ? html : markdown, out);
    for (; *words; words++)
        if (is_html && strchr("<>&", *words))
            fprintf(out, "&#%d;", *words);
        else if (*words == '\n' && words[1])
            fputs(is_html ? "<br>" : "  \n   ", out);
        else if (*words != '\n' && *words != '\r')
            fputc(*words, out);
}

static void add_code(void)
{
    const char *code = file_read(viva.source);
    add("\n\n", "<section>\n", "");
    for (unsigned n = 1; code && *code; code = next_line(code), n++) {
        add(text("    %4u  ", n), text("<div>%4u  ", n), until(code, "\n"));
        add("\n", "</div>\n", "");
    }
    add("\n", "</section>\n<ol>\n", "");
}

static bool write_sheet(const char *path, bool html)
{
    is_html = html;
    out = fopen(text("%s.%s", path, html ? "html" : "md"), "w");
    if (!out) {
        fprintf(stderr, "viva: cannot write '%s.md'\n", path);
        return false;
    }
    /* The head of a table is on each page that is printed. */
    add("# ",
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><style>\n"
        "body{font:11pt serif;max-width:46em;margin:auto}\n"
        "th{text-align:left;border-bottom:1px solid}\n"
        "section{font:8pt monospace}li{margin:1em 0;break-inside:avoid}\n"
        "div{white-space:pre-wrap;padding-left:6ch;text-indent:-6ch}\n"
        "</style><title>viva</title><table><thead><tr><th>",
        student);
    add("\n\n", " &nbsp; ",
        text("Viva of exercise %s, seed %s.", setting("TASK", ""), setting("GIVEN", "")));
    add(" Date: ____________\n\n", " &nbsp; Date: ____________</thead><tr><td><p>",
        "Write a number, several with spaces between in any order, or a letter or a word that "
        "the question names. Threads, warps, lanes, blocks and elements count from 0.");
    add("\n\n", "<p>", launch());
    add_code();
    for (int i = 0; i < count; i++) {
        add(text("%d. ", i + 1), "<li>", questions[i].text);
        add("\n\n   Answer: ____________\n\n", "<p>Answer: ______________________\n", "");
    }
    return fclose(out) == 0;
}

/* Rows of the key: student,seed,file,number,answer,kind,line,text */
static int sheet(const char *path, const char *seed)
{
    if (!write_sheet(path, false) || !write_sheet(path, true))
        return 2;
    for (int i = 0; i < count; i++)
        printf("%s,%s,%s,%d,%s,%s,%u,%s\n", csv_quote(student), seed, setting("SUM", ""), i + 1,
               questions[i].answer, questions[i].kind->name, questions[i].line,
               text_field(&questions[i]));
    return 0;
}

/* Each use of a seed has numbers of its own, and so has a student: who types the seed of an exam's
 * log gets other questions. */
static rng_t rng_of(const char *seed, unsigned use)
{
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
        put_to(stderr, text("viva: nothing can be asked about '%s': block 0 of its first launch "
                            "does too little, "
                            "or all in a library",
                            viva.source));
        return 2;
    }
    show = rest;
    return *command == 'l' ? list() : *command == 's' ? sheet(rest, seed) : ask_all(seed);
}

int main(int argc, char **argv)
{
    const char *const command = argc > 1 ? argv[1] : "";
    const bool plans = strcmp(command, "plan") == 0;
    unsigned long long most = 0;
    int status = 0;
    if (argc == 4 && strcmp(command, "mark") == 0)
        return marks_print(argv[2], argv[3]);
    if (argc >= 3 && argc <= 5 && strcmp(command, "predict") == 0)
        return predict(argv[2], argc > 3 ? argv[3] : NULL, argc > 4);
    if (argc != (plans ? 6 : 7)) {
        fputs("usage: viva plan|ask|list|sheet SOURCE FOLDER SEED N [SHOW|OUT], "
              "viva mark KEY ANSWERS, viva predict PAGE [FOLDER [--list]]\n",
              stderr);
        return 2;
    }
    if (!read_number(argv[5], MOST_QUESTIONS, &most) || most == 0) {
        fprintf(stderr, "viva: N: '%s' is not accepted; accepted: 1 to %d\n", argv[5],
                MOST_QUESTIONS);
        return 2;
    }
    student = setting("STUDENT", "");
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
