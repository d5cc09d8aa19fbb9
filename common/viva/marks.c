/* SPDX-License-Identifier: MIT */
#include "viva.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grade/report/report.h"
#include "simt/driver/inside.h"

enum { MOST_NUMBERS = 16 };

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
            typed[strlen(word) + strspn(typed + strlen(word), " \t\r\n")] == '\0') {
            snprintf(answer, MOST_ANSWER_TEXT, "%s", word);
            return true;
        }
    return read_numbers(typed, answer);
}

bool answer_is_right(const char *wanted_answer, const char *answer)
{
    char wanted[MOST_ANSWER_TEXT];
    return answer_read(wanted_answer, wanted) && strcmp(wanted, answer) == 0;
}

/* ---- marks ---- */

/* One student's answers against the rows of the key. `log` is the line before, or "". False: they
 * are refused. A student who is not in the key gets no row. */
static bool mark_row(FILE *key, char *answers[], int given, const char *log)
{
    char line[MOST_LINE], *cell[8], answer[MOST_ANSWER_TEXT];
    const char *const student = text_shown(answers[0]), *const seconds = strstr(log, "SECONDS=");
    int right = 0, of = 0;
    bool same = true;
    rewind(key);
    while (fgets(line, sizeof line, key)) {
        if (csv_split(line, cell, 8) != 8 || strcmp(cell[0], answers[0]) != 0)
            continue;
        same = same && (!*log || begins(log, text("# SEED=%.30s FILE=%.30s ", cell[1], cell[2])));
        if (++of >= given || !*answers[of])
            continue;
        if (answer_read(answers[of], answer))
            right += answer_is_right(cell[4], answer);
        else
            fprintf(stderr, "%s: question %d: '%.30s' is no answer, so it is wrong\n", student, of,
                    text_shown(answers[of]));
    }
    if (of == 0 || !same)
        fprintf(stderr, "%s: refused: %s\n", student,
                same ? "not in the key" : "another file or seed");
    if (of > 0)
        printf("%s,%d,%s\n", csv_quote(answers[0]), same ? (100 * right + of / 2) / of : 0,
               !same ? "refused: another file or seed"
                     : text("%d of %d right%s%.20s", right, of, seconds ? "; " : "",
                            seconds ? seconds : ""));
    return of > 0 && same;
}

static int students_of(FILE *key)
{
    char line[MOST_LINE], *cell[8];
    int count = 0;
    rewind(key);
    while (fgets(line, sizeof line, key))
        count += csv_split(line, cell, 8) == 8 && strcmp(cell[3], "1") == 0;
    return count;
}

int marks_print(const char *key_path, const char *answers_path)
{
    char line[MOST_LINE], *cell[MOST_QUESTIONS + 1];
    const char *log = "";
    int marked = 0, refused = 0;
    FILE *key = fopen(key_path, "r"), *answers = fopen(answers_path, "r");
    if (!key || !answers) {
        fprintf(stderr, "viva: cannot read '%s'\n", key ? answers_path : key_path);
        return 2;
    }
    while (fgets(line, sizeof line, answers)) {
        char *const start = line + (strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        if (*start == '#') {
            log = until(start, "\r\n");
            continue;
        }
        const int given = (int)csv_split(start, cell, MOST_QUESTIONS + 1);
        if (given > 1 && strcmp(cell[0], "student") != 0)
            *(mark_row(key, cell, given, log) ? &marked : &refused) += 1;
        log = "";
    }
    fprintf(stderr,
            "%d of %d students marked; rows refused: %d. A student without a row keeps an older "
            "mark.\n",
            marked, students_of(key), refused);
    fclose(key);
    fclose(answers);
    return refused > 0;
}
