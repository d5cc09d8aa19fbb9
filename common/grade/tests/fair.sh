#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fair.sh - right solutions in other people's styles get all points: each exercise's solution with
# the text of styles.txt, as a Windows editor saves it, and the programs of right.txt.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed. Without FULL=1 the
# styles are tried on two solutions: they are the same text in all.
set -u
cd "${COURSE:?}" || exit 1
. common/tests/check.sh
. common/grade/tests/programs.sh
group='fair: '

# The styles come after the file's own #include lines; solve prints and waits after its launches. A
# byte order mark comes first, then an include guard; lines begin with tabs and end with CR LF.
in_style() { # SOLUTION
    printf '\357\273\277#ifndef __STYLE_CU__\n#define __STYLE_CU__\n'
    awk -v styles=common/grade/tests/styles.txt '
        FNR == NR { if (/^#include/) last = FNR; next }
        /^    return launch\(/ {
            sub(/return launch/, "const cudaError_t result = launch")
            open = 1
        }
        { print }
        FNR == last { while ((getline line < styles) > 0) print line }
        open && /;$/ {
            print "    if (d_work)\n        prints(size, stream);\n    return result;"
            open = 0
        }
        END { print "#endif // __STYLE_CU__" }
    ' "$1" "$1" | sed -e 's/^    /\t/' -e 's/$/\r/'
}

full() { # NAME EXERCISE FILE
    run "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" "$2=$3"
    want 'it does not get 100 points' names out '100 of 100 points'
    verdict "$1"
}

# The page for test authors has the same facts as the code.
printf '#include "common/grade/protect/job.h"\n' | "${CC:-cc}" -E -P -I. -Icommon - |
    sed -n '/job_counters/,/;/p' | grep -o '"[a-z_]*"' | tr -d '"' | sort >"$tmp/known"
# shellcheck disable=SC2016 # backquotes of the page
sed -n '/^Counters that `requires` knows/,/Beside them/p' common/grade/README.md |
    grep -o '`[a-z_]*`' | tr -d '`' | grep -vxE 'requires|in_bytes' | sort >"$tmp/listed"
want 'README.md lacks names of job.h' cmp -s "$tmp/known" "$tmp/listed"
want 'there are none' [ -s "$tmp/known" ]
verdict 'README.md lists the counters'

# Each reserved name that the emulator's headers have for programs is accepted. Clusters are not.
sed -n '/^\[headers\]/,/^assert.h/p' common/grade/protect/accepted.txt | tr ' ' '\n' | grep '\.h$' |
    grep -v 'assert.h' | sed 's/.*/#include <&>/' >"$tmp/headers.cu"
{
    SIMT_BUILD="${GRADE_BUILD%/grade}/simt" common/simt/simtcc -E "$tmp/headers.cu" |
        awk '/^# [0-9]+ "/ { ours = /\/simt\/include\// } ours' |
        grep -oE '__[a-z][A-Za-z0-9_]* ?\('
    sed -n 's/^#define \(__[a-z_]*\).*/\1/p' common/simt/include/simt/device.hpp
} | tr -d ' (' | grep -vE '^__(attribute__|builtin_.*|is_.*|asm__|cluster_dims__)$' |
    sort -u >"$tmp/reserved"
want 'there are none' grep -q __hadd2 "$tmp/reserved"
cp "$tmp/reserved" "$tmp/names.cu"
run sh -c 'cd "$1" && "$2" "$3" names.cu' sh "$tmp" "$GRADE_BUILD/policy" \
    "$COURSE/common/grade/protect/accepted.txt"
want "refused or renamed: $(grep -vxFf "$tmp/reserved" "$tmp/names.cu")" \
    cmp -s "$tmp/reserved" "$tmp/names.cu"
verdict 'accepted.txt has the names of the headers'

for solution in [0-9][0-9]_*/*/solution.cu; do
    case ${FULL:-}$solution in 0[15]_*/exercise/* | ?*0*) ;; *) continue ;; esac
    exercise=${solution%%_*}
    case $solution in
    */capstone/*) exercise=capstone ;;
    */open-*/*)
        [ -n "${FULL:-}" ] || continue
        exercise=$(basename "${solution%/*}")
        ;;
    */host/*) continue ;; # host.sh has its styles
    esac
    in_style "$solution" >"$tmp/$exercise.cu"
    want 'no style is in it' grep -q 'prints(size, stream)' "$tmp/$exercise.cu"
    full "$exercise in another style" "$exercise" "$tmp/$exercise.cu"
done
# Lane 0 stores, and is with the other lanes again when the warp's next row begins.
sed 's/const size_t most = .*/const size_t most = 2;/' 05_*/exercise/solution.cu \
    >"$tmp/two_blocks.cu"
want 'it has all blocks' grep -q 'most = 2;' "$tmp/two_blocks.cu"
full '05 in two blocks' 05 "$tmp/two_blocks.cu"
{ cat 03_*/exercise/solution.cu | tr '\n' '\r'; printf '\032'; } >"$tmp/old.cu"
full '03 with the line ends of an old editor' 03 "$tmp/old.cu"
programs common/grade/tests/right.txt "$tmp" >"$tmp/right"
while read -r exercise name _; do
    case ${FULL:-}:$exercise in :* | *:bug) continue ;; esac # bugs.sh has the bugs
    full "$name" "$exercise" "$tmp/${exercise}_$name.cu"
done <"$tmp/right"
finish
