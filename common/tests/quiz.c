/* SPDX-License-Identifier: MIT */
/*
 * quiz.c - rows `stride 6 1,COUNTER,VALUE` of `quiz --run` on stdin: counts each question again,
 * lane by lane, independently of the emulator. Prints the rows that differ.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- one request: its lanes add words of shared memory or bytes of global memory ---- */

static long place[4096]; /* what was asked for, each once */
static int places;

static void begin(void)
{
    places = 0;
}

static void add(long what)
{
    for (int i = 0; i < places; i++)
        if (place[i] == what)
            return;
    place[places++] = what;
}

static void add_bytes(long from, long count)
{
    for (long sector = from / 32; sector <= (from + count - 1) / 32; sector++)
        add(sector);
}

/* The most words of one bank. */
static int wavefronts(void)
{
    int load[32] = {0}, most = 0;
    for (int i = 0; i < places; i++) {
        const int words = ++load[place[i] % 32];
        most = words > most ? words : most;
    }
    return most;
}

/* ---- the kinds ---- */

static int strided(int width, int stride, int every)
{
    int all = 0;
    for (int part = 0; part < width; part++) {
        begin();
        for (int l = 32 / width * part; l < 32 / width * (part + 1); l++)
            for (int k = 0; k < width && l % every == 0; k++)
                add(width * stride * l + k);
        all += wavefronts();
    }
    return all;
}

static int pitch(int pitch_of, int columns, bool swizzle)
{
    begin();
    for (int x = 0; x < columns; x++)
        for (int y = 0; y < 32 / columns; y++)
            add(x * pitch_of + (swizzle ? x ^ y : y));
    return wavefronts();
}

/* The indices that the kernel draws. */
static int listed(bool shared, int lanes, uint32_t range, uint32_t seed)
{
    uint32_t state = seed * 2654435761u + 12345;
    begin();
    for (int lane = 0; lane < lanes; lane++) {
        state = state * 1664525 + 1013904223;
        const uint32_t index = state / 256 % range;
        if (shared)
            add(index);
        else
            add_bytes(4L * index, 4);
    }
    return shared ? wavefronts() : places;
}

static int by_warps(int threads, int size, int stride, int offset, int every)
{
    int all = 0;
    for (int t = 0; t < threads; t++) {
        if (t % 32 == 0)
            begin();
        if (t % every == 0)
            add_bytes(size * (stride * t + offset), size);
        if (t % 32 == 31 || t == threads - 1)
            all += places;
    }
    return all;
}

/* A warp loads as often as its first lane. */
static int packs(int width, int n, int threads, int blocks)
{
    int all = 0;
    for (int i = 0; i < threads * blocks; i += 32) {
        for (int p = i; p < n / width; p += threads * blocks)
            all++;
        all += i < n % width;
    }
    return all;
}

static int condition(int form, int a, int threads, bool by_lane)
{
    int all = 0, busy = 0;
    for (int t = 0; t < threads; t++) {
        const bool takes_part = form == 0   ? t % a == 0
                                : form == 1 ? t < a
                                : form == 2 ? t / a % 2 == 0
                                            : (t & a) == 0;
        busy = t % 32 == 0 ? 0 : busy;
        all += takes_part && (by_lane || !busy);
        busy |= takes_part;
    }
    return all;
}

/* Loads and a store of the warps, or barriers. Form 0 has a modulo, 2 and 3 add halves. */
static int tree(int form, int threads, bool barriers)
{
    const bool halves = form >= 2;
    int all = 0, rounds = 0;
    for (int s = halves ? threads / 2 : 1; halves ? s > (form == 3 ? 16 : 0) : s < threads;
         s = halves ? s / 2 : 2 * s, rounds++) {
        begin();
        for (int t = 0; t < threads; t++)
            if (halves ? t < s : form == 0 ? t % (2 * s) == 0 : 2 * s * t < threads)
                add(t / 32);
        all += 2 * places;
    }
    return barriers ? threads / 32 * (rounds + 1) : all + 1;
}

static int shuffles(int width, int threads, bool whole)
{
    int turns = 0;
    for (; width > 1; width /= 2)
        turns++;
    return turns * (threads / 32) + (whole ? 5 : 0);
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static int expected(const char *kind, const int q[4])
{
    return same(kind, "stride")     ? strided(1, q[0], q[1])
           : same(kind, "wide")     ? strided(q[0], q[1], 1)
           : same(kind, "pitch")    ? pitch(q[0], q[1], q[2])
           : same(kind, "words")    ? listed(true, q[0], (uint32_t)q[1], (uint32_t)q[2])
           : same(kind, "gather")   ? listed(false, q[0], (uint32_t)q[1], (uint32_t)q[2])
           : same(kind, "sectors")  ? by_warps(q[2], 4, q[0], 0, q[1])
           : same(kind, "aligned")  ? by_warps(q[2], q[0], 1, q[1], 1)
           : same(kind, "packs")    ? packs(q[0], q[1], q[2], q[3])
           : same(kind, "lanes")    ? condition(q[0], q[1], q[2], true)
           : same(kind, "warps")    ? condition(q[0], q[1], q[2], false)
           : same(kind, "tree")     ? q[2] * tree(q[0], q[1], false)
           : same(kind, "barriers") ? q[2] * tree(q[0], q[1], true)
           : same(kind, "shuffles") ? shuffles(q[0], q[1], q[2])
           : same(kind, "atomics")  ? q[3] * condition(0, q[0], q[2], false)
                                    : -1;
}

int main(void)
{
    char row[256], question[128], kind[32];
    int value;
    while (fgets(row, sizeof row, stdin)) {
        int q[4] = {0};
        if (sscanf(row, "%127[^,],%*[^,],%d", question, &value) != 2)
            printf("not a row: %s", row);
        sscanf(question, "%31s %d %d %d %d", kind, &q[0], &q[1], &q[2], &q[3]);
        if (value != expected(kind, q))
            printf("%s: the emulator counts %d, by hand it is %d\n", question, value,
                   expected(kind, q));
    }
    return 0;
}
