/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"

enum { MOST_NUMBERS = 16, MOST_STUDENTS = 2000, MOST_NAME = 256 };

/* ---- an answer ---- */

static int compare_numbers(const void *a, const void *b)
{
    const unsigned long long p = *(const unsigned long long *)a, q = *(const unsigned long long *)b;
    return (p > q) - (p < q);
}

/* "19, 3 3" becomes "3 19", "0-2" becomes "0 1 2": a set of numbers. False: it is none. */
static bool read_numbers(const char *typed, char answer[MOST_ANSWER_TEXT])
{
    unsigned long long number[MOST_NUMBERS];
    size_t numbers = 0, used = 0;
    for (; *typed; typed += strspn(typed, " ,\t\r\n")) {
        const size_t digits = strspn(typed, "0123456789");
        if (digits == 0 || digits > 9 || numbers == MOST_NUMBERS)
            return false;
        unsigned long long last = number[numbers++] = strtoull(typed, NULL, 10);
        typed += digits;
        const size_t more = *typed == '-' ? strspn(typed + 1, "0123456789") : 0;
        last = more > 0 ? strtoull(typed + 1, NULL, 10) : last;
        typed += more > 0 ? more + 1 : 0;
        if (last < number[numbers - 1] || last - number[numbers - 1] > MOST_NUMBERS - numbers)
            return false;
        for (; number[numbers - 1] < last; numbers++)
            number[numbers] = number[numbers - 1] + 1;
    }
    qsort(number, numbers, sizeof *number, compare_numbers);
    for (size_t i = 0; i < numbers && used < MOST_ANSWER_TEXT; i++)
        if (i == 0 || number[i] != number[i - 1])
            used += (size_t)snprintf(answer + used, MOST_ANSWER_TEXT - used, "%s%llu", i ? " " : "",
                                     number[i]);
    return numbers > 0;
}

/* Numbers, a letter, or a word. */
bool answer_read(const char *typed, char answer[MOST_ANSWER_TEXT])
{
    static const char *const words[] = {"none", "no", "a", "b", "c"};
    char word[MOST_ANSWER_TEXT] = "";
    typed += strspn(typed, " \t");
    for (size_t i = 0; isalpha((unsigned char)typed[i]) && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)typed[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0 &&
            typed[strlen(word) + strspn(typed + strlen(word), " .)\t\r\n")] == '\0') {
            snprintf(answer, MOST_ANSWER_TEXT, "%s", word);
            return true;
        }
    return read_numbers(typed, answer);
}

bool answer_fits(const char *kind, const char *answer)
{
    const bool is_word = isalpha((unsigned char)*answer);
    if (strcmp(kind, "edge") == 0)
        return is_word && answer[1] == '\0';
    if (is_word)
        return strcmp(answer, strcmp(kind, "race") == 0 ? "no" : "none") == 0 &&
               (strcmp(kind, "race") == 0 || strcmp(kind, "bank") == 0);
    const char *space = strchr(answer, ' ');
    return !space || strcmp(kind, "bank") == 0 || strcmp(kind, "holds") == 0 ||
           (strcmp(kind, "race") == 0 && !strchr(space + 1, ' '));
}

bool answer_is_right(const char *wanted_answer, const char *answer)
{
    char wanted[MOST_ANSWER_TEXT];
    return answer_read(wanted_answer, wanted) && strcmp(wanted, answer) == 0;
}

/* ---- marks ---- */

typedef struct {
    char student[MOST_NAME];
    int questions, rows; /* of the key; of the answers */
} student_t;

typedef struct {
    FILE *key;
    student_t students[MOST_STUDENTS];
    int count, marked, refused;
} marks_t;

/* Without blanks around it. */
static char *trimmed(char *cell)
{
    cell += strspn(cell, " \t");
    for (size_t n = strlen(cell); n > 0 && strchr(" \t", cell[n - 1]); n--)
        cell[n - 1] = '\0';
    return cell;
}

static student_t *student_of(marks_t *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->students[i].student, name) == 0)
            return &m->students[i];
    return NULL;
}

static void read_students(marks_t *m)
{
    char line[MOST_LINE], *cell[8];
    while (fgets(line, sizeof line, m->key)) {
        if (csv_split(line, cell, 8) != 8 || strcmp(cell[3], "number") == 0)
            continue;
        student_t *s = student_of(m, trimmed(cell[0]));
        if (!s && m->count < MOST_STUDENTS) {
            s = &m->students[m->count++];
            snprintf(s->student, sizeof s->student, "%s", trimmed(cell[0]));
        }
        if (s)
            s->questions++;
    }
}

/* Why a row is refused; or NULL, and a mark has been printed. `log` is the line before, or "". */
static const char *mark_row(marks_t *m, char *answers[], int given, const char *log)
{
    char line[MOST_LINE], *cell[8], answer[MOST_ANSWER_TEXT];
    student_t *const s = student_of(m, answers[0]);
    const char *const seconds = strstr(log, "SECONDS=");
    const char *wrong = "";
    int right = 0, of = 0;
    if (!s)
        return "not in the key";
    if (s->rows++ > 0)
        return "a second row; the first one counts";
    while (given > s->questions && !*trimmed(answers[given]))
        given--;
    if (given != s->questions)
        return text("%d answers to %d questions", given, s->questions);
    rewind(m->key);
    while (fgets(line, sizeof line, m->key)) {
        if (csv_split(line, cell, 8) != 8 || strcmp(trimmed(cell[0]), s->student) != 0)
            continue;
        if (*log && !begins(log, text("# SEED=%.30s FILE=%.30s ", cell[1], cell[2]))) {
            printf("%s,0,refused: another file or seed\n", csv_quote(s->student));
            return "another file or seed";
        }
        char *const typed = trimmed(answers[++of]);
        const bool is_answer = answer_read(typed, answer);
        const bool is_right = is_answer && answer_is_right(cell[4], answer);
        right += is_right;
        if (!is_right)
            wrong = text("%s %d", *wrong ? wrong : "; wrong:", of);
        if (!is_answer && *typed)
            fprintf(stderr, "%s: question %d: '%.30s' is no answer, so it is wrong\n",
                    text_shown(s->student), of, text_shown(typed));
    }
    printf("%s,%d,%d of %d right%s%s%.20s\n", csv_quote(s->student), (100 * right + of / 2) / of,
           right, of, wrong, seconds ? "; " : "", seconds ? seconds : "");
    return NULL;
}

/* A row of a spreadsheet may have semicolons in place of commas. */
static void read_row(marks_t *m, char *line, const char *log)
{
    char *cell[MOST_QUESTIONS + 2];
    for (char *c = strchr(line, ',') ? NULL : line; c && (c = strchr(c, ';')) != NULL;)
        *c = ',';
    const int given = (int)csv_split(line, cell, MOST_QUESTIONS + 2) - 1;
    cell[0] = trimmed(cell[0]);
    if ((given == 0 && !*cell[0]) || strcmp(cell[0], "student") == 0)
        return;
    const char *const why = mark_row(m, cell, given, log);
    if (why)
        fprintf(stderr, "%s: refused: %s\n", text_shown(cell[0]), why);
    *(why ? &m->refused : &m->marked) += 1;
}

int marks_print(const char *key_path, const char *answers_path)
{
    static marks_t m;
    char line[MOST_LINE];
    const char *log = "", *between = "; no row, so an older mark stays: ";
    FILE *answers = fopen(answers_path, "r");
    m.key = fopen(key_path, "r");
    if (!m.key || !answers) {
        fprintf(stderr, "viva: cannot read '%s'\n", m.key ? answers_path : key_path);
        return 2;
    }
    read_students(&m);
    while (fgets(line, sizeof line, answers)) {
        char *const start = line + (strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        if (*start != '#')
            read_row(&m, start, log);
        log = *start == '#' ? until(start, "\r\n") : "";
    }
    fprintf(stderr, "%d of %d students marked; rows refused: %d", m.marked, m.count, m.refused);
    for (int i = 0; i < m.count; i++)
        if (m.students[i].rows == 0) {
            fprintf(stderr, "%s%s", between, text_shown(m.students[i].student));
            between = ", ";
        }
    fprintf(stderr, "\n");
    fclose(m.key);
    fclose(answers);
    return m.refused > 0;
}
