#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: try - make try-03: the gaps of every lesson. The file compiles, is reported as wrong with
# the messages of gaps.diff, and is the kernel again when all gaps are filled in; with FULL=1 also
# each gap alone.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='try: '
mkdir -p "$BUILD/try"

gap() { awk -v RS= -v k="$1" 'NR == k' "$lesson/gaps.diff"; } # NUMBER
turned() { awk '/^--- / { next }
    /^-/ { old = old "+" substr($0, 2) "\n" } /^\+/ { print "-" substr($0, 2) }
    /^(!|$)/ { printf "%s", old; old = "" } END { printf "%s", old }'; }
messages() { sed -n 's/^! //p'; } # what is reported

# Runs a wrong file. It has its own folder, where it is compiled once.
reported() { # FILE MESSAGES
    kept=$BUILD/try/${1##*/}
    cmp -s "$1" "$kept" || cp "$1" "$kept"
    run mk run KERNEL="$kept"
    want 'exit 0' [ "$status" -ne 0 ]
    want 'it does not compile' names out 'emulator: results'
    cat "$tmp/out" >>"$tmp/err"
    want "not reported: $2" grep -qF -e "$2" "$tmp/err"
}

for lesson in [0-9]*_*/; do
    lesson=${lesson%/} number=${lesson%%_*}
    try=$tmp/try_$number.cu kernel=$lesson/kernel.cu
    if named=$(grep '^--- ' "$lesson/gaps.diff"); then kernel=${named#--- }; fi
    ends 0 mk "try-$number" TRY="$try"
    want 'stderr is not empty' lines err 0
    want 'the next command is not there' holds out "^make run KERNEL=$try\$"
    want 'a line of more than 80 columns' lacks out '^.{81}'
    want 'not its gaps' [ "$(grep -c '^line [0-9]*  *GAP [0-9]: ' "$tmp/out")" -eq \
        "$(grep -c 'GAP [0-9]: ' "$try")" ]
    gaps=$(grep -c '^+.*GAP [0-9]' "$lesson/gaps.diff")
    want "$gaps gaps" [ -z "${gaps#[12]}" ]
    diff "$kernel" "$try" >"$tmp/diff"
    want 'a line changes without a GAP' [ "$(grep -c '^>' "$tmp/diff")" -eq "$gaps" ]
    want 'they are not numbered 1, 2' [ -z "$(grep -o 'GAP [0-9]*' "$try" | awk '$2 != NR')" ]
    want 'a line of more than 100 columns' [ -z "$(grep -E '^.{101}' "$try")" ]
    turned <"$lesson/gaps.diff" >"$tmp/filled"
    awk -f common/pages/edited.awk "$tmp/filled" "$try" >"$tmp/filled.cu"
    want "filled, it is not $kernel" cmp "$tmp/filled.cu" "$kernel"
    messages <"$lesson/gaps.diff" >"$tmp/messages"
    want 'a gap without a message' [ "$(wc -l <"$tmp/messages")" -eq "$gaps" ]
    reported "$try" "$(cat "$tmp/messages")"
    verdict "$number, all gaps"

    k=0
    while [ -n "${FULL:-}" ] && [ "$k" -lt "$gaps" ]; do
        k=$((k + 1))
        gap $k >"$tmp/gap"
        awk -f common/pages/edited.awk "$tmp/gap" "$kernel" >"$tmp/try_${number}_$k.cu"
        reported "$tmp/try_${number}_$k.cu" "$(messages <"$tmp/gap")"
        verdict "$number, gap $k alone"
    done
done

echo '// mine' >>"$try"
cp "$try" "$tmp/mine"
ends 0 mk "try-$number" TRY="$try"
want 'the file has changed' cmp -s "$try" "$tmp/mine"
want 'it does not say how to start again' holds out "^rm $try && make try-$number\$"
verdict 'a file that is there stays'

# A line that kernel.cu no longer has, or has twice.
mkdir -p "$tmp/course/common/pages" "$tmp/course/01_naive"
cp common/pages/try.sh common/pages/edited.awk "$tmp/course/common/pages/"
cp common/wrap.awk "$tmp/course/common/"
cp 01_naive/kernel.cu "$tmp/course/01_naive/"
echo '-    __syncthreads();' >"$tmp/course/01_naive/gaps.diff"
run sh "$tmp/course/common/pages/try.sh" 01
want 'exit 0' [ "$status" -ne 0 ]
want 'the line is missing' names err 'found 0 times in 01_naive/kernel.cu:     __syncthreads();'
want 'a file is left' [ -z "$(find "$tmp/course" -name 'try_*')" ]
verdict 'a line that is not there'
rm "$tmp/course/01_naive/gaps.diff"
ends 2 sh "$tmp/course/common/pages/try.sh" 01
want 'not reported' names err 'this lesson has no gaps'
verdict 'a lesson without gaps'

finish
