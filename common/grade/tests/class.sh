#!/bin/sh
# SPDX-License-Identifier: MIT
#
# class.sh - a class: whatever students hand in, each has a row, with the file that was used or the
# reason; no name is executed or interpreted; the tables keep their rows; a file is complete or
# unchanged.
#
# Needs GRADE_BUILD, the built grader, and COURSE. Last line: N passed, N failed. exercises.sh has
# large classes, with hostile students.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='class: '
class=$tmp/class
marks=$class.marks
solution=01_naive/exercise/solution.cu
bom=$(printf '\357\273\277')
refused='#include <none.h>' # without a compilation

# Exercise 01, unless an option is another one. It must exit with 0, or $expected.
grade_class() { # OPTION...
    ends "${expected:-0}" grader --class "$class" --seed 7 --jobs "$cores" --only 01 "$@"
}
# A line of the table begins like this and has that part.
row() { # FILE BEGINNING [PART]
    found=''
    while IFS= read -r line; do
        case $line in "$2"*"${3:-}"*) found=yes ;; esac
    done <"$marks/$1"
    want "$1 has no line '$2' with '${3:-}': $(cat "$marks/$1")" [ "$found" = yes ]
}
new_class() { rm -rf "$class" "$marks" && mkdir "$class"; }

# ---- not a file to grade: a row with 0 and the reason ----
# Student, reason, and what makes it in the student's folder.
cat >"$tmp/reasons" <<'END'
fifo|fifo/01.cu is not a plain file|mkfifo 01.cu
link|link/01.cu is a link|ln -s "$COURSE/$solution" 01.cu
dangling|dangling/01.cu is a link|ln -s nowhere 01.cu
up|up/01 is a link|ln -s .. 01
empty|missing: there is no file of exercise 01,7|:
papers|missing: there is no file of exercise 01,7|: >quiz.csv && : >report.md
archive|archive/01.zip is an archive: unpack it first|printf 'PK\003\004' >01.zip
utf16|utf16/01.cu is UTF-16 text: save it as UTF-8|printf '\377\376x\000' >01.cu
binary|binary/01.cu is not a text file|printf 'int x;\000' >01.cu
none|none/01.cu is empty|: >01.cu
large|large/01.cu is larger than 1 MiB|head -c 1100000 /dev/zero | tr '\0' ' ' >01.cu
bottomless|cannot be read, or is nested too deeply|for _ in $(seq 40); do mkdir a; cd a; done
deep|deep/a/b/c/01.txt is not a .cu file|mkdir -p a/b/c && echo text >a/b/c/01.txt
reports|missing: there is no file|:
.hidden|.hidden/.01.cu is a hidden file|: >.01.cu
marks.csv|missing: there is no file|:
marks_long.csv|marks_long.csv/a.csv is not a .cu file|: >a.csv
carol|carol is not a plain file|rmdir ../carol && mkfifo ../carol
bob|bob is a link|rmdir ../bob && ln -s /etc ../bob
device|device/01.cu is not a plain file|mknod 01.cu c 1 5 || rmdir ../device
END
new_class
while IFS='|' read -r student _ command; do
    mkdir "$class/$student" && (cd "$class/$student" && eval "$command") 2>/dev/null
done <"$tmp/reasons"
mkdir "$class/one" "$class/two" "$class/own" "$class/.settings" "$class/.git"
echo "$refused" | tee "$class/one/01.cu" "$class/own/01.cu" >/dev/null
ln "$class/one/01.cu" "$class/two/01.cu"
ln "$class/own/01.cu" "$class/own/1.cu"
touch "$class/list.csv" "$class/.settings/any" "$class/.gitignore"
grade_class
while IFS='|' read -r student reason _; do
    if [ ! -e "$class/$student" ] && [ ! -L "$class/$student" ]; then continue; fi # no device
    row marks_long.csv "$student,01,0,100,0.0,," "$reason"
done <"$tmp/reasons"
row marks_long.csv 'own,01,0,100,' 'own/01.cu'
for student in one two; do
    row marks_long.csv "$student,01,0,100," "$student/01.cu,"
    row marks_long.csv "$student,01,0,100," '; a file has names of two students, by a hard link'
    want "no remark of $student" grep -q 'names of two' "$marks/reports/$student.01.txt"
done
want 'a file with two names of one student is remarked' \
    [ -z "$(grep '^own.*two students' "$marks/marks_long.csv")" ]
want 'a list of the teacher has a row' lacks out list.csv
want 'a hidden folder without a .cu file has a row' lacks out '^\.(settings|git)'
students=$(find "$class" -mindepth 1 -maxdepth 1 ! -name list.csv ! -name .settings \
    ! -name '.git*' | wc -l)
want "not $students rows" [ "$(wc -l <"$marks/marks.csv")" -eq $((students + 1)) ]
verdict 'what is no file to grade'

# ---- names: each of these files is found by its name, its folder or its text ----
new_class
cd "$class" || exit 1
long_name=$(printf '%0250d' 7)
taken() { # PATH [TEXT]
    case $1 in */*) mkdir -p -- "${1%/*}" ;; esac
    printf '%s\n' "${2:-$refused}" >"./$1"
}
# The row of this student names this file.
by() { # STUDENT FILE [PATH [TEXT]]
    taken "${3:-$2}" "${4:-}"
    printf '%s\n' "$1" "$2" >>"$tmp/by"
}
# shellcheck disable=SC2016 # that is the point
by '$(touch run1)`touch run2`' '$(touch run1)`touch run2`/01.cu'
by 'new\nline' 'new\nline/01\n.cu' "$(printf 'new\nline/01\n.cu')"
by "\"O'Brien \"\"B\"\"; touch run3\"" "\"O'Brien \"\"B\"\"; touch run3/01.cu\"" \
    "O'Brien \"B\"; touch run3/01.cu"
by "'-rf" "'-rf/-01.cu" '-rf/-01.cu'
by "'=1+1" "'=1+1/01.cu" '=1+1/01.cu'
by 'caf\xe9' 'caf\xe9/01\xff.cu' "$(printf 'caf\351/01\377.cu')"
by 'red\x1b[31m' 'red\x1b[31m/01.cu' "$(printf 'red\033[31m/01.cu')"
by capital capital/01.CU
by nested nested/project/src/01.cu
by 'Alice Smith_12345' 'Alice Smith_12345_assignsubmission_file_/01.cu'
by 'Alice Smith_22345' 'Alice Smith_22345_assignsubmission_file_01.cu'
twice=_1001_assignsubmission_file__1003
by "Eve$twice" "Eve${twice}_assignsubmission_file_/01.cu"
by "Eve${twice}_assignsubmission_file_01.cu" "Eve${twice}_assignsubmission_file_01.cu"
by smithalice_12347 smithalice_12347_67890_01.cu
by smithalice_22347 smithalice_LATE_22347_67890_01-1.cu
by number 'number/ex1 final.cu'
for file in handed/exercise.cu head1/2024-11-05.cu head2/v02.cu head3/20241105_ex3.cu \
    'head4/gruppe 04/team 05.cu' 02_other/exercise.cu; do
    by "${file%%/*}" "$file" "$file" "// Exercise 01: count
$refused"
done
by folders folders/01_naive/exercise/exercise.cu
by flat flat.cu
by flat2 flat2_01.cu
taken other/02.cu
taken ...01.cu
for student in reports marks.csv .dot Ann ann "$(printf '\303\251')" \
    "$(printf 'e\314\201')" "$long_name" bob; do
    by "$student" "$student/01.cu"
done
by asked asked/exercise.cu
by "''=1" "''=1/01.cu" "'=1/01.cu"
by "$(printf "'\357\274\2351")" "$(printf "'\357\274\2351/01.cu")" "$(printf '\357\274\2351/01.cu')"
by '\xe2\x80\xa8\x09\x0d' '\xe2\x80\xa8\x09\x0d/01.cu' "$(printf '\342\200\250\t\r/01.cu')"
by bob.cu bob.cu
by hw_2025_11_carl.cu hw_2025_11_carl.cu
by hw_2025_11_dora hw_2025_11_dora.cu
by hw_2025_11_carl hw_2025_11_carl/01.cu
by hw_2025_11_eric hw_2025_11_eric/01.cu
taken whole/01_naive/kernel.cu
by whole whole/01_naive/exercise/exercise.cu '' solve
cd "$COURSE" || exit 1
touch "$tmp/handed_in"
grade_class
while IFS= read -r student && IFS= read -r file; do
    row marks_long.csv "$student,01,0,100," ",$file,"
done <"$tmp/by"
row marks_long.csv ...01,01,0,100,0.0,, '...01.cu is a hidden file'
row marks_long.csv 'other,01,0,100,0.0,,missing'
want 'something was run' [ -z "$(find . "$class" -maxdepth 2 -name 'run[123]')" ]
control=$(printf '\033')
want 'a terminal code in a report' [ -z "$(grep -rl "$control" "$marks")" ]
want 'no report' [ -f "$marks/reports/capital.01.txt" ]
want 'not a report for each row' \
    [ "$(find "$marks/reports" -type f | wc -l)" -eq "$(($(wc -l <"$marks/marks.csv") - 1))" ]
want 'something was written among the files of the students' \
    [ -z "$(find "$class" -newer "$tmp/handed_in")" ]
verdict 'names'

# The folder of the class may have any name too.
odd=$(printf "%s/a 'class\"\$(touch run4)=\n\033\nx" "$tmp")$(printf '\n.')
odd=${odd%.}
mkdir -p "$odd/ada"
grade_class --class "$odd"
want 'no marks' grep -q '^ada,0,7$' "$odd.marks/marks.csv"
want 'something was run' [ -z "$(find . "$tmp" -maxdepth 2 -name run4)" ]
verdict 'a class of an odd name'

# A lesson's bug is not its exercise, and neither is an open task.
new_class
cd "$class" || exit 1
taken 'both/01.cu'
taken 'both/bug-01a.cu'
taken 'under/bug_01a.cu'
taken 'close/Bug01a final.cu'
taken 'head/my.cu' '// Bug-01a: d_out[0] is the sum'
taken 'tree/01_naive/bugs/bug-01a.cu'
taken 'tree/05_warp_shuffle/open-scan/exercise.cu' '// Exercise open-scan: the running sums'
taken 'smithalice_12347_67890_bug-01a-1.cu'
taken 'flat_bug-01a.cu'
taken 'open/Open_Scan.cu'
cd "$COURSE" || exit 1
grade_class --only '01 05 bug-01a open-scan'
row marks_long.csv 'both,01,' ',both/01.cu,'
for name in both:both/bug-01a.cu under:under/bug_01a.cu 'close:close/Bug01a final.cu' \
    head:head/my.cu tree:tree/01_naive/bugs/bug-01a.cu flat:flat_bug-01a.cu \
    smithalice_12347:smithalice_12347_67890_bug-01a-1.cu; do
    row marks_long.csv "${name%%:*},bug-01a,0,100," ",${name#*:},"
done
row marks_long.csv 'tree,open-scan,' ',tree/05_warp_shuffle/open-scan/exercise.cu,'
row marks_long.csv 'open,open-scan,' ',open/Open_Scan.cu,'
row marks_long.csv 'under,01,0,100,0.0,,missing'
row marks_long.csv 'tree,05,0,100,0.0,,missing'
verdict 'names of bugs and of open tasks'

# 2,000 names of one student, made to look alike.
new_class
mkdir "$class/bob"
(cd "$class/bob" && seq -f 'bob_%g_1_1_1_1_1_1_1_1_1_1_01.cu' 2000 | xargs touch)
echo "$refused" >"$class/bob/bob_3000_01.cu"
start=$(date +%s)
grade_class
took=$(($(date +%s) - start))
row marks_long.csv 'bob,01,0,100,' 'bob/bob_3000_01.cu'
want "$took seconds" [ "$took" -lt 60 ]
verdict '2,000 names'

# ---- the tables ----

# What Canvas imports: the columns up to Section, then one for each assignment, as the head is read
# by lib/gradebook_importer.rb of github.com/instructure/canvas-lms. What Moodle imports:
# Identifier, Grade and Last modified (grade), with the participant's number after "Participant ",
# as mod/assign/feedback/offline/importgradeslib.php of github.com/moodle/moodle reads them.
new_class
mkdir "$class/adam_55" "$class/eve_55"
echo "$refused" | tee "$class/adam_55/01.cu" >"$class/eve_55/01.cu"
for format in moodle.01 canvas; do
    grade_class --format "${format%.*}"
    want 'nothing is said' names err "have the number 55, so it is left out: 'adam_55', 'eve_55'"
    want 'a row has the number' lacks "class.marks/$format.csv" '(^|[ ,])55,'
done
verdict 'two students with one number'

new_class
mkdir "$class/ada" "$class/bob" "$class/eve_55"
cp $solution "$class/ada/01.cu"
echo "$refused" >"$class/ada/01_2.cu"
echo "$refused" >"$class/bob/01.cu"
cp "$class/bob/01.cu" "$class/bob/02.cu"
grade_class --pick best --format canvas
want 'not this table' [ "$(cat "$marks/marks.csv")" = "${bom}student,01,seed
ada,100,7
bob,0,7
eve_55,0,7" ]
row marks_long.csv "${bom}student,exercise,points,of,seconds,file,note,seed"
row marks_long.csv 'ada,01,100,' ',ada/01.cu,not taken: ada/01_2.cu,7'
want 'not what Canvas imports' [ "$(cat "$marks/canvas.csv")" = \
    'Student,ID,SIS User ID,SIS Login ID,Section,Exercise 01
ada,,,ada,,100
bob,,,bob,,0
eve,55,,,,0' ]
verdict 'the best of two files, and Canvas'

# What a student puts in the place of the marks is not trusted.
printf '%s\n' "${bom}student,exercise,points,of,seconds,file,note,seed" 'bob,01,100,100,0.1,,,7' \
    >"$class/marks_long.csv"
mkdir "$class/marks.csv"
grade_class --pick best
row marks.csv 'bob,0,7'
row marks.csv 'marks.csv,0,7'
rm -r "$class"/marks*
rm -r "$marks"
grade_class --pick best
verdict 'marks that a student has planted'

grade_class --only 02 --seed 9 --format moodle
want 'not this table' [ "$(cat "$marks/marks.csv")" = "${bom}student,01,02,seed
ada,100,0,01=7 02=9
bob,0,0,01=7 02=9
eve_55,0,0,01=7 02=9" ]
want 'not what Moodle imports' [ "$(cat "$marks/moodle.01.csv")" = \
    'Identifier,Full name,Grade,Last modified (grade)
,ada,100,-
,bob,0,-
Participant 55,eve,0,-' ]
want 'no worksheet of 02' [ -f "$marks/moodle.02.csv" ]
verdict 'another exercise is a column more, and Moodle'

cp "$marks/marks_long.csv" "$tmp/before"
ends 0 grader --class "$class" --student ada
row marks_long.csv 'ada,01,0,100,' # the last by name
want 'another seed' grep -q '^ada,01,.*,7,$' "$marks/marks_long.csv"
others() { grep -v '^ada' "$1"; }
want 'the others have changed' \
    [ "$(others "$tmp/before")" = "$(others "$marks/marks_long.csv")" ]
expected=2 grade_class --student zoe
want 'it does not name the student' names err "there is no student 'zoe'"
want 'a row was lost' [ "$(wc -l <"$marks/marks_long.csv")" -eq 7 ]
verdict 'one student again'

# ---- the grader's own failure is not a 0 ----
cp "$marks/marks.csv" "$tmp/before"
rm "$class/ada/01.cu" "$class/ada/01_2.cu" "$class"/bob/0*
# This shell's child processes must inherit that the signal is ignored.
# shellcheck disable=SC2016 # the other sh expands it
if (trap '' XFSZ && sh -c 'sh -c "kill -XFSZ \$\$" && :') 2>/dev/null; then
    (ulimit -f 0 && trap '' XFSZ && grade_class && cp "$tmp/out" "$tmp/err" /dev/null
        exit "$status") 2>/dev/null
    status=$?
    want "exit $status with a full disk, expected 2" [ "$status" -eq 2 ]
    want 'the table has changed' cmp -s "$tmp/before" "$marks/marks.csv"
    want 'a file more' [ -z "$(find "$class" "$marks" -name '*.new')" ]
    verdict 'a full disk'
else
    echo "skip ${group}a full disk: a signal that is ignored is not, two programs further"
fi

mkdir "$tmp/mark.csv"
expected=2 grade_class --marks "$tmp/mark.csv"
want 'the file is not named' names err "cannot write '$tmp/mark.csv'"
rmdir "$tmp/mark.csv"
for file in "$class/all.csv" "$class/ada/../all.csv"; do
    expected=2 grade_class --marks "$file"
    want 'it does not say why' names err "MARKS: '$file' is in DIR, among the students' files"
done
printf 'student,points\nada,3\n' >"$marks/marks_long.csv"
expected=2 grade_class
want 'the file is not named' names err "marks_long.csv line 1: this is not"
want 'the file was replaced' [ "$(wc -l <"$marks/marks_long.csv")" -eq 2 ]
rm "$marks/marks_long.csv"
verdict 'a table that cannot be written, or read'

echo "$refused" >"$class/bob/01.cu"
rm -f "$marks/reports/bob.01.txt"
mkdir "$marks/reports/bob.01.txt"
expected=2 grade_class --seed 8
want 'the report is not named' names err 'reports/bob.01.txt'
want 'the table has changed' cmp -s "$tmp/before" "$marks/marks.csv"
rmdir "$marks/reports/bob.01.txt"
verdict 'a report that cannot be written'

# A compiler that compiles ada's file only: neither bob's nor the grader's own. So bob's row ends
# with 2 while judging. The grader does not accept clang.
new_class
mkdir "$class/ada" "$class/bob"
cp $solution "$class/ada/01_ada.cu"
cp $solution "$class/bob/01_bob.cu"
case ${CXX:-} in *clang* | '') gcc=g++ ;; *) gcc=$CXX ;; esac
printf '#!/bin/sh\ncase "$*" in *01_bob* | *trial*) exit 1 ;; esac\nexec %s "$@"\n' \
    "$gcc" >"$tmp/half_g++"
chmod 755 "$tmp" "$tmp/half_g++"
expected=2 SANDBOX=limits GRADE_CXX=$tmp/half_g++ grade_class
want 'the student is not named' names err "'bob' has no mark for exercise 01"
row marks.csv 'ada,100,'
row marks.csv 'bob,,'
row marks_long.csv 'bob,01,,,,' 'the grader itself has failed'
verdict 'a row that ends with 2 is no 0'

# The class alone is killed: its rows end with it, and it leaves neither a file nor a table.
rm -r "$marks"
mkdir "$tmp/hostile" "$tmp/work"
chmod 777 "$tmp/work"
programs common/grade/tests/hostile.txt "$tmp/hostile" >"$tmp/list"
cp "$tmp/hostile/01_endless_host_loop.cu" "$class/ada/01_ada.cu"
printf '%s\n' "$class" >"$tmp/called" # does not occur in grep's own arguments
# shellcheck disable=SC2317 # soon calls them
begun() { [ "$(running "$tmp/called")" -gt 1 ] && [ -n "$(ls "$tmp/work")" ]; }
# shellcheck disable=SC2317
ended() { [ "$(running "$tmp/called")" -eq 0 ] && [ -z "$(ls "$tmp/work")" ]; }
for signal in KILL TERM; do
    TMPDIR=$tmp/work "$GRADE_BUILD/grade" --course "$COURSE" --build "${GRADE_BUILD%/grade}" \
        --seconds 100 --class "$class" --only 01 >"$tmp/out" 2>"$tmp/err" &
    process=$!
    soon begun || why='there is no row'
    kill -$signal "$process"
    wait "$process" 2>/dev/null
    soon ended || why="left: $(running "$tmp/called") rows, $(ls "$tmp/work")"
    want 'a table is there' [ ! -e "$marks/marks.csv" ]
    verdict "a class that SIG$signal ends leaves nothing"
done
finish
