/* SPDX-License-Identifier: MIT */
/*
 * accepted.c - reads accepted.txt. An empty line ends a section; name* is a prefix. In the section
 * `instead` a line has names and, after a colon, what to write instead of them.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/driver/inside.h"

struct entry {
    const char *section, *word, *advice;
    size_t length;
    bool prefix;
};

static struct entry *entries;
static size_t count;

char *file_text(const char *path)
{
    char *text = file_read(path);
    if (!text) {
        fprintf(stderr, "policy: '%s' cannot be read\n", path);
        exit(2);
    }
    return text;
}

static void add(const char *section, const char *advice, char *words)
{
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        const size_t n = strlen(word);
        const bool prefix = word[n - 1] == '*';
        entries = realloc(entries, (count + 1) * sizeof *entries);
        if (!entries)
            exit(2);
        entries[count++] = (struct entry){section, word, advice, n - prefix, prefix};
    }
}

void accepted_read(const char *path)
{
    const char *section = "";
    char *text = file_text(path);
    for (char *line = text, *next; line; line = next) {
        if ((next = strchr(line, '\n')) != NULL)
            *next++ = '\0';
        char *colon = strcmp(section, "instead") == 0 ? strstr(line, ": ") : NULL;
        if (*line == '[')
            *strchr(section = line + 1, ']') = '\0';
        else if (!*line || !*section)
            section = "";
        else if (colon)
            *colon = '\0', add(section, colon + 2, line);
        else
            add(section, NULL, line);
    }
}

static const struct entry *find(const char *section, const char *name, size_t length)
{
    for (const struct entry *e = entries; e < entries + count; e++)
        if (e->length <= length && (e->prefix || e->length == length) &&
            memcmp(e->word, name, e->length) == 0 && strcmp(e->section, section) == 0)
            return e;
    return NULL;
}

bool is_listed(const char *section, const char *name, size_t length)
{
    return find(section, name, length);
}

const char *what_instead(const char *name, size_t length)
{
    return find("instead", name, length)->advice;
}

const char *replacement_of(const char *name)
{
    const size_t n = strlen(name);
    for (const struct entry *e = entries; e < entries + count; e++)
        if (strcmp(e->section, "replaced") == 0 && e->length > n && e->word[n] == '=' &&
            memcmp(e->word, name, n) == 0)
            return e->word + n + 1;
    return NULL;
}

const char *listed_word(const char *section, size_t i, size_t *length, bool *prefix)
{
    for (const struct entry *e = entries; e < entries + count; e++)
        if (strcmp(e->section, section) == 0 && i-- == 0) {
            *length = e->length;
            *prefix = e->prefix;
            return e->word;
        }
    return NULL;
}
