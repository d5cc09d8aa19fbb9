/* SPDX-License-Identifier: MIT */
/*
 * translate.h - turns CUDA's additions to the syntax of C++ into plain C++. It owns nothing that
 * outlives a call, and may be called once in a process. The driver calls it.
 */
#ifndef SIMT_TRANSLATE_H
#define SIMT_TRANSLATE_H

#include <stdbool.h>

/* Translates preprocessed text to stdout; mistakes go to stderr, a line each, and advice in lines
 * that begin with spaces. Relaxed and lambdas: nvcc's --expt-relaxed-constexpr, --extended-lambda.
 * Returns 0, or 1 after mistakes. */
int translate(const char *text, bool relaxed, bool lambdas);

#endif
