#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - build and run the unit tests of the harness under AddressSanitizer and UBSan.
# Each test_NAME.c is one program. Last line: N passed, N failed.
#   CC    the compiler (cc)        SANITIZE    its options, empty for none
set -u
cd "$(dirname "$0")" || exit 1
cc=${CC:-cc}
sanitize=${SANITIZE--fsanitize=address,undefined -fno-sanitize-recover=all}
flags="-std=c11 -g -O1 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -DSIMT=1"
include="-I../.. -I../../harness -I../../simt/include"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

objects=
for file in ../../harness/*.c cuda_stub.c steps.c; do
    name=$(basename "$file" .c)
    [ "$name" = main ] && continue
    # shellcheck disable=SC2086 # the options are words
    $cc $flags $sanitize $include -c "$file" -o "$out/$name.o" || exit 1
    objects="$objects $out/$name.o"
done

for file in test_*.c; do
    name=$(basename "$file" .c)
    # shellcheck disable=SC2086
    $cc $flags $sanitize $include "$file" $objects -o "$out/$name" -lm || exit 1
    "$out/$name" >"$out/$name.log" 2>"$out/$name.err"
    code=$?
    sed -E "s/^(ok +|FAIL )/&${name#test_}: /" "$out/$name.log"
    # A crash, or a sanitizer's report, is a failure of the whole program.
    if [ $code -ne 0 ] && ! grep -q '^FAIL' "$out/$name.log"; then
        echo "FAIL ${name#test_}: exit code $code" | tee -a "$out/$name.log"
        cat "$out/$name.err"
    fi
    cat "$out/$name.log" >>"$out/all"
done
passed=$(grep -c '^ok' "$out/all")
failed=$(grep -c '^FAIL' "$out/all")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
