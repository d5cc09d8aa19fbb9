/* SPDX-License-Identifier: MIT */
/* text.c - texts, patterns and lists of words. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("simtcc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *memory(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block)
        die("out of memory");
    return block;
}

char *text(const char *format, ...)
{
    char *result;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&result, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
    return result;
}

bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

void list_add(struct list *list, const char *word)
{
    char **words = memory((list->count + 2) * sizeof *words);
    if (list->count > 0)
        memcpy(words, list->words, list->count * sizeof *words);
    words[list->count++] = text("%s", word);
    words[list->count] = NULL;
    list->words = words;
}

void list_join(struct list *list, const struct list *more)
{
    for (size_t i = 0; i < more->count; i++)
        list_add(list, more->words[i]);
}

void list_add_all(struct list *list, const char *const words[])
{
    for (; *words; words++)
        list_add(list, *words);
}

void list_split(struct list *list, const char *from, const char *separators, bool shell)
{
    char *word = memory(strlen(from) + 1);
    for (const char *p = from + strspn(from, separators); *p; p += strspn(p, separators)) {
        char *to = word, quote = 0;
        for (; *p && (quote || !strchr(separators, *p)); p++) {
            const bool mark = quote ? *p == quote : *p == '"' || *p == '\'';
            if (mark)
                quote = quote ? 0 : *p;
            if (*p == '\\' && (shell ? quote != '\'' && p[1] : p[1] == ','))
                *to++ = *++p;
            else if (!(mark && shell))
                *to++ = *p;
        }
        *to = '\0';
        list_add(list, word);
    }
}

char *list_text(const struct list *list, const char *separator)
{
    char *all = text("%s", list->count > 0 ? list->words[0] : "");
    for (size_t i = 1; i < list->count; i++)
        all = text("%s%s%s", all, separator, list->words[i]);
    return all;
}

bool list_has(const struct list *list, const char *start)
{
    for (size_t i = 0; i < list->count; i++)
        if (begins(list->words[i], start))
            return true;
    return false;
}

char *until(const char *from, const char *separators)
{
    return text("%.*s", (int)strcspn(from, separators), from);
}

const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return p + (*p == '\n');
}

const char *match(const char *pattern, const char *string, const char *part[PARTS])
{
    static struct known {
        const char *pattern;
        regex_t regex;
        struct known *next;
    } * known;
    struct known *k = known;
    while (k && k->pattern != pattern)
        k = k->next;
    if (!k) {
        k = memory(sizeof *k);
        k->pattern = pattern;
        k->next = known;
        if (regcomp(&k->regex, pattern, REG_EXTENDED) != 0)
            die("wrong pattern: %s", pattern);
        known = k;
    }
    regmatch_t at[PARTS];
    const bool found = regexec(&k->regex, string, PARTS, at, 0) == 0;
    for (int i = 0; part && i < PARTS; i++)
        part[i] = found && at[i].rm_so >= 0
                      ? text("%.*s", (int)(at[i].rm_eo - at[i].rm_so), string + at[i].rm_so)
                      : "";
    return found ? string + at[0].rm_so : NULL;
}
