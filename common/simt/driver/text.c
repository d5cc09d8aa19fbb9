/* SPDX-License-Identifier: MIT */
/* text.c - texts, patterns and lists of words. */
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

/* Never freed: simtcc ends soon. */
void *memory(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block)
        die("out of memory");
    return block;
}

char *text(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t bytes = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *result = memory(bytes);
    vsnprintf(result, bytes, format, arguments);
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

char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text("%s", slash ? slash + 1 : path);
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

/* As a shell splits, without its quotes and backslashes; or at commas as nvcc does, where only
 * `\\,` loses its backslash. */
void list_split(struct list *list, const char *from, const char *separators, bool shell)
{
    char *word = memory(strlen(from) + 1), quote = 0;
    size_t length = 0;
    bool inside = false;
    for (const char *p = from;; p++) {
        const bool end = !*p || (!quote && strchr(separators, *p));
        if (end && inside) {
            word[length] = '\0';
            list_add(list, word);
            length = 0;
        }
        inside = !end;
        if (!*p)
            return;
        const bool mark = quote ? *p == quote : *p == '"' || *p == '\'';
        if (mark)
            quote = quote ? 0 : *p;
        if (*p == '\\' && (shell ? quote != '\'' && p[1] : p[1] == ','))
            word[length++] = *++p;
        else if (!end && !(mark && shell))
            word[length++] = *p;
    }
}

char *list_text(const struct list *list)
{
    char *all = text("%s", list->count > 0 ? list->words[0] : "");
    for (size_t i = 1; i < list->count; i++)
        all = text("%s %s", all, list->words[i]);
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

const char *match(const char *pattern, const char *string, char *part[PARTS])
{
    static struct {
        const char *pattern;
        regex_t regex;
    } known[64], *k = known;
    for (k = known; k->pattern && k->pattern != pattern; k++)
        ;
    if (!k->pattern && regcomp(&k->regex, pattern, REG_EXTENDED) != 0)
        die("wrong pattern: %s", pattern);
    k->pattern = pattern;
    regmatch_t at[PARTS];
    const bool found = regexec(&k->regex, string, PARTS, at, 0) == 0;
    for (int i = 0; part && i < PARTS; i++)
        part[i] = found && at[i].rm_so >= 0
                      ? text("%.*s", (int)(at[i].rm_eo - at[i].rm_so), string + at[i].rm_so)
                      : text("%s", "");
    return found ? string + at[0].rm_so : NULL;
}
