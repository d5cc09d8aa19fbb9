#!/bin/sh
# SPDX-License-Identifier: MIT
#
# simtcc.sh - simtcc as a tool: several files, kinds of files, options of nvcc, dependency files.
#
# Group: simt
# Suite: simtcc
# shellcheck disable=SC2016,SC2317
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
dir=$WORK/simtcc
rm -rf "$dir"
mkdir -p "$dir/include"
cd "$dir" || exit 1
# Headers are not worth precompiling for one file of its options: here they cannot be kept.
mkdir whole
ln -s "$SIMT_BUILD"/lib*.a "$SIMT_BUILD/driver" whole/
: >whole/heads
whole() { SIMT_BUILD=$dir/whole "$@"; }

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
# The calls of each file are looked up in a table of its own (driver/sides.c).
printf '#include <vector>\nint size() { return (int)std::vector<int>(3).size(); }\n' >vector.cu
echo 'struct box { int n; int operator()() const { return n; } };
__global__ void k(box b, int *p) { *p = b(); }' >box.cu
run "$simtcc" -c vector.cu box.cu
is_clang || want 'the second file is not refused' \
    holds err '^box.cu:2: simtcc: box::operator\(\)\(\) '
verdict 'calls of two files'
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
: >stage/opt/simt/lib/simt/heads # as in whole/
check 'the installed one, elsewhere' env -u SIMT_BUILD stage/opt/simt/bin/simtcc \
    'two words/a kernel.cu' -o installed
# shellcheck disable=SC2016 # as above
check '--version' sh -c 'env -u SIMT_BUILD "$0" --version | grep -q "^simtcc [0-9.]*, .*CUDA"' \
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

check 'options of nvcc' whole "$simtcc" -std c++17 -O3 -g -G -lineinfo -arch=sm_90 -arch sm_90 \
    -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 --use_fast_math \
    --expt-relaxed-constexpr --extended-lambda -rdc=true -maxrregcount 32 -Xptxas -v,-O3 \
    -Xcompiler -Wall,-Wextra -Xlinker --no-undefined --std=c++17 -ccbin g++ -m64 \
    -diag-suppress 177 \
    -Iinclude $define main.cu cuda.o plain_cpp.o plain_c.o -o options
check 'and it runs' ./options
# With their values in words of their own; what CMake and makefiles give too.
echo '-DFOUR=0 -I "include"' >more.rsp
run whole "$simtcc" -std=c++11 -Werror all-warnings -Werror reorder,deprecated-declarations \
    -rdc true --fmad false --maxrregcount 32 -O 3 -Xcompiler '-Wall -Wextra' -Xnvlink x \
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
check '-shared' whole "$simtcc" -shared -Xcompiler -fPIC -Iinclude cuda.cu plain_cpp.o plain_c.o \
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
    check 'CMake configures' whole cmake -S cmake -B cmake/build \
        -DCMAKE_TOOLCHAIN_FILE="${simtcc%/simtcc}/simtcc.cmake"
    # CPATH comes before its -isystem
    check 'and builds' whole env -u CPATH cmake --build cmake/build
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
"$simtcc" -v -c typo.cu -o typo.o >typo.said 2>&1
says() { grep -qxF -e "$1" typo.said; }
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
finish
