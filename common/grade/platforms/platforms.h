/* SPDX-License-Identifier: MIT */
/*
 * platforms.h - the interface of platforms/: marks as a platform reads them, a file each, beside
 * the scripts that the platforms start. grade.c calls it.
 */
#ifndef PLATFORMS_H
#define PLATFORMS_H

#include "grade/report/report.h"

/* json.c */
void show_gradescope(const struct marks *all, FILE *out);
void show_prairielearn(const struct marks *all, FILE *out);

/* github.c: the summary of a job */
void show_github(const struct marks *all, FILE *out);

#endif
