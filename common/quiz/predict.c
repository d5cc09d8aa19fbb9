/* SPDX-License-Identifier: MIT */
/*
 * predict.c - asks the questions of a lesson's section "Predict"; a trace of the emulator answers.
 * `make predict-03` calls predict.sh, which calls it:
 *
 *     predict PAGE                  the commands whose traces answer, each once
 *     predict PAGE FOLDER           asks, from stdin; FOLDER/1.trace is that of the first command
 *     predict PAGE FOLDER --list    a line for each question: its number, the page's answer, the
 *                                   emulator's
 *
 * The page has the questions as a numbered list, the answers as another one inside <details>, where
 * each begins with the number in bold, and for each question a line
 *
 *     <!-- predict 1: make report-03 N=1K | op(s_data[tid] | shared load | 2 | requests -->
 *
 * COMMAND | part of a source line | start of the kind, as in the report | round or all | COLUMN, or
 * COLUMN / COLUMN. An empty part matches all lines, or kinds. Columns are those of the report, and
 *
 *     bytes       that the lanes requested
 *     rounds      how often a warp got there at most
 *     launches    of the whole run; n: its elements. Both need no row
 *
 * Exit codes: 0 done, 1 two differ, 2 usage, or an invalid page.
 */
#include <stdlib.h>
#include <string.h>

#include "pages/trace/rows.h"
#include "talk.h"

#include <stdio.h>

enum { QUESTIONS = 9, TEXT = 1200, PATH = 4096 };

typedef struct {
    char text[TEXT], answer[TEXT]; /* as the page has them */
    char spec[TEXT];               /* the line for the emulator, which is split into: */
    const char *command, *source, *kind, *round, *column, *divisor;
    int line;  /* of the page */
    int trace; /* number of its command */
} question_t;

/* The emulator's answer: the value, and its row. */
typedef struct {
    trace_t trace;
    ran_t ran;
    table_t table;
    row_t sum; /* of the requested rows; none if `first` is NULL */
    unsigned long long bytes, rounds;
    bool one_place; /* all rows are of one line and kind */
} found_t;

static const char *page;
static question_t questions[QUESTIONS];
static int count, commands;

static void die(int line, const char *what, const char *accepted)
{
    fprintf(stderr, "%s:%d: %s; accepted: %s\n", page, line, what, accepted);
    exit(2);
}

/* ---- the page ---- */

/* Adds a line to a text, separated by a space. */
static void append(char text[TEXT], const char *line)
{
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s%s", used ? " " : "", line + strspn(line, " "));
}

static char *trimmed(char *text)
{
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' ';)
        text[--n] = '\0';
    return text;
}

/* The part of a text up to a character; the rest begins after it. */
static char *part_of(char **rest, const char *sign)
{
    char *part = *rest, *end = strstr(part, sign);
    *rest = end ? end + strlen(sign) : part + strlen(part);
    if (end)
        *end = '\0';
    return trimmed(part);
}

/* The number of a list's item, and its text; 0: the line does not begin one. */
static int item(const char *line, const char **text)
{
    char *end = NULL;
    const long number = strtol(line, &end, 10);
    if (end == line || strncmp(end, ". ", 2) != 0)
        return 0;
    *text = end + 2;
    return (int)number;
}

static question_t *numbered(int number, int line)
{
    if (number < 1 || number > QUESTIONS)
        die(line, "a question of another number", "1 to 9");
    count = number > count ? number : count;
    return &questions[number - 1];
}

/* "<!-- predict 1: make report-03 | ... -->" */
static void read_spec(char *line, int number_of_line)
{
    int number = 0, begin = 0;
    sscanf(line, "<!-- predict %d:%n", &number, &begin);
    if (begin == 0 || !strstr(line, "-->"))
        die(number_of_line, "a line for the emulator that is none", "<!-- predict 1: ... -->");
    question_t *q = numbered(number, number_of_line);
    *strstr(line, "-->") = '\0';
    snprintf(q->spec, sizeof q->spec, "%s", line + begin);
    char *rest = q->spec;
    q->line = number_of_line;
    q->command = part_of(&rest, "|");
    q->source = part_of(&rest, "|");
    q->kind = part_of(&rest, "|");
    q->round = part_of(&rest, "|");
    q->column = part_of(&rest, "/");
    q->divisor = trimmed(rest);
    if (strncmp(q->command, "make report-", 12) != 0 || !*q->column)
        die(number_of_line, "a line for the emulator that is none",
            "make report-03 N=1K | source line | kind | round | column");
}

static void read_page(void)
{
    char line[TEXT], *into = NULL;
    bool inside = false, code = false, answers = false;
    FILE *file = fopen(page, "r");
    if (!file)
        die(0, "it cannot be read", "the README.md of a lesson");
    for (int at = 1; fgets(line, sizeof line, file); at++) {
        const char *text = line;
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "```", 3) == 0)
            code = !code;
        if (strncmp(line, "## ", 3) == 0 && !code)
            inside = strcmp(line, "## Predict") == 0;
        const int number = inside && !code ? item(line, &text) : 0;
        if (number) {
            question_t *q = numbered(number, at);
            into = answers ? q->answer : q->text;
        } else if (!*line || *line == '<' || *line == '`' || *line == '#') {
            into = NULL;
        }
        if (inside && strncmp(line, "<!-- predict", 12) == 0)
            read_spec(line, at);
        if (strstr(line, "details>"))
            answers = inside && !strstr(line, "</details>");
        if (into)
            append(into, text);
    }
    fclose(file);
}

/* Each question must have all; equal commands get one number. */
static void check_page(void)
{
    for (int i = 0; i < count; i++) {
        question_t *q = &questions[i];
        if (!*q->text || !*q->answer || !q->command) {
            fprintf(stderr, "%s: question %d of its section 'Predict' has no %s\n", page, i + 1,
                    !*q->text     ? "text"
                    : !*q->answer ? "answer inside <details>"
                                  : "line <!-- predict -->");
            exit(2);
        }
        for (int k = 0; k < i && !q->trace; k++)
            if (strcmp(questions[k].command, q->command) == 0)
                q->trace = questions[k].trace;
        if (!q->trace)
            q->trace = ++commands;
    }
    if (count == 0)
        die(0, "its section 'Predict' asks nothing", "a numbered list");
}

/* "**8**: four warps ..." is 8, and in `why` what comes after. */
static unsigned long long answer_of(const question_t *q, const char **why)
{
    char number[24] = "";
    unsigned long long value = 0;
    int end = 0;
    if (sscanf(q->answer, "**%20[0-9,]**%n", number, &end) != 1 || end == 0)
        die(q->line, "its answer does not begin with a number in bold", "1. **8**: a sentence");
    for (const char *digit = number; *digit; digit++)
        if (*digit != ',')
            value = 10 * value + (unsigned long long)(*digit - '0');
    *why = q->answer + end;
    return value;
}

/* ---- the emulator's answer ---- */

static bool is_wanted(const question_t *q, const trace_t *t, const row_t *row)
{
    char kind[TRACE_TEXT], text[512];
    const trace_step_t *s = row->first;
    if (strncmp(kind_of(s, kind), q->kind, strlen(q->kind)) != 0)
        return false;
    if (strcmp(q->round, "all") != 0 && (unsigned long)atol(q->round) != row->round)
        return false;
    return !*q->source ||
           strstr(source_line(s->file >= 0 ? t->files[s->file] : NULL, s->line, text, sizeof text),
                  q->source);
}

static void find(const question_t *q, const char *folder, found_t *f)
{
    char path[PATH], message[TRACE_MESSAGE] = "no memory";
    *f = (found_t){.one_place = true};
    snprintf(path, sizeof path, "%s/%d.trace", folder, q->trace);
    if (!trace_read(&f->trace, path, message) || !table_make(&f->table, &f->trace, true))
        die(q->line, message, "a trace that predict.sh has recorded");
    what_ran(path, &f->ran);
    for (size_t i = 0; i < f->table.count; i++) {
        const row_t *row = &f->table.rows[i];
        if (!*q->round || !is_wanted(q, &f->trace, row))
            continue;
        if (!f->sum.first)
            f->sum.first = row->first;
        f->one_place = f->one_place && compare_places(row->first, f->sum.first) == 0;
        f->bytes += row->lanes * row->first->bytes;
        f->rounds = row->round > f->rounds ? row->round : f->rounds;
        add_row(&f->sum, row);
    }
    if (*q->round && !f->sum.first)
        die(q->line, "no row of the report is like this", "a line, a kind and a round that it has");
}

static unsigned long long column(const question_t *q, const found_t *f, const char *name)
{
    const char *n = strstr(f->ran.what, " n ");
    const bool memory = f->sum.first && f->sum.first->kind <= TRACE_ATOMIC;
    if (strcmp(name, "launches") == 0 && f->ran.launches > 0)
        return f->ran.launches;
    if (strcmp(name, "n") == 0 && n)
        return strtoull(n + 3, NULL, 10);
    if (!f->sum.first)
        die(q->line, "it names no row", "a round, or all");
    if (strcmp(name, "requests") == 0)
        return memory ? f->sum.requests : f->sum.steps;
    if (strcmp(name, "wavefronts") == 0)
        return f->sum.wavefronts;
    if (strcmp(name, "sectors") == 0)
        return f->sum.sectors;
    if (strcmp(name, "bytes") == 0)
        return f->bytes;
    if (strcmp(name, "rounds") == 0)
        return f->rounds;
    if (strcmp(name, "lanes") == 0 && f->sum.lanes % f->sum.steps == 0)
        return f->sum.lanes / f->sum.steps;
    die(q->line, name, "requests wavefronts sectors lanes bytes rounds launches n, whole numbers");
    return 0;
}

static unsigned long long emulator_says(const question_t *q, const found_t *f)
{
    const unsigned long long value = column(q, f, q->column);
    if (!*q->divisor)
        return value;
    const unsigned long long by = column(q, f, q->divisor);
    if (by == 0 || value % by != 0)
        die(q->line, "the quotient is no whole number", "columns that divide");
    return value / by;
}

/* A column by its name, "requests 8"; launches as in the report. */
static void show_column(const question_t *q, const found_t *f, const char *name)
{
    if (strcmp(name, "launches") == 0)
        printf("launch %u of %llu", f->trace.launch, f->ran.launches);
    else
        printf("%s %llu", name, column(q, f, name));
}

/* The part of the report with the answer, and no other column: the next question may be about
 * that. */
static void show(const question_t *q, const found_t *f)
{
    char text[512];
    const trace_step_t *s = f->sum.first;
    const bool all = strcmp(q->round, "all") == 0;
    printf("%s shows it:\n    ", q->command);
    if (s && s->kind == TRACE_LEAVE) {
        printf("%llu times a warp passed __syncthreads()\n", f->sum.steps);
        return;
    }
    if (s && f->one_place && s->file >= 0) {
        const char *file = f->trace.files[s->file];
        const int used = printf("%s:%u: ", file, s->line);
        printf("%.*s\n    ", used < 50 ? 76 - used : 26,
               source_line(file, s->line, text, sizeof text));
    }
    if (s)
        printf("%s, %s%s: ", f->one_place ? kind_of(s, text) : q->kind, all ? "all" : "round ",
               all ? " rounds" : q->round);
    show_column(q, f, q->column);
    if (*q->divisor) {
        printf(", ");
        show_column(q, f, q->divisor);
        const unsigned long long whole = column(q, f, q->column), by = column(q, f, q->divisor);
        printf("; divided, %llu / %llu = %llu", whole, by, whole / by);
    }
    printf("\n");
}

static void drop(found_t *f)
{
    free(f->table.rows);
    trace_free(&f->trace);
}

/* ---- asking ---- */

static reply_t read_answer(unsigned long long *number)
{
    char line[MOST_TYPED];
    for (int tries = 0; tries < MOST_MISTYPED; tries++) {
        const reply_t reply = read_reply(line);
        if (reply != TYPED || read_number(line, MOST_ANSWER, number))
            return reply;
        say("'%.40s' is not a number: type a whole number such as 4; ENTER or q shows the answer",
            line);
    }
    return ENDED;
}

static reply_t ask(const question_t *q, const char *folder, int *right)
{
    unsigned long long typed = 0;
    const char *why;
    found_t f;
    answer_of(q, &why);
    printf("\n---- question %d of %d ----\n", (int)(q - questions) + 1, count);
    put(q->text);
    const reply_t reply = read_answer(&typed);
    if (reply == ENDED)
        return reply;
    find(q, folder, &f);
    const unsigned long long value = emulator_says(q, &f);
    if (reply == TYPED && typed == value) {
        (*right)++;
        printf("right\n");
    } else {
        char text[TEXT + 100] = "";
        if (reply == TYPED)
            snprintf(text, sizeof text, "wrong: %llu is %llu too %s. ", typed,
                     typed > value ? typed - value : value - typed, typed > value ? "many" : "few");
        snprintf(text + strlen(text), sizeof text - strlen(text), "It is %llu%s", value, why);
        put(text);
        show(q, &f);
    }
    drop(&f);
    return reply;
}

static int ask_all(const char *folder)
{
    int right = 0, asked = 0;
    while (asked < count && ask(&questions[asked], folder, &right) != ENDED)
        asked++;
    printf("\n%d of %d right\n", right, count);
    put_stopped(asked, count);
    return 0;
}

static int list(const char *folder)
{
    int status = 0;
    for (int i = 0; i < count; i++) {
        const char *why;
        found_t f;
        find(&questions[i], folder, &f);
        const unsigned long long said = answer_of(&questions[i], &why);
        const unsigned long long value = emulator_says(&questions[i], &f);
        printf("%d %llu %llu\n", i + 1, said, value);
        if (said != value)
            status = 1;
        drop(&f);
    }
    return status;
}

int main(int argc, char **argv)
{
    const bool listing = argc == 4 && strcmp(argv[3], "--list") == 0;
    if (argc < 2 || argc > 4 || (argc == 4 && !listing)) {
        fprintf(stderr, "usage: predict PAGE [FOLDER [--list]]\n");
        return 2;
    }
    page = argv[1];
    read_page();
    check_page();
    if (argc == 2) {
        for (int k = 1, i = 0; i < count; i++)
            if (questions[i].trace == k && k++)
                printf("%s\n", questions[i].command);
        return 0;
    }
    return listing ? list(argv[2]) : ask_all(argv[2]);
}
