#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ablate.sh - `make ablate-04`: what each idea of a lesson is worth alone. `make ablate` runs all
# lessons. The rows are the lines of NN_name/ablations.txt, four fields with three '|' between:
#
#   # A comment.
#   LABEL                  | PROGRAM              | NAME=VALUE ...                 | OPTIONS
#   kernel                 | 04_vectorized        |                                |
#   4 blocks of 128 an SM  | 04_vectorized        | BLOCK_SIZE=128 blocks_per_sm=4 |
#   scalar one element off | 04_vectorized.scalar |                                | --offset 1
#
#   LABEL       up to 26 characters without ',' and '"', each once in its lesson
#   PROGRAM     a step or a variant of the course, of any lesson: 03_no_bank_conflict.unrolled
#   NAME=VALUE  replaces the value of `#define NAME ...` or `const int NAME = ...;` in a copy of the
#               program's source. VALUE holds letters, digits, '_', '.' and '-'. Often empty
#   OPTIONS     of the program: -t, -o, --offset, --cols, --seed. Without -t and -o it runs f32 gelu
#               or f32 sum, if it offers that, else its first pair. The sizes are chosen here; a
#               program for rows gets n / cols of them, with --cols 1024 unless OPTIONS say more
#
# On a GPU each row is timed with n = 2^20, from L2, and with n = 2^28, and Nsight Compute counts
# the first launch with n = 2^24. The rows of these lessons in common/results/<gpu>/ablate.csv are
# replaced. COUNTERS=0 skips Nsight Compute and takes a third of the time. On the cpu the emulator
# counts, with n = 2^20. ABLATIONS=FILE takes the rows of a lesson from another file, and records
# nothing.
#
# usage: ablate.sh copy LESSON...       writes the copies; $ABLATE/programs names all programs
#        ablate.sh measure LESSON...    runs them, once make has built them
# From make's environment: BUILD, DEVICE, NEEDING, and ABLATE, the folder for all that it writes on
# the way: two that run at once in one build folder need two.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
phase=$1
shift
if [ -n "${ABLATIONS:-}" ] && [ $# -ne 1 ]; then
    echo 'ABLATIONS: it is the list of one lesson; give one: make ablate-04 ABLATIONS=FILE' >&2
    exit 2
fi

work=$ABLATE
rows=$work/rows         # lesson|label|program|defines|options|executable
measured=$work/measured.csv

# ---- the rows, and the copies that they need ----

# The source with other constants. An unchanged copy keeps its date.
copy_source() { # PROGRAM DEFINES COPY
    script=
    for pair in $2; do
        name=${pair%%=*} value=${pair#*=}
        script="$script;s/^#define $name .*/#define $name $value/"
        script="$script;s/^\( *const int $name =\)[^;]*/\1 $value/"
    done
    mkdir -p "${3%/*}"
    sed "${script#;}" "$(source_of "$1")" >"$work/copy.cu"
    cmp -s "$work/copy.cu" "$3" || mv "$work/copy.cu" "$3"
}

write_copies() { # LESSON...
    mkdir -p "$work"
    : >"$rows"
    for lesson in "$@"; do
        file=${ABLATIONS:-$lesson/ablations.txt}
        if [ ! -f "$file" ]; then
            echo "make ablate: there is no '$file'; common/measure/ablate.sh says what it holds" >&2
            exit 2
        fi
        awk -v file="$file" -v lesson="$lesson" -v needing="$NEEDING" -v build="$BUILD" \
            -v folders="$variant_folders" -f common/measure/ablate_rows.awk "$file" >>"$rows"
    done
    while IFS='|' read -r _ _ program defines _ executable; do
        if [ -n "$defines" ]; then copy_source "$program" "$defines" "$executable.cu"; fi
    done <"$rows"
    cut -d'|' -f6 "$rows" | sort -u >"$work/programs"
}

ncu=${NCU:-ncu}
if [ "$DEVICE" = gpu ] && [ "${COUNTERS:-1}" != 0 ] && ! command -v "$ncu" >/dev/null; then
    echo "make ablate needs Nsight Compute on a GPU ('$ncu')" >&2
    exit 77
fi

if [ "$phase" = copy ]; then
    write_copies "$@"
    exit 0
fi
: >"$measured"

# ---- one row: $row, $label, $program, $options, $executable, $pair ----

# The type and the operator to run, unless $options name others.
default_pair() {
    # Its name and its summary come first, on one line or on two.
    "$executable" --list | awk 'NR == 1 || /^ / { next }
        pair == "" || $0 == "f32 sum" || $0 == "f32 gelu" { pair = "-t " $1 " -o " $2 }
        END { print pair }'
}

# Sizes as options, a line per run: a program for rows takes one size per run.
size_options() { # N...
    case $("$executable" --help) in
    *--rows*)
        cols=$(echo "--cols 1024 $options" | sed 's/.*--cols[ =]*\([0-9]*\).*/\1/')
        for n in "$@"; do echo "--rows $((n / cols)) --cols $cols"; done
        ;;
    *) echo "-n $(echo "$*" | tr ' ' ,)" ;;
    esac
}

# Runs a command; $work/out.csv and $work/log get what it prints. If it fails, that is shown, the
# row has no numbers, and the next one follows.
run() { # COMMAND...
    "$@" >"$work/out.csv" 2>"$work/log" || complain "$*"
}

complain() { # WHY
    cat "$work/out.csv" "$work/log" >&2
    echo "make ablate: the row '$label' of $lesson failed: $1" >&2
    return 1
}

# shellcheck disable=SC2086 # options are lists of words
count_on_cpu() {
    size=$(size_options 1048576)
    run env SIMT_COUNTERS="$work/run.csv" "$executable" --once $pair $options $size || return
    add_rows "$measured" "$work/run.csv" row, "$row,"
}

# shellcheck disable=SC2086 # options are lists of words
time_on_gpu() {
    size_options 1048576 268435456 >"$work/sizes"
    while read -r size; do
        run "$executable" --csv --warm --reps 20 $pair $options $size || return
        csv_awk 'BEGIN { print "counter,value" }
        {
            size = get("n") + 0 > 1048576 ? "large" : "small"
            print size "_us," get("median_us")
            print size "_gbps," get("gbps")
        }' "$work/out.csv" >"$work/values.csv"
        add_rows "$measured" "$work/values.csv" row, "$row,"
    done <"$work/sizes"
}

counters=smsp__inst_executed.sum,launch__registers_per_thread
counters=$counters,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
counters=$counters,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
counters=$counters,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
counters=$counters,sm__warps_active.avg.pct_of_peak_sustained_active

# shellcheck disable=SC2086 # options are lists of words
count_on_gpu() {
    size=$(size_options 16777216)
    # --kill ends the program once its first launch is counted, so its exit code means nothing.
    under_ncu "$counters" --launch-count 1 --kill yes "$executable" --check $pair $options \
        $size >"$work/log" 2>&1 || true
    : >"$work/out.csv"
    grep -q -e '^"0",' -e 'not supported on this device' "$work/log" ||
        complain 'ncu shows no launch' || return
    awk -v program="$program" -f common/measure/counters.awk "$work/log" >"$work/out.csv"
    csv_awk 'BEGIN { print "counter,value" } { print get("counter") "," get("value") }' \
        "$work/out.csv" >"$work/values.csv"
    add_rows "$measured" "$work/values.csv" row, "$row,"
}

# Lessons share rows: 06 has the kernel of 05. The first of equal rows is measured.
awk -F'|' '{ key = $5 "|" $6; if (!(key in first)) first[key] = NR; print first[key] "|" $0 }' \
    "$rows" >"$work/numbered"
row=0
failed=0
while IFS='|' read -r equal lesson label program _ options executable; do
    row=$((row + 1))
    progress "$row" "$(wc -l <"$rows")" "$label"
    pair=$(default_pair)
    if [ "$equal" != "$row" ]; then
        sed -n "s/^$equal,/$row,/p" "$measured" >"$work/equal"
        cat "$work/equal" >>"$measured"
    elif [ "$DEVICE" = gpu ]; then
        { time_on_gpu && { [ "${COUNTERS:-1}" = 0 ] || count_on_gpu; }; } || failed=1
    else
        count_on_cpu || failed=1
    fi
done <"$work/numbered"
progress

# ---- all rows ----

if [ "$DEVICE" = cpu ] || [ -n "${ABLATIONS:-}" ]; then
    awk -v device="$DEVICE" -f common/measure/columns.awk -f common/measure/ablate.awk \
        "$rows" "$measured"
    exit "$failed"
fi

measured_by 'make ablate'
awk -v device=gpu -v out="$work/new.csv" -v origin="$(date -u +%Y-%m-%d),$COURSE_COMMIT" \
    -f common/measure/columns.awk -f common/measure/ablate.awk "$rows" "$measured"

# The rows of other lessons stay as they are.
old=$(results_folder)/ablate.csv
csv_head >"$work/ablate.csv"
{
    grep -v -e '^# date' -e '^# commit' "$work/ablate.csv" # each row has its own
    echo '# small: n = 2^20, from L2 where it fits; large: n = 2^28'
    echo '# counters: first launch, n = 2^24'
    printf '%s,' lesson label program defines options small_us small_gbps large_us large_gbps \
        instructions global_ld_requests global_ld_sectors shared_wavefronts \
        shared_wavefronts_ideal registers occupancy
    echo 'date,commit'
    {
        if [ -f "$old" ]; then
            csv_awk 'index(" " done " ", " " get("lesson") " ") == 0' done="$*" "$old"
        fi
        cat "$work/new.csv"
    } | sort -s -t, -k1,1
} >"$work/all.csv"
mv "$work/all.csv" "$work/ablate.csv"
record "$work/ablate.csv"
exit "$failed"
