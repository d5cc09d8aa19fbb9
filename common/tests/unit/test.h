/* SPDX-License-Identifier: MIT */
/*
 * test.h - a test is a function, and TEST its head; CHECK says what must hold. The first thing that
 * does not is printed. Functions that are no TEST need a RUN.
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

/* Before main(), each TEST enters itself here, in the order of the file. */
static struct {
    const char *name;
    void (*test)(void);
} test_list[100];
static int test_count;

#define TEST(test_)                                                                                \
    static void test_(void);                                                                       \
    __attribute__((constructor)) static void enter_##test_(void)                                   \
    {                                                                                              \
        test_list[test_count].name = #test_;                                                       \
        test_list[test_count++].test = test_;                                                      \
    }                                                                                              \
    static void test_(void)

/* Runs each TEST; returns the status of the program. */
static inline int test_all(void)
{
    for (int i = 0; i < test_count; i++)
        test_run(test_list[i].name, test_list[i].test);
    return test_wrong > 0;
}

#endif
