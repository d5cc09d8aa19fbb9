/* SPDX-License-Identifier: MIT */
/*
 * listed.h - accepted.txt, the table of what may be written in a graded file.
 */
#ifndef LISTED_H
#define LISTED_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the table. False: the file is not there, or too long. */
bool listed_read(const char *path);

/* Is this name in the section? There, `name*` stands for all that begin like it. */
bool is_listed(const char *section, const char *name);

/* What to write in place of a word that is refused, in `text`. */
void what_instead(const char *name, char *text, size_t bytes);

#endif
