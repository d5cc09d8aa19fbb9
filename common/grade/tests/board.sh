#!/bin/sh
# SPDX-License-Identifier: MIT
#
# board.sh - the board of open tasks: 20 made-up students in the order of their scores, equal ones
# in the same place, and no one without all points; on a GPU with times.
#
# Called with FULL=1. Needs GRADE_BUILD, the built grader, and COURSE.
# Last line: N passed, N failed.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='board: '
class=$tmp/class
solution=05_warp_shuffle/open-scan/solution.cu

# ---- the table, of made-up rows ----
head='student,exercise,points,of,seconds,file,note,seed,score'
number=0
while [ $number -lt 20 ]; do
    number=$((number + 1))
    # 7 is a generator of 1 to 22 mod 23: all scores but two are different.
    score=$((number * 7 % 23 * 100))
    [ $number -ne 20 ] || score=700
    [ $number -ne 4 ] || score=''
    echo "s$number,open-scan,100,100,1.0,s$number/x.cu,,7,$score"
done >"$tmp/rows"
echo "=evil,open-argmax,100,100,1.0,x.cu,,7,99.5" >>"$tmp/rows"
# The rows of an earlier run; in this one somebody hands in an empty file.
mkdir -p "$class/zoe" "$class.marks" "$tmp/course/common/grade/report"
: >"$class/zoe/01.cu"
{ echo "$head" && cat "$tmp/rows"; } >"$class.marks/marks_long.csv"
board() { # OPTION...
    ends 0 grader --class "$class" "$@"
    cp "$class.marks/board.csv" "$tmp/board"
}
board --only 01
want 'another head' [ "$(sed 's/^[^a-z]*//;q' "$tmp/board")" = 'exercise,place,student,score' ]
want 'the first of argmax' grep -qx "open-argmax,1,'=evil,99.5" "$tmp/board"
grep '^open-scan' "$tmp/board" >"$tmp/scan"
want 'not 19 students' [ "$(wc -l <"$tmp/scan")" -eq 19 ]
want 'a student without a score' lacks scan ',s4,'
want 'no order' sort -t , -k 4n -c "$tmp/scan"
want 'no place for two' [ "$(grep -c ',700$' "$tmp/scan")" -eq 2 ]
want 'places' [ "$(grep ',700$' "$tmp/scan" | cut -d , -f 2 | uniq | wc -l)" -eq 1 ]
want 'the last place' [ "$(sed -n '$s/^open-scan,\([0-9]*\),.*/\1/p' "$tmp/scan")" = 19 ]
verdict 'a table of 20'

cp -R common/simt "$tmp/course/common/"
cp -R common/grade/protect common/grade/tasks "$tmp/course/common/grade/"
ln -s "$COURSE"/0[0-9]_* "$tmp/course/"
cat >"$tmp/course/common/grade/report/speed.sh" <<'END'
case $3 in */s1/x.cu) echo speed: && echo '  0.75 times the solution: 3 us' ;; esac
END
course=$tmp/course
board --only 01 --speed "$tmp/none" # a time of one only
course=$COURSE
want 'no column' holds board '^.*student,score,times_solution$'
want 'no time' holds board ',s1,700,0.75$'
want 'a time of another' holds board ',s2,[0-9]*,$'
verdict 'times of a GPU'

# ---- a class ----
rm -r "$class" "$class.marks"
mkdir -p "$class/naive" "$tmp/programs"
programs common/grade/tests/hostile.txt "$tmp/programs" >"$tmp/list"
cp "$tmp/programs/open-scan_naive.cu" "$class/naive/open-scan.cu"
for items in 8 10 12 14 16; do # of a thread: the more, the better
    mkdir "$class/s$items"
    sed "s/^#define ITEMS .*/#define ITEMS $items/" $solution >"$class/s$items/open-scan.cu"
done
mkdir "$class/reader"
sed 's,^// Why:$,&  a multiple of "2 * stride",' 02_no_divergence/bugs/bug-02b.cu \
    >"$class/reader/bug-02b.cu"
board --seed 7 --jobs 2
want 'the best' holds board '^open-scan,1,s16,'
want 'the last' [ "$(sed -n '$s/^[^,]*,[^,]*,\([^,]*\),.*/\1/p' "$tmp/board")" = s8 ]
want 'the naive one is on it' lacks board naive
want 'not all students' [ "$(grep -c ^open-scan "$tmp/board")" -eq 5 ]
want 'no score in the report' grep -q '^score on the board: [0-9]*; less is better$' \
    "$class.marks/reports/s16.open-scan.txt"
verdict 'a class'
cp "$class.marks/marks_long.csv" "$tmp/long"
want 'not in the table' names long ',"why: a multiple of ""2 * stride""",7,'
want 'not in the report' \
    grep -q '^ *why  *a multiple of "2 \* stride"$' "$class.marks/reports/reader.bug-02b.txt"
verdict 'the sentence about a bug reaches the teacher'
finish
