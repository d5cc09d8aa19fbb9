/* SPDX-License-Identifier: MIT */
/*
 * talk.h - what is typed and printed where somebody is asked: by quiz.c and predict.c.
 */
#ifndef TALK_H
#define TALK_H

#include <stdbool.h>

enum { MOST_ANSWER = 1000000 };

/* A whole number from 0 to `most` and nothing else; blanks may stand around it. */
bool read_number(const char *text, unsigned long long most, unsigned long long *value);

/* Prints a text. Of its lines those that are no code, which begins with a blank, are wrapped. */
void put(const char *text);

#endif
