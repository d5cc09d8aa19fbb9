#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: predict - make predict-03: the folded answers of each page are those of the emulator,
# planted ones are found; typed answers are checked; an invalid page is refused. Called by run.sh,
# on the cpu. Needs BUILD. Last line: N passed, N failed.
# Where: cpu
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
. common/tests/check.sh
group='predict: '
if "${CXX:-c++}" --version | grep -q clang; then # it compiles kernels without optimisation
    echo 'skip predict: clang loads and stores more than a GPU does'
    exit
fi

for page in [0-9]*_*/README.md; do
    number=${page%%_*}
    # shellcheck disable=SC2086 # a command and its options
    ends 0 mk "predict-$number" LIST=1
    want 'fewer than 2 questions' [ "$(wc -l <"$tmp/out")" -ge 2 ]
    want 'more than 4 questions' [ "$(wc -l <"$tmp/out")" -le 4 ]
    want 'the page and the emulator differ' [ -z "$(awk '$2 != $3 || $1 != NR' "$tmp/out")" ]
    want 'the page does not name the command' grep -q "^make predict-$number" "$page"
    [ "$number" != 06 ] || cut -d ' ' -f 3 "$tmp/out" >"$tmp/answers"
    verdict "$page"
done
right() { mk predict-06 N=5 TYPE=f64 <"$tmp/answers"; }
ends 0 right
asked=$(wc -l <"$tmp/answers")
want 'another run than the page names' holds out "^$((asked)) of $((asked)) right"
verdict 'make predict-06, the right answers'

# ---- our own page ----

cat >"$tmp/page.md" <<'PAGE'
## Before

1. What is asked here is no question.

## Predict

A block has 8 warps.

1. At stride 8, how many of the 8 warps have work?
2. How many lanes
   of each?
3. At stride 32, how many warps have work?
4. How many lanes of each?

<!-- predict 1: make report-01 | op(s_data[tid] | shared store | 4 | requests -->
<!-- predict 2: make report-01 | op(s_data[tid] | shared store | 4 | lanes -->
<!-- predict 3: make report-01 | op(s_data[tid] | shared store | 6 | requests -->
<!-- predict 4: make report-01 | op(s_data[tid] | shared store | 6 | lanes -->

<details>
<summary>Answers</summary>

1. **8**: every sixteenth thread adds.
2. **2**. Two in 32.
3. **4**
4. **1**: the first
   lane.

</details>

## After

1. Nor here.
PAGE
mkdir "$tmp/page"
predict() { # SED_SCRIPT [--list]: of the page, changed
    sed "$1" "$tmp/page.md" >"$tmp/page/README.md"
    shift
    sh common/viva/predict.sh "$BUILD/viva/viva" "$BUILD/viva/predict/test" "$tmp/page" "$@"
}
export BUILD_DIR="${BUILD%/*}"

typed() { # TEXT: lines, with \n between
    # shellcheck disable=SC2059 # a format
    printf "$1" >"$tmp/typed"
    status=0
    predict '' <"$tmp/typed" >"$tmp/out" 2>"$tmp/err" || status=$?
    want "exit $status, expected 0" [ "$status" -eq 0 ]
}
typed '8\n 2 \n4\n1\n'
want 'not all are right' names out '4 of 4 right'
want 'an answer is shown' lacks out 'It is|shows it'
want 'a question is not whole' names out 'How many lanes of each?'
want 'another list is asked' lacks out 'no question|Nor here'
verdict 'all right'
typed '5\n11\n\nq\n'
want 'not how far' names out '> wrong: 5 is 3 too few. It is 8: every sixteenth thread adds.'
want 'not how far above' names out '> wrong: 11 is 9 too many. It is 2. Two in 32.'
want 'ENTER gives no answer' holds out '> It is 4$'
want 'q gives no answer' names out '> It is 1: the first lane.'
want 'the command is not named' [ "$(grep -c '^make report-01 shows it:$' "$tmp/out")" -eq 4 ]
want 'the line is not shown' holds out '^    01_naive/kernel.cu:[0-9]+: s_data\[tid\] = op\('
want 'the row is not shown' holds out '^    shared store, 4 B, round 4: requests 8$'
want 'a column that answers the next question is shown' lacks out 'requests.*lanes'
want 'not 0 of 4' names out '0 of 4 right'
verdict 'wrong, and given up'
typed 'eight\n-8\n8.0\n8\n2\n4\n1\n'
want 'what is no number is judged' names out '4 of 4 right'
want 'it does not say what to type' [ "$(grep -c 'type a whole number' "$tmp/out")" -eq 3 ]
verdict 'what is no number'
# An input that ends, or never answers: quiz.sh.

listed() { ends "$1" predict "$2" --list; } # STATUS SED_SCRIPT
listed 1 's/^2\. \*\*2\*\*/2. **3**/'
want 'it is not found' names out '2 3 2'
verdict 'a wrong answer of a page is found'
# A block of 128 has 4 warps; at stride 32 two of them.
listed 1 's/: make report-01 |/: make report-01 BLOCK=128 N=128 |/'
want 'the emulator was not asked' [ "$(cut -d ' ' -f 3 "$tmp/out" | tr '\n' ' ')" = '4 2 2 1 ' ]
verdict 'another launch has other answers'

refused() { # NAME TEXT SED_SCRIPT
    listed 2 "$3"
    want "it does not say: $2" names err "$2"
    verdict "refused: $1"
}
refused 'no line for the emulator' "question 3 of its section 'Predict' has no line" '/predict 3:/d'
refused 'no answer' "question 4 of its section 'Predict' has no answer" '/^4\. \*\*1/d'
refused 'no question' "question 1 of its section 'Predict' has no text" '/^1\. At stride/d'
refused 'a line too many' "question 5 of its section 'Predict' has no text" \
    '/predict 4:/{p;s/4:/5:/;}'
refused 'an answer without a number' 'begin with a number in bold' 's/^3\. \*\*4/3. **four/'
refused 'no section' 'asks nothing' 's/^## Predict/## Guess/'
refused 'another command' 'make report-03 N=1K' 's/predict 1: make report-01/predict 1: rm/'
refused 'a row that is not there' 'no row of the report is like this' 's/| 4 | req/| 9 | req/'
refused 'a column that is not there' 'requests wavefronts sectors' 's/| 4 | requests/| 4 | banks/'
ends 2 predict 's/^2\. \*\*2\*\*/2. **3**/'
want 'something is asked' lacks out question
want 'not reported' names err 'counts other numbers here than'
verdict 'refused: to ask what the page has wrong'
refused 'half a warp' 'the quotient is no whole number' 's/| 6 | requests/| 6 | lanes \/ requests/'
ends 2 "$BUILD/viva/viva" predict "$tmp/none"
want 'not reported' names err "$tmp/none"
verdict 'refused: no page'

finish
