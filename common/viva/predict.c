/* SPDX-License-Identifier: MIT */
/*
 * predict.c - asks the questions of a lesson's section "Predict"; a trace of the emulator answers.
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
 */
#include "viva.h"

#include <stdlib.h>
#include <string.h>

#include "quiz/talk.h"

enum { QUESTIONS = 9 };

static const struct asked {
    const char *text, *why; /* as the page has them */
    unsigned long long answer;
    const char *command, *source, *kind, *round, *column, *divisor;
    int line;  /* of the page */
    int trace; /* number of its command */
} none = {.text = "", .why = ""};

/* The emulator's answer. */
typedef struct {
    trace_t trace;
    ran_t ran;
    row_t sum; /* of the requested rows; none if `first` is NULL */
    unsigned long long bytes, rounds;
    bool one_place; /* all rows are of one line and kind */
    unsigned long long value, whole, by;
} found_t;

static const char *page, *folder;
static struct asked questions[QUESTIONS];
static found_t found[QUESTIONS];
static int count;

static void invalid(int line, const char *what, const char *accepted)
{
    fprintf(stderr, "%s:%d: %s; accepted: %s\n", page, line, what, accepted);
    exit(2);
}

/* ---- the page ---- */

static struct asked *numbered(const char *number, int line)
{
    const int i = atoi(number);
    if (i < 1 || i > QUESTIONS)
        invalid(line, "a question of another number", "1 to 9");
    for (; count < i; count++)
        questions[count] = none;
    return &questions[i - 1];
}

/* "<!-- predict 1: make report-03 | ... -->" */
static void read_spec(const char *line, int at)
{
    const char *part[PARTS];
    if (!match("^<!-- predict ([0-9]+):(.*)-->", line, part))
        invalid(at, "a line for the emulator that is none", "<!-- predict 1: ... -->");
    struct asked *q = numbered(part[1], at);
    const struct list parts = list_split(part[2], "|", false);
    const char *const last = parts.count == 5 ? parts.words[4] : "";
    q->line = at;
    q->command = trimmed(text("%s", parts.count > 0 ? parts.words[0] : ""));
    q->column = trimmed(until(last, "/"));
    q->divisor = trimmed(text("%s", strchr(last, '/') ? strchr(last, '/') + 1 : ""));
    if (!begins(q->command, "make report-") || !*q->column)
        invalid(at, "a line for the emulator that is none",
                "make report-03 N=1K | source line | kind | round | column");
    q->source = trimmed(text("%s", parts.words[1]));
    q->kind = trimmed(text("%s", parts.words[2]));
    q->round = trimmed(text("%s", parts.words[3]));
}

static void read_page(void)
{
    const char **into = NULL, *part[PARTS], *rest = file_read(page);
    bool inside = false, code = false, answers = false;
    if (!rest)
        invalid(0, "it cannot be read", "the README.md of a lesson");
    for (int at = 1; *rest; rest = next_line(rest), at++) {
        const char *line = until(rest, "\r\n"), *words = line + strspn(line, " ");
        if (begins(line, "```"))
            code = !code;
        if (begins(line, "## ") && !code)
            inside = strcmp(line, "## Predict") == 0;
        if (inside && !code && match("^([0-9]+)\\. (.*)", line, part)) {
            struct asked *q = numbered(part[1], at);
            into = answers ? &q->why : &q->text;
            words = part[2];
        } else if (!*line || strchr("<`#", *line)) {
            into = NULL;
        }
        if (inside && begins(line, "<!-- predict"))
            read_spec(line, at);
        if (strstr(line, "details>"))
            answers = inside && !strstr(line, "</details>");
        if (into)
            *into = text("%s%s%s", *into, **into ? " " : "", words);
    }
}

/* "**8**: four warps ..." is 8, and why is what comes after. */
static void read_answer(struct asked *q)
{
    const char *part[PARTS];
    if (!match("^\\*\\*([0-9,]+)\\*\\*(.*)", q->why, part))
        invalid(q->line, "its answer does not begin with a number in bold", "1. **8**: a sentence");
    for (const char *digit = part[1]; *digit; digit++)
        if (*digit != ',')
            q->answer = 10 * q->answer + (unsigned long long)(*digit - '0');
    q->why = part[2];
}

/* Each question must have all; equal commands get one number. Prints the commands without a
 * folder. */
static void check_page(void)
{
    int commands = 0;
    for (struct asked *q = questions; q < questions + count; q++) {
        if (!*q->text || !*q->why || !q->command) {
            fprintf(stderr, "%s: question %d of its section 'Predict' has no %s\n", page,
                    (int)(q - questions) + 1,
                    !*q->text  ? "text"
                    : !*q->why ? "answer inside <details>"
                               : "line <!-- predict -->");
            exit(2);
        }
        for (const struct asked *k = questions; k < q; k++)
            if (strcmp(k->command, q->command) == 0)
                q->trace = k->trace;
        if (!q->trace) {
            q->trace = ++commands;
            if (!folder)
                printf("%s\n", q->command);
        }
    }
    if (count == 0)
        invalid(0, "its section 'Predict' asks nothing", "a numbered list");
}

/* ---- the emulator's answer ---- */

static bool is_wanted(const struct asked *q, const trace_t *t, const row_t *row)
{
    char kind[TRACE_TEXT], line[MOST_LINE];
    const trace_step_t *s = row->first;
    if (!begins(kind_of(s, kind), q->kind))
        return false;
    if (strcmp(q->round, "all") != 0 && (unsigned long)atol(q->round) != row->round)
        return false;
    return !*q->source ||
           strstr(source_line(s->file >= 0 ? t->files[s->file] : NULL, s->line, line, sizeof line),
                  q->source);
}

static unsigned long long column(const struct asked *q, const found_t *f, const char *name)
{
    const row_t *const r = &f->sum;
    const char *const n = strstr(f->ran.what, " n ");
    const struct {
        const char *name;
        bool has;
        unsigned long long value;
    } columns[] = {
        {"launches", f->ran.launches > 0, f->ran.launches},
        {"n", n, n ? strtoull(n + 3, NULL, 10) : 0},
        {"requests", r->first, r->first && r->first->kind > TRACE_ATOMIC ? r->steps : r->requests},
        {"wavefronts", r->first, r->wavefronts},
        {"sectors", r->first, r->sectors},
        {"bytes", r->first, f->bytes},
        {"rounds", r->first, f->rounds},
        {"lanes", r->first && r->lanes % r->steps == 0, r->first ? r->lanes / r->steps : 0}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i].has && strcmp(name, columns[i].name) == 0)
            return columns[i].value;
    if (!r->first)
        invalid(q->line, "it names no row", "a round, or all");
    invalid(q->line, name,
            "requests wavefronts sectors lanes bytes rounds launches n, whole numbers");
    return 0;
}

static const found_t *find(int i)
{
    char message[TRACE_MESSAGE] = "no memory";
    const struct asked *q = &questions[i];
    found_t *f = &found[i];
    table_t table = {0};
    const char *path = text("%s/%d.trace", folder, q->trace);
    *f = (found_t){.one_place = true, .by = 1};
    if (!trace_read(&f->trace, path, message) || !table_make(&table, &f->trace, true))
        invalid(q->line, message, "a trace that predict.sh has recorded");
    what_ran(path, &f->ran);
    for (const row_t *row = table.rows; row < table.rows + table.count; row++) {
        if (!*q->round || !is_wanted(q, &f->trace, row))
            continue;
        if (!f->sum.first)
            f->sum.first = row->first;
        f->one_place = f->one_place && compare_places(row->first, f->sum.first) == 0;
        f->bytes += row->lanes * row->first->bytes;
        f->rounds = row->round > f->rounds ? row->round : f->rounds;
        add_row(&f->sum, row);
    }
    free(table.rows);
    if (*q->round && !f->sum.first)
        invalid(q->line, "no row of the report is like this",
                "a line, a kind and a round that it has");
    f->whole = column(q, f, q->column);
    if (*q->divisor)
        f->by = column(q, f, q->divisor);
    if (f->by == 0 || f->whole % f->by != 0)
        invalid(q->line, "the quotient is no whole number", "columns that divide");
    f->value = f->whole / f->by;
    return f;
}

/* The part of the report with the answer, and no other column: the next question may be about
 * that. */
static void show(const struct asked *q, const found_t *f)
{
    char line[MOST_LINE], kind[TRACE_TEXT];
    const trace_step_t *s = f->sum.first;
    printf("%s shows it:\n    ", q->command);
    if (s && s->kind == TRACE_LEAVE) {
        printf("%llu times a warp passed __syncthreads()\n", f->sum.steps);
        return;
    }
    if (s && f->one_place && s->file >= 0) {
        const char *file = f->trace.files[s->file];
        const int used = printf("%s:%u: ", file, s->line);
        printf("%.*s\n    ", used < 50 ? 76 - used : 26,
               source_line(file, s->line, line, sizeof line));
    }
    if (s)
        printf(strcmp(q->round, "all") == 0 ? "%s, all rounds: " : "%s, round %s: ",
               f->one_place ? kind_of(s, kind) : q->kind, q->round);
    if (strcmp(q->column, "launches") == 0)
        printf("launch %u of %llu", f->trace.launch, f->whole);
    else
        printf("%s %llu", q->column, f->whole);
    if (*q->divisor)
        printf(", %s %llu; divided, %llu / %llu = %llu", q->divisor, f->by, f->whole, f->by,
               f->value);
    printf("\n");
}

/* ---- asking ---- */

static void put_question(int i)
{
    put(questions[i].text);
}

static verdict_t judge(int i, const char *typed)
{
    const struct asked *q = &questions[i];
    const found_t *f = find(i);
    const unsigned long long value = f->value, number = typed ? strtoull(typed, NULL, 10) : 0;
    const char *wrong = "";
    if (typed && number == value) {
        printf("right\n");
        return RIGHT;
    }
    if (typed)
        wrong =
            text("wrong: %llu is %llu too %s. ", number,
                 number > value ? number - value : value - number, number > value ? "many" : "few");
    put(text("%sIt is %llu%s", wrong, value, q->why));
    show(q, f);
    return WRONG;
}

static int ask_all(void)
{
    const session_t session = {.count = count,
                               .can_give_up = true,
                               .put = put_question,
                               .mistyped =
                                   "'%.40s' is not a number: type a whole number such as 4; "
                                   "ENTER or q shows the answer",
                               .judge = judge};
    int right = 0;
    const int asked = talk(&session, &right);
    printf("\n%d of %d right\n", right, count);
    put_stopped(asked, count);
    return 0;
}

static int list(void)
{
    int status = 0;
    for (int i = 0; i < count; i++) {
        const unsigned long long value = find(i)->value;
        printf("%d %llu %llu\n", i + 1, questions[i].answer, value);
        status = questions[i].answer == value ? status : 1;
    }
    return status;
}

int predict(const char *of_page, const char *of_traces, bool listing)
{
    page = of_page;
    folder = of_traces;
    read_page();
    check_page();
    for (int i = 0; folder && i < count; i++)
        read_answer(&questions[i]);
    return !folder ? 0 : listing ? list() : ask_all();
}
