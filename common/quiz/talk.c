/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

enum { WIDTH = 80, MOST_TYPED = 256, MOST_MISTYPED = 20 };

/* ---- asking ---- */

static bool read_line(char line[MOST_TYPED])
{
    printf("> ");
    fflush(stdout);
    if (!fgets(line, MOST_TYPED, stdin))
        return false;
    const char *start = line + strspn(line, " \t\r\n");
    size_t length = strlen(start);
    while (length > 0 && strchr(" \t\r\n", start[length - 1]))
        length--;
    memmove(line, start, length);
    line[length] = '\0';
    return true;
}

/* What is typed, or NULL if the question is given up. False: nothing more. */
static bool read_answer(const session_t *s, int i, char line[MOST_TYPED], const char **typed)
{
    unsigned long long number;
    for (int tries = 0; tries < MOST_MISTYPED && read_line(line); tries++) {
        const bool given_up = s->can_give_up && (!*line || strcmp(line, "q") == 0);
        *typed = given_up ? NULL : line;
        if (given_up ||
            (s->accepts ? s->accepts(i, line) : read_number(line, MOST_ANSWER, &number)))
            return true;
        put(text(s->mistyped, line));
    }
    printf("\n");
    return false;
}

int talk(const session_t *s, int *right)
{
    char line[MOST_TYPED];
    const char *typed = NULL;
    *right = 0;
    for (int i = 0; i < s->count; i++) {
        printf("\n---- question %d of %d%s ----\n", i + 1, s->count, s->title ? s->title(i) : "");
        s->put(i);
        const verdict_t verdict = read_answer(s, i, line, &typed) ? s->judge(i, typed) : OVER;
        if (verdict == OVER)
            return i;
        *right += verdict == RIGHT;
    }
    return s->count;
}

void put_stopped(int asked, int count)
{
    if (asked < count)
        printf("stopped at question %d of %d\n", asked + 1, count);
}

bool read_number(const char *text, unsigned long long most, unsigned long long *value)
{
    const size_t blanks = strspn(text, " \t"), digits = strspn(text + blanks, "0123456789");
    const char *rest = text + blanks + digits;
    errno = 0;
    *value = strtoull(text + blanks, NULL, 10);
    return digits > 0 && rest[strspn(rest, " \t\r\n")] == '\0' && errno == 0 && *value <= most;
}

/* ---- texts ---- */

void put_to(FILE *out, const char *text)
{
    const char *head = ""; /* of what goes on below */
    while (*text) {
        const size_t whole = strcspn(text, "\n"), room = WIDTH - strlen(head);
        const bool choice = strncmp(text, "   ", 3) == 0 && strncmp(text + 4, ") ", 2) == 0;
        const bool code = strspn(text, " 0123456789") == 5 && text[5] == '|';
        size_t length = whole;
        if (length > room && (*text != ' ' || choice || code || *head)) {
            for (length = room; length > room / 2 && text[length] != ' ';)
                length--;
            length = text[length] == ' ' ? length : room;
        }
        fprintf(out, "%s%.*s\n", head, (int)length, text);
        head = length == whole ? "" : choice ? "      " : code ? "     | " : head;
        text += length + (text[length] == ' ' || text[length] == '\n');
    }
}

void put(const char *text)
{
    put_to(stdout, text);
}
