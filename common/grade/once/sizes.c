/* SPDX-License-Identifier: MIT */
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

static size_t usual_size(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } usual[] = {{"n", 256}, {"rows", 32}, {"cols", 32}, {"inner", 32}, {"threshold", 64}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(name, usual[i].name) == 0)
            return usual[i].size;
    return 0;
}

void sizes_usual(const struct task *task, size_t size[TASK_SIZES])
{
    for (size_t k = 0; task->size_names[k]; k++)
        size[k] = usual_size(task->size_names[k]);
}

void sizes_read(const struct task *task, const char *text, size_t size[TASK_SIZES])
{
    const char *const *name = task->size_names;
    const int numbers = sscanf(text, "%zux%zux%zu", &size[0], &size[1], &size[2]);
    int sizes = 0;
    while (name[sizes])
        sizes++;
    if (numbers == sizes && text[strspn(text, "0123456789x")] == '\0')
        return;
    fprintf(stderr, "once: -n '%s': exercise %s takes a number for each of:", text, task->name);
    for (; *name; name++)
        fprintf(stderr, " %s", *name);
    fprintf(stderr, "; with x between\n");
    exit(2);
}

void sizes_print(FILE *out, const struct task *task, const size_t size[TASK_SIZES])
{
    for (size_t k = 0; task->size_names[k]; k++)
        fprintf(out, "%s%s %zu", k ? ", " : "", task->size_names[k], size[k]);
}
