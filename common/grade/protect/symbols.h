/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stdbool.h>

/* Judges an object file by accepted.txt. Prints why it is refused; else the file `renames` has the
 * new names of its symbols, for objcopy, and `aliases` the functions of ours that some of them are,
 * for ld. */
bool symbols_accepted(const char *name, const char *object);

#endif
