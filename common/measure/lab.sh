#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lab.sh - `make lab LESSON=03 ROW='block of 512'`: a report to fill in about one row of `make
# ablate-03`. The first time it writes the page lab_report.md with the counts of the lesson's
# kernel, to report.md. Once the predictions are filled in, the same command puts the counts of the
# row beside them. The page is the student's: nothing else in it is changed.
#
#   ROW    a label of the lesson's ablations.txt, or a row of your own, as ablate.sh says:
#          ROW='mine | 03_no_bank_conflict | BLOCK_SIZE=96 |'
#   BASE   the row that it is compared with; default: the lesson's `kernel`
#
# From make's environment: BUILD_DIR, LESSON (the folder), ROW, BASE, REPORT, GPU. The emulator
# counts; times are those of the two rows in common/results/<gpu>/ablate.csv.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
here=common/measure
lesson=${LESSON:?make sets it}
results=$(recorded_results 'make lab')

die() {
    echo "make lab: $*" >&2
    exit 2
}

# The row of the lesson with this label, or the row itself.
row() { # NAME
    case $1 in *'|'*) printf '%s\n' "$1"; return ;; esac
    awk -F'|' -v label="$1" '/^ *#/ { next }
        { name = $1; gsub(/^[ \t]+|[ \t]+$/, "", name); if (name == label) print }' \
        "$lesson/ablations.txt"
}
labels() { # except for the one that it is compared with
    sed -n '/^ *#/!s/ *|.*//p' "$lesson/ablations.txt" | grep -vFx -e "${BASE:-kernel}" |
        sed "s/.*/    '&'/"
}

[ -n "${ROW:-}" ] || die "ROW: choose a row of $lesson/ablations.txt, ROW='block of 512':
$(labels)"
for name in "${BASE:=kernel}" "$ROW"; do
    [ -n "$(row "$name")" ] || die "'$name' is not a row of $lesson/ablations.txt; choose one of:
$(labels)"
done
[ "$ROW" != "$BASE" ] || die "'$ROW' is what it would be compared with; choose another row or BASE"

# A folder of its own, since another report may be at work in this build folder.
mkdir -p "$BUILD_DIR/lab"
folder=$(mktemp -d "$BUILD_DIR/lab/XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
counted=$BUILD_DIR/lab/measured.csv
report=${REPORT:-$PWD/report.md}

# ---- the counts ----

# For 1,024 elements, a line each: NAME|of row 1|of row 2.
count() { # ROW...
    for name in "$@"; do row "$name"; done >"$folder/rows.txt"
    MAKEFLAGS='' "${MAKE:-make}" --no-print-directory DEVICE=cpu "ablate-${lesson%%_*}" \
        ABLATIONS="$folder/rows.txt" ABLATE="$folder/ablate" >"$folder/make.txt" 2>&1 || {
        cat "$folder/make.txt" >&2
        die 'the rows cannot be counted'
    }
    [ "$(wc -l <"$folder/ablate/rows")" -eq $# ] || {
        grep '^skip' "$folder/make.txt" >&2
        die 'the emulator cannot run one of the two rows; choose another'
    }
    csv_awk '
        { sum[get("row"), get("counter")] += get("value") / 1024 }
        function line(name, plus, other, sign,    r) {
            printf "%s", name
            for (r = 1; r <= rows; r++) printf "|%.1f", sum[r, plus] + sign * sum[r, other]
            print ""
        }
        END {
            line("requests to global memory", "global_ld_requests", "global_st_requests", 1)
            line("sectors of global memory", "global_ld_sectors", "global_st_sectors", 1)
            line("wavefronts of shared memory", "shared_wavefronts")
            line("of these, bank conflicts", "shared_wavefronts", "shared_wavefronts_ideal", -1)
            line("barriers, of warps", "barriers")
            line("shuffles", "shuffles")
        }' rows=$# "$folder/ablate/measured.csv"
}

# A recorded time of a row: "1279 us, 839 GB/s", or nothing.
recorded() { # ROW
    if [ ! -f "$results/ablate.csv" ]; then return; fi
    csv_awk 'get("lesson") == lesson && get("label") == label {
            printf "%.0f us, %.0f GB/s\n", get("large_us"), get("large_gbps") }' \
        lesson="$lesson" label="$1" "$results/ablate.csv"
}

# ---- the page ----

label() { row "$1" | awk -F'|' '{ gsub(/^[ \t]+|[ \t]+$/, "", $1); print $1 }'; }

if [ ! -f "$report" ]; then
    # Both, so that a row that cannot run is refused now; the second number is not shown yet.
    count "$BASE" "$ROW" >"$folder/counts.txt"
    {
        echo "base$(row "$BASE" | sed 's/^[^|]*//')"
        echo "row$(row "$ROW" | sed 's/^[^|]*//')"
        cut -d '|' -f 1,2 "$folder/counts.txt"
    } | awk -F'|' -v label="$(label "$ROW")" -v base="$(label "$BASE")" '
        function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text == "" ? "-" : text }
        FILENAME == "-" && FNR <= 2 {
            program[FNR] = trim($2); defines[FNR] = trim($3); options[FNR] = trim($4)
            next
        }
        FILENAME == "-" { predict = predict "| " $1 " | " $2 " |  |\n"; next }
        function put(name, value,    at) {
            while ((at = index($0, "{" name "}")) > 0)
                $0 = substr($0, 1, at - 1) value substr($0, at + length(name) + 2)
        }
        {
            put("label", label); put("base", base)
            put("base_program", program[1]); put("program", program[2])
            put("base_defines", defines[1]); put("defines", defines[2])
            put("base_options", options[1]); put("options", options[2])
            if ($0 == "{predict}") printf "%s", predict
            else print
        }' - "$here/lab_report.md" >"$report.new"
    mv "$report.new" "$report"
    echo "$report: fill in parts 1 and 2, then give the same command again"
    exit
fi

title="# Lab report: $(label "$ROW")"
[ "$(sed -n 1p "$report" | tr -d '\r')" = "$title" ] ||
    die "'$report' is about another row ($(sed -n 1p "$report")); move it away for a new one"
[ "$(grep -c -e '^<!-- lab -->' -e '^<!-- /lab -->' "$report")" -eq 2 ] ||
    die "'$report' has lost its lines '<!-- lab -->' and '<!-- /lab -->' in part 3"
awk -F'|' '/^## /{ on = /^## 2/ } on && NF == 5 && !/---|^. counter/ {
        gsub(/^[ \t]+|[ \t]+$/, "", $2); gsub(/[ \t]/, "", $4); print $2 "|" $4 }' "$report" \
    >"$folder/predicted.txt"
[ "$(wc -l <"$folder/predicted.txt")" -eq 6 ] ||
    die "'$report': the table of part 2 has no longer six lines"
wrong=$(awk -F'|' '$2 !~ /^[0-9]+([.][0-9]*)?$/ { print "    " $1 ": " q $2 q }' q="'" \
    "$folder/predicted.txt")
[ -z "$wrong" ] || die "predict first: a field of part 2 takes a number such as 12 or 36.1; not yet:
$wrong"
count "$BASE" "$ROW" >"$folder/counts.txt"
mv "$folder/ablate/measured.csv" "$counted"
{
    echo '| counter, for 1,024 elements | the kernel | predicted | measured | off by |'
    echo '| --- | ---: | ---: | ---: | ---: |'
    awk -F'|' 'NR == FNR { guess[FNR] = $2; next }
        {
            off = $3 > 0 ? sprintf("%+.0f %%", 100 * (guess[FNR] - $3) / $3) : guess[FNR] - $3
            sub(/^[-+]0 /, "0 ", off)
            print "| " $1 " | " $2 " | " guess[FNR] " | " $3 " | " off " |"
        }' "$folder/predicted.txt" "$folder/counts.txt"
    echo
    echo "Counted by the emulator, n = 2^20, all launches; $counted has all."
    if [ -n "$(recorded "$BASE")" ] && [ -n "$(recorded "$ROW")" ]; then
        echo "Recorded on a GPU (${results##*/}), n = 2^28: the kernel $(recorded "$BASE");" \
            "changed $(recorded "$ROW")."
    else
        echo 'No GPU has a recorded time of both.'
    fi
} >"$folder/part_3.txt"
awk -v part="$folder/part_3.txt" '
    /^<!-- \/lab -->/ { inside = 0 }
    !inside { print }
    /^<!-- lab -->/ { inside = 1; while ((getline line <part) > 0) print line }' \
    "$report" >"$report.new"
mv "$report.new" "$report"
cat "$folder/part_3.txt"
echo "$report: part 3 is filled in"
