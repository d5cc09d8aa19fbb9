/* SPDX-License-Identifier: MIT */
/* record.c - records how a file was compiled, and what any other file would have in common with it:
 * the head. Without it simtcc would work on 2 MB of headers for each file. */
#include <string.h>

#include "inside.h"

/* The headers that the options include become one, which can be precompiled. */
static struct list without_headers(const struct list *command, char **headers)
{
    struct list rest = {0};
    *headers = text("%s", "");
    for (char **word = command->words; *word; word++)
        if (!begins(*word, "-include"))
            list_add(&rest, *word);
        else
            *headers = text("%s#include \"%s\"\n", *headers,
                            (*word)[strlen("-include")] ? *word + strlen("-include") : *++word);
    return rest;
}

static char *lines(const struct list *command)
{
    char *all = text("%s", "");
    for (size_t i = 0; i < command->count; i++)
        all = text("%s%s\n", all, command->words[i]);
    return all;
}

static void run(struct list command, const char *words[])
{
    for (; *words; words++)
        list_add(&command, *words);
    if (process_run(&command, NULL) != 0)
        die("cannot record: %s", process_messages());
}

void record_head(const struct head *head, const char *folder)
{
    char *headers, *raw = text("%s/raw.h", folder);
    struct list preprocess = without_headers(&head->preprocess, &headers), copy = {0};
    file_write(text("%s/in.ii", folder), head->preprocessed);
    file_write(text("%s/head.ii", folder), head->translated);
    file_write(raw, headers);
    run(copy, (const char *[]){"cp", head->compiled, text("%s/head.gch", folder), NULL});
    run(preprocess, (const char *[]){"-x", "c++-header", raw, "-o", text("%s.gch", raw), NULL});
    file_write(text("%s/commands", folder),
               text("%s-E\n-fpch-preprocess\n-x\nc++\n-include\n%s\n\n%s\n", lines(&preprocess),
                    raw, lines(&head->compile)));
}
