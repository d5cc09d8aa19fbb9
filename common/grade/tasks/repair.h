/* SPDX-License-Identifier: MIT */
/*
 * repair.h - what a student has changed in a handed-out file, and why.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include <stddef.h>

/*
 * How many lines were added and removed between two C++ texts. A line here ends with a semicolon or
 * a brace, also in a directive, or with the directive; each 100 characters of it count as one. So
 * the layout does not matter; comments and spaces do not count.
 */
size_t changed_lines(const char *before, const char *after);

/* The comment after the first "// Why:" that begins a line, with the comment lines that follow up
 * to an empty one. Empty: there is none. */
void why_of(const char *text, char *why, size_t bytes);

#endif
