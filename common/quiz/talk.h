/* SPDX-License-Identifier: MIT */
/*
 * talk.h - asks questions, for quiz.c, predict.c and viva.c, which have them.
 */
#ifndef TALK_H
#define TALK_H

#include <stdbool.h>
#include <stdio.h>

enum { MOST_ANSWER = 1000000 };

typedef enum { WRONG, RIGHT, OVER } verdict_t;

/* What is asked. A typed line is without blanks around it. */
typedef struct {
    int count;
    bool can_give_up;                             /* by an empty line or `q` */
    const char *(*title)(int i);                  /* ": stride", for its headline; or NULL */
    void (*put)(int i);                           /* prints a question */
    bool (*accepts)(int i, const char *typed);    /* is it an answer? NULL: numbers are */
    const char *mistyped;                         /* is said if not; its %s is what was typed */
    verdict_t (*judge)(int i, const char *typed); /* says it; NULL: given up. OVER: no more */
} session_t;

/* Asks until the input ends: for it to come from a program, some lines in a row that are no answer
 * end it, too. Returns how many questions had an answer, and how many had a right one. */
int talk(const session_t *s, int *right);

/* Of an input that ended after the answers to `asked` questions; nothing after all of them. */
void put_stopped(int asked, int count);

/* A whole number from 0 to `most` and nothing else, except surrounding spaces. */
bool read_number(const char *text, unsigned long long most, unsigned long long *value);

/* Prints a text. Lines are wrapped: also a choice, "   c) ", and numbered code, "  12 | ", but no
 * other that begins with a space. */
void put_to(FILE *out, const char *text);
void put(const char *text); /* to stdout */

#endif
