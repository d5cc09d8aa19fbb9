#!/bin/sh
# SPDX-License-Identifier: MIT
#
# host.sh - the exercise on host code: correct ways to write it get all points, each mistake loses
# the points of its test, and its calls reach nothing else and are useless in other exercises.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Without FULL=1 some of each kind. Last line:
# N passed, N failed.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
group='host code: '

frame() { # its stdin is the run() of a file
    cat <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void scale(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { d_out[i] = 2.0f * d_in[i] + 1.0f; }
}
#define TRY(call) if ((error = (call)) != cudaSuccess) { goto end; }
#define BLOCKS (unsigned)((n + 127) / 128)
END
    cat
    cat <<'END'
extern "C" cudaError_t solve(const void *const *h_in, void *const *h_out, const size_t *size,
                             void *, size_t *, cudaStream_t)
{
    return run((const float *)h_in[0], (float *)h_out[0], size[0]);
}
END
}

# Grades the run() of stdin. LOST are the failed tests, with `_` for spaces.
gets() { # NAME POINTS LOST... [-- MESSAGE]
    name=$1 points=$2
    shift 2
    case ${FULL:-}:$name in
    1:* | :goto | :one\ is* | :the\ launch* | :copies\ from* | :takes\ all* | :no\ kernel) ;;
    *) cat >/dev/null; return ;; # with FULL=1
    esac
    frame >"$tmp/my.cu"
    run "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" --seconds 2 \
        --seed 3 "host=$tmp/my.cu"
    seen=$(sed -n 's/^\([0-9.]*\) of [0-9.]* points;.*/\1/p' "$tmp/out")
    want "$seen points, expected $points" [ "$seen" = "$points" ]
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        want "passed: $1" holds out "^FAILED .*$(echo "$1" | tr _ ' ')\$"
        shift
    done
    [ $# -lt 2 ] || want "not reported: $2" grep -qF "$2" "$tmp/out"
    verdict "$name"
}

# The usual way, with places for an edit.
usual() { # SED
    sed -e "${1:-}" <<'END'
extern "C" cudaError_t run(const float *h_in, float *h_out, size_t n)
{
    cudaError_t error = cudaSuccess;
    const size_t bytes = n * sizeof(float);
    float *d_in = NULL, *d_out = NULL;
    if (n == 0) { return cudaSuccess; }
    TRY(cudaMalloc(&d_in, bytes));
    TRY(cudaMalloc(&d_out, bytes));
    TRY(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    scale<<<BLOCKS, 128>>>(d_in, d_out, n);
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());
    TRY(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
end:
    cudaFree(d_in);
    cudaFree(d_out);
    return error;
}
END
}

# ---- right ----

usual '' | gets 'goto' 100
usual 's/cudaGetLastError/cudaPeekAtLastError/; /Synchronize/d' | gets 'peek, no wait' 100
usual 's/cudaMemcpy[HD][a-zA-Z]*/cudaMemcpyDefault/' | gets 'the default direction' 100
usual '/^end:/s/$/ if (error) { fprintf(stderr, "%s\\n", cudaGetErrorString(error)); }/' |
    gets 'a message' 100
usual 's/TRY(cudaMalloc(&d_out, bytes))/cudaMalloc(\&d_out, bytes); TRY(cudaGetLastError())/' |
    gets 'asks for the last error' 100
usual 's/^    TRY(cudaMalloc(&d_in/    int n0 = 0, driver = 0, runtime = 0;\
    size_t free_bytes = 0, total = 0;\
    TRY(cudaSetDevice(0));\
    TRY(cudaGetDeviceCount(\&n0));\
    TRY(cudaDriverGetVersion(\&driver));\
    TRY(cudaRuntimeGetVersion(\&runtime));\
    TRY(cudaMemGetInfo(\&free_bytes, \&total));\
    if (n0 < 1 || driver < runtime || free_bytes < bytes) { error = cudaErrorUnknown; goto end; }\
&/; s/const size_t bytes/size_t bytes/' | gets 'asks about the device' 100
usual 's/TRY(cudaMalloc(&d_in, bytes))/error = cudaMalloc(\&d_in, bytes)/
s/TRY(cudaMalloc(&d_out, bytes))/const cudaError_t second = cudaMalloc(\&d_out, bytes);\
    if (!error) { error = second; } if (error) { goto end; }/
s/TRY(cudaMemcpy(d_in.*/{ &/; s/d_out, n);$/& }/
' | gets 'both allocations, then their errors' 100
gets 'one allocation, and a destructor' 100 <<'END'
struct buffer {
    float *d = NULL;
    ~buffer() { cudaFree(d); }
};
extern "C" cudaError_t run(const float *h_in, float *h_out, size_t n)
{
    buffer b;
    const size_t bytes = n * sizeof(float);
    if (n == 0) return cudaSuccess;
    if (cudaError_t e = cudaMalloc((void **)&b.d, 2 * bytes)) return e;
    if (cudaError_t e = cudaMemcpy(b.d, h_in, bytes, cudaMemcpyHostToDevice)) return e;
    scale<<<BLOCKS, 128>>>(b.d, b.d + n, n);
    if (cudaError_t e = cudaGetLastError()) return e;
    return cudaMemcpy(h_out, b.d + n, bytes, cudaMemcpyDeviceToHost);
}
END

# ---- one mistake each ----

usual '/cudaFree(d_out)/d' | gets 'one is not freed' 65 all_is_freed freed_after_errors \
    -- '1 allocation is not freed'
usual 's/TRY(cudaGetLastError());//' | gets 'the launch is not checked' 60 no_error_is_lost \
    freed_after_errors -- 'a launch fails, but run() does not return'
usual 's/TRY(\(cudaMemcpy(h_out.*)\));/\1;/' | gets 'the copy back is not checked' 60 \
    no_error_is_lost -- 'a cudaMemcpy fails, but run() does not return'
usual 's/^    cudaFree(d_in)/    error = cudaFree(d_in)/' | gets 'the error is overwritten' 60 \
    no_error_is_lost
usual '/^end:/s/$/ if (error) { error = cudaErrorUnknown; }/' | gets 'another error' 60 \
    no_error_is_lost
usual 's/TRY(cudaMalloc(&d_out.*/if ((error = cudaMalloc(\&d_out, bytes))) { return error; }/' |
    gets 'a return in the middle' 80 freed_after_errors \
        -- 'a cudaMalloc fails, and memory stays allocated'
usual '/n == 0/d; s/128>>>/2048>>>/' | gets 'blocks too large' 0 any_n nothing
usual 's/BLOCKS/(unsigned)(n \/ 128)/' | gets 'rounded down' 10 one_block any_n
usual 's/cudaMalloc(&d_out, bytes)/cudaMalloc(\&d_out, bytes \/ 2)/' |
    gets 'too little memory' 10 one_block any_n no_fault

usual 's/^    cudaFree(d_out)/&; cudaFree(d_in)/' | gets 'freed twice' 10 one_block any_n no_fault \
    -- 'was freed already'
usual '/^end:/s/$/ if (error) { cudaFree(d_in); }/' | gets 'freed twice after an error' 55 \
    no_fault no_error_is_lost freed_after_errors -- 'was freed already'
usual 's/^    cudaFree(d_out)/&; cudaFree(d_in); cudaGetLastError()/' |
    gets 'freed twice, unseen' 55 no_fault no_error_is_lost freed_after_errors

usual 's/cudaError_t error/float *volatile h_8 = new float[8]; delete[] h_8; &/' |
    gets 'memory of the host' 0 -- 'no further host memory'

usual 's/TRY(cudaMalloc(&d_out, bytes))/if (cudaMalloc(\&d_out, bytes)) { & }/' |
    gets 'one is made again' 60 no_error_is_lost -- 'a cudaMalloc fails, but run() does not return'
usual 's/if (n == 0).*/& cudaMalloc(\&d_in, 64); cudaFree(d_in); d_in = NULL;/' |
    gets 'one more call, its error ignored' 60 no_error_is_lost freed_after_errors
usual 's/^    cudaFree(d_in)/    cudaMemcpy(h_out, h_in, bytes, cudaMemcpyHostToHost);&/' |
    gets 'a call fails each time' 10 one_block \
        -- 'a cudaMemcpy fails, but run() returns cudaSuccess'

# ---- reaching elsewhere ----

usual 's/d_in, h_in, bytes, cudaM/d_in, (const char *)h_in - 4096, bytes, cudaM/' |
    gets 'copies what is in front of the input' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/d_in, h_in, bytes, cudaM/d_in, (const void *)\&run, bytes, cudaM/' |
    gets 'copies from anywhere' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/TRY(cudaMemcpy(h_out, d_out/TRY(cudaMemcpy((char *)h_out + 4096, d_out/' |
    gets 'copies past the output' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/TRY(cudaMemcpy(h_out, d_out/TRY(cudaMemcpy((void *)\&run, d_out/' |
    gets 'copies to anywhere' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/TRY(cudaMalloc(&d_in.*/for (size_t i = 0; i < n; i++) h_out[i] = 2 * h_in[i] + 1;/' |
    gets 'the host computes' 10 one_block
usual 's/TRY(cudaMalloc(&d_in/while (cudaMalloc(\&d_in, 1 << 28) == cudaSuccess); &/' |
    gets 'takes all memory' 10 one_block # it is refused, and cudaGetLastError() reports it
usual 's/^    TRY(cudaMalloc(&d_in/    TRY(cudaMemGetInfo((size_t *)h_out, (size_t *)h_out));&/' |
    gets 'an answer that is stored elsewhere' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/cudaMalloc(&d_in/cudaMalloc((float **)h_out/' |
    gets 'an address that is no variable' 10 one_block -- 'cudaErrorInvalidValue'
usual 's/cudaFree(d_in)/cudaFree(h_out)/' | gets 'frees what is not its own' 10 one_block \
    -- 'it is host memory'
usual 's/scale<<<.*/(void)0;/' | gets 'no kernel' 10 one_block any_n

# In another exercise these calls do nothing.
sed 's/^extern "C" cudaError_t solve/extern "C" cudaError_t run(void *d)\
{ return cudaMalloc(\&d, 4); }\
&/; s/    return launch(/    void *d = NULL;\
    if (cudaError_t e = cudaMalloc(\&d, 4)) return e;\
&/' 01_naive/exercise/solution.cu >"$tmp/my.cu"
run "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" "01=$tmp/my.cu"
want 'it allocates' names out 'solve() returned cudaErrorNotPermitted'
want 'it has points' names out '0 of 100 points'
verdict 'in another exercise'

finish
