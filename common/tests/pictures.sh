#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pictures.sh - the pictures of the lessons are what the kernels do today: all are drawn anew, from
# new traces, and compared; each stands on a page, with a text for those who cannot see it. Called
# by run.sh, on the cpu. BUILD is build/cpu of the course. Last line: N passed, N failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
. common/tests/check.sh
group='pictures: '
mkdir "$tmp/drawn"

check 'all are drawn' sh common/pages/pictures/pictures.sh "$tmp/drawn"
for picture in $(cd "$tmp/drawn" && find . -name '*.svg' | sed 's,^\./,,' | sort); do
    run cmp "$tmp/drawn/$picture" "$picture"
    want 'it is not what the kernel does; draw it by make pictures' [ "$status" -eq 0 ]
    want 'no page shows it' grep -qE "\]\((\.\./${picture%/*}/)?${picture##*/}\)" [0-9]*_*/README.md
    want 'it has no alt text' grep -q '<desc id="says">[^<]' "$picture"
    want 'it is wider than 700' grep -q '<svg [^>]*viewBox="0 0 700 ' "$picture"
    want 'it is not for dark screens' grep -q 'prefers-color-scheme: dark' "$picture"
    verdict "$picture"
done
equal 'all that are not of results are drawn here' \
    "$(find [0-9]* -name '*.svg' ! -name figure.svg | sort)" \
    "$(cd "$tmp/drawn" && find . -name '*.svg' | sed 's,^\./,,' | sort)"

# A picture follows its trace: that of another kernel is another picture, under the same name.
for kernel in 01_naive 02_no_divergence; do
    SIMT_TRACE=$tmp/$kernel "$BUILD/$kernel" -t f32 -o sum --once -n 256 >/dev/null
    "$BUILD/pages/pictures" warps "a kernel=$tmp/$kernel" >"$tmp/$kernel.svg"
done
want 'two kernels have one picture' sh -c "! cmp -s '$tmp/01_naive.svg' '$tmp/02_no_divergence.svg'"
verdict 'another kernel has another picture'

# What cannot be drawn is refused in a sentence.
refuses() { # WHAT WORDS ARGUMENTS...
    what=$1 words=$2
    shift 2
    run "$BUILD/pages/pictures" "$@"
    want "exit $status" [ "$status" -eq 1 ]
    want 'not one sentence' lines err 1
    want "it does not say: $words" names err "$words"
    want 'it draws all the same' lines out 0
    verdict "$what is refused"
}
head -n 100 "$tmp/01_naive" >"$tmp/cut"
refuses 'a trace that is cut off' "$tmp/cut" warps "a kernel=$tmp/cut"
refuses 'a trace that is not there' "$tmp/none" banks "a kernel=$tmp/none"
refuses 'a trace without shuffles' 'nothing that a picture of shuffles shows' \
    shuffles "a kernel=$tmp/01_naive"
run "$BUILD/pages/pictures" rounds "a kernel=$tmp/01_naive"
want "exit $status" [ "$status" -eq 2 ]
want 'it does not name the kinds' holds err 'KIND is one of warps banks '
verdict 'a kind that is not there is refused'
finish
