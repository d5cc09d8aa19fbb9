/* SPDX-License-Identifier: MIT */
/*
 * talk.h - input and output of questions, for quiz.c, predict.c and viva.c.
 */
#ifndef TALK_H
#define TALK_H

#include <stdbool.h>

enum { MOST_ANSWER = 1000000, MOST_TYPED = 256 };

/* As many lines in a row that are no answer end the input: it may come from a program. */
enum { MOST_MISTYPED = 20 };

/* Asks for a line, which is without blanks around it. An empty line or `q` gives up. */
typedef enum { TYPED, GIVEN_UP, ENDED } reply_t;
reply_t read_reply(char line[MOST_TYPED]);

/* A whole number from 0 to `most` and nothing else, except surrounding spaces. */
bool read_number(const char *text, unsigned long long most, unsigned long long *value);

/* Of an input that ended after the answers to `asked` questions; nothing after all of them. */
void put_stopped(int asked, int count);

/* Prints a text. Lines are wrapped, except code, which begins with a space. */
void put(const char *text);

/* As printf does, a message of a line, wrapped and ended: to stdout, or to stderr. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

#endif
