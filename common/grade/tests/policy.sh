#!/bin/sh
# SPDX-License-Identifier: MIT
#
# policy.sh - what a text may contain: each of texts.txt is refused with its reason, or loses what
# cannot matter; the names of the emulator's headers are accepted; deep and long texts take no time.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='policy: '

judge() { # FILE of $tmp, which is written back
    (cd "$tmp" && "$GRADE_BUILD/policy" "$COURSE/common/grade/protect/accepted.txt" "$1") 2>&1
}

# Of `gone WORD` the text as it is compiled.
while IFS='|' read -r said code; do
    case $said in '#include'* | '##'*) ;; '#'*) continue ;; esac
    printf '%b\n' "${code# }" >"$tmp/my.cu"
    run judge my.cu
    case $said in
    'gone '*)
        said=${said#gone }
        want "exit $status: it is refused" [ "$status" -eq 0 ]
        want "it has '$said'" [ -z "$(grep -wF -- "${said% }" "$tmp/my.cu")" ]
        ;;
    *)
        want "exit $status, not refused with '$said'" grep -qF -- "${said% }" "$tmp/out"
        want "exit $status, expected 1" [ "$status" -eq 1 ]
        ;;
    esac
    [ -z "$why" ] || verdict "a text: $code"
done <common/grade/tests/texts.txt
verdict 'texts that are refused, or lose what cannot matter'

# Brackets in brackets, and a long line of calls, are judged once each.
{
    printf 'int deep = '
    head -c 20000 /dev/zero | tr '\0' '('
    printf 1
    head -c 20000 /dev/zero | tr '\0' ')'
    printf ';\nint f(int);\nint flat = 0'
    yes ' + f(1)' | head -n 20000 | tr -d '\n'
    echo ';'
} >"$tmp/my.cu"
# shellcheck disable=SC2317,SC3045
judged_soon() { (ulimit -t 1 && judge my.cu) }
check 'a text of 20,000 brackets, in a second' judged_soon

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
run judge names.cu
want "refused or renamed: $(grep -vxFf "$tmp/reserved" "$tmp/names.cu")" \
    cmp -s "$tmp/reserved" "$tmp/names.cu"
verdict 'accepted.txt has the names of the headers'
finish
