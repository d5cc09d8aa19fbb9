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

const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
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

bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
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

bool listed(const char *names, const char *name)
{
    return strstr(text(" %s ", names), text(" %s ", name)) != NULL;
}

void list_add(struct list *list, const char **words)
{
    for (; words && *words; words++) {
        const char **longer = memory((list->count + 2) * sizeof *longer);
        for (size_t i = 0; i < list->count; i++)
            longer[i] = list->words[i];
        longer[list->count++] = *words;
        longer[list->count] = NULL;
        list->words = longer;
    }
}

struct list list_split(const char *from, const char *separators, bool shell)
{
    struct list list = {0};
    char *to = memory(strlen(from) + 1);
    for (const char *p = from + strspn(from, separators); *p; p += strspn(p, separators)) {
        char *word = to, quote = 0;
        for (; *p && (quote || !strchr(separators, *p)); p++) {
            const bool mark = quote ? *p == quote : *p == '"' || *p == '\'';
            if (mark)
                quote = quote ? 0 : *p;
            if (*p == '\\' && (shell ? quote != '\'' && p[1] : p[1] == ','))
                *to++ = *++p;
            else if (!(mark && shell))
                *to++ = *p;
        }
        *to++ = '\0';
        ADD(&list, word);
    }
    return list;
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

const char *after(const char *text, const char *word)
{
    for (const char *p = text; (p = strstr(p, word)); p++)
        text = p + strlen(word);
    return text;
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
