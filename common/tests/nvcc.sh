#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nvcc.sh - every lesson and variant compiles without a warning for three generations of GPUs.
# Last line: N passed, N failed. Without nvcc it says so and passes nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" >/dev/null; then
    echo "skip nvcc: '$nvcc' was not found"
    echo '0 passed, 0 failed'
    exit 0
fi
passed=0
failed=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for file in [0-9][0-9]_*/kernel.cu [0-9][0-9]_*/variants/*.cu; do
    [ -f "$file" ] || continue
    for arch in 75 80 90; do
        "$nvcc" -std=c++20 -arch="sm_$arch" -Icommon -c "$file" -o "$out/$arch.o" \
            >"$out/$arch.log" 2>&1 &
    done
    wait
    for arch in 75 80 90; do
        if [ -f "$out/$arch.o" ] && [ ! -s "$out/$arch.log" ]; then
            echo "ok   nvcc sm_$arch: $file"
            passed=$((passed + 1))
        else
            echo "FAIL nvcc sm_$arch: $file"
            sed 's/^/    /' "$out/$arch.log"
            failed=$((failed + 1))
        fi
        rm -f "$out/$arch.o"
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
