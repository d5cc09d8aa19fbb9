/* SPDX-License-Identifier: MIT */
/*
 * given.h - included before each submission: stdout and stderr are variables of the C library,
 * which host code of a submission may not read. What it prints is discarded. An exception becomes
 * abort(): harmless.c. So is a static flag `__kept`: host code may use it.
 */
#include <stdio.h>
#include <stdlib.h>

#undef stdout
#undef stderr
#define stdout ((FILE *)0)
#define stderr ((FILE *)0)
#define __kept static __attribute__((section("simt_host")))
