/* SPDX-License-Identifier: MIT */
/*
 * repair.h - what a student has changed in a file that was handed out, and why.
 */
#ifndef REPAIR_H
#define REPAIR_H

#include <stddef.h>

/*
 * How many lines were added and taken away between two texts of C++. A line is here what ends with
 * a semicolon or a brace, or is a directive; each 100 characters of it count as one. So it does not
 * matter how a text is laid out; comments and blanks do not count.
 */
size_t changed_lines(const char *before, const char *after);

/* The comment behind the first "// Why:" that begins a line, with the comment lines that follow up
 * to an empty one. Empty: there is none. */
void why_of(const char *text, char *why, size_t bytes);

#endif
