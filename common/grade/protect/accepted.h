/* SPDX-License-Identifier: MIT */
/*
 * accepted.h - what a graded file may contain: the lists of accepted.txt, for policy.c and
 * symbols.c.
 */
#ifndef ACCEPTED_H
#define ACCEPTED_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a file and a 0 after them. If it cannot be read, this process ends. */
char *file_text(const char *path);

void accepted_read(const char *path);
bool is_listed(const char *section, const char *name, size_t length);
const char *what_instead(const char *name, size_t length);

/* Of the section `replaced`: the function of ours that is called instead, or NULL. */
const char *replacement_of(const char *name);

/* Word number i of a section, or NULL. */
const char *listed_word(const char *section, size_t i, size_t *length, bool *prefix);

#endif
