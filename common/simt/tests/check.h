/* SPDX-License-Identifier: MIT */
/*
 * check.h - what every test program needs: exit with status 2 at the first failure; and cases, of
 * which a program runs those with a given name.
 */
#ifndef SIMT_CHECK_H
#define SIMT_CHECK_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t check_error = (call);                                                    \
        if (check_error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(check_error));                                              \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

/* Element i of device memory, when all work is done. */
template <typename T>
T at(const T *d_data, size_t i)
{
    T value;
    CHECK(cudaMemcpy(&value, d_data + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

/* n elements of managed memory, or none, all 0; they are freed at the end of the program. */
template <typename T>
T *managed(size_t n)
{
    T *p;
    CHECK(cudaMallocManaged(&p, (n + 1) * sizeof(T)));
    memset((void *)p, 0, n * sizeof(T));
    return p;
}

/* A launch with clusters, and one that may start while the previous one runs. */
struct launch_config : cudaLaunchConfig_t {
    cudaLaunchAttribute attributes[2];
    launch_config(dim3 grid, dim3 block, dim3 cluster, bool early = false)
        : cudaLaunchConfig_t(), attributes()
    {
        gridDim = grid;
        blockDim = block;
        attributes[0].id = cudaLaunchAttributeClusterDimension;
        attributes[0].val.clusterDim.x = cluster.x;
        attributes[0].val.clusterDim.y = cluster.y;
        attributes[0].val.clusterDim.z = cluster.z;
        attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[1].val.programmaticStreamSerializationAllowed = early;
        attrs = attributes;
        numAttrs = 2;
    }
};

/* Each case adds itself to a list when the program starts. */
struct test_case {
    static inline const test_case *all;
    const char *name;
    void (*run)();
    const test_case *next;
    test_case(const char *its_name, void (*its_run)()) : name(its_name), run(its_run), next(all)
    {
        all = this;
    }
};

#define CASE(name)                                                                                 \
    static void name();                                                                            \
    static const test_case case_##name(#name, name);                                               \
    static void name()

/* A kernel whose case is calls that launch it, as `kernel`. */
#define KERNEL_CASE(what, name, parameters, ...)                                                   \
    __global__ void name parameters;                                                               \
    static void run_##name()                                                                       \
    {                                                                                              \
        const auto kernel = name;                                                                  \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static const test_case case_##name(what, run_##name);                                          \
    __global__ void name parameters

inline void run_cases(const char *name)
{
    bool any = false;
    for (const test_case *c = test_case::all; c; c = c->next)
        if (name && strcmp(c->name, name) == 0) {
            any = true;
            c->run();
        }
    EXPECT(any);
}

#endif
