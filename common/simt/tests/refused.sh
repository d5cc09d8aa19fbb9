#!/bin/sh
# SPDX-License-Identifier: MIT
#
# refused.sh - what simtcc refuses:
#   refused/outside.txt  `// REFUSED name` must be refused by that name at the lines marked HERE. If
#                        the compiler does not know a name, it may be misspelt: the message says
#                        both.
#   refused/nvcc.txt     what nvcc refuses as well: a sentence each, `// SAYS`. Without FULL=1 every
#                        eighth of them. `// SAYS, g++:` if clang does not know
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
    verdict "$name"
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

# Of the programs in a file, each in a file of its own, every n-th.
cut_out() { # WORD N
    awk -v word="// $1" -v dir="$tmp/$1" -v every="$2" '
        index($0, word) == 1 { file = sprintf("%s_%02d.cu", dir, ++n) }
        file && n % every == 0 { print >file }'
}
cut_out REFUSED 1 <common/simt/tests/refused/outside.txt
for file in "$tmp"/REFUSED_*.cu; do
    refuses "$file"
done
cut_out SAYS "$([ -n "${FULL:-}" ] && echo 1 || echo 8)" <common/simt/tests/refused/nvcc.txt
for file in "$tmp"/SAYS_*.cu; do
    says "$file"
done
finish
