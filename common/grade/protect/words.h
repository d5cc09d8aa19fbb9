/* SPDX-License-Identifier: MIT */
/*
 * words.h - what a submission may not say. words.c has the files, words_text.c the words.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A text that is read from its start to its end, and where the reading is. */
struct text {
    const char *at, *end;
    const char *file; /* as the last line marker has it */
    size_t file_length;
    unsigned long line;
    char last; /* the last character that was no blank and no part of a word */
    bool of_submission;
    bool attribute; /* the last word was __attribute__ */
    bool refused;
};

/* Says that these characters are not accepted. */
void refuse(struct text *t, const char *what, size_t length);

/* `# 12 "file.cu" 1 3`: the text goes on at line 12 of the file. */
void read_marker(struct text *t);

/* Checks preprocessed text, in the parts that are the submission's own. */
void check_text(struct text *t);

bool starts_with(const char *text, const char *start);

#endif
