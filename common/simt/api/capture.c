/* SPDX-License-Identifier: MIT */
/*
 * capture.c - while a stream is captured, its work is recorded, not executed. The recorded work can
 * then be executed any number of times, with the same arguments each time.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct piece {
    struct piece *next;
    struct call at;
    work_fn act;
    _Alignas(16) char args[];
};
struct kept_work {
    struct piece *first, **end;
    unsigned owners;
};

/* One stream at a time. */
static struct {
    struct kept_work *work; /* NULL: no stream is captured */
    cudaStream_t stream;
    bool broken; /* a call was made that cannot be recorded */
} capture;

bool capture_begin(cudaStream_t stream)
{
    struct kept_work *work = capture.work ? NULL : calloc(1, sizeof *work);
    if (!work)
        return false;
    work->end = &work->first;
    work->owners = 1;
    capture.work = work;
    capture.stream = stream;
    capture.broken = false;
    return true;
}

struct kept_work *capture_end(void)
{
    struct kept_work *work = capture.work;
    capture.work = NULL;
    if (!capture.broken)
        return work;
    kept_drop(work);
    return NULL;
}

bool capture_has(cudaStream_t stream)
{
    return capture.work && stream == capture.stream;
}

bool capture_is_broken(void)
{
    return capture.broken;
}

void capture_breaks(void)
{
    capture.broken = true;
}

bool capture_takes(struct call at, cudaStream_t stream, work_fn act, const void *args, size_t bytes,
                   cudaError_t *result)
{
    if (!capture_has(stream))
        return false;
    struct piece *p = malloc(sizeof *p + bytes);
    *result = p ? call_done() : cudaErrorMemoryAllocation;
    if (!p)
        return true;
    *p = (struct piece){.at = at, .act = act};
    memcpy(p->args, args, bytes);
    *capture.work->end = p;
    capture.work->end = &p->next;
    return true;
}

struct kept_work *kept_share(struct kept_work *work)
{
    work->owners++;
    return work;
}

void kept_drop(struct kept_work *work)
{
    if (--work->owners > 0)
        return;
    for (struct piece *p = work->first, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(work);
}

cudaError_t kept_do(const struct kept_work *work, cudaStream_t stream)
{
    cudaError_t error = call_done();
    for (const struct piece *p = work->first; p && error == cudaSuccess; p = p->next)
        error = p->act(p->at, stream, p->args);
    return error;
}
