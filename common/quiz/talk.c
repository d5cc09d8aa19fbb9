/* SPDX-License-Identifier: MIT */
#include "talk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, MOST_MESSAGE = 4096 };

bool read_number(const char *text, unsigned long long most, unsigned long long *value)
{
    const size_t blanks = strspn(text, " \t"), digits = strspn(text + blanks, "0123456789");
    const char *rest = text + blanks + digits;
    errno = 0;
    *value = strtoull(text + blanks, NULL, 10);
    return digits > 0 && rest[strspn(rest, " \t\r\n")] == '\0' && errno == 0 && *value <= most;
}

reply_t read_reply(char line[MOST_TYPED])
{
    printf("> ");
    fflush(stdout);
    if (!fgets(line, MOST_TYPED, stdin))
        return ENDED;
    const char *start = line + strspn(line, " \t\r\n");
    size_t length = strlen(start);
    while (length > 0 && strchr(" \t\r\n", start[length - 1]))
        length--;
    memmove(line, start, length);
    line[length] = '\0';
    return length == 0 || strcmp(line, "q") == 0 ? GIVEN_UP : TYPED;
}

void put_stopped(int asked, int count)
{
    if (asked < count)
        printf("stopped at question %d of %d\n", asked + 1, count);
}

static void put_to(FILE *out, const char *text)
{
    size_t indent = 0; /* of what goes on below */
    while (*text) {
        const size_t whole = strcspn(text, "\n"), room = WIDTH - indent;
        const bool choice = strncmp(text, "   ", 3) == 0 && strncmp(text + 4, ") ", 2) == 0;
        size_t length = whole;
        if (length > room && (*text != ' ' || choice))
            for (length = room; length > 1 && text[length] != ' ';)
                length--;
        fprintf(out, "%*s%.*s\n", (int)indent, "", (int)length, text);
        indent = length == whole ? 0 : choice ? strlen("   c) ") : indent;
        text += length + (text[length] != '\0');
    }
}

void put(const char *text)
{
    put_to(stdout, text);
}

static void put_message(FILE *out, const char *format, va_list arguments)
{
    char text[MOST_MESSAGE];
    vsnprintf(text, sizeof text, format, arguments);
    put_to(out, text);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_message(stdout, format, arguments);
    va_end(arguments);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_message(stderr, format, arguments);
    va_end(arguments);
}
