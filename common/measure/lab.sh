#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lab.sh - `make lab LESSON=03 ROW='block of 512'`: a step of a work log, report.md, about one row
# of `make ablate-03`. The first time it adds the step, from lab_report.md, with the counts before
# the change. Once the predictions are filled in, the same command puts the counts after it beside
# them. The page is the student's: nothing else in it is changed.
#
#   ROW     a label of the lesson's ablations.txt, or a row of your own, as ablate.sh says:
#           ROW='mine | 03_no_bank_conflict | BLOCK_SIZE=96 |'
#   KERNEL  instead of ROW: a changed copy of the kernel; its diff goes into the page
#   BASE    the row that it is compared with; default: the lesson's `kernel`
#
# lab.sh grade - `make grade-lab REPORT=report.md`: measures each step again. For what the page has
# otherwise, or lacks, it prints `report.md:31: MESSAGE`. Exit: 0 accepted, 1 refused, 2 usage.
#
# From make's environment: BUILD_DIR, LESSON (the folder), ROW, KERNEL, BASE, REPORT, GPU. The
# emulator counts: a row as `make ablate` does; a diff, which may hold any code, in the grader's
# sandbox. Times are those of the two rows in common/results/<gpu>/ablate.csv.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
case ${1:-} in grade) name=grade-lab ;; *) name=lab ;; esac
results=$(recorded_results "make $name")
lesson=${LESSON:-} kernel=${KERNEL:-} base=${BASE:-kernel}
REPORT=${REPORT:-$PWD/report.md}
export REPORT MAKEFLAGS=
unset KERNEL # the makes below would build it

wrap() { awk -f common/wrap.awk "$@"; }
die() {
    printf '%s\n' "make $name: $*" | wrap >&2
    exit 2
}

# A folder of its own, since another report may be at work in this build folder.
mkdir -p "$BUILD_DIR/lab"
folder=$(mktemp -d "$BUILD_DIR/lab/XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
page=$folder/page
wrong=$folder/wrong # LINE:MESSAGE, of all steps
[ $name = lab ] && limit='' || limit='timeout 600'
[ -z "${N:-}" ] || die "N: '$N' is not accepted, since counts are of n = 2^20"

# ---- rows ----

# The row of the lesson with this label, or the row itself.
row() { # NAME
    case $1 in *'|'*) printf '%s\n' "$1" ;; *) cat "$lesson/ablations.txt" ;; esac |
        awk -F' [|] ' -v label="$1" '
            { gsub(/[ \t]*[|][ \t]*/, " | "); gsub(/^[ \t]+|[ \t]+$/, "") }
            !/^#/ && (index(label, "|") || $1 == label)'
}
labels() { # except for the one that it is compared with
    sed -n '/^ *#/!s/ *|.*//p' "$lesson/ablations.txt" | grep -vFx -e "$base" | sed "s/.*/    '&'/"
}
field() { cut -d '|' -f "$2" "$folder/$1" | sed 's/^ *//; s/ *$//'; } # base|row NUMBER

# A recorded time: "1281 us, 838 GB/s", or nothing.
recorded() { # base|row
    [ -f "$results/ablate.csv" ] && [ -f "$folder/$1" ] || return 0
    csv_awk 'get("program") == program && get("defines") == defines && get("options") == options {
            printf "%.0f us, %.0f GB/s\n", get("large_us"), get("large_gbps"); exit }' \
        program="$(field "$1" 2)" defines="$(field "$1" 3)" options="$(field "$1" 4)" \
        "$results/ablate.csv"
}

# ---- the counts ----

# A step as one file for the sandbox, which has no headers of ours. The grader calls solve.
as_submission() { # KERNEL
    grep -h '^#include <' common/step.h common/ops.cuh "$1" | sort -u
    sed '/^#include [<"]/d' common/step.h common/ops.cuh
    echo '// the kernel'
    sed 's/^#include <.*//; s/^#include "step.h"//; s/^#include "ops.cuh"//' "$1"
    cat <<'END'
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const reduce_fn reduce = step.reduce[DTYPE_F32][OP_SUM];
    const map_fn map = step.map[DTYPE_F32][MAP_GELU];
    if (reduce)
        return reduce(d_in[0], d_out[0], size[0], d_work, work_bytes, stream);
    return map ? map(d_in, d_out[0], size[0], d_work, work_bytes, stream) : cudaErrorNotSupported;
}
END
}

# The counters of the changed kernel. False: it does not fit, or is refused or wrong.
count_diff() {
    [ "$(field base 3)$(field base 4)" = '' ] || {
        echo 'a diff is of a row without NAME=VALUE and without options'
        return 1
    } >&2
    source=$(source_of "$(field base 2)")
    awk -f common/measure/apply.awk "$folder/diff" "$source" >"$folder/changed" || return
    as_submission "$folder/changed" >"$folder/kernel.cu"
    maps=sum
    ! grep -q '^ *\.map = ' "$source" || maps=gelu
    if ! "${MAKE:-make}" -f common/grade/grade.mk confined >"$folder/make.txt" 2>&1; then
        cat "$folder/make.txt" >&2
        return 1
    fi
    cpu=$BUILD_DIR/cpu
    "$cpu/grade/confined" "$PWD" "$cpu" $maps "$folder/kernel.cu" 2>"$folder/said" ||
        awk -v before="$(sed -n '/^\/\/ the kernel$/=' "$folder/kernel.cu")" '{
            for (; match($0, /kernel\.cu:[0-9]+/); $0 = substr($0, RSTART + RLENGTH))
                printf "%sthe kernel\047s line %d", substr($0, 1, RSTART - 1),
                    substr($0, RSTART + 10, RLENGTH - 10) - before
            print; bad = 1 } END { exit bad }' "$folder/said" >&2
}

# The counters of the rows, of each in turn, in measured.csv.
count_rows() { # FILE
    $limit "${MAKE:-make}" --no-print-directory DEVICE=cpu "ablate-${lesson%%_*}" \
        ABLATIONS="$1" ABLATE="$folder/ablate" >"$folder/make.txt" 2>&1 || {
        sed "/^device /d; /^make[:[]/d; s,^$1:[0-9]*: ,," "$folder/make.txt" >&2
        return 1
    }
    [ "$(wc -l <"$folder/ablate/rows")" -eq "$(wc -l <"$1")" ] || {
        echo 'the emulator cannot run one of the two rows; choose another'
        grep '^skip' "$folder/make.txt"
        return 1
    } >&2
}

# For 1,024 elements, a line each: NAME|before|after. False, and a message.
count() {
    for name_of in base row; do
        if [ -f "$folder/$name_of" ]; then cat "$folder/$name_of"; fi
    done >"$folder/rows.txt"
    count_rows "$folder/rows.txt" || return
    if [ -f "$folder/diff" ]; then
        count_diff >"$folder/diff.csv" || return
        sed 's/^/2,/' "$folder/diff.csv" >>"$folder/ablate/measured.csv"
    fi
    csv_awk '
        { sum[get("row"), get("counter")] += get("value") / 1024 }
        function line(name, plus, other, sign,    r) {
            printf "%s", name
            for (r = 1; r <= 2; r++) printf "|%.1f", sum[r, plus] + sign * sum[r, other]
            print ""
        }
        END {
            line("requests to global memory", "global_ld_requests", "global_st_requests", 1)
            line("sectors of global memory", "global_ld_sectors", "global_st_sectors", 1)
            line("wavefronts of shared memory", "shared_wavefronts")
            line("of these, bank conflicts", "shared_wavefronts", "shared_wavefronts_ideal", -1)
            line("barriers, of warps", "barriers")
            line("shuffles", "shuffles")
        }' "$folder/ablate/measured.csv" >"$folder/counts"
}

# ---- the page ----

steps() { grep -c '^## Step ' "$page" || true; }

# Nothing that a terminal obeys, and no end of a line but one.
read_page() {
    tr -d '\000-\010\013-\037\177' <"$REPORT" | sed "s/$(printf '\302[\200-\237]')//g" >"$page"
    about=$(sed -n '1s/^# Lab report: *\(.*[^ ]\) *$/\1/p' "$page")
    [ "$about" = "$lesson" ] || echo "1:the report is about '$about', not $lesson;" \
        "another lesson needs another file: REPORT=report_${lesson%%_*}.md" >>"$wrong"
}

read_step() { # NUMBER
    rm -f "$folder/base" "$folder/row" "$folder/diff"
    for part in change predicted; do : >"$folder/$part"; done
    awk -v step="$1" -v folder="$folder" -v words="${2:-}" -f common/measure/lab_step.awk "$page"
}

# What is between the marks of a step. Before it is measured, `after` is empty.
table() { # [after]
    echo '| counter, for 1,024 of 2^20 elements | before | predicted | measured | off by |'
    echo '| --- | ---: | ---: | ---: | ---: |'
    awk -F'|' -v after="${1:-}" 'FILENAME ~ /predicted$/ { guess[FNR] = $2; next }
        after == "" { print "| " $1 " | " $2 " |  |  |  |"; next }
        {
            off = $3 > 0 ? sprintf("%+.0f %%", 100 * (guess[FNR] - $3) / $3) : guess[FNR] - $3
            sub(/^[-+]0 /, "0 ", off)
            print "| " $1 " | " $2 " | " guess[FNR] " | " $3 " | " off " |"
        }' "$folder/predicted" "$folder/counts"
    [ -n "${1:-}" ] || return 0
    printf '\nCounted by the emulator, n = 2^20, all launches.\n'
    if awk -F'|' '$2 != $3 { exit 1 }' "$folder/counts"; then
        echo 'No counter differs at this n; at 2^28, where the times are from, they may.'
    fi
    before=$(recorded base) after=$(recorded row)
    if [ -n "$before" ] && [ -n "$after" ]; then
        echo "Recorded on a GPU (${results##*/}), n = 2^28: before $before; changed $after."
    else
        echo 'No GPU has a recorded time of both.'
    fi
}

# Prints the wrong places, and ends.
report_wrong() { # STATUS
    [ ! -s "$wrong" ] || {
        awk '/^[0-9]+:/ { sub(/:/, ": "); print ENVIRON["REPORT"] ":" $0; next }
            { print "    " $0 }' "$wrong" | wrap
        exit "$1"
    }
}

# ---- make grade-lab ----

# LINE:MESSAGE for each cell of a step, or line, that the table has otherwise.
compare() { # STEP
    awk -v wanted="$1" '
        function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
        function differ(name, is, shall) {
            if (trim(is) != trim(shall))
                print FNR ":" name "it has \047" trim(is) "\047, but the replay gives \047" \
                    trim(shall) "\047"
        }
        /^[ \t|:-]*$/ { next }
        NR == FNR { shall[++lines] = $0; next }
        /^## Step / { step++ }
        step != wanted { next }
        /^<!-- \/lab -->/ { while (i < lines) differ("", "", shall[++i]); inside = 0 }
        inside {
            n = split(shall[++i], b, "|")
            if (i == 1) split(shall[i], head, "|")
            if (n != 7 || split($0, a, "|") != n || trim(a[1] a[n]) != "") differ("", $0, shall[i])
            else for (k = 2; k < n; k++) differ(trim(b[2]) ", " trim(head[k]) ": ", a[k], b[k])
        }
        /^<!-- lab -->/ { inside = 1 }' "$folder/table" "$page"
}

grade() {
    [ -f "$REPORT" ] || die "REPORT: there is no file '$REPORT'; give REPORT=report.md"
    [ -n "$lesson" ] || lesson=$(sed -n '1s/^# Lab report: \([0-9a-z_]*\).*/\1/p' "$REPORT")
    [ -f "${lesson:-none}/ablations.txt" ] || lesson='one of the lessons'
    read_page
    [ "$(steps)" -gt 0 ] || echo '1:it has no step' >>"$wrong"
    report_wrong 1
    k=0
    while [ $k -lt "$(steps)" ]; do
        k=$((k + 1))
        read_step $k words
        [ "$(grep -cE '[|][0-9]+([.][0-9]*)?$' "$folder/predicted")" -eq 6 ] || continue
        [ -f "$folder/row" ] || [ -f "$folder/diff" ] || continue
        if count 2>"$folder/why"; then
            table after >"$folder/table"
            compare $k
        else
            line=$(grep -n '^## Step ' "$page" | sed -n "${k}s/:.*//p")
            sed "1{/^[0-9]*:/!s/^/$line:/;s/:/:the change cannot be replayed: /}" "$folder/why"
        fi >>"$wrong"
    done
    report_wrong 1
    echo "$REPORT: accepted; steps that were measured again: $k" | wrap
}
if [ "$name" = grade-lab ]; then
    grade
    exit
fi

# ---- make lab ----

# The change as the page has it.
write_change() {
    echo "    base: $(row "$base")"
    if [ -z "$kernel" ]; then
        echo "    row: $(row "$ROW")"
        return
    fi
    source=$(source_of "$(field base 2)")
    tr -d '\r' <"$kernel" >"$folder/own"
    printf '\n```diff\n--- %s\n+++ %s\n' "$source" "$(basename "$kernel")"
    diff -u "$source" "$folder/own" | sed 1,2d
    echo '```'
}

[ -z "$kernel" ] || [ -z "${ROW:-}" ] || die 'ROW and KERNEL: a step has one change; give one'
[ -n "$kernel" ] || [ -n "${ROW:-}" ] ||
    die "ROW: choose a row of $lesson/ablations.txt, ROW='block of 512':
$(labels)"
for label in "$base" "${ROW:-$base}"; do
    [ -n "$(row "$label")" ] ||
        die "'$label' is not a row of $lesson/ablations.txt; choose one of:
$(labels)"
done
[ "${ROW:-}" != "$base" ] ||
    die "'$ROW' is what it would be compared with; choose another row or BASE"
row "$base" >"$folder/base"
write_change >"$folder/wanted"
if [ -n "$kernel" ] && cmp -s "$(source_of "$(field base 2)")" "$folder/own"; then
    die "KERNEL: '$kernel' is the same as $(source_of "$(field base 2)"); change something"
fi

# The first step that is written like this one.
: >"$page"
if [ -f "$REPORT" ]; then read_page; fi
report_wrong 2 >&2
k=0 all=$(steps) found=
while [ $k -lt "$all" ] && [ -z "$found" ]; do
    k=$((k + 1))
    rm -f "$wrong"
    read_step $k
    if sed '/^[[:space:]]*$/d' "$folder/wanted" | cmp -s - "$folder/change"; then found=yes; fi
done

new=$REPORT columns=after
if [ -z "$found" ]; then
    # Both are counted, so that what cannot run is refused now; the second number is not shown yet.
    k=$((all + 1)) columns='' new=$folder/begun
    if [ "$all" -gt 0 ]; then awk 1 "$REPORT" && echo; fi >"$new"
    label=$(row "${ROW:-}" | sed 's/ *|.*//')
    awk -v all="$all" -v change="$folder/wanted" -v lesson="$lesson" \
        -v title="## Step $k: ${label:-$(basename "$kernel")}" '
        /^## Step / { $0 = title; begun = 1 }
        all && !begun { next }
        $0 == "{change}" { while ((getline <change) > 0) print; next }
        sub(/[{]lesson[}]/, lesson) || 1' common/measure/lab_report.md >>"$new"
    cp "$new" "$page"
    read_step $k
    rm -f "$wrong"
fi
report_wrong 2 >&2
count 2>"$folder/why" || {
    sed 's/^[0-9]*://' "$folder/why" | wrap >&2
    die 'the change cannot be counted'
}
table $columns >"$folder/table"
awk -v wanted="$k" -v table="$folder/table" '
    /^## Step / { step++ }
    step == wanted && /^<!-- \/lab -->/ { inside = 0 }
    !inside { print }
    step == wanted && /^<!-- lab -->/ {
        inside = 1
        while ((getline line <table) > 0) print line
    }' "$new" >"$REPORT.new"
mv "$REPORT.new" "$REPORT"
if [ -z "$columns" ]; then
    echo "$REPORT: step $k is there. Predict, then give the same command again" | wrap
    exit
fi
mv "$folder/ablate/measured.csv" "$BUILD_DIR/lab/measured.csv"
wrap "$folder/table"
echo "$REPORT: step $k is measured; $BUILD_DIR/lab/measured.csv has all counters" | wrap
