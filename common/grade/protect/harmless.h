/* SPDX-License-Identifier: MIT */
/*
 * harmless.h - what changes nothing in the text of a submission goes; and what its tokens are asked
 * there and in policy.c.
 */
#ifndef HARMLESS_H
#define HARMLESS_H

#include "simt/translate/inside.h"

/* Blanks it in the text, and returns the tokens of the rest, without blanks but for those that end
 * a directive. */
struct source harmless_removed(char *text);

bool is_in(const struct source *of, const char *section, size_t i); /* of accepted.txt */
bool is_word(const struct source *of, size_t i);
size_t directive_end(const struct source *of, size_t i);

/* From an opening bracket of any kind to its partner, or to the end of the directive. */
size_t partner(const struct source *of, size_t i);

/* The name of a header that is included at token i, without its brackets; "" if it is no header. */
const char *header_at(const struct source *of, size_t i, size_t *length);

#endif
