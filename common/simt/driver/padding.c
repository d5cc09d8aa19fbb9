/* SPDX-License-Identifier: MIT */
/*
 * padding.c - does g++ 12 or 13 overwrite values in a variable when it clears the padding there?
 *
 * With -ftrivial-auto-var-init a variable that begins with values gets zeros in its padding. A loop
 * goes through an array of records in it, and then these versions forget to add the array's bytes.
 * So what is behind the array gets its zeros that far in front of it, where values are:
 *
 *   D.7 = &D.1 + 20;                                  an array at byte 20,
 *   _4 = D.7 + 96;                                    of 96 bytes
 *   goto <D.8>; ... if (D.7 != _4) goto <D.9>; ...
 *   MEM <char[4]> [(struct S *)&D.1 + 20B] = {};      is meant for the 4 bytes at 116
 *
 * The dump of the compiler's first pass has these lines for whatever contains such an array: a
 * struct, a lambda that has captured it, an instance of a template. A second array in the same
 * variable counts too, as its loop has the wrong place. Each name has a number of its own.
 */
#include <string.h>

#include "inside.h"

/* The dump without the places of its statements: `[my.cu:10:45] `. */
static const char *without_places(const char *dump)
{
    char *all = memory(strlen(dump) + 1), *to = all;
    while (*dump) {
        const char *end = *dump == '[' ? dump + strcspn(dump, "]\n") : dump, *p = end;
        for (int colons = 0; p > dump && colons < 2 && strchr(":0123456789", p[-1]); p--)
            colons += p[-1] == ':';
        if (p < end && *p == ':' && p[1] != ':' && begins(end, "] "))
            dump = end + 2;
        else
            *to++ = *dump++;
    }
    *to = '\0';
    return all;
}

bool padding_overwrites(const char *dump)
{
    dump = without_places(dump);
    static const char loop[] = "D\\.[0-9]+ = ([&<>[:alnum:]_.]+) \\+ [0-9]+;\n"
                               " *_[0-9]+ = D\\.[0-9]+ \\+ [0-9]+;\n *goto ";
    const char *part[PARTS];
    while ((dump = match(loop, dump, part)) != NULL) {
        dump += strlen(part[0]);
        const char *end = strstr(dump, "\n;; Function "), *base = part[1];
        const char *rest = end ? text("%.*s", (int)(end - dump), dump) : dump;
        if (match(text("MEM <[^\n]*\\*\\)%s[] ]|= %s \\+ [0-9]+;\n *_[0-9]+ = D", base, base), rest,
                  NULL))
            return true;
    }
    return false;
}
