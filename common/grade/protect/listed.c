/* SPDX-License-Identifier: MIT */
#include "listed.h"

#include <stdio.h>
#include <string.h>

static char table[1 << 15];

bool listed_read(const char *path)
{
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(table, 1, sizeof table - 1, file) : 0;
    if (file)
        fclose(file);
    return n > 0 && n < sizeof table - 1;
}

/* Where the names of a section begin. It ends with an empty line. */
static const char *section_start(const char *section)
{
    char title[32];
    snprintf(title, sizeof title, "\n[%s]\n", section);
    const char *at = strstr(table, title);
    return at ? at + strlen(title) : "";
}

/* Is it among the names before `end`? */
static bool is_among(const char *names, const char *end, const char *name)
{
    while (names < end) {
        const size_t n = strcspn(names, " \n:"), letters = n > 0 && names[n - 1] == '*' ? n - 1 : n;
        if (n > 0 && strncmp(names, name, letters) == 0 && (letters < n || name[letters] == '\0'))
            return true;
        names += n + 1;
    }
    return false;
}

bool is_listed(const char *section, const char *name)
{
    const char *names = section_start(section), *end = strstr(names, "\n\n");
    return is_among(names, end ? end : names + strlen(names), name);
}

void what_instead(const char *name, char *text, size_t bytes)
{
    const char *line = section_start("instead"), *colon;
    while ((colon = strstr(line, ": ")) != NULL && !is_among(line, colon, name))
        line = strchr(colon, '\n') + 1;
    snprintf(text, bytes, "%.*s", colon ? (int)strcspn(colon + 2, "\n") : 0,
             colon ? colon + 2 : "");
}
