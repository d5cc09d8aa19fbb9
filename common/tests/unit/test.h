/* SPDX-License-Identifier: MIT */
/*
 * test.h - a test is a function; CHECK says what must hold. The first thing that does not is
 * printed.
 */
#ifndef TEST_H
#define TEST_H

#include <stdio.h>
#include <string.h>

static int test_wrong;     /* tests that failed */
static char test_why[300]; /* of the test that runs now; empty while it is right */

#define CHECK(condition)                                                                           \
    (void)((condition) || test_why[0] != '\0' ||                                                   \
           snprintf(test_why, sizeof test_why, "%s:%d: %s", __FILE__, __LINE__, #condition))

#define RUN(test) test_run(#test, test)

static void test_run(const char *name, void (*test)(void))
{
    test_why[0] = '\0';
    test();
    if (test_why[0] == '\0')
        printf("ok   %s\n", name);
    else
        printf("FAIL %s: %s\n", name, test_why);
    test_wrong += test_why[0] != '\0';
}

#endif
