/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdint.h>

#include <cuda_runtime_api.h>

#include "simt/include/simt/inspect.h"

enum { MOST_ALLOCATIONS = 64, SPARE_BYTES = 1 << 20 };

struct piece {
    char *at;
    size_t bytes;
};
static struct piece in, out, allocated[MOST_ALLOCATIONS];
static size_t taken, most; /* bytes */
static bool (*own)(const void *p, size_t bytes);

/* Of this run. */
static unsigned calls, fails_at;
static uint64_t launches;
static cudaError_t last_error, failed_with;
static const char *failed; /* the first call that has reported an error, or the failed launch */
static bool goes_on;

void host_begin(const void *h_in, size_t in_bytes, void *h_out, size_t out_bytes,
                bool (*is_own)(const void *p, size_t bytes))
{
    in = (struct piece){(char *)(uintptr_t)h_in, in_bytes};
    out = (struct piece){h_out, out_bytes};
    most = 4 * (in_bytes + out_bytes) + SPARE_BYTES;
    own = is_own;
}

void host_run(unsigned failing)
{
    calls = 0;
    fails_at = failing;
    launches = simt_counted("launches");
    last_error = cudaSuccess;
    failed = NULL;
    goes_on = false;
}

const char *host_failed(cudaError_t *error, bool *and_goes_on)
{
    *error = failed ? failed_with : cudaSuccess;
    *and_goes_on = goes_on;
    return failed;
}

/* The error of a call, for cudaGetLastError() as well. */
static cudaError_t report(const char *name, cudaError_t error)
{
    if (!failed) {
        failed = name;
        failed_with = error;
    }
    return last_error = error;
}

/* A call that can fail. If it must, this is its error. */
static cudaError_t planted(const char *name, cudaError_t error)
{
    return ++calls == fails_at ? report(name, error) : cudaSuccess;
}

static const char launch[] = "launch";

/* A copy or a launch. After a call that has reported its error there must be none; a failed launch
 * reports its error only later. */
static void note_work(void)
{
    goes_on = goes_on || (failed && failed != launch);
}

/* Launches since the last call. */
static void look_for_launches(void)
{
    for (; launches < simt_counted("launches"); launches++) {
        note_work();
        planted(launch, cudaErrorInvalidConfiguration);
    }
}

unsigned host_ended(unsigned *leaks)
{
    look_for_launches();
    *leaks = 0;
    for (struct piece *p = allocated; p < allocated + MOST_ALLOCATIONS; p++)
        if (p->at) {
            ++*leaks;
            cudaFree(p->at);
            *p = (struct piece){0};
        }
    taken = 0;
    return calls;
}

/* ---- replacements for CUDA's ---- */

cudaError_t grade_malloc(void **p, size_t bytes)
{
    struct piece *free_one = allocated;
    if (!own)
        return cudaErrorNotPermitted;
    if (!own(p, sizeof *p))
        return report("cudaMalloc", cudaErrorInvalidValue);
    look_for_launches();
    while (free_one < allocated + MOST_ALLOCATIONS && free_one->at)
        free_one++;
    if (planted("cudaMalloc", cudaErrorMemoryAllocation) != cudaSuccess ||
        free_one == allocated + MOST_ALLOCATIONS || bytes > most - taken)
        return report("cudaMalloc", cudaErrorMemoryAllocation);
    const cudaError_t error = cudaMalloc(p, bytes);
    if (error == cudaSuccess && *p) {
        *free_one = (struct piece){*p, bytes};
        taken += bytes;
    }
    return error;
}

/* It is freed even if CUDA would report an earlier error. Of an address that is not allocated the
 * emulator says so. */
cudaError_t grade_free(void *p)
{
    if (!own)
        return cudaErrorNotPermitted;
    look_for_launches();
    for (struct piece *a = allocated; p && a < allocated + MOST_ALLOCATIONS; a++)
        if (a->at == p) {
            taken -= a->bytes;
            *a = (struct piece){0};
        }
    return cudaFree(p);
}

static bool is_inside(const struct piece *piece, const void *p, size_t bytes)
{
    const size_t at = (size_t)((uintptr_t)p - (uintptr_t)piece->at);
    return piece->at && at <= piece->bytes && bytes <= piece->bytes - at;
}

static bool is_allocated(const void *p, size_t bytes)
{
    for (const struct piece *a = allocated; a < allocated + MOST_ALLOCATIONS; a++)
        if (is_inside(a, p, bytes))
            return true;
    return false;
}

cudaError_t grade_memcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (!own)
        return cudaErrorNotPermitted;
    look_for_launches();
    note_work();
    if (planted("cudaMemcpy", cudaErrorInvalidValue) != cudaSuccess)
        return cudaErrorInvalidValue;
    const bool to_device = is_allocated(to, bytes), from_device = is_allocated(from, bytes);
    const bool fits[] = {
        [cudaMemcpyHostToDevice] = to_device && is_inside(&in, from, bytes),
        [cudaMemcpyDeviceToHost] = from_device && is_inside(&out, to, bytes),
        [cudaMemcpyDeviceToDevice] = to_device && from_device,
        [cudaMemcpyHostToHost] = false,
    };
    for (int k = 0; k < 4; k++)
        if (fits[k] && (kind == (enum cudaMemcpyKind)k || kind == cudaMemcpyDefault))
            return cudaMemcpy(to, from, bytes, (enum cudaMemcpyKind)k);
    return bytes > 0 ? report("cudaMemcpy", cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t grade_synchronize(void)
{
    if (own) {
        look_for_launches();
        if (planted("cudaDeviceSynchronize", cudaErrorLaunchFailure) != cudaSuccess)
            return cudaErrorLaunchFailure;
    }
    return cudaDeviceSynchronize();
}

cudaError_t grade_peek_error(void)
{
    if (own)
        look_for_launches();
    return last_error != cudaSuccess ? last_error : cudaPeekAtLastError();
}

cudaError_t grade_last_error(void)
{
    const cudaError_t error = grade_peek_error();
    last_error = cudaSuccess;
    cudaGetLastError();
    return error;
}
