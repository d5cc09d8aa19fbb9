#!/bin/sh
# SPDX-License-Identifier: MIT
#
# action.sh - the steps of .github/actions/simtcc on a small project, as a runner does them.
#
# Group: simt
# Suite: action
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
root=$PWD
export RUNNER_TEMP="$tmp/runner" GITHUB_WORKSPACE="$tmp/project"
mkdir -p "$RUNNER_TEMP" "$GITHUB_WORKSPACE"
check 'simtcc is installed' make -s -f common/simt/simt.mk install BUILD="${SIMT_BUILD%/simt}" \
    PREFIX="$RUNNER_TEMP/simtcc"
cd "$GITHUB_WORKSPACE" || exit 1
# shellcheck disable=SC2016 # make expands it
printf 'test: sum\n\t./sum\nsum: sum.cu\n\t$(NVCC) -O3 -arch=sm_80 $< -o $@\n' >Makefile

project() { # BARRIER LAST-LINE-OF-MAIN
    cat >sum.cu <<END
__global__ void reverse(int *d)
{
    __shared__ int s[64];
    s[threadIdx.x] = d[threadIdx.x];
    $1
    d[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    int *d;
    cudaMalloc(&d, 256);
    cudaMemset(d, 0, 256);
    reverse<<<1, 64>>>(d);
    $2
}
END
}
action() { # [COMMANDS]
    rm -f sum
    run env -u SIMT_BUILD sh "$root/.github/actions/simtcc/check.sh" "${1:-make NVCC=simtcc test}"
}

project '__syncthreads();' 'return cudaDeviceSynchronize();'
action
want "exit $status, expected 0" [ "$status" -eq 0 ]
want 'there is an annotation' lacks out '^::'
verdict 'a right program'
project '' 'return cudaDeviceSynchronize();'
action
want 'it does not fail' [ "$status" -ne 0 ]
want 'it does not name file and line' holds out '^::error file=sum.cu,line=[46]::simt: race on s'
want 'it has more than one annotation' [ "$(grep -c '^::' "$tmp/out")" -eq 1 ]
verdict 'a race'
action 'make NVCC=simtcc test || true'
want 'it does not fail' [ "$status" -ne 0 ]
verdict 'a race whose status is lost'
project '__syncthreads();' 'return cudaDeviceSynchronise();'
action
want 'it does not fail' [ "$status" -ne 0 ]
want 'it does not name file and line' holds out '^::error file=sum.cu,line=14::sum.cu:14: simtcc: '
verdict 'a program that does not compile'
project '__syncthreads();' 'return cudaDeviceSynchronize() + 3;'
action
want 'it does not fail' [ "$status" -ne 0 ]
want 'there is an annotation' lacks out '^::'
verdict 'a test of its own that fails'
finish
