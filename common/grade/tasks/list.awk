# SPDX-License-Identifier: MIT
#
# list.awk - prints a C file with all exercises, their tests and the hints:
#
#   cc -E ... | awk -f list.awk - hints.txt 01_naive/exercise/tests.txt ...
#
# Its input are all task.c after the preprocessor: they define the exercises, with the sizes and
# data sets of each. The exercises of a folder use the tests.txt there; tests.h describes it. The
# compiler refuses what is not a C expression, at its line of tests.txt.

BEGIN {
    FS = " *[|] *"
    print "#include \"grade/tasks/tests.h\""
}
FNR == 1 { argument++ }
function refuse(what) {
    print FILENAME ":" FNR ": " what > "/dev/stderr"
    wrong = 1
    exit 1
}
function string(text) {
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}
# The quoted text after a field of a struct; several strings are joined by spaces.
function field(text, name) {
    if (!match(text, "[.]" name " *= *[{]? *\"")) return ""
    text = substr(text, RSTART + RLENGTH - 1)
    match(text, /^"[^"]*"( *, *"[^"]*")*/)
    text = substr(text, 2, RLENGTH - 2)
    gsub(/" *, *"/, " ", text)
    return text
}
function has(list, word) {
    return index(" " list " ", " " word " ")
}
# An array of a test, after its length.
function array(name, count, elements) {
    return ",\n     " count ", (const struct " name "[]){" (count ? elements : "{0}") "}"
}

# ---- the columns of a test ----

# 1..255, or 7
function range(text,    end) {
    if (text !~ /^[0-9]+(\.\.[0-9]+)?$/) return ""
    if (split(text, end, /\.\./) == 1) end[2] = end[1]
    return end[1] + 0 > end[2] + 0 ? "" : "{" end[1] ", " end[2] "}"
}
# 1..255x0..100@3, or @0+1; empty if it cannot be parsed.
function shape(text,    at, value, k, one, out, apart) {
    if (match(text, /[+][0-9]+$/)) {
        apart = substr(text, RSTART + 1)
        text = substr(text, 1, RSTART - 1)
        if (text !~ /@/) return ""
    }
    if (split(text, at, "@") > 2 || split(at[1], value, "x") != sizes) return ""
    for (k = 1; k <= sizes; k++) {
        if ((one = range(value[k])) == "") return ""
        out = out (k > 1 ? ", " : "") one
    }
    one = text ~ /@/ ? range(at[2]) : "{0, 0}"
    return one == "" ? "" : "{{" out "}, " one ", " apart + 0 "}"
}
function shapes(text,    part, i, n, one, out) {
    n = split(text, part, / *, */)
    for (i = 1; i <= n && i <= 8; i++) {
        if ((one = shape(part[i])) == "") n = 9
        out = out (i > 1 ? ", " : "") one
    }
    if (n < 1 || n > 8)
        refuse("sizes: '" text "'; accepted are up to 8 shapes such as 1000x3 or 1..255x3@0..3, " \
            "with a value for each of: " size_names[folder])
    return array("shape", n, out)
}

# A name becomes its fact, and a number a double.
function expression(text,    out, word) {
    while (match(text, /[a-z_][a-z0-9_]*|[0-9][0-9.]*/)) {
        word = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1) \
            (word ~ /^[a-z_]/ ? "fact(f, \"" word "\")" : word (word ~ /\./ ? "" : ".0"))
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
# Prints a function for each condition.
function conditions(text,    part, i, n, one, op, left, out) {
    n = split(text, part, / *; */)
    for (i = 1; i <= n; i++) {
        one = part[i]
        if (one ~ /^no [a-z_]+$/) one = substr(one, 4) " == 0"
        if (one !~ /^[-a-z0-9_ .+*\/()]+([<>]|[<>=!]=)[-a-z0-9_ .+*\/()]+$/)
            refuse("requires: cannot read '" part[i] "'; accepted are conditions such as " \
                "`global_ld_sectors <= 1.05 * in_bytes / 32` with `;` between, and `no faults`")
        match(one, /[<>=!]=?/)
        op = substr(one, RSTART, RLENGTH)
        left = substr(one, 1, RSTART - 1)
        one = substr(one, RSTART + RLENGTH)
        printf "static bool holds_%d(const struct facts *f, double *left, double *right)\n{\n", \
            ++functions
        print "#line " FNR " " string(FILENAME) "\n    *left = " expression(left) ";"
        print "    *right = " expression(one) ";"
        print "    return *left " op " *right;\n}"
        out = out (i > 1 ? ", " : "") "{" string(part[i]) ", holds_" functions "}"
    }
    return array("condition", n, out)
}

# `WHEN: text`, or just a text, in the columns from the sixth on.
function hints(requires,    i, when, text, out) {
    if (NF > 17) refuse("hint: a test has at most 12")
    for (i = 6; i <= NF; i++) {
        when = ""
        text = $i
        if (match(text, /^[a-z_]+: /)) {
            when = substr(text, 1, RLENGTH - 2)
            text = substr(text, RLENGTH + 1)
            if (!has(kinds, when) && !index(requires, when))
                refuse("hint: '" when "'; accepted are the counters that this test requires, and" \
                    kinds)
        }
        out = out (i > 6 ? ", " : "") "{" string(when) ", \"\", " string(text) "}"
    }
    return array("hint", NF - 5, out)
}

# ---- the exercises, from task.c ----

argument == 1 && /^# [0-9]+ "/ { # the file that the next lines are of
    folder = $0
    gsub(/^# [0-9]+ "|[\/][^\/]*"[^"]*$/, "", folder)
}
argument == 1 && /^const struct task task_[a-z0-9_]+ *=/ {
    text = " "
    task[++tasks] = $0
    gsub(/^const struct task | *=.*/, "", task[tasks])
}
argument == 1 {
    if (text != "") text = text " " $0
    if (text !~ /}; *$/) next
    folder_of[task[tasks]] = folder
    name_of[task[tasks]] = field(text, "name")
    if (folder in size_names && size_names[folder] != field(text, "size_names"))
        refuse(folder "/task.c: the exercises of a folder have the same sizes")
    size_names[folder] = field(text, "size_names")
    sizes_of[folder] = split(size_names[folder], part, " ")
    data_sets[folder] = field(text, "data_sets")
    text = ""
    next
}

# ---- the tables ----

/^[ \t]*(#|\r?$)/ { next }
{ sub(/[ \t\r]+$/, "") }
argument == 2 {
    if (NF != 3) refuse("a line has 3 columns: kind | part of the message | hint")
    if (!has(kinds, $1)) kinds = kinds " " $1
    hint[++count_of_hints] = "{" string($1) ", " string($2) ", " string($3) "}"
    next
}
{
    folder = FILENAME
    sub(/[\/][^\/]*$/, "", folder)
    sizes = sizes_of[folder]
    if (NF < 6) refuse("a line has 6 columns: name | points | sizes | data | requires | hint")
    if ($1 == "board" && $2 == 0) {
        if ($5 !~ /^[-a-z0-9_ .+*\/()]+$/)
            refuse("board: cannot read '" $5 "'; accepted is one expression, such as " \
                "`global_ld_sectors + 1000 * launches`")
        printf "static double score_%d(const struct facts *f)\n{\n", ++boards
        print "#line " FNR " " string(FILENAME) "\n    return " expression($5) ";\n}"
        board[folder] = "{" string($1) ", " string($4) ", 0" shapes($3) conditions("") hints("") \
            "}, score_" boards
        next
    }
    if ($2 !~ /^[0-9]+(\.[0-9]+)?$/ || $2 <= 0)
        refuse("points: '" $2 "'; accepted is a number above 0")
    if (!has(data_sets[folder], $4))
        refuse("data: '" $4 "'; accepted are " data_sets[folder])
    if (++tests[folder] > 32) refuse("there are more than 32 tests")
    points[folder] += $2
    table[folder] = table[folder] "    {" string($1) ", " string($4) ", " $2 shapes($3) \
        conditions($5) hints($5) "},\n"
}

END {
    if (wrong) exit 1
    if (!tasks) {
        print "list.awk: no task.c defines `const struct task task_NAME = {`" > "/dev/stderr"
        exit 1
    }
    for (i = 1; i <= tasks; i++) {
        name = task[i]
        folder = folder_of[name]
        if (!tests[folder]) {
            print folder "/tests.txt has no test" > "/dev/stderr"
            exit 1
        }
        print "extern const struct task " name ";"
        if (!(folder in number))
            print "static const struct test tests_" (number[folder] = i) "[] = {\n" table[folder] "};"
        for (k = i; k > 1 && task[k - 1] > name; k--) task[k] = task[k - 1]
        task[k] = name
    }
    print "const struct task *const tasks[] = {"
    for (i = 1; i <= tasks; i++) print "    &" task[i] ","
    print "};\nconst size_t task_count = sizeof tasks / sizeof *tasks;"
    printf "const char task_names[] = \""
    for (i = 1; i <= tasks; i++) printf "%s%s", (i > 1 ? " " : ""), name_of[task[i]]
    print "\";\nconst struct tests tests[] = {"
    for (i = 1; i <= tasks; i++) {
        folder = folder_of[task[i]]
        print "    {tests_" number[folder] ", " tests[folder] ", " points[folder] ", " \
            (folder in board ? board[folder] : "{0}, NULL") "},"
    }
    print "};\nconst struct hint hint_kinds[] = {"
    for (i = 1; i <= count_of_hints; i++) print "    " hint[i] ","
    print "};\nconst size_t hint_kind_count = sizeof hint_kinds / sizeof *hint_kinds;"
}
