#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: sass - the recorded machine code, kernel.sass beside kernel.cu: it is that of the current
# source, the sum of its parts is what Nsight Compute counted, and the pages have its numbers.
# nvcc.sh records again and compares. Needs no GPU and no nvcc.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
. common/measure/results.sh
group='sass: '

# A line for each mistake: a title with a wrong count of rows, a line whose text has changed. Files
# of CUDA and CUB are not here, and not compared.
mistakes() { # FILE.sass
    awk 'NR == 1 { source = $1; sub(/:$/, "", source) }
        function close_part() {
            if (title != "" && rows != count) print title " has " rows + 0 " rows"
            title = ""
            rows = 0
        }
        /: [0-9]+ instructions?$/ { close_part(); title = $0; count = $(NF - 1) }
        /^ *[0-9]+ / {
            rows++
            where = substr($0, index($0, " | ") + 3)
            sub(/^ */, "", where)
            if (!sub(/  /, "|", where)) next # the line of the row before
            words = where
            sub(/[|].*/, "", where)
            sub(/^[^|]*[|]/, "", words)
            sub(/\.\.\.$/, "", words)
            file = source
            if (where ~ /:/) { file = "common/" where; sub(/:.*/, "", file); sub(/.*:/, "", where) }
            if (!(file in lines)) while ((getline text[file, ++lines[file]] <file) > 0);
            compared++
            if (lines[file] > 1 && !index(text[file, where + 0], words))
                print file ":" where " is not: " words "; common/pages/sass.sh --record writes anew"
        }
        END { close_part(); if (compared < 3) print "only " compared + 0 " lines to compare" }' "$1"
}

# What a part has, as its title says. Parts: before, round, after, result.
part() { # FILE.sass PART
    sed -n "s/^\(a \|for the \)*$2 .*: \([0-9]*\) instructions*\$/\2/p;
        s/^for the $2: \([0-9]*\) instructions*\$/\1/p" "$1"
}

for record in $(find [0-9]* -name '*.sass' | sort); do
    empty "$record is that of its source" "$(mistakes "$record")"
    case $record in */loop.sass | */faster/*) continue ;; esac # not all of a kernel
    # A block of 256: 8 warps, 8 rounds, and one of its warps has the result.
    program=${record%%/*}.$(basename "$record" .sass)
    warp=$(($(part "$record" before) + 8 * $(part "$record" round) + $(part "$record" after)))
    sum=$((8 * warp + $(part "$record" result)))
    measured=$(csv_awk 'get("program") == program && get("defines") get("options") == "" && !n++ {
        print get("instructions") / (2 ^ 24 / 256)
    }' program="${program%.kernel}" common/results/h200/ablate.csv)
    equal "$record: the sum of a block is that of Nsight Compute" "$sum" "$measured"
done

# What the pages say about these parts, made from the counts.
naive=01_naive/kernel.sass
bitmask=01_naive/variants/bitmask.sass
second=02_no_divergence/kernel.sass
modulo=02_no_divergence/variants/modulo.sass
third=03_no_bank_conflict/kernel.sass
has() { # PAGE TEXT
    tr -s '\n ' '  ' <"$1" >"$tmp/out"
    want "$1 does not say so" names out "$2"
    : >"$tmp/out"
    verdict "$1: $2"
}
a=$(part "$naive" round) b=$(part "$bitmask" round)
c=$(part "$second" round) d=$(part "$third" round)
has 01_naive/README.md "A round has $a instructions"
has 01_naive/README.md "| the kernel | $a |"
has 01_naive/README.md "no modulo | $b |"
has 01_naive/DEEPER.md "goes from $a to $b instructions: 64 x $((a - b)) = $((64 * (a - b))) fewer"
has 01_naive/DEEPER.md "8 rounds x $a instructions = $((64 * a))"
has 02_no_divergence/DEEPER.md "a round of 01 $a instructions without the modulo - $((a - b))"
has 02_no_divergence/DEEPER.md "with a computed index + $((c - b)) a round of 02 $c saved by"
has 02_no_divergence/DEEPER.md "saved by 8 warps in 8 rounds 64 x $((a - c)) = $((64 * (a - c)))"
has 02_no_divergence/README.md "a round takes $c instructions instead of $a"
has 03_no_bank_conflict/README.md "a round has $d instructions, not $c"
has 03_no_bank_conflict/DEEPER.md "A round of 02 has $c instructions, a round of 03 has $d"
has 04_vectorized/DEEPER.md "A turn of the loop has $(part 04_vectorized/loop.sass round)"
if [ -f common/grade/ANSWERS.md ]; then # not in a handout
    has common/grade/ANSWERS.md \
        "4 x 7 x $a = $((28 * a)); 4 x ($(part "$naive" before) + $(part "$naive" after))"
    has common/grade/ANSWERS.md \
        "32 x 10 x $c = $((320 * c)); 32 x ($(part "$second" before) + $(part "$second" after))"
    has common/grade/ANSWERS.md "8 x 8 x $(part "$modulo" round) ="
    has common/grade/ANSWERS.md \
        "16 x 9 x $d = $((144 * d)); 16 x ($(part "$third" before) + $(part "$third" after))"
fi

# A row that is lost, a line that is no longer there and a wrong sum of rows are seen.
sed '/ FADD /d' "$naive" >"$tmp/planted"
want 'a lost row is not seen' [ -n "$(mistakes "$tmp/planted")" ]
sed 's/== 0)/== 1)/' "$naive" >"$tmp/planted"
want 'a changed line is not seen' [ -n "$(mistakes "$tmp/planted")" ]
verdict 'what is planted is seen'

# Without nvcc `make sass` shows the recorded round, and says so.
sass() { env NVCC=/no/nvcc "$1" sh common/pages/sass.sh "$2"; } # NAME=VALUE FILE
ends 0 sass V= 03_no_bank_conflict/kernel.cu
want 'it does not say what is missing' holds err "'/no/nvcc' was not found; recorded before:"
want 'a line of more than 80 columns' lacks out '^.{81}'
want 'not the round' holds out '^a round of the loop in line [0-9]*: [0-9]* instructions'
want 'more than the round' lacks out '^before the loop'
verdict 'make sass without nvcc'
run sass V=1 03_no_bank_conflict/kernel.cu
want 'not the record' cmp -s "$tmp/out" "$third"
verdict 'make sass V=1 without nvcc'
run sass V= 05_warp_shuffle/kernel.cu
want 'not its loop' names out 'LDG.E.128'
verdict 'make sass of a recorded loop'
run sass V= 06_cub/kernel.cu
want 'a line of more than 80 columns' lacks out '^.{81}'
want 'a place is cut' [ "$(grep -c '[|] [a-z_]*[.]c*u*h:[0-9]*$' "$tmp/out")" -eq 43 ]
verdict 'make sass with long names of files'
for options in TYPE=f64 OP=max ARCH=sm_80; do
    ends 77 sass "$options" 03_no_bank_conflict/kernel.cu
    want 'it does not name the records' names err "$third"
    verdict "make sass $options without nvcc"
done

finish
