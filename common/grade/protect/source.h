/* SPDX-License-Identifier: MIT */
/*
 * source.h - reads a submission before it is compiled, as the student wrote it.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does this text say nothing but what accepted.txt has? Otherwise `why` gets a line for each place,
 * `name:12: error: ...`, as long as there is room for it. listed_read() comes first.
 */
bool source_accept(const char *text, const char *name, char *why, size_t bytes);

#endif
