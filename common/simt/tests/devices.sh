#!/bin/sh
# SPDX-License-Identifier: MIT
#
# devices.sh - what a program on its own shows: how it ends, and on which device it is.
#
# Group: simt
# Suite: devices
# shellcheck disable=SC2016,SC2317
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
dir=$WORK/devices
rm -rf "$dir"
mkdir -p "$dir/include"
cd "$dir" || exit 1

# ---- threads of the host ----

cat >threads.cu <<'END'
#include <cstdio>
#include <thread>
__global__ void kernel() {}
static void work()
{
    kernel<<<1, 32>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
int main(int argc, char **)
{
    std::thread(work).join();
    if (argc > 1)
        work();
}
END
check 'threads of the host' "$simtcc" threads.cu -o threads
check 'one of them calls CUDA' ./threads
run ./threads 2
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'no message' grep -q '^simt: a second host thread calls CUDA' "$tmp/err"
verdict 'two of them do'

# ---- host code that crashes ----

cat >crash.cu <<'END'
#include <cstdlib>
#include <stdexcept>
#include <vector>
int main(int argc, char **argv)
{
    int *volatile p = nullptr;
    if (argc == 1)
        *p = 1;
    cudaMalloc((void **)&p, 64);
    if (argc == 2)
        free(argv);
    if (argc == 3)
        throw std::runtime_error(argv[1]);
    if (argc == 4)
        return std::vector<int>(2).at(2);
}
END
check 'host code that crashes' "$simtcc" crash.cu -o crash
crashes() { # LINE MESSAGE [ARGUMENT...]
    line=$1 said=$2
    shift 2
    run ./crash "$@"
    want "exit $status: no signal" [ "$status" -gt 128 ]
    want 'the line is missing' holds err "^simt: $said in host code at crash.cu:$line$"
    verdict "$said, $# arguments"
}
crashes 8 'access to unmapped memory'
crashes 11 'abort\(\)' free
crashes 13 'abort\(\)' throw it
crashes 15 'abort\(\)' leave a vector

# ---- a block that works for long ----

cat >long.cu <<'END'
__global__ void add(int n, float *x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            x[i] += 1.0f;
}
__global__ void bubble(volatile float *x, int n, int *sorted)
{
    while (!*sorted)
        for (int i = 0; i + 1 < n; i++)
            if (x[i] > x[i + 1])
                x[i] = x[i + 1];
}
int main(int argc, char **)
{
    float *x;
    cudaMalloc(&x, 100 << 20);
    cudaMemset(x, 0, 100 << 20);
    if (argc == 1)
        add<<<1, 1>>>(25 << 20, x);
    else
        bubble<<<1, 1>>>(x + 1, 1 << 20, (int *)x);
    return cudaDeviceSynchronize();
}
END
if [ -n "${FULL:-}" ]; then
    check 'a block that works for long' "$simtcc" long.cu -o long
    check 'it has the time that it takes' ./long
    run ./long sort
    want 'a loop without an end has as much' names err 'simt: no end after'
    verdict 'and one that goes on for ever has not'
fi

# ---- a program that does not wait for its kernel ----

cat >waits.cu <<'END'
#include <cstdio>
template <typename T>
    requires(sizeof(T) == 4)
__global__ void hello(T x)
{
    printf("%s %u: %.1f %5d%%\n", "thread", threadIdx.x, x, -3);
}
int main(int argc, char **)
{
    hello<<<1, 2>>>(0.5f);
    if (argc == 2)
        cudaDeviceSynchronize();
    if (argc == 3)
        cudaDeviceReset();
}
END
check 'a program that prints in a kernel, in C++20' "$simtcc" -std=c++20 waits.cu -o waits
run ./waits
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'no note' holds err '^simt: note: the program ends without waiting .* at waits.cu:10$'
verdict 'and does not wait for it'
run ./waits 1
want 'it is reported' lacks err .
printf 'thread %s: 0.5    -3%%\n' 0 1 >waits.txt
want 'it prints something else' cmp -s "$tmp/out" waits.txt
verdict 'and waits for it'
run ./waits 1 2
want 'it is reported' lacks err .
verdict 'and ends with cudaDeviceReset()'

# ---- devices ----

cat >arch.cu <<'END'
#include <cstdlib>
__global__ void kernel(int *out)
{
#if __CUDA_ARCH__ >= 700
    *out = __CUDA_ARCH__;
#endif
}
int main(int argc, char **argv)
{
    int *d_out, arch, major, minor;
    cudaMalloc(&d_out, sizeof arch);
    kernel<<<1, 1>>>(d_out);
    cudaMemcpy(&arch, d_out, sizeof arch, cudaMemcpyDeviceToHost);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    return (argc > 1 ? atoi(argv[1]) : arch) != 100 * major + 10 * minor;
}
END
check 'a program that asks for __CUDA_ARCH__' "$simtcc" arch.cu -o arch
check 'a kernel sees it' ./arch
devices=$(SIMT_DEVICE=list ./arch 2>&1 | sed -n 's/.* choose one of: //p')
run env SIMT_DEVICE=list "$simtcc" arch.cu
want "it does not list $devices" names err "choose one of: ${devices:-none}"
verdict 'simtcc knows the same devices'
for device in $devices; do
    check "a kernel for $device" env SIMT_DEVICE="$device" "$simtcc" -arch=native -E arch.cu \
        -o arch.ii
    check 'is compiled for what the device is' env SIMT_DEVICE="$device" ./arch \
        "$(sed -n 's/^ *\*out = \([0-9]*\);/\1/p' arch.ii)"
done

# Each number here is what deviceQuery prints on such a GPU, the last four what cuda_occupancy.h of
# the toolkit computes for it.
cat >device.cu <<'END'
#include <cstdio>
#include <cuda/ptx>
__global__ void kernel(unsigned *warps) { *warps = cuda::ptx::get_sreg_nwarpid(); }
int main()
{
    cudaDeviceProp p;
    unsigned *d_warps, warps;
    cudaGetDeviceProperties(&p, 0);
    cudaMalloc(&d_warps, sizeof warps);
    kernel<<<1, 1>>>(d_warps);
    cudaMemcpy(&warps, d_warps, sizeof warps, cudaMemcpyDeviceToHost);
    printf("%s %d.%d %d %d %d %d %.1f", p.name, p.major, p.minor, p.multiProcessorCount,
           p.regsPerMultiprocessor, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor,
           p.l2CacheSize / 1048576.0);
    printf(" %.0f 1:%d", 2.0 * p.memoryClockRate * p.memoryBusWidth / 8 / 1e6,
           p.singleToDoublePrecisionPerfRatio);
    printf(" %d %d %u", (int)p.sharedMemPerMultiprocessor, (int)p.sharedMemPerBlockOptin, warps);
    const int shared[] = {0, 21800, 40000, 45670};
    for (int bytes : shared) {
        int blocks = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, bytes ? 256 : 32, bytes);
        printf(" %d", blocks);
    }
    printf("\n");
}
END
check 'a program about the device' "$simtcc" device.cu -o device
device() { # SIMT_DEVICE TEXT
    equal "the device ${1:-of the default}" "$(SIMT_DEVICE=$1 ./device)" "$2"
}
h200='NVIDIA H200 (simulated) 9.0 132 65536 2048 32 60.0 4814 1:2 233472 232448 64 32 8 5 4'
device '' "$h200"
device h200 "$h200"
device b200 'NVIDIA B200 (simulated)'\
' 10.0 148 65536 2048 32 126.5 7672 1:2 233472 232448 64 32 8 5 4'
device a100 'NVIDIA A100 (simulated) 8.0 108 65536 2048 32 40.0 1555 1:2 167936 166912 64 32 7 4 3'
device rtx5090 'NVIDIA GeForce RTX 5090 (simulated)'\
' 12.0 170 65536 1536 24 96.0 1792 1:64 102400 101376 48 24 4 2 2'
device rtx4090 'NVIDIA GeForce RTX 4090 (simulated)'\
' 8.9 128 65536 1536 24 72.0 1008 1:64 102400 101376 48 24 4 2 2'
device t4 'Tesla T4 (simulated) 7.5 40 65536 1024 16 4.0 320 1:32 65536 65536 32 16 2 1 1'
cat >cluster.cu <<'END'
__device__ int d_word;
__global__ void __cluster_dims__(2) kernel() { d_word = 1; }
int main()
{
    kernel<<<4, 32>>>();
    return cudaGetLastError();
}
END
check 'a program with clusters' "$simtcc" cluster.cu -o cluster
check 'clusters: sm_90 has them' ./cluster
run env SIMT_DEVICE=a100 ./cluster
want "exit $status, expected $((801 % 256))" [ "$status" -eq $((801 % 256)) ]
want 'it does not say since when' holds err 'need sm_90'
verdict 'clusters: older ones do not'
sed 's/dims__(2)/dims__(16)/; s/kernel<<<4/cudaFuncSetAttribute(kernel,\
        cudaFuncAttributeNonPortableClusterSizeAllowed, 1);\
    kernel<<<16/' cluster.cu >large.cu
check 'a program with a cluster of 16' "$simtcc" large.cu -o large
check 'clusters of 16: an H200 has them' ./large
run env SIMT_DEVICE=rtx5090 ./large
want "exit $status, expected $((912 % 256))" [ "$status" -eq $((912 % 256)) ]
want 'it does not say how many there may be' holds err 'a cluster of 16 blocks: at most 8$'
verdict 'clusters of 16: an RTX 5090 has none'
printf '%s\n' '__global__ void early_kernel() { cudaGridDependencySynchronize(); }' \
    'int main() { early_kernel<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >early.cu
run env SIMT_DEVICE=a100 "$simtcc" -arch=native early.cu -o early
want "exit $status, expected 1" [ "$status" -eq 1 ]
want 'it does not name the call and the line' \
    holds err 'early.cu:1: simtcc: cudaGridDependencySynchronize .*outside the subset'
verdict 'early launches: older ones do not'
check 'early launches: the default device does' "$simtcc" early.cu -o early
cat >driver.cu <<'END'
#include <cuda.h>
int main()
{
    CUdeviceptr p = 0;
    if (cuMemAlloc(&p, 4) != CUDA_ERROR_NOT_INITIALIZED)
        return 2;
    return cuInit(0) || cuMemAlloc(&p, 4) || cuMemFree(p) || cudaGetLastError() != 3;
}
END
check 'a program without cuInit()' "$simtcc" driver.cu -o driver
run ./driver
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'it does not say what is missing' holds err '^simt: cuMemAlloc failed at '
want 'nor what to call' holds err 'needs cuInit'
verdict 'the driver: nothing before cuInit()'
check 'an unknown device' sh -c \
    'SIMT_DEVICE=gtx ./device 2>&1 | grep -q "SIMT_DEVICE=gtx is unknown"'
finish
