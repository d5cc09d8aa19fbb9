/* SPDX-License-Identifier: MIT */
/*
 * talk.h - input and output of questions, for quiz.c and predict.c.
 */
#ifndef TALK_H
#define TALK_H

#include <stdbool.h>

enum { MOST_ANSWER = 1000000 };

/* A whole number from 0 to `most` and nothing else, except surrounding spaces. */
bool read_number(const char *text, unsigned long long most, unsigned long long *value);

/* Prints a text. Lines are wrapped, except code, which begins with a space. */
void put(const char *text);

#endif
