/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of the program `policy` share: the lists of accepted.txt (accepted.c),
 * what changes nothing in a text (harmless.c), and the judgement of an object file (symbols.c).
 */
#ifndef GRADE_POLICY_H
#define GRADE_POLICY_H

#include "simt/translate/inside.h"

/* The bytes of a file and a 0 after them. If it cannot be read, this process ends. */
char *file_text(const char *path);

void accepted_read(const char *path);
bool is_listed(const char *section, const char *name, size_t length);
const char *what_instead(const char *name, size_t length);

/* Of the section `replaced`: the function of ours that is called instead, or NULL. */
const char *replacement_of(const char *name);

/* Word number i of a section, or NULL. */
const char *listed_word(const char *section, size_t i, size_t *length, bool *prefix);

/* Blanks what changes nothing in the text, and returns the tokens of the rest, without blanks but
 * for those that end a directive. */
struct source harmless_removed(char *text);

bool is_in(const struct source *of, const char *section, size_t i); /* of accepted.txt */
bool is_word(const struct source *of, size_t i);
size_t directive_end(const struct source *of, size_t i);

/* From an opening bracket of any kind to its partner, or to the end of the directive. */
size_t partner(const struct source *of, size_t i);

/* The name of a header that is included at token i, without its brackets; "" if it is no header. */
const char *header_at(const struct source *of, size_t i, size_t *length);

/* Judges an object file by accepted.txt. Prints why it is refused; else the file `renames` has the
 * new names of its symbols, for objcopy, and `aliases` the functions of ours that some of them are,
 * for ld. */
bool symbols_accepted(const char *name, const char *object);

#endif
