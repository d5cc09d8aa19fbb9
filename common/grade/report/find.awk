# SPDX-License-Identifier: MIT
#
# find.awk - for the files that were handed in: whose each is, for which exercise, and which are
# graded. find.c writes them, a line each in the order of their paths, separated by tabs:
#
#   path why solve head    why it cannot be graded, or empty; whether `solve` is in it; its head
#
# A path that ends with a slash is a folder. KIND=class: it begins with the student, or what Moodle
# and Canvas write. TASKS are all exercises, ASKED those that are requested, or empty. It prints a
# line, with KIND=student a remark on other files, and then a line for each student and exercise:
#
#   student exercise files instead    numbers of the files, the last by name after the others; what
#                                     was handed in instead
#
# Texts are written as in records.c.

BEGIN {
    FS = "\t"
    tasks = split(ENVIRON["TASKS"], task, " ")
    names = ENVIRON["ASKED"]
    gsub(/,/, " ", names)
    asked = split(names, word, " ")
    for (i = 1; i <= asked; i++) is_asked[word[i]] = 1
    only = asked == 1 ? word[1] : ""
}

# ---- for which exercise a file is ----

# The exercise whose name pattern, or with `number` 3 for 03, is in the text: of several one that is
# requested, then the last one.
function said(text, before, after, number,    i, name, rank, best, found) {
    for (i = 1; i <= tasks; i++) {
        name = task[i]
        if (text ~ "bug-" name) continue # the bugs of a lesson are not its exercise
        # host.cu and my_host.cu are of `host`; host_stack.cu has another name that begins so.
        if (name == "host" && before !~ /^.. / && text !~ /(^|[^a-z])host[^a-z]*([.]cu[^a-z]*)?$/)
            continue
        if (number) sub(/^0/, "", name)
        if (!index(text, name) || !match(text, before name after)) continue
        rank = RSTART + RLENGTH + (task[i] in is_asked ? 10000 : 0)
        if (rank < best) continue
        best = rank
        found = task[i]
    }
    return found
}

# "03" in ex03_final, not in 2003; "capstone" also in capstone2.
function said_by_name(text,    found) {
    found = said(text, "^(.*[^0-9])?", "([^0-9]|$)")
    return found == "" && index(text, "capstone") ? "capstone" : found
}

# For the file n: `label` is the part of its name that may name the exercise, `inner` its path below
# the student.
function recognise(n, label, inner, head, solve,    folders) {
    folders = inner
    sub(/[^\/]*$/, "", folders)
    sure[n] = 16
    if (take(n, said_by_name(label))) return
    if (take(n, said(head, "// (exercise )?", ":"))) sure[n] = 5
    else if (take(n, said(label, "^[^0-9]*", "([^0-9]|$)", 1))) sure[n] = 4
    else if (take(n, said_by_name(folders))) sure[n] = 3
    else if (take(n, said(folders, "^(.*/)?[^0-9/]*", "([^0-9]|$)", 1))) sure[n] = 2
    else if (take(n, only)) sure[n] = 1
    else if (why[n] == "") why[n] = "does not say which exercise it is: call it 03.cu"
    if (solve) sure[n] += 8
}
function take(n, name) {
    exercise[n] = name
    return name != ""
}

# ---- whose a file is ----

# In lower case, without escaped characters. Bug_03a is bug-03a.
function clean(text) {
    gsub(/\\(x[0-9a-f][0-9a-f]|.)/, " ", text)
    text = tolower(text)
    gsub(/open[_ ]/, "open-", text)
    if (match(text, /bug[_ ]?[0-9][0-9][a-z]/))
        text = substr(text, 1, RSTART + 2) "-" substr(text, RSTART + RLENGTH - 3)
    return text
}

# smithalice_LATE_123_456_03.cu, as Canvas calls it: the numbers are at RSTART, RLENGTH. The second
# number belongs to this file only; small ones in the name of a folder may be a date.
function is_of_canvas(name, is_folder) {
    return match(name, is_folder ? "(_LATE)?_[0-9][0-9][0-9]+_[0-9][0-9][0-9]+_." : \
        "(_LATE)?_[0-9]+_[0-9]+_.") && RSTART > 1 && files_with[substr(name, 1, RSTART + RLENGTH - 2)] < 2
}

# Splits the first part of a path: sets `owner`, and `label` to what may name the exercise. Returns
# what created the name.
function take_apart(name, is_folder,    rest, part, at) {
    owner = name
    label = ""
    # Alice Smith_123_assignsubmission_file_03.cu, or a folder: Alice Smith_123
    if (match(name, /._assignsubmission_[^_]*_?/)) {
        owner = substr(name, 1, RSTART)
        label = substr(name, RSTART + RLENGTH)
        return "Moodle"
    }
    if (is_of_canvas(name, is_folder)) { # smithalice_123
        owner = substr(name, 1, RSTART - 1)
        label = substr(name, RSTART + RLENGTH - 1)
        rest = substr(name, RSTART, RLENGTH)
        sub(/^_LATE/, "", rest)
        split(rest, part, "_")
        owner = owner "_" part[2]
        return is_folder ? "folder " name : "Canvas"
    }
    if (is_folder) return "folder " name
    # smith_03.cu for a requested exercise, smith.cu: smith
    if (name ~ /.\.[^.]*$/) sub(/\.[^.]*$/, "", owner)
    if (match(tolower(owner), /.[-_ ]([0-9][0-9]|capstone|host|quiz|bug[-_ ]?[0-9][0-9][a-z]|open[-_][a-z]+)$/)) {
        at = RSTART
        rest = said_by_name(clean(substr(owner, at + 1)))
        if (rest != "" && (!asked || rest in is_asked)) {
            label = substr(owner, at + 1)
            owner = substr(owner, 1, at)
        }
    }
    return "file"
}

function add_student(name) {
    if (!(name in known)) student[++students] = name
    known[name] = 1
}

# Handles a line of the list, whose fields are $1 and so on.
function look_at(n,    parts, part, inner, made) {
    parts = split($1, part, "/")
    label = part[parts]
    inner = $1
    owner = ""
    if (ENVIRON["KIND"] == "class") {
        made = take_apart(part[1], parts > 1)
        # Beside the students there may be marks, a list, a note of the teacher, a hidden folder.
        if (parts == 1 && made == "file" && $2 == "is not a .cu file") return
        if (owner ~ /^\./ && ($1 ~ /\/$/ || $2 == "is not a .cu file")) return
        # bob.cu does not belong to the student of the folder bob.
        if (owner in maker && maker[owner] != made) owner = part[1]
        maker[owner] = made
        if (parts > 1) label = part[parts]
        inner = parts > 1 ? substr($1, length(part[1]) + 2) : ""
    }
    add_student(owner)
    if ($1 ~ /\/$/ && $2 == "") return
    files++
    number[files] = n - 1
    name_of[files] = $1
    whose[files] = owner
    why[files] = $2
    recognise(files, clean(label), clean(inner), tolower($4), $3)
    if (why[files] == "") there[exercise[files]] = 1
}

{
    line[NR] = $0
    name = $1
    sub(/\/.*/, "", name)
    if (!seen[name]++ && match(name, /(_LATE)?_[0-9]+_[0-9]+_./))
        files_with[substr(name, 1, RSTART + RLENGTH - 2)]++
}

# ---- what is graded ----

# A sort key for names: 03-2.cu comes after 03.cu, and 03-10.cu after 03-2.cu.
function order_of(path,    name, key) {
    name = path
    sub(/.*\//, "", name)
    sub(/\.[^.]*$/, "", name)
    while (match(name, /[0-9]+/)) {
        key = key substr(name, 1, RSTART - 1)
        key = key substr("0000000000000000", 1, 16 - RLENGTH) substr(name, RSTART, RLENGTH)
        name = substr(name, RSTART + RLENGTH)
    }
    return key name "/" path
}

# The numbers of a student's files for an exercise: those identified most reliably, at most 8.
function files_of(owner, name,    n, count, best, list, last, key, text) {
    for (n = 1; n <= files; n++)
        if (whose[n] == owner && exercise[n] == name && why[n] == "" && sure[n] > best)
            best = sure[n]
    for (n = 1; n <= files; n++) {
        if (whose[n] != owner || exercise[n] != name || why[n] != "" || sure[n] != best) continue
        key = order_of(name_of[n])
        for (last = ++count; last > 1 && order_of(name_of[list[last - 1]]) > key; last--)
            list[last] = list[last - 1]
        list[last] = n
    }
    for (n = count > 8 ? count - 7 : 1; n <= count; n++) text = text " " number[list[n]]
    return text
}

function instead_of(owner, name,    n, shown, text) {
    for (n = 1; n <= files && shown <= 3; n++) {
        if (whose[n] != owner || why[n] == "") continue
        if (name != "" && exercise[n] != "" && exercise[n] != name) continue
        if (tolower(name_of[n]) ~ /(quiz[^\/]*\.csv|report[^\/]*\.md)$/) continue # not in the right place
        text = text (text == "" ? "" : "; ") \
            (shown++ == 3 ? "and more" : substr(name_of[n], 1, 200) " " why[n])
    }
    return text
}

function remark(    i, text, accepted, rows) {
    text = instead_of("", "")
    for (i = 1; i <= tasks; i++) if (task[i] in is_asked) accepted = accepted " " task[i]
    for (i = 1; i <= tasks; i++) if (asked && task[i] in there && !(task[i] in is_asked))
        text = text (text == "" ? "" : "; ") "exercise " task[i] \
            " was handed in but is not accepted; accepted here:" accepted
    for (i = 1; i <= tasks; i++) rows += is_graded(task[i])
    return text == "" && !rows ? "there is no .cu file here" : text
}
function is_graded(name) {
    return asked ? name in is_asked : name in there
}

function refuse(what) {
    print "grade: " what > "/dev/stderr"
    exit 2
}

END {
    lines = NR
    for (n = 1; n <= lines; n++) {
        $0 = line[n]
        look_at(n)
    }
    wanted = ENVIRON["STUDENT"]
    if (ENVIRON["KIND"] == "student") add_student("")
    print (ENVIRON["KIND"] == "student" ? remark() : "")
    for (s = 1; s <= students; s++) for (i = 1; i <= tasks; i++) if (is_graded(task[i])) {
        some = 1
        if (wanted != "" && student[s] != wanted && student[s] != ENVIRON["SHOWN"]) continue
        rows++
        print student[s] "\t" task[i] "\t" files_of(student[s], task[i]) "\t" \
            instead_of(student[s], task[i])
    }
    if (ENVIRON["KIND"] == "student" || rows) exit
    if (some) refuse("there is no student '" wanted "' in '" ENVIRON["FOLDER"] "'")
    refuse("no submission in '" ENVIRON["FOLDER"] "'; accepted are FOLDER/student/03.cu, " \
        "FOLDER/student.cu when the exercise is named, and what Moodle and Canvas give")
}
