/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"

enum { MOST_NUMBERS = 16, MOST_ROWS = 100000 };

/* ---- an answer ---- */

static int compare_numbers(const void *a, const void *b)
{
    const unsigned long p = *(const unsigned long *)a, q = *(const unsigned long *)b;
    return (p > q) - (p < q);
}

/* "19, 3 3" becomes "3 19", "0-2" becomes "0 1 2": a set of numbers. NULL: it is none. */
static const char *read_numbers(const char *typed)
{
    unsigned long number[MOST_NUMBERS];
    size_t count = 0;
    const char *answer = "";
    for (char *end; *typed; typed = end + strspn(end, " ,\t\r\n")) {
        const size_t digits = strspn(typed, "0123456789");
        unsigned long next = strtoul(typed, &end, 10), last = next;
        if (digits > 0 && *end == '-' && isdigit((unsigned char)end[1]))
            last = strtoul(end + 1, &end, 10);
        if (digits == 0 || digits > 9 || last < next || last - next >= MOST_NUMBERS - count)
            return NULL;
        while (next <= last)
            number[count++] = next++;
    }
    qsort(number, count, sizeof *number, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || number[i] != number[i - 1])
            answer = text("%s%s%lu", answer, i > 0 ? " " : "", number[i]);
    return count > 0 ? answer : NULL;
}

/* Numbers, a letter, or a word. */
const char *answer_read(const char *typed)
{
    typed += strspn(typed, " \t");
    char *const word = until(typed, " .)\t\r\n");
    const char *const rest = typed + strlen(word);
    for (char *c = word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (*word && listed("none no a b c", word) && rest[strspn(rest, " .)\t\r\n")] == '\0')
        return word;
    return read_numbers(typed);
}

/* ---- marks ---- */

/* A row of the key. The first one of a student knows whether there are answers of hers. */
typedef struct {
    const char *student, *seed, *file, *answer;
    bool is_first, has_answers;
} row_of_key_t;

static row_of_key_t key[MOST_ROWS];
static size_t rows;

char *trimmed(char *cell)
{
    cell += strspn(cell, " \t");
    for (size_t n = strlen(cell); n > 0 && strchr(" \t", cell[n - 1]); n--)
        cell[n - 1] = '\0';
    return cell;
}

static void read_key(const char *text)
{
    char *cell[8];
    for (; *text && rows < MOST_ROWS; text = next_line(text))
        if (csv_split(until(text, "\n"), cell, 8) == 8 && strcmp(cell[3], "number") != 0)
            key[rows++] = (row_of_key_t){.student = trimmed(cell[0]),
                                         .seed = cell[1],
                                         .file = cell[2],
                                         .answer = answer_read(cell[4]),
                                         .is_first = strcmp(cell[3], "1") == 0};
}

/* Why a row is refused; or NULL, and a mark has been printed. `log` is the line before, or "". */
static const char *mark_row(char *answers[], int given, const char *log)
{
    const char *const seconds = strstr(log, "SECONDS="), *wrong = "";
    row_of_key_t *own[MOST_QUESTIONS];
    int right = 0, of = 0;
    for (row_of_key_t *k = key; k < key + rows && of < MOST_QUESTIONS; k++)
        if (strcmp(k->student, answers[0]) == 0)
            own[of++] = k;
    if (of == 0)
        return "not in the key";
    if (own[0]->has_answers)
        return "a second row; the first one counts";
    own[0]->has_answers = true;
    while (given > of && !*trimmed(answers[given]))
        given--;
    if (given != of)
        return text("%d answers to %d questions", given, of);
    if (*log && !begins(log, text("# SEED=%s FILE=%s ", own[0]->seed, own[0]->file))) {
        printf("%s,0,refused: another file or seed\n", csv_quote(answers[0]));
        return "another file or seed";
    }
    for (int i = 1; i <= of; i++) {
        char *const typed = trimmed(answers[i]);
        const char *const answer = answer_read(typed);
        if (answer && own[i - 1]->answer && strcmp(answer, own[i - 1]->answer) == 0)
            right++;
        else
            wrong = text("%s %d", *wrong ? wrong : "; wrong:", i);
        if (!answer && *typed)
            fprintf(stderr, "%s: question %d: '%.30s' is no answer, so it is wrong\n",
                    text_shown(answers[0]), i, text_shown(typed));
    }
    printf("%s,%d,%d of %d right%s%s%.20s\n", csv_quote(answers[0]), (100 * right + of / 2) / of,
           right, of, wrong, seconds ? "; " : "", seconds ? seconds : "");
    return NULL;
}

/* A row of a spreadsheet may have semicolons in place of commas. Counts those that are marked, and
 * refused. */
static void read_row(char *line, const char *log, int *marked, int *refused)
{
    char *cell[MOST_QUESTIONS + 2];
    for (char *c = strchr(line, ',') ? NULL : line; c && (c = strchr(c, ';')) != NULL;)
        *c = ',';
    const int given = (int)csv_split(line, cell, MOST_QUESTIONS + 2) - 1;
    cell[0] = trimmed(cell[0]);
    if ((given == 0 && !*cell[0]) || strcmp(cell[0], "student") == 0)
        return;
    const char *const why = mark_row(cell, given, log);
    if (why)
        fprintf(stderr, "%s: refused: %s\n", text_shown(cell[0]), why);
    *(why ? refused : marked) += 1;
}

int marks_print(const char *key_path, const char *answers_path)
{
    const char *const keys = file_read(key_path), *answers = file_read(answers_path);
    const char *log = "", *without = "";
    int students = 0, marked = 0, refused = 0;
    if (!keys || !answers) {
        fprintf(stderr, "viva: cannot read '%s'\n", keys ? answers_path : key_path);
        return 2;
    }
    read_key(keys);
    for (; *answers; answers = next_line(answers)) {
        char *const line = until(answers + (begins(answers, "\xef\xbb\xbf") ? 3 : 0), "\r\n");
        if (*line != '#')
            read_row(line, log, &marked, &refused);
        log = *line == '#' ? line : "";
    }
    for (const row_of_key_t *k = key; k < key + rows; k++) {
        students += k->is_first;
        if (k->is_first && !k->has_answers)
            without = text(
                "%s%s%s", without,
                *without ? ", " : "; no row, so an older mark stays: ", text_shown(k->student));
    }
    fprintf(stderr, "%d of %d students marked; rows refused: %d%s\n", marked, students, refused,
            without);
    return refused > 0;
}
