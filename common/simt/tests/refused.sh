#!/bin/sh
# SPDX-License-Identifier: MIT
#
# refused.sh - what simtcc refuses:
#   refused/*.cu      `// REFUSED name` must be refused by that name at the lines marked HERE. If
#                     the compiler does not know a name, it may be misspelt: the message says both.
#   refused/nvcc.txt  what nvcc refuses as well: a sentence each, `// SAYS`. Without FULL=1 every
#                     eighth of them. `// SAYS, g++:` if clang does not know
#
# Group: simt
# Suite: refused
set -u
cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh

# One line for each HERE, and all of them say what is refused.
refuses() { # FILE
    name=$(sed -n 's|^// REFUSED ||p' "$1")
    run "$simtcc" -c "$1" -o "$tmp/refused.o"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    grep -F ": simtcc: $name is " "$tmp/err" >"$tmp/line"
    want "it does not say that $name is outside" \
        holds line ' outside the subset.* \(see common/simt/README.md\)$'
    want 'it names other lines than those marked HERE' [ "$(grep -n HERE "$1" | cut -d: -f1)" = \
        "$(sed 's/.*\.cu:\([0-9]*\): simtcc: .*/\1/' "$tmp/err")" ]
    verdict "$(basename "$1" .cu)"
}

# One message, at the line marked HERE, and nothing more below it.
says() { # FILE
    text=$(sed -n 's|^// SAYS\(, g++:\)\{0,1\} ||p' "$1")
    ! is_clang || ! grep -q '^// SAYS, g++' "$1" || return
    line=$(grep -n HERE "$1" | cut -d: -f1)
    run "$simtcc" -c "$1" -o "$tmp/refused.o"
    want "exit $status, expected 1" [ "$status" -eq 1 ]
    head -n 1 "$tmp/err" >"$tmp/line"
    want "it does not say, of line $line: $text" names line "$1:$line: simtcc: $text"
    want 'it says more than 5 lines' [ "$(wc -l <"$tmp/err")" -le 5 ]
    verdict "mistake $(basename "$1" .cu): $text"
}

for file in common/simt/tests/refused/*.cu; do
    refuses "$file"
done
awk -v dir="$tmp" -v every="${FULL:+1}" '
    /^\/\/ SAYS/ { file = sprintf("%s/%02d.cu", dir, ++n) }
    file && n % (every ? every : 8) == 0 { print >file }' common/simt/tests/refused/nvcc.txt
for file in "$tmp"/*.cu; do
    says "$file"
done
finish
