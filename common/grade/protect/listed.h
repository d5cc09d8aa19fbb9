/* SPDX-License-Identifier: MIT */
/*
 * listed.h - what a submission may say, include and call: all lists are in listed.c. Each is one
 * text with blanks between its names; a name that ends with `*` stands for all that begin like it.
 */
#ifndef LISTED_H
#define LISTED_H

#include <stdbool.h>

bool is_listed(const char *list, const char *name);

/* Headers; what may follow #pragma; what may stand in [[...]]; C++'s own words, which #define must
 * leave alone; and of the names that begin with `__`, or with `_` and a capital, those of CUDA. */
extern const char accepted_headers[], accepted_pragmas[], accepted_attributes[], cpp_words[],
    accepted_names[];

/* What it may call: symbols of the object file. */
extern const char accepted_calls[];

/* Words that are refused wherever they stand. */
extern const char refused_words[];

/* What to write in place of a word or a call that is refused. */
const char *what_instead(const char *name);

#endif
