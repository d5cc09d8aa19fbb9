/* SPDX-License-Identifier: MIT */
/*
 * enter.c - the last step into a sandbox: sandbox.sh starts it, and it becomes the command.
 *
 *   enter KIND USER FOLDER ROOT COMMAND...
 *
 * ROOT: becomes the root, read-only, with the folders that are mounted below it; `/`: the root
 * stays. USER: that of the command; 0: unchanged. KIND: a `program` gets the filter of filter.c, a
 * `tool` can write FOLDER. It is linked statically, because the sandbox has no libraries.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "sandbox: %s %s: %s\n", what, which, strerror(errno));
    exit(SANDBOX_FAILED);
}

/* <linux/mount.h> conflicts with <sys/mount.h>. */
static int set_mount(const char *path, unsigned how, uint64_t set, uint64_t clear)
{
    enum { MOUNT_SETATTR = 442 };
    const struct {
        uint64_t set, clear, propagation, user;
    } to = {.set = set, .clear = clear};
    return (int)syscall(MOUNT_SETATTR, AT_FDCWD, path, how, &to, sizeof to);
}

static void change_root(const char *root, const char *writable)
{
    enum { READ_ONLY = 1, NO_SETUID = 2, RECURSIVE = 0x8000 };
    if (chdir(root) != 0 || set_mount(".", RECURSIVE, READ_ONLY | NO_SETUID, 0) != 0 ||
        (writable && set_mount(writable + 1, 0, 0, READ_ONLY) != 0))
        fail("set what can be written in", root);
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0)
        fail("change the root to", root);
    for (unsigned long right = 0; prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0;)
        right++; /* what root executes gets none of them */
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: enter KIND USER FOLDER ROOT COMMAND...\n");
        return SANDBOX_FAILED + 1;
    }
    const bool is_program = strcmp(argv[1], "program") == 0;
    const unsigned user = (unsigned)strtoul(argv[2], NULL, 10);
    const char *const folder = argv[3], *const root = argv[4];
    if (strcmp(root, "/") != 0)
        change_root(root, is_program ? NULL : folder);
    if (user && (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0))
        fail("become user", argv[2]);
    umask(077);
    if (chdir(folder) != 0)
        fail("enter", folder);
    if (is_program)
        filter_set(true); /* without one child.c says so */
    execvp(argv[5], argv + 5);
    fail("start", argv[5]);
}
