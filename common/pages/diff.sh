#!/bin/sh
# SPDX-License-Identifier: MIT
#
# diff.sh A B - what lesson B changes in lesson A's kernel. The head comments are left out.
set -eu
cd "$(dirname "$0")/../.."

kernel_of() { # NUMBER, 2 or 02
    case $1 in [0-9]) set -- "0$1" ;; esac
    for file in "$1"_*/kernel.cu; do
        if [ -f "$file" ]; then
            echo "$file"
            return
        fi
    done
    echo "make diff: '$1' is not a step; accepted are" [0-9][0-9]_*/ "by number: A=02 B=03" >&2
    exit 2
}

old=$(kernel_of "${1:-}")
new=$(kernel_of "${2:-}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/$(dirname "$old")" "$dir/$(dirname "$new")"
sed -n '/^#/,$p' "$old" >"$dir/$old"
sed -n '/^#/,$p' "$new" >"$dir/$new"
cd "$dir"
color=
if diff --color=auto /dev/null /dev/null 2>/dev/null; then color=--color=auto; fi
# diff exits 1 where the files differ, which is what we came for.
diff -u $color -L "$old" -L "$new" "$old" "$new" || true
