#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: errata - ERRATA.md, DEBUGGING.md, some pages of the lessons and the answers to their
# questions show commands, and lines of what they print. Runs each command again and looks for its
# lines. In a ```text block that begins with a command
#
#   $ make run KERNEL=FILE FAULT=NAME N=SIZE   is a planted fault, which the tests have built
#   $ make run-NN VARIANT=NAME ...   is a step or a variant, which is built as well; it may have
#                                    N=, TYPE= and OP=
#   $ make run KERNEL=my_03.cu ...   is the lesson's kernel.cu with the edit that the ```diff block
#   $ make report KERNEL=my_03.cu    right before shows; a line `--- FILE` in it names another file
#   $ make run KERNEL=try_03.cu ...  is what make try-03 writes
#   $ .../simtcc -c OPTIONS FILE     must fail to compile
#   $ .../simtcc FILE                must compile, and run; ` -o PROGRAM && PROGRAM` may follow
#   other lines                      must be in the output, whole, or up to a final ` ...`; four
#                                    spaces continue a line, on the page and in the output
#
# Full: sh common/tests/errata.sh
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
: "${CXX:=c++}"
export SIMT_BUILD="$BUILD/simt" CXX
. common/tests/check.sh
group='errata: '

# Lines that begin with four spaces go to the end of the line before.
unfold() {
    awk '/^    / { sub(/^ */, " "); line = line $0; next }
        { if (line != "") print line; line = $0 }
        END { print line }'
}

# One line each: a command as on the page, or a line that must be printed. The edits go to
# $tmp/edits; its folder gets the name of the lesson and the number of the edit.
mkdir "$tmp/edits"
# shellcheck disable=SC2046 # a list of files
awk 'FNR == 1 { page = FILENAME; sub(/\/.*/, "", page); ended = -1 }
    /^```/ {
        if (diff) ended = FNR
        diff = /^```diff$/
        if (diff) edit = (folder = page) "." ++edits[folder]
        inside = /^```text$/
        first = inside
        if (inside && FNR > ended + 1) edit = "none"
        next
    }
    diff && /^--- / {
        folder = $2
        sub(/\/.*/, ".answers", folder)
        edit = folder "." ++edits[folder]
    }
    diff { print >(tmp "/edits/" edit) }
    first { inside = /^\$ /; first = 0 }
    inside && /^\$ / { sub(/ KERNEL=my_/, " KERNEL=" build "/edits/" edit "/my_") }
    inside && /^\$ / { sub(/ KERNEL=try_/, " KERNEL=" build "/edits/try/try_") }
    inside' tmp="$tmp" build="$BUILD" \
    $(grep -ls '^\$ ' common/docs/*.md [0-9][0-9]_*/*.md common/grade/ANSWERS.md |
        grep -v '\.zh\.md$') | # the Chinese pages have the same blocks: zh.sh
    unfold >"$tmp/blocks"

# Addresses differ from run to run, paths from machine to machine.
normalise() {
    sed -e 's/0x[0-9a-f][0-9a-f]*/0x.../g' -e 's,[^ ]*/\(common/tests/\),\1,g' \
        -e 's,[^ ]*/\(my_[0-9]*\.cu\),\1,g' -e 's,[^ ]*/\(try_[0-9]*\.cu\),\1,g'
}

# The head of a report, split into two lines by a long path.
align() { sed 's/^\(my_[0-9]*\.cu\) *round/\1                      round/'; }

# Writes the file if it has changed.
write_edited() { # .../edits/LESSON.NUMBER/my_03.cu, .../edits/try/try_03.cu
    folder=${1%/*}
    edit=${folder##*/}
    mkdir -p "$folder"
    rm -f "$tmp/my.cu"
    if [ "$edit" = try ]; then
        number=${1##*/try_}
        TRY="$tmp/my.cu" sh common/pages/try.sh "${number%.cu}" >"$tmp/log"
    else
        file=$(sed -n 's/^--- //p' "$tmp/edits/$edit")
        awk -f common/pages/edited.awk "$tmp/edits/$edit" "${file:-${edit%.*}/kernel.cu}" \
            >"$tmp/my.cu"
    fi && { cmp -s "$tmp/my.cu" "$1" || cp "$tmp/my.cu" "$1"; }
}

# Runs a command of the page; its output goes to $tmp/output.
run_command() { # WORD...
    program='' step='' options='' variant='' compile='' my=''
    rm -f "$tmp/counters"
    for word in "$@"; do
        case $word in
        KERNEL=common/tests/faults/*.cu) program=faults/$(basename "$word" .cu) ;;
        FAULT=*) export "FAULT=${word#FAULT=}" ;;
        KERNEL=*/edits/*) my=${word#KERNEL=} ;;
        run-[0-9][0-9]) step=${word#run-} ;;
        VARIANT=*) variant=.${word#VARIANT=} ;;
        N=*) options="$options -n ${word#N=}" ;;
        TYPE=*) options="$options -t ${word#TYPE=}" ;;
        OP=*) options="$options -o ${word#OP=}" ;;
        SIMT_COUNTERS=/dev/stdout) export SIMT_COUNTERS="$tmp/counters" ;;
        -c) compile=only ;;
        esac
    done
    for folder in ${step:+"$step"_*/}; do program=${folder%/}$variant; done
    if [ -n "$my" ]; then
        shift # make
        write_edited "$my" &&
            mk "$@"
    elif [ -n "$program" ]; then
        # shellcheck disable=SC2086 # options and their values
        "$BUILD/$program" $options
    elif [ -n "$compile" ]; then
        "$@" -o "$tmp/object" 2>"$tmp/errors" && echo 'it compiles, which it must not'
        grep ': simtcc: ' "$tmp/errors"
    elif [ $# -eq 2 ] || [ "$*" = "$1 $2 -o $4 && $4" ]; then
        "$1" "$2" -o "$tmp/program" && "$tmp/program"
    else
        echo "errata.sh cannot run: $*"
    fi
    if [ -f "$tmp/counters" ]; then cat "$tmp/counters"; fi
}

printed() { # LINE
    case $1 in
    *' ...')
        begin=${1%...} awk 'index($0, ENVIRON["begin"]) == 1 { n++ } END { exit !n }' "$tmp/output"
        ;;
    *) grep -qxF -e "$1" "$tmp/output" ;;
    esac
}

report() { # of the command so far, if there is one
    [ -n "$command" ] || return 0
    cp "$tmp/output" "$tmp/out"
    want "not in the output: $missing" [ -z "$missing" ]
    verdict "$name"
}

command=''
missing=''
while IFS= read -r line; do
    case $line in
    '$ '*)
        report
        command=${line#\$ }
        name=${command#SIMT_COUNTERS=/dev/stdout make }
        name=${name#*/edits/}
        case $name in *my_*.cu* | *try_*.cu*) ;; *) name=${name##*/} ;; esac
        # shellcheck disable=SC2086 # a list of words
        (run_command $command) 2>&1 </dev/null | normalise | unfold | align >"$tmp/output"
        missing='any line: none is quoted'
        ;;
    *)
        if [ "$missing" = 'any line: none is quoted' ]; then missing=''; fi
        if [ -z "$missing" ] && ! printed "$line"; then missing=$line; fi
        ;;
    esac
done <"$tmp/blocks"
report
want 'they show none' [ -n "$command" ]
verdict 'the pages show commands'

# Every file in the folder of this page must be on it.
for file in common/tests/errata/*; do
    check "${file##*/}" grep -qF "$file" common/docs/ERRATA.md
done

# The messages in DEBUGGING.md's table are in the emulator's own tables, which its tests compare.
sed -n 's/^| `\([^`]*\)` |.*/\1/p' common/docs/DEBUGGING.md >"$tmp/messages"
want 'the table has no messages' [ -s "$tmp/messages" ]
while IFS= read -r message; do
    want "not in simt/REFERENCE.md: $message" grep -qF -e "$message" common/simt/R*.md
done <"$tmp/messages"
verdict 'the messages of DEBUGGING.md'

finish
