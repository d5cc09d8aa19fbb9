/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_show(const char *type, const char *op, size_t done, size_t all)
{
    if (isatty(fileno(stderr)))
        fprintf(stderr, "\r%s %s: %zu of %zu ", type, op, done, all);
}

void progress_clear(void)
{
    if (isatty(fileno(stderr)))
        fprintf(stderr, "\r%40s\r", "");
}
