#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: viva - make viva: each answer is found in a second way, by viva.awk from the trace's text,
# or by running the changed copy once more; what has no single answer is not asked; typed answers
# are judged; what cannot be asked about is refused. Called by run.sh. Needs BUILD.
# Without FULL=1 two kernels, a variant and two exercises; exercise 05 has a copy with an endless
# shuffle, which takes as long as two files. Last line: N passed, N failed.
# Where: cpu
# shellcheck disable=SC2086 # mk is a command and its options
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/tests/viva_begin.sh
group='viva: '

folder=$tmp/folder
ten='1 2 3 4 5 6 7 8 9 10'
export SIMT_STEPS=1048576 # as in viva.sh

# A copy once more, without a trace: by once.c without the sandbox, or by the harness, which checks
# the result.
run_again() { # NUMBER
    status=0
    size=$(sed -n "s/^$1,[^,]*,[^,]*,N=\([0-9x]*\),.*/\1/p" "$folder/runs")
    if [ -n "$task" ]; then
        trace=$(mk -f common/pages/trace/trace.mk trace TASK="$task" \
            SUBMISSION="$folder/$1.cu" ${size:+N="$size"} 2>"$tmp/said") || return
        program=${trace%.trace}
        set -- "${program%".n$size"}" "$task" ${size:+-n "$size"}
    else
        # "f32 sum n 256"
        read -r type op _ n <"$folder/0.trace.what"
        set -- "$folder/$1" -n "${size:-$n}" -t "$type" -o "$op"
        "$@" --once >"$tmp/said" 2>&1
    fi
    grep -q '^simt: ' "$tmp/said" || "$@" >"$tmp/checked" 2>&1 || status=$?
}

# Is the changed line of a copy what the question says? The words must fit one place of it.
is_said() { # COPY TEXT
    line=$(printf '%s\n' "$2" | sed -n 's/^In line \([0-9]*\), .*/\1/p')
    sed -n "${line}p" "$folder/0.cu" >"$tmp/before"
    sed -n "${line}p" "$folder/$1.cu" | cat "$tmp/before" - | TEXT=$2 awk '
        BEGIN {
            text = ENVIRON["TEXT"]
            sub(/^In line [0-9]*, write /, "", text)
            at = index(text, " in place of ")
            by = substr(text, 1, at - 1)
            from = substr(text, at + 13)
            from = substr(from, 1, index(from, ". With ") - 1)
        }
        NR == 1 {
            at = index($0, from)
            new = substr($0, 1, at - 1) by substr($0, at + length(from))
            again = index(substr($0, at + 1), from)
        }
        NR == 2 { exit !(from != "" && at && !again && $0 == new) }'
}

# What was found in the copy, as an answer.
second_way() { # KIND COPY TEXT ANSWER
    case $1 in
    race)
        run_again "$2"
        lines=$(sed -n "/race on/,/^[^ ]/s/.*[^0-9]$2\.cu:\([0-9]*\).*/\1/p" "$tmp/said" |
            sort -nu | tr '\n' ' ')
        echo "${lines:-no }" | sed 's/ $//'
        ;;
    edge)
        is_said "$2" "$3" || echo 'another change'
        run_again "$2"
        if grep -q '^simt: ' "$tmp/said"; then echo c; else
            [ "$status" -eq 0 ] && echo a || echo b; fi
        ;;
    *) awk -f common/tests/viva.awk -v kind="$1" -v text="$3" -v answer="$4" "$folder/$2.trace" ;;
    esac
}

# FILE: has rows `number,kind,line,copy,answer,step,"text"`
compare() {
    while IFS=, read -r _ kind _ copy answer _ text; do
        text=${text#\"}
        found=$(second_way "$kind" "$copy" "${text%\"}" "$answer")
        [ "$found" = "$answer" ] || echo "$answer, but found $found: $copy $text"
    done <"$1"
}

# Of a hundred questions, how many have the most frequent answer of their kind? Without the rules of
# kinds.c it was 62 to 82 for the files of 01, 03 and 05; it is 25 to 45 for the exercises.
guessed() { # SOURCE
    "$BUILD/viva/viva" list "$1" "$folder" '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20' \
        5 '' | awk -F, '++n[$2, $5] > most[$2] { most[$2]++ } END { for (k in most) sum += most[k]
        print int(100 * sum / NR + 0.5) }'
}

questions() { # NAME SEEDS SOURCE VARIABLE=VALUE...: of one file
    name=$1 seeds=$2 source=$3
    shift 3
    for seed in $seeds; do
        ends 0 mk "$goal" LIST=1 N=30 SEED="$seed" FOLDER="$folder" "$@"
        cp "$tmp/out" "$tmp/list"
        cut -d , -f 2 "$tmp/list" >>"$tmp/kinds"
        want 'fewer than 8 questions' [ "$(wc -l <"$tmp/list")" -ge 8 ]
        want 'no word on where an array begins' \
            [ -z "$(grep ',sectors,' "$tmp/list" | grep -v 'begins at a multiple of')" ]
        differences=$(compare "$tmp/list")
        want "$differences" [ -z "$differences" ]
        if grep -q __shared__ "$source"; then # of others little can be asked: TEACHING.md
            share=$(guessed "$source")
            want "$share % have the most frequent answers" [ "$share" -le 50 ]
        fi
    done
    verdict "$name"
}

# The kernel of a lesson whose table has f32 alone: its copies compile in half the time.
f32_alone() { # LESSON
    mkdir -p "$tmp/$1"
    sed -e '/launch<double/d' -e '/launch<int/d' -e 's/min_op<float>>},$/min_op<float>>}},/' \
        "$1/kernel.cu" >"$tmp/$1/kernel.cu"
}

task='' goal=viva-03
questions 'a variant, an operator' 3 03_no_bank_conflict/variants/first_add.cu \
    VARIANT=first_add OP=max
goal=viva
for lesson in ${FULL:+01 02 04 07} 03 05; do
    set -- "$lesson"_*
    f32_alone "$1"
    questions "lesson $lesson" "1 ${FULL:+2 3}" "$tmp/$1/kernel.cu" KERNEL="$tmp/$1/kernel.cu"
done
for task in ${FULL:+02 04 05 07 capstone} 01 03; do
    case $task in capstone) set -- 07_*/capstone ;; *) set -- "${task}"_*/exercise ;; esac
    file=$1/solution.cu
    questions "exercise $task" "1 ${FULL:+2 3}" "$file" TASK="$task" SUBMISSION="$file"
done
for kind in wavefronts bank sectors lanes shuffle writer holds times warps race edge; do
    want "no question was of the kind $kind" grep -q "^$kind$" "$tmp/kinds"
done
verdict 'all kinds were asked'

# ---- the sandbox's trace is that of `make show`, to the step ----

# The folder is still that of exercise 03.
trace=$(mk trace TASK=03 SUBMISSION=$solution)
for file in "$trace" "$folder/0.trace"; do
    grep '^step' "$file" | cut -d ' ' -f 2,3,5-15
done >"$tmp/steps"
half=$(($(wc -l <"$tmp/steps") / 2))
head -n $half "$tmp/steps" >"$tmp/one"
tail -n $half "$tmp/steps" >"$tmp/other"
want 'no steps' [ "$half" -gt 100 ]
want 'they differ' cmp -s "$tmp/one" "$tmp/other"
verdict 'the sandbox gives the same steps'

# ---- typed for make; two at once ----

typed=$tmp/typed
given_up() { yes q | mk viva TASK=03 SUBMISSION=$solution SEED=222 FOLDER="$typed"; }
ends 0 given_up
want 'not reported' names out '0 of 5 right'
wide=$(grep -v '#step=' "$tmp/out" | awk 'length > 80')
want "wider than 80 columns: $wide" [ -z "$wide" ]
verdict 'typed for make'
last=$seed # of exercise 03, whose folder is still there
for seed in "$last" 222; do
    mk viva TASK=03 SUBMISSION=$solution LIST=1 SEED="$seed" >"$tmp/beside.$seed" 2>&1 &
done
wait
viva=$BUILD/viva/viva
"$viva" list $solution "$folder" "$last" 5 '' >"$tmp/alone.$last"
"$viva" list $solution "$typed" 222 5 '' >"$tmp/alone.222"
for seed in "$last" 222; do
    want "SEED=$seed: no questions" grep -q '^5,' "$tmp/alone.$seed"
    want "SEED=$seed: others than alone" cmp -s "$tmp/alone.$seed" "$tmp/beside.$seed"
done
verdict 'two vivas of one file at once'

# ---- what has no single answer ----

# As if other inputs gave the same.
record_two() { # OPTION...
    ends 0 mk -f common/pages/trace/trace.mk record KERNEL="$tmp/my.cu" \
        TRACE="$tmp/two/0.trace" "$@"
    for k in 1 2 3 4; do
        cp "$tmp/two/0.trace" "$tmp/two/0.trace.$k"
        cp "$tmp/two/0.trace.what" "$tmp/two/0.trace.$k.what"
    done
}

# Line 27 of lesson 03 gets two loads, of which one asks for 4 sectors and the other for 1.
sed 's/= i < n ? d_in\[i\]/= i < n ? op(d_in[i], d_in[0])/' "$tmp/03_no_bank_conflict/kernel.cu" \
    >"$tmp/my.cu"
two=$(grep -n 'op(d_in' "$tmp/my.cu" | cut -d : -f 1)
mkdir "$tmp/two"
echo '0,0,0,,"With n = 1024: "' >"$tmp/two/runs" # no copies
record_two
run "$viva" list "$tmp/my.cu" "$tmp/two" "$ten" 50 ''
want 'nothing is asked about that line' holds out "^[0-9]+,[a-z]+,$two,"
want 'the sectors of two loads are asked for' lacks out "sectors,$two,0,.*load from global"
want 'a shuffle is asked about' lacks out ',shuffle,'
verdict 'what has two answers is not asked'

# The trace of a file itself is enough to plan what a seed changes in it.
planned() { # SOURCE VARIABLE=VALUE...
    source=$1
    shift
    trace=$(mk trace "$@" 2>/dev/null)
    cp "$source" "$folder/0.cu"
    cp "$trace" "$folder/0.trace"
    cp "$trace.what" "$folder/0.trace.what"
    seed=0
}
next_plan() { # TASK
    seed=$((seed + 1))
    TASK=$1 "$viva" plan "$source" "$folder" $seed 50
}
first_plan_with() { # PATTERN TASK
    next_plan "$2"
    while [ $seed -lt 50 ] && ! grep -q "$1" "$folder/runs"; do
        next_plan "$2"
    done
}

# Comparisons: two in a line, without blanks, and templates.
sed -e 's/y < TILE; y/y<TILE \&\& x < TILE; y/' \
    -e 's/if (first_row + y < rows \&\& /if (first_row+y<rows \&\& /' \
    -e 's/const unsigned x = .*/const unsigned x = static_cast<unsigned>(threadIdx.x);/' \
    $solution >"$tmp/my.cu"
planned "$tmp/my.cu" TASK=03 SUBMISSION="$tmp/my.cu"
while [ $seed -lt 6 ]; do
    next_plan 03
    grep '^[0-9]*,2,' "$folder/runs" >"$tmp/list"
    cat "$tmp/list" >>"$tmp/edges"
    while IFS=, read -r copy _ _ _ text; do
        want "another change: $text" is_said "$copy" "${text#\"}"
    done <"$tmp/list"
done
cp "$tmp/edges" "$tmp/out"
want 'none in a line with two' holds out 'place of (y<TILE|x < TILE|first_row.y<rows)'
want 'a template is taken for a comparison' lacks out 'unsigned'
planned 07_elementwise/kernel.cu KERNEL=07_elementwise/kernel.cu
while [ $seed -lt 12 ]; do
    next_plan ''
    cat "$folder/runs" >>"$tmp/own"
done
cp "$tmp/own" "$tmp/out"
want 'nothing is changed' holds out 'Take BLOCK_SIZE'
want "that of a thread's own array is" lacks out '(INPUTS in place|< INPUTS)'
verdict 'the comparison that is changed is named'

# An aligned input has all of its elements moved with <= 4 too, but one at address 4 only then.
sed 's/first_col + y < cols \&\& /&(size_t)d_in % 16 < 4 \&\& /' $solution >"$tmp/my.cu"
planned "$tmp/my.cu" TASK=03 SUBMISSION="$tmp/my.cu"
first_plan_with 'write (size_t)d_in % 16 <= 4' 03
run mk viva TASK=03 SUBMISSION="$tmp/my.cu" LIST=1 N=50 SEED=$seed FOLDER="$folder"
copy=$(grep 'write (size_t)d_in % 16 <= 4' "$folder/runs" | cut -d , -f 1)
want 'that copy has not run at both addresses' [ -f "$folder/$copy.trace.4" ]
want 'no edge is asked about' holds out ',edge,'
want 'it is asked' lacks out ",edge,[0-9]*,$copy,"
verdict 'what an address decides is not asked'

# What the inputs decide: a store in a branch, the largest value of a row.
sed 's/^ *s_count\[tid\] = value;/s_count[tid] = 0;\
if (value > 0) s_count[tid] = value;/' 01_naive/exercise/solution.cu >"$tmp/my.cu"
branch=$(grep -n '^if (value' "$tmp/my.cu" | cut -d : -f 1)
# Without the barrier in the loop, a line races with itself and with another.
loop=$(grep -n "__syncthreads(); // this round's" "$tmp/my.cu" | cut -d : -f 1)
planned "$tmp/my.cu" TASK=01 SUBMISSION="$tmp/my.cu"
first_plan_with "barrier in line $loop\." 01
run mk viva TASK=01 SUBMISSION="$tmp/my.cu" LIST=1 N=50 SEED=$seed FOLDER="$folder"
run "$viva" list "$tmp/my.cu" "$folder" "$ten" 50 ''
want 'no branch' [ "$branch" -gt 0 ]
want 'nothing is asked' holds out '^[0-9]*,lanes,'
want 'the branch is asked about' lacks out "^[0-9]*,(lanes|times|warps),$branch,.* store to shared"
want 'no copy is without the barrier' grep -q "barrier in line $loop\." "$folder/runs"
want 'two pairs of lines race' lacks out ",race,$loop,"
run mk viva TASK=05 SUBMISSION=05_warp_shuffle/exercise/solution.cu LIST=1 N=50 SEED=1 \
    FOLDER="$folder"
want 'no copy is without the last column' grep -q 'write [a-z]* + 1 < cols' "$folder/runs"
want 'it is asked about' lacks out 'write [a-z]+ \+ 1 < cols'
verdict 'what the inputs or the schedule decide is not asked'

# Packs, then the rest: two instances of a template are two executions.
cp 07_elementwise/kernel.cu "$tmp/my.cu"
packs=$(grep -n 'in\[j\] = ((const pack_t' "$tmp/my.cu" | cut -d : -f 1)
stores=$(grep -n 'd_out + first))\[p\]' "$tmp/my.cu" | cut -d : -f 1)
echo '0,0,0,,"With n = 519: "' >"$tmp/two/runs"
record_two N=519
run "$viva" list "$tmp/my.cu" "$tmp/two" "$ten" 50 ''
want 'packs and the rest are not two' holds out ",times,$stores,0,2,[0-9]+,.* warp 0 "
want 'packs and the rest are one' lacks out ",times,($packs|$stores),0,1,[0-9]+,.* warp 0 "
# One width, but a function is called twice.
sed -e 's/= i < n ? d_in\[i\]/= i < n ? op(element<T, Op>(d_in, i), element<T, Op>(d_in, 0))/' \
    -e 's/^__global__/__device__ T element(const T *from, size_t i)\
{\
    return from[i];\
}\
\
template <typename T, typename Op>\
&/' "$tmp/03_no_bank_conflict/kernel.cu" >"$tmp/my.cu"
twice=$(grep -n 'return from' "$tmp/my.cu" | cut -d : -f 1)
echo '0,0,0,,"With n = 1024: "' >"$tmp/two/runs"
record_two
run "$viva" list "$tmp/my.cu" "$tmp/two" "$ten" 50 ''
want 'two calls are not two' holds out "^[0-9]+,times,$twice,0,2,"
want 'two calls are one' lacks out "^[0-9]+,times,$twice,0,1,"
verdict 'two instances of a line are two executions'
# ---- typed answers ----

cut -d , -f 5 "$tmp/alone.222" >"$tmp/answers"
asked() { # NAME SED_SCRIPT TEXT...: the right answers, changed
    asked_name=$1
    sed "$2" "$tmp/answers" >"$tmp/given"
    run sh -c "'$viva' ask $solution '$typed' 222 5 'make show KERNEL=' <'$tmp/given'"
    shift 2
    for text in "$@"; do want "not reported: $text" names out "$text"; done
    want 'a line is too long' [ "$(awk 'length > 80 && !/make show/' "$tmp/out" | wc -l)" -eq 0 ]
    want 'a line of a copy is named' lacks out '[0-9]\.cu:[0-9]'
    verdict "$asked_name"
}
asked 'all right' '' '5 of 5 right'
asked 'spaces and commas' 's/ /,  /g; s/^/  /' '5 of 5 right'
asked 'ranges' 's/^[0-9][0-9]*$/&-&/' '5 of 5 right'
asked 'a wrong answer' '2s/.*/77/' 'wrong. It is ' '4 of 5 right'
asked 'given up' '1s/.*/q/; 3s/.*//' '3 of 5 right'
asked 'what is no answer' '1s/.*/many/' "'many' is no answer here: type a number"
number=$(awk -F , '$2 ~ /lanes|writer|times|sectors|warps|wavefronts/ { print $1; exit }' \
    "$tmp/alone.222")
asked 'what does not fit' "${number}s/^/No\\n20-30\\n/" '5 of 5 right'

refused() { # NAME TEXT GOAL VARIABLE=VALUE...
    name=$1 text=$2
    shift 2
    ends 2 mk "$@"
    want "not reported: $text" names err "$text"
    want 'it asks' lacks out 'question 1'
    verdict "refused: $name"
}
refused 'a kernel of a library' 'nothing can be asked about' viva-06
refused 'a variant' "03_no_bank_conflict has no variant 'none'" viva-03 VARIANT=none
refused 'no file' 'KERNEL=my.cu, or TASK=03 SUBMISSION=my.cu' viva
refused 'a student without an exercise' 'STUDENT: an exam is about an exercise' \
    viva STUDENT=ada KERNEL=03_no_bank_conflict/kernel.cu SEED=1
refused 'a seed' "SEED: 'x' is not accepted" viva-03 SEED=x
refused 'no question' "N: '0' is not accepted" viva-03 N=0
echo 'extern "C" int solve() { return system("id"); }' >"$tmp/bad.cu"
refused 'what the grader refuses' system viva TASK=03 SUBMISSION="$tmp/bad.cu"

finish
