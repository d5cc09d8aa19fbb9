/* SPDX-License-Identifier: MIT */
/*
 * object.h - looks into the object file of a submission before it is linked.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is this object file one that may run? It must define `solve`, call nothing but what a launcher
 * and a kernel need, and run nothing before `solve`. Otherwise `why` says what was found and what
 * is accepted, in at most `bytes` bytes.
 */
bool object_accept(const char *path, char *why, size_t bytes);

#endif
