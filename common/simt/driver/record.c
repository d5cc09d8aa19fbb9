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

static void run(const struct list *command)
{
    if (process_run(command, NULL) != 0)
        die("cannot record: %s", process_messages());
}

void record_head(const struct head *head, const char *folder)
{
    char *headers, *raw = text("%s/raw.h", folder);
    const struct list preprocess = without_headers(&head->preprocess, &headers);
    struct list copy = {0}, precompile = preprocess;
    file_write(text("%s/in.ii", folder), head->preprocessed);
    file_write(text("%s/head.ii", folder), head->translated);
    file_write(raw, headers);
    ADD(&copy, "cp", head->compiled, text("%s/head.gch", folder));
    run(&copy);
    ADD(&precompile, "-x", "c++-header", raw, "-o", text("%s.gch", raw));
    run(&precompile);
    file_write(text("%s/commands", folder),
               text("%s\n-E\n-fpch-preprocess\n-x\nc++\n-include\n%s\n\n%s\n\n",
                    list_text(&preprocess, "\n"), raw, list_text(&head->compile, "\n")));
}
