# SPDX-License-Identifier: MIT
#
# table.awk - the marks of a class as a table: awk -f csv.awk -f table.awk OLD NEW, rows of
# marks_long.csv both. A new row replaces the old one of the same student and exercise. TABLE says
# which table:
#
#   long      marks_long.csv: a row for each student and exercise
#   wide      marks.csv: a row for each student, a column for each exercise
#   canvas    what the gradebook of Canvas imports
#   moodle    a grading worksheet of Moodle for exercise TASK
#   seeds     a line `exercise seed` for each exercise of the old table
#   board     students with all points of an open task, by score: less is better
#   files     for these a line `exercise student file`, separated by tabs
#
# TASKS lists the exercises. Our fields contain no line breaks.

BEGIN {
    table = ENVIRON["TABLE"]
    mark = "\357\273\277" # UTF-8: Excel needs it
    old_head = "student,exercise,points,of,seconds,file,note,seed"
    head = old_head ",score"
    tasks = split(ENVIRON["TASKS"], task, " ")
    for (i = 1; i <= tasks; i++) known[task[i]] = 1
}

function refuse(what) {
    print "grade: " FILENAME " line " FNR ": " what "; move the file away, or bring it back as it " \
        "was" > "/dev/stderr"
    wrong = 1
    exit 2
}

FILENAME == ARGV[1] && FNR == 1 {
    sub(/\r$/, "")
    if ($0 != mark head && $0 != head && $0 != mark old_head) refuse("this is not '" head "'")
    next
}
$0 == "" { next }
{
    field[9] = ""
    if (split_line($0) < 8) refuse("a row has 9 fields")
    if (!(field[2] in known)) refuse("there is no exercise '" field[2] "'")
    if (!(field[1] in place)) {
        student[++students] = field[1]
        place[field[1]] = students
    }
    key = field[1] SUBSEP field[2]
    points[key] = field[3]
    seed[key] = last_seed[field[2]] = field[8]
    row[key] = quote(field[1])
    score[key] = field[9]
    file[key] = field[6]
    for (k = 2; k <= 9; k++) row[key] = row[key] "," quote(field[k])
}

# smithalice_123 is smithalice, whose number on the platform is 123.
function number_of(name) {
    return match(name, /_[0-9]+$/) ? substr(name, RSTART + 1) : ""
}
function name_of(name) {
    sub(/_[0-9]+$/, "", name)
    return name
}

# The points of a student; 0 for what was not graded, empty for what the grader could not grade.
function points_of(s, t) {
    return (student[s], t) in points ? points[student[s], t] : 0
}

function seeds_of(s,    i, all, one, same) {
    same = 1
    for (i = 1; i <= tasks; i++) if ((student[s], task[i]) in seed) {
        if (all == "") one = seed[student[s], task[i]]
        if (seed[student[s], task[i]] != one) same = 0
        all = all (all == "" ? "" : " ") task[i] "=" seed[student[s], task[i]]
    }
    return same ? one : all
}

# The rows of the board of an exercise; students with the same score share a rank. TIMES has lines
# `exercise student ratio` from a GPU.
function show_board(name,    s, k, n, key, list, place) {
    for (s = 1; s <= students; s++) {
        if (score[student[s], name] == "") continue
        key = score[student[s], name] + 0
        for (k = ++n; k > 1 && score[student[list[k - 1]], name] + 0 > key; k--)
            list[k] = list[k - 1]
        list[k] = s
    }
    for (k = 1; k <= n; k++) {
        key = student[list[k]]
        if (k == 1 || score[key, name] != score[student[list[k - 1]], name]) place = k
        print name "," place "," quote(key) "," score[key, name] \
            (ENVIRON["TIMES"] == "" ? "" : "," ratio[name, key])
    }
}

END {
    if (wrong) exit 2
    if (table == "long") print mark head
    if (table == "wide") printf "%sstudent", mark
    if (table == "canvas") printf "Student,ID,SIS User ID,SIS Login ID,Section"
    if (table == "moodle") print "Identifier,Full name,Grade,Last modified (grade)"
    if (table == "board") {
        print mark "exercise,place,student,score" (ENVIRON["TIMES"] == "" ? "" : ",times_solution")
        times = split(ENVIRON["TIMES"], line, "\n")
        for (i = 1; i <= times; i++)
            if (split(line[i], part, "\t") == 3) ratio[part[1], part[2]] = part[3]
    }
    for (i = 1; i <= tasks; i++) if (task[i] in last_seed) {
        if (table == "board") show_board(task[i])
        for (s = 1; s <= students && table == "files"; s++)
            if (score[student[s], task[i]] != "")
                print task[i] "\t" student[s] "\t" file[student[s], task[i]]
        if (table == "seeds") print task[i], last_seed[task[i]]
        if (table == "wide") printf ",%s", task[i]
        if (table == "canvas") printf ",Exercise %s", task[i]
    }
    if (table == "wide") print ",seed"
    if (table == "canvas") print ""
    for (s = 1; s <= students; s++) {
        name = quote(name_of(student[s]))
        number = number_of(student[s])
        if (table == "wide") printf "%s", quote(student[s])
        # Without a number the name may be the student's login name.
        if (table == "canvas") printf "%s,%s,,%s,", name, number, (number == "" ? name : "")
        if (table == "moodle")
            printf "%s%s,%s,%s,-\n", (number == "" ? "" : "Participant "), number, name,
                points_of(s, ENVIRON["TASK"])
        for (i = 1; i <= tasks; i++) {
            if (table == "long" && (student[s], task[i]) in row) print row[student[s], task[i]]
            if ((table == "wide" || table == "canvas") && task[i] in last_seed)
                printf ",%s", points_of(s, task[i])
        }
        if (table == "wide") print "," seeds_of(s)
        if (table == "canvas") print ""
    }
}
