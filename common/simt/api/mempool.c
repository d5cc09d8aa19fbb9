/* SPDX-License-Identifier: MIT */
/*
 * mempool.c - memory pools. A pool is a name and its settings: freed memory is returned at once, so
 * there is nothing to hold.
 */
#include <stdlib.h>

#include "inside.h"

enum { ATTRIBUTES = cudaMemPoolAttrUsedMemHigh + 1 };

struct CUmemPoolHandle_st {
    unsigned long long value[ATTRIBUTES];
};

static struct CUmemPoolHandle_st default_pool = {{0, 1, 1, 1}};
static cudaMemPool_t current = &default_pool;

static cudaError_t no_pool(struct call at)
{
    return call_wrong(at, cudaErrorInvalidValue, "the pool is a null pointer");
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int number)
{
    *pool = &default_pool;
    return number == 0 ? call_done() : no_device(HERE, number);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int number)
{
    *pool = current;
    return number == 0 ? call_done() : no_device(HERE, number);
}

cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool)
{
    if (number != 0)
        return no_device(HERE, number);
    if (!pool)
        return no_pool(HERE);
    current = pool;
    return call_done();
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    if (!pool || !props)
        return call_wrong(HERE, cudaErrorInvalidValue, "a pointer is null");
    if (props->location.type == cudaMemLocationTypeDevice && props->location.id != 0)
        return no_device(HERE, props->location.id);
    if (props->handleTypes != cudaMemHandleTypeNone)
        return call_refused(HERE, cudaErrorNotSupported,
                            "a pool cannot be shared by processes here");
    *pool = malloc(sizeof **pool);
    if (!*pool)
        return call_refused(HERE, cudaErrorMemoryAllocation, "out of host memory");
    **pool = (struct CUmemPoolHandle_st){{0, 1, 1, 1}};
    return call_done();
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (!pool)
        return no_pool(HERE);
    if (pool == &default_pool)
        return call_wrong(HERE, cudaErrorInvalidValue, "the default pool cannot be destroyed");
    current = current == pool ? &default_pool : current;
    free(pool);
    return call_done();
}

static cudaError_t attribute_of(struct call at, cudaMemPool_t pool, enum cudaMemPoolAttr attr)
{
    if (!pool)
        return no_pool(at);
    if ((int)attr < 1 || (int)attr >= ATTRIBUTES)
        return call_wrong(at, cudaErrorInvalidValue, "there is no attribute %d", (int)attr);
    return cudaSuccess;
}

/* The first three are of type int, the others of 64 bits. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    const cudaError_t error = attribute_of(HERE, pool, attr);
    if (error)
        return error;
    pool->value[attr] = attr < cudaMemPoolAttrReleaseThreshold ? (unsigned long long)*(int *)value
                                                               : *(unsigned long long *)value;
    return call_done();
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
    const cudaError_t error = attribute_of(HERE, pool, attr);
    if (error)
        return error;
    if (attr < cudaMemPoolAttrReleaseThreshold)
        *(int *)value = (int)pool->value[attr];
    else
        *(unsigned long long *)value = pool->value[attr];
    return call_done();
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    if (!pool)
        return no_pool(HERE);
    for (size_t i = 0; i < count; i++)
        if (list[i].location.id != 0)
            return no_device(HERE, list[i].location.id);
    return call_done();
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    if (!pool)
        return no_pool(HERE);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return location->id == 0 ? call_done() : no_device(HERE, location->id);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)bytes;
    return pool ? call_done() : no_pool(HERE);
}
