#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: commands - the commands that the pages and the notebook ask a reader to type. errata.sh and
# start.sh test those with lines of their output (`$ make ...`); here are the others, of ```sh
# blocks, of `code` and of cells.
#
#   always        diff, help, sass and start; report and show of some; a variant that is named
#                 must be there
#   FULL=1        run, test and grade as well, and report and show of all else; of the ways to
#                 grade, each task and each way once
#   never         what needs a GPU or other tools than the emulator's, or has a suite of its own
#
# my.cu, my_03.cu and try_03.cu are the kernel.cu of the page's lesson, what is submitted is the
# exercise.cu of the task (of a task without a number the solution: an open one has no kernel in its
# exercise.cu), and add.cu is the first kernel. `submissions` is a class of two, and every question
# is answered with 1.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}" "${CXX:=c++}"
export SIMT_BUILD="$BUILD/simt" CXX
. common/tests/check.sh
group='commands: '

# Lines `PAGE<tab>COMMAND`, each command once a folder; commands with placeholders are left out.
find README.md colab.ipynb .github [0-9]* common \( -name '*.md' -o -name '*.ipynb' \) \
    ! -path 'common/grade/*' ! -name '*.zh.md' 2>/dev/null | sort |
    xargs awk '
    function take(command) {
        sub(/ *#.*/, "", command)
        if (command !~ /^(make|sh|common\/simt\/simtcc) ./) return
        if (command ~ /NN|\.\.|[<>]|=NAME|FILE|=08/) return
        print FILENAME "\t" command
    }
    FILENAME ~ /ipynb$/ { # a line of a cell: "!make run\n",
        if (sub(/^ *"!/, "") && sub(/(\\n)?",?$/, "")) take($0)
        next
    }
    /^```/ { block = block != "" ? "" : $0; next }
    block == "```sh" { take($0) }
    block == "" {
        n = split($0, piece, "`")
        for (i = 2; i < n; i += 2) take(piece[i])
    }' | sort -u >"$tmp/commands"
want 'the pages have fewer than 50' [ "$(wc -l <"$tmp/commands")" -ge 50 ]
verdict 'they are found'
want 'the notebook has fewer than 4' [ "$(grep -c '^colab.ipynb' "$tmp/commands")" -ge 4 ]
if python3 -c 'import json' 2>/dev/null; then
    want 'the notebook is not JSON' python3 -m json.tool colab.ipynb "$tmp/notebook"
fi
verdict 'the notebook is read'

mkdir -p "$tmp/submissions/anna"
for task in 01 03 05 07; do
    cp "$task"_*/exercise/exercise.cu "$tmp/submissions/anna/$task.cu"
    cp "$task"_*/exercise/exercise.cu "$tmp/submissions/bob_$task.cu"
done

# Has a suite of its own, or needs what is not there.
never='profile|make (bench|counters|tune|plot|lint|test|format|clean|tables|site|accuracy|ablate)'
never="$never|make (many|grade-class|grade-lab|watch|-C common/simt test)"
never="$never|make (grade|run|report|show|start|lab|viva)\$"
never="$never|^sh |/faults/"
never="$never|VARIANT=(best|bulk_copy|cluster|half2)"

same=''
while IFS="$(printf '\t')" read -r page command; do
    if printf '%s\n' "$command" | grep -qE "$never"; then continue; fi
    lesson=${page%%/*}
    case $lesson in [0-9]*) ;; *) lesson=03_no_bank_conflict ;; esac
    my='' in=''
    case $command in
    *TASK=*)
        task=${command#*TASK=}
        task=${task%% *}
        for my in "$task"_*/exercise/exercise.cu [0-9]*/"$task/solution.cu" \
            [0-9]*/bugs/"$task.cu"; do
            if [ -f "$my" ]; then break; fi
        done
        ;;
    *add.cu*) my=01_naive/start/start.cu ;;
    *KERNEL=my*.cu* | *KERNEL=try_*.cu*) my=$lesson/kernel.cu ;;
    'make run '*=* | 'make sass '* | 'make diff') in=$lesson ;; # typed in the lesson's folder
    esac
    [ -f "$my" ] || my=''
    case "$same" in *"|$in$my $command|"*) continue ;; esac
    same="$same|$in$my $command|"
    case $command in
    'make grade '*TASK=*)
        way=$(printf '%s\n' "$command" | sed "s,$task,NAME,g")
        case $same in *"|task $task|"*) case $same in *"|way $way|"*) continue ;; esac ;; esac
        same="$same|task $task|way $way|"
        ;;
    esac

    # A variant is a file; a task is a folder.
    variant=$(printf '%s\n' "$command" | sed -n 's/.* VARIANT=\([a-z0-9_]*\).*/\1/p')
    number=$(printf '%s\n' "$command" | sed -n 's/^make [a-z]*-\([0-9]*\).*/\1/p')
    if [ -n "$variant" ]; then
        # shellcheck disable=SC2086 # a pattern
        want "there is no variant $variant" [ -n "$(find ${number:-$in}* -name "$variant.cu")" ]
        [ -z "$why" ] || verdict "$command"
    fi
    if [ -z "${FULL:-}" ]; then
        case $command in
        'make help' | 'make diff'* | 'make sass'* | *simtcc*) ;;
        'make report-07' | 'make show-05' | 'make try-'*) ;;
        *) continue ;;
        esac
    fi

    if [ -n "$my" ]; then
        name=$(printf '%s\n' "$command" | sed -n 's/.*[NL]=\([^/ ]*\.cu\).*/\1/p')
        for copy in add.cu $name; do # one that is the same is not compiled again
            cmp -s "$my" "$tmp/$copy" || cp "$my" "$tmp/$copy"
        done
        command=$(printf '%s\n' "$command" | sed "s,\([NL]=\)\([^/ ]*\.cu\),\1$tmp/\2,")
    fi
    case $command in
    make*)
        # The page's own quotes count.
        command=$(printf '%s\n' "$command" |
            sed "s,=submissions,=$tmp/submissions,; s,^make lab.*,& REPORT=$tmp/report.md,
                s,^make quiz.*,& RESULTS=$tmp/quiz.csv,; s,^make try.*,& TRY=$tmp/gaps.cu,")
        run sh -c "yes 1 | head -n 99 | '${MAKE:-make}' --no-print-directory \
            BUILD_DIR='${BUILD%/*}' DEVICE=cpu NVCC=/no/nvcc ${in:+-C '$in'} ${command#make }"
        rm -f "$tmp/report.md" "$tmp/gaps.cu"
        ;;
    *) run sh -c "cd '$tmp' && PATH=.:\$PATH && '$PWD'/$command" ;;
    esac
    if names err "'/no/nvcc' was not found, and this kernel has no record"; then continue; fi
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    case $command in *grade-class*) cat "$tmp"/submissions/*.csv >"$tmp/out" ;; esac
    want 'it prints nothing' [ -s "$tmp/out" ]
    verdict "${in:+in $in: }$(printf '%s\n' "$command" | sed "s,$tmp/,,")"
done <"$tmp/commands"

finish
