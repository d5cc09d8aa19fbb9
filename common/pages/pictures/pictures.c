/* SPDX-License-Identifier: MIT */
/*
 * pictures.c - draws a picture of a lesson from traces, as SVG on stdout:
 *
 *   pictures KIND NAME=TRACE...     KIND: see `kinds` below; NAME: what the picture calls the trace
 */
#include "pictures.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bool (*draw)(const source_t *sources, int count);
} kinds[] = {
    {"warps", draw_warps},     {"banks", draw_banks}, {"tile", draw_tile},
    {"sectors", draw_sectors}, {"loop", draw_loop},   {"parts", draw_parts},
    {"places", draw_places},   {"race", draw_race},   {"shuffles", draw_shuffles},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

int main(int argc, char **argv)
{
    source_t sources[SOURCES_MAX];
    int kind = 0;
    while (argc > 1 && kind < KINDS && strcmp(argv[1], kinds[kind].name) != 0)
        kind++;
    if (argc < 3 || argc - 2 > SOURCES_MAX || kind == KINDS) {
        fprintf(stderr, "usage: pictures KIND NAME=FILE..., up to %d files; KIND is one of",
                SOURCES_MAX);
        for (int i = 0; i < KINDS; i++)
            fprintf(stderr, " %s", kinds[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    const int count = argc - 2;
    for (int i = 0; i < count; i++) {
        char message[TRACE_MESSAGE];
        char *path = strrchr(argv[2 + i], '=');
        if (path == NULL) {
            fprintf(stderr, "pictures: '%s' is not NAME=FILE\n", argv[2 + i]);
            return 2;
        }
        *path++ = '\0';
        sources[i].name = argv[2 + i];
        sources[i].path = path;
        if (!trace_read(&sources[i].trace, path, message)) {
            fprintf(stderr, "pictures: %s\n", message);
            return 1;
        }
    }
    const bool drawn = kinds[kind].draw(sources, count);
    if (!drawn)
        fprintf(stderr, "pictures: %s has nothing that a picture of %s shows\n", sources[0].path,
                kinds[kind].name);
    for (int i = 0; i < count; i++)
        trace_free(&sources[i].trace);
    return !drawn || fflush(stdout) != 0 || ferror(stdout);
}
