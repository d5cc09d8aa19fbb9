/* SPDX-License-Identifier: MIT */
/*
 * confine.h - a process gives up what it does not need, before it runs code that it does not trust.
 */
#ifndef CONFINE_H
#define CONFINE_H

/*
 * From now on this process starts no other one, opens no file and no connection, maps no memory
 * that can be executed, takes at most 512 MiB more than it has, and writes to stdout, stderr and
 * REPLY_FD only. A forbidden system call returns EPERM.
 *
 * Returns the protections that are on, see enum protection in job.h. On a system without seccomp
 * the filter is off, and the limits of confine.c are what remains.
 */
unsigned confine_process(void);

#endif
