#!/bin/sh
# SPDX-License-Identifier: MIT
#
# record_barriers.sh - on a machine with a GPU, nvcc and compute-sanitizer: runs each pattern of
# barriers.cu alone and under synccheck, and writes to stdout whether it ended or hung, and what
# synccheck said. It takes three minutes. NVCC, SANITIZER and ARCH choose the tools.
#
#   sh common/simt/calibrate/record_barriers.sh >common/simt/calibrate/barriers.csv
set -eu
cd "$(dirname "$0")/../../.."
. common/measure/results.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

"${NVCC:-nvcc}" -O3 -lineinfo -arch="${ARCH:-native}" common/simt/calibrate/barriers.cu \
    -o "$work/barriers" >&2
measured_by 'sh common/simt/calibrate/record_barriers.sh'
csv_head
echo pattern,plain,synccheck
for name in $("$work/barriers"); do
    plain=ends says=silent
    timeout -k 1 3 "$work/barriers" "$name" >"$work/plain" || plain=hangs
    timeout -k 1 10 "${SANITIZER:-compute-sanitizer}" --tool synccheck "$work/barriers" "$name" \
        >"$work/says" 2>&1 || says=hangs
    found=$(sed -n 's/.*Barrier error detected. \([A-Z].*\)\./\1/p' "$work/says" | sed 1q)
    [ -z "$found" ] || says=$(echo "$found" | tr '[:upper:]' '[:lower:]')
    echo "$name,$plain,$says"
done
