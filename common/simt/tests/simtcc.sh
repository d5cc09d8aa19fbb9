#!/bin/sh
# SPDX-License-Identifier: MIT
#
# simtcc.sh - simtcc as a tool: several files, kinds of files, options of nvcc, dependency files.
# Needs CXX, SIMT_BUILD. Last line: N passed, N failed.
# shellcheck disable=SC2016,SC2317
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
group='simtcc: '
simtcc=$PWD/common/simt/simtcc
dir=$SIMT_BUILD/tests-$(basename "$CXX")/simtcc
rm -rf "$dir"
mkdir -p "$dir/include"
cd "$dir" || exit 1

# ---- the headers that g++ precompiles ----

cat >one.cu <<'END'
#include <algorithm>
__global__ void kernel(float *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = __shfl_xor_sync(0xffffffff, min(p[0], 1.0f), 1);
}
int main()
{
    kernel<<<1, 32>>>(nullptr, 0);
    return cudaDeviceSynchronize();
}
END
sed 's/return/unknown_name(); return/' one.cu >wrong.cu
# A separate SIMT_BUILD; a file where the folder should be: nothing can be kept.
for name in keeps cannot; do
    mkdir $name
    ln -s "$SIMT_BUILD/libsimt.a" "$SIMT_BUILD/driver" $name/
done
: >cannot/heads
object() { SIMT_BUILD=$dir/$1 "$simtcc" -c one.cu -o "$2"; }
kept() { [ "$(find keeps -name '*.gch' | wc -l)" -eq $((heads * $1)) ]; }
case $("$CXX" --version) in *clang*) heads=0 ;; *) heads=1 ;; esac
printf '#include <%s>\n' cub/cub.cuh cooperative_groups/reduce.h cooperative_groups/memcpy_async.h \
    cuda/atomic cuda/barrier cuda/pipeline cuda/ptx >named.cu
check 'macros with names of a program' "$simtcc" -DN=9 -DM=8 -DTHREADS=64 -DBLOCK_THREADS=64 \
    -DCOUNT=3 -DITEMS=4 -DLANES=32 -DBYTES=4 -c named.cu -o named.o
check 'nothing can be kept' object cannot whole.o
check 'a head is kept' object keeps first.o
check 'by g++ alone' kept 1
check 'it is used' object keeps second.o
check 'the same object' cmp whole.o first.o
check 'the same object again' cmp whole.o second.o
check 'and no other head' kept 1
for name in keeps cannot; do
    run env SIMT_BUILD="$dir/$name" "$simtcc" -c wrong.cu -o wrong.o
    mv "$tmp/err" $name.messages
done
check 'the same message' cmp keeps.messages cannot.messages
check 'which names the line' grep -q '^wrong.cu:10:.*unknown_name' keeps.messages
check 'other options' env SIMT_BUILD="$dir/keeps" "$simtcc" -c -G one.cu -o other.o
check 'another head' kept 2

# ---- many at once ----

# Files with different includes, in an empty SIMT_BUILD, and another process that removes everything
# in between. FULL=1: 32 files, or ROUNDS times.
all=6
[ -z "${FULL:-}" ] || all=32
round=0
while [ $round -lt "${ROUNDS:-1}" ]; do
    round=$((round + 1))
    rm -rf at_once && mkdir at_once
    ln -s "$SIMT_BUILD/libsimt.a" "$SIMT_BUILD/driver" at_once/
    i=0
    while [ $i -lt $all ]; do
        i=$((i + 1))
        printf '#include "head%d.h"\n' $i >at_once/$i.cu
        cat one.cu >>at_once/$i.cu
        echo "const int number = $i;" >at_once/head$i.h
        SIMT_BUILD=$dir/at_once "$simtcc" -c at_once/$i.cu -o at_once/$i.o >at_once/$i.said 2>&1 &
    done
    while [ $heads -eq 1 ] && [ -z "$(find at_once -name '*.gch')" ] && kill -0 $! 2>/dev/null; do
        sleep 0.05
    done
    rm -rf at_once/heads
    wait
    cat at_once/*.said >"$tmp/out"
    want 'it says something' lines out 0
    want 'an object is missing' [ "$(find at_once -name '*.o' | wc -l)" -eq $all ]
    verdict "$all files at once, round $round"
done

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

# ---- a program of four files in three languages ----

cat >include/parts.h <<'END'
#ifdef __cplusplus
extern "C"
#endif
int from_c(int x);
int from_cpp(int x);
int from_cuda(int x);
END
cat >main.cu <<'END'
#include "parts.h"
int main(int argc, char **argv)
{
    return from_cuda(1) + from_cpp(1) + from_c(1) == 2 + FOUR + 3 + 4 && argc == 1 && argv ? 0 : 3;
}
END
cat >cuda.cu <<'END'
#include "parts.h"
__device__ int d_value;
__global__ void kernel(int x) { d_value = x + 1; }
int from_cuda(int x)
{
    int value;
    kernel<<<1, 1>>>(x);
    cudaMemcpyFromSymbol(&value, d_value, sizeof value);
    return value;
}
END
cat >plain.cpp <<'END'
#include "parts.h"
#include <cuda_runtime.h>
__host__ __device__ inline int add_two(int x) { return x + 2; }
int from_cpp(int x)
{
    int devices = 0;
    float *p;
    if (cudaGetDeviceCount(&devices) || cudaMalloc(&p, 4) || cudaFree(p)) return -1;
    return add_two(x) + devices - 1;
}
END
cat >plain.c <<'END'
#include "parts.h"
int from_c(int x) { return x + 3; }
END
define='-DFOUR=0'

run "$simtcc" -I include $define main.cu cuda.cu plain.cpp plain.c -o all
want 'it says something' silent
verdict 'four files in one call'
check 'they run' ./all
check 'objects' "$simtcc" -Iinclude -c main.cu cuda.cu -D FOUR=0
check 'two of them' test -s main.o -a -s cuda.o
check 'objects of other languages' "$simtcc" -Iinclude -c plain.cpp plain.c
mv plain.o plain_c.o
check 'one object by its name' "$simtcc" -Iinclude -c plain.cpp -o plain_cpp.o
check 'link' "$simtcc" main.o cuda.o plain_cpp.o plain_c.o -lcudart -lm
check 'the default name' ./a.out
cp cuda.cu cuda_text.inc
check '-x cu' "$simtcc" -x cu -Iinclude -c cuda_text.inc -o text.o
cp plain.c c_text.inc
check '-x c' "$simtcc" -x c -Iinclude -c c_text.inc -o c_text.o
check 'its object' test -s c_text.o

cat >arch.cu <<'END'
__global__ void kernel(int *out)
{
#if __CUDA_ARCH__ >= 700
    *out = __CUDA_ARCH__;
#endif
}
int main()
{
    int *d_out, arch, major, minor;
    cudaMalloc(&d_out, sizeof arch);
    kernel<<<1, 1>>>(d_out);
    cudaMemcpy(&arch, d_out, sizeof arch, cudaMemcpyDeviceToHost);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    return arch != 100 * major + 10 * minor;
}
END
check 'a program that asks for it' "$simtcc" arch.cu -o arch
devices=$(SIMT_DEVICE=list ./arch 2>&1 | sed -n 's/.* choose one of: //p')
run env SIMT_DEVICE=list "$simtcc" arch.cu
want "it does not list $devices" names err "choose one of: ${devices:-none}"
verdict 'simtcc knows the same devices'
for device in $devices; do
    check "__CUDA_ARCH__ of $device" \
        env SIMT_DEVICE="$device" "$simtcc" -arch=native arch.cu -o arch
    check 'a kernel sees it' env SIMT_DEVICE="$device" ./arch
done

mkdir 'two words'
cat >'two words/a kernel.cu' <<'END'
#include <cassert>
__global__ void kernel()
{
    assert(blockIdx.x != 0);
}
int main()
{
    kernel<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaErrorAssert;
}
END
cat >half.cpp <<'END'
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>
int main()
{
    return make_float4(1, 2, 3, 4).y + dim3(3).y != 3;
}
END
check 'a path with blanks' "$simtcc" 'two words/a kernel.cu' -o 'two words/a program'
# shellcheck disable=SC2016 # the inner shell expands it
check 'a message names it' sh -c '"$0" 2>&1 | grep -q "at two words/a kernel.cu:4$"' \
    './two words/a program'
check 'headers of a toolkit in a file of C++' "$simtcc" -Werror half.cpp -lcublas -lcuda -o half
check 'it runs' ./half

# ---- installed ----

check 'make install' make -s -f "${simtcc%/simtcc}/simt.mk" install BUILD="${SIMT_BUILD%/simt}" \
    DESTDIR="$PWD/stage" PREFIX=/opt/simt
check 'the installed one, elsewhere' env -u SIMT_BUILD stage/opt/simt/bin/simtcc \
    'two words/a kernel.cu' -o installed
# shellcheck disable=SC2016 # as above
check '--version' sh -c 'env -u SIMT_BUILD "$0" --version | grep -q "^simtcc: .*CUDA 13.0"' \
    stage/opt/simt/bin/simtcc

# ---- the emulator cannot be built ----

cannot_build() { # SIMT_BUILD TEXT
    run env SIMT_BUILD="$dir/$1" "$simtcc" main.cu -o main
    want "exit $status, expected 2" [ "$status" -eq 2 ]
    want 'it does not say why' holds err "^simtcc: $2"
    want 'there is a folder' [ ! -e "$dir/$1" ]
    verdict "SIMT_BUILD=$1"
}
cannot_build 'no words/simt' 'make cannot handle a path with a space: '
cannot_build elsewhere 'SIMT_BUILD=.*/elsewhere must end in /simt'

# ---- options of nvcc ----

check 'options of nvcc' "$simtcc" -std c++17 -O3 -g -G -lineinfo -arch=sm_90 -arch sm_90 \
    -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 --use_fast_math \
    --expt-relaxed-constexpr --extended-lambda -rdc=true -maxrregcount 32 -Xptxas -v,-O3 \
    -Xcompiler -Wall,-Wextra -Xlinker --no-undefined --std=c++17 -ccbin g++ -m64 \
    -diag-suppress 177 \
    -Iinclude $define main.cu cuda.o plain_cpp.o plain_c.o -o options
check 'and it runs' ./options
# With their values in words of their own; what CMake and makefiles give too.
echo '-DFOUR=0 -I "include"' >more.rsp
run "$simtcc" -std=c++11 -Werror all-warnings -Werror reorder,deprecated-declarations -rdc true \
    --fmad false --maxrregcount 32 -O 3 -Xcompiler '-Wall -Wextra' -Xnvlink x \
    -Xfatbin -compress-all -split-compile=4 --default-stream legacy -diag-error 20 \
    -allow-unsupported-compiler -forward-unknown-to-host-compiler --compiler-bindir g++ -dlto \
    --optf more.rsp --library m --define-macro FIVE=5,SIX=6 \
    main.cu cuda.o plain_cpp.o plain_c.o -o options
want 'it says something' silent
verdict 'options with words of their own'
says_of_option() { # TEXT OPTION...
    text=$1
    shift
    run "$simtcc" "$@" -c cuda.cu -Iinclude -o option.o
    want "it does not say: $text" names err "simtcc: $text"
    want 'it says more' lines err 1
    verdict "the option $*"
}
says_of_option '-ptx is not supported: there is no device code' -ptx
says_of_option '--default-stream is left out' --default-stream per-thread
says_of_option 'the compiler does not know the option -fno-such' -fno-such
says_of_option 'cannot read none.rsp' --options-file none.rsp
run "$simtcc" --dryrun -Iinclude -c cuda.cu -o dry.o
want 'it does not show the commands' [ "$(grep -c '^#\$ .* -c\|^#\$ .* -E' "$tmp/err")" -eq 2 ]
want 'it compiles' [ ! -e dry.o ]
verdict '--dryrun'
check '-dlink' "$simtcc" -dlink main.o cuda.o -o device.o
check 'the compiler links, with -lcudart' "$CXX" main.o cuda.o device.o plain_cpp.o plain_c.o \
    -L"$SIMT_BUILD" -lcudart -o linked
check 'what it has linked' ./linked
check '-shared' "$simtcc" -shared -Xcompiler -fPIC -Iinclude cuda.cu plain_cpp.o plain_c.o \
    -o libparts.so
check 'the compiler links it' "$CXX" main.o -L. -lparts -lparts -o shared
check 'and it runs' ./shared
for script in "$simtcc" ./calls_it; do
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$simtcc" >calls_it && chmod +x calls_it
    run env CXX="$script" CC="$script" timeout -s KILL 60 "$simtcc" -Iinclude -c plain.cpp -o self.o
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'it does not say so' names err 'simtcc: CXX is simtcc itself; c++ is taken'
    verdict "CXX is $(basename "$script")"
done
if command -v cmake >/dev/null; then
    mkdir -p cmake && cp main.cu cuda.cu plain.cpp plain.c include/parts.h cmake/
    cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(parts LANGUAGES C CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(parts SHARED cuda.cu plain.cpp plain.c)
set_target_properties(parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 14)
target_link_libraries(parts PUBLIC CUDA::cudart)
add_executable(one main.cu)
target_compile_definitions(one PRIVATE FOUR=0)
target_link_libraries(one parts)
END
    check 'CMake configures' cmake -S cmake -B cmake/build \
        -DCMAKE_TOOLCHAIN_FILE="${simtcc%/simtcc}/simtcc.cmake"
    check 'and builds' env -u CPATH cmake --build cmake/build # which comes before its -isystem
    check 'a program that runs' cmake/build/one
fi
check '--help' "$simtcc" --help
# shellcheck disable=SC2016 # the inner shell expands it
check 'no file' sh -c '! "$0"' "$simtcc"
# shellcheck disable=SC2016 # as above
check 'a library of CUDA' sh -c \
    '! "$0" main.o -lnccl 2>&1 | grep -v "nccl is outside the subset"' \
    "$simtcc"

# ---- unknown names ----

cat >typo.cu <<'END'
__global__ void kernel()
{
    __syncthread();
}
int main()
{
    return cudaMalloc4D(0);
}
END
says() { # TEXT
    "$simtcc" -v -c typo.cu -o typo.o 2>&1 | grep -qxF -- "$1"
}
check 'a missing letter' says \
    'typo.cu:3: simtcc: __syncthread is not known here; did you mean __syncthreads?'
unknown='is not known here: it is outside the subset, or misspelt (see common/simt/README.md)'
check 'another number is no error of typing' says "typo.cu:7: simtcc: cudaMalloc4D $unknown"

# ---- what nvcc takes, or refuses in other words ----

cat >taken.cu <<'END'
typedef unsigned (*shape)(unsigned);
struct plan { shape shape; };
int main()
{
    return 1 + \ // a comment
        2 - 3;
}
END
check 'a member with the name of its type, a comment after a backslash' \
    "$simtcc" taken.cu -o taken
check 'it runs' ./taken
printf '%s\n' 'template <typename T> void fill(T *p) { curandGenerateUniform(0, 0, 1); *p = 0; }' \
    'int main() {}' >library.cu
run "$simtcc" -c library.cu -o library.o
want 'it does not name it' \
    names err 'library.cu:1: simtcc: curandGenerateUniform is outside the subset'
verdict 'a call of a library in a template'
mkdir -p toolkit/cuda/include/cccl/thrust && : >toolkit/cuda/include/cccl/thrust/sort.h
printf '#include <thrust/sort.h>\nint main() {}\n' >toolkit.cu
run "$simtcc" -Itoolkit/cuda/include/cccl -c toolkit.cu -o toolkit.o
want 'it does not name it as it is included' \
    names err 'toolkit.cu:1: simtcc: <thrust/sort.h> is outside the subset'
verdict 'a header of an installed toolkit'
printf '#include <cuda_runtime.h>\nint main() { kernel<<<1, 1>>>(); }\n' >cuda.cpp
run "$simtcc" -c cuda.cpp -o cuda_cpp.o
want 'it does not name -x cu' names err 'name the file .cu, or compile it with -x cu'
want 'nor the line' names err 'cuda.cpp:2: simtcc: this is CUDA in a file of C or C++'
verdict 'a kernel in a file of C++'

# ---- how long the messages are ----

cat >wrong.cu <<'END'
#include <algorithm>
__global__ void kernel(int *o) { *o = std::min(*o, 3); }
int main() { return missing; }
END
shows() { # LINES-THAT-SAY-ERROR COMMAND...
    count=$1
    shift
    run "$@" -c wrong.cu -o wrong.o
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want 'it has another number of words of the compiler' \
        [ "$(grep -c 'error: .*missing' "$tmp/err")" -eq "$count" ]
    want 'it does not name the cause first' \
        [ "$(sed -n '1s/.*simtcc: \([^ ]*\) .*/\1/p' "$tmp/err")" = missing ]
    verdict "how much is said: $*"
}
printf 'int missing();\nint main() { return missing(); }\n' >half.cu
run "$simtcc" half.cu -o half
want 'it does not name the function' names err 'half.cu:2: simtcc: missing() is declared, but not'
verdict 'a function that is nowhere'
shows 0 "$simtcc" --expt-relaxed-constexpr
shows 1 "$simtcc" --expt-relaxed-constexpr -v
shows 1 env V=1 "$simtcc" --expt-relaxed-constexpr

# ---- dependency files ----

check '-MMD -MF' "$simtcc" -Iinclude $define -c main.cu -o deps.o -MMD -MP -MF deps.mk
check 'names the object and the header' grep -q '^deps.o:.*main.cu' deps.mk
check 'and the phony header' grep -q '^include/parts.h:' deps.mk
check '-MD beside the object' "$simtcc" -Iinclude $define -c main.cu -MD
check 'main.d' grep -q 'parts.h' main.d
check '-MM' sh -c '"$0" -Iinclude -DFOUR=0 -MM main.cu | grep -q "main.o:.*main.cu"' "$simtcc"

# ---- devices ----

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
