#!/bin/sh
# SPDX-License-Identifier: MIT
#
# found.sh - the patterns of FOUND.md: the mistake in each program of that page is found, as its
# first line says.
#
# Group: simt
# Suite: found
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh

awk -v folder="$tmp" '/^## / { name = tolower(substr($0, 4)); gsub(/[^a-z]+/, "_", name) }
    /^```/ { inside = $0 == "```cuda"; next }
    inside { print >(folder "/" name ".cu") }' common/simt/FOUND.md
want 'the page has fewer than 5' [ "$(find "$tmp" -name '*.cu' | wc -l)" -ge 5 ]
verdict 'the programs'
for file in "$tmp"/*.cu; do
    found=$(sed -n 's,^// Found: ,,p' "$file")
    run common/simt/simtcc "$file" -o "$tmp/program"
    want 'it does not compile' [ "$status" -eq 0 ]
    run "$tmp/program"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    want "it is not found: $found" names err "${found:?}"
    verdict "$(basename "$file" .cu)"
done
finish
