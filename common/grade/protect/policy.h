/* SPDX-License-Identifier: MIT */
/*
 * policy.h - what a graded file may contain, as accepted.txt lists it: policy.c judges the text,
 * symbols.c the compiled file, accepted.c has the lists.
 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a file, to be freed, and a 0 after them. If it cannot be read, this process ends. */
char *file_read(const char *path, size_t *bytes);

void accepted_read(const char *path);
bool is_listed(const char *section, const char *name, size_t length);
const char *what_instead(const char *name, size_t length);

/* Of the section `replaced`: the function of ours that is called instead, or NULL. */
const char *replacement_of(const char *name);

/* Word number i of a section, or NULL. */
const char *listed_word(const char *section, size_t i, size_t *length, bool *prefix);

/* Judges an object file. Prints why it is refused; else the file `renames` has the new names of its
 * symbols, for objcopy, and `aliases` the functions of ours that some of them are, for ld. */
bool symbols_accepted(const char *name, const char *object);

#endif
