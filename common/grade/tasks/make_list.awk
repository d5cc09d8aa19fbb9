# SPDX-License-Identifier: MIT
#
# make_list.awk - prints a C file with all exercises, their tests and the hints:
#
#   cc -E ... | awk -f make_list.awk - hints.txt 01_naive/exercise/tests.txt ...
#
# Its stdin are all task.c after the preprocessor: they define the exercises, with the sizes and
# data sets of each. The exercises of a folder use the tests.txt there; tests.h describes it. The
# compiler refuses what is not a C expression, at its line of tests.txt.

BEGIN {
    most_columns = 18; most_tests = 32; most_shapes = 8
    operand = "^[a-z0-9_ .+*/()-]+$"
    print "#include \"grade/tasks/tests.h\""
}

function die(message) {
    print message >"/dev/stderr"
    failed = 1
    exit 1
}
function wrong(message) { die(FILENAME ":" FNR ": " message) }

function trim(text) {
    gsub(/^[ \t]+|[ \t\r\n]+$/, "", text)
    return text
}
function string(text) {
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}
function has(list, word) { return index(" " list " ", " " word " ") > 0 }
function folder_in(path) {
    sub("/[^/]*$", "", path)
    return path
}
function line_is() { return sprintf("\n{\n#line %d %s\n", FNR, string(FILENAME)) }

FNR == 1 { file++ }

# ---- the exercises, from task.c ----

# The strings of a field of a struct.
function field(struct, name,    list, one) {
    if (!match(struct, "[.]" name " *= *"))
        return ""
    struct = substr(struct, RSTART + RLENGTH)
    while (match(struct, /^[{, ]*"[^"]*"/)) {
        one = substr(struct, 1, RLENGTH)
        struct = substr(struct, RLENGTH + 1)
        gsub(/^[^"]*"|"$/, "", one)
        list = list (list == "" ? "" : " ") one
    }
    return list
}

function add_task(symbol, struct,    i) {
    if (folder in sizes_of && sizes_of[folder] != field(struct, "size_names"))
        die(folder "/task.c: the exercises of a folder have the same sizes")
    if (!(folder in sizes_of))
        folders[folder_count++] = folder
    sizes_of[folder] = field(struct, "size_names")
    data_of[folder] = field(struct, "data_sets")
    for (i = task_count++; i > 0 && symbols[i - 1] > symbol; i--)
        symbols[i] = symbols[i - 1]
    symbols[i] = symbol
    name_of[symbol] = field(struct, "name")
    folder_of[symbol] = folder
}

file == 1 && /^#.*"/ {
    split($0, column, "\"")
    folder = folder_in(column[2])
    next
}
file == 1 && match($0, /struct task task_[a-z0-9_]+ = /) {
    symbol = substr($0, RSTART + 12, RLENGTH - 15)
    struct = ""
}
file == 1 { struct = struct " " $0 }
file == 1 && symbol != "" && /^ *};/ {
    add_task(symbol, struct)
    symbol = ""
}
file == 1 || /^[ \t]*#/ || /^[ \t\r]*$/ { next }

# ---- the columns of a test ----

# 1..255, or 7, at the beginning of `left`: goes over it. "": it is neither.
function range(    low, high) {
    if (!match(left, /^[0-9]+([.][.][0-9]+)?/))
        return ""
    low = high = substr(left, 1, RLENGTH)
    left = substr(left, RLENGTH + 1)
    sub(/[.].*/, "", low)
    sub(/.*[.]/, "", high)
    return low + 0 <= high + 0 ? sprintf("{%.0f, %.0f}", low, high) : ""
}

# 1..255x0..100@3, or @0+1. "": it is no shape.
function shape(text, names,    n, k, one, values, offset, apart) {
    left = text
    n = split(names, unused, " ")
    for (k = 1; k <= n; k++) {
        if ((k > 1 && !sub(/^x/, "", left)) || (one = range()) == "")
            return ""
        values = values (k > 1 ? ", " : "") one
    }
    offset = "{0, 0}"
    if (sub(/^@/, "", left)) {
        if ((offset = range()) == "")
            return ""
        if (left ~ /^[+][0-9]+$/) {
            apart = substr(left, 2)
            left = ""
        }
    }
    return left == "" ? sprintf("{{%s}, %s, %d}", values, offset, apart) : ""
}

function shapes(text, names,    n, i, list, all, one) {
    n = split(text, all, ",")
    for (i = 1; i <= n || i == 1; i++) {
        one = i > most_shapes ? "" : shape(trim(all[i]), names)
        if (one == "")
            wrong("sizes: '" text "'; accepted are up to 8 shapes such as 1000x3 or " \
                "1..255x3@0..3, with a value for each of: " names)
        list = list (i > 1 ? ", " : "") one
    }
    return sprintf(",\n     %d, (const struct shape[]){%s}", n, list)
}

# A name becomes its fact, and a number a double.
function expression(text,    made, one) {
    while (match(text, /[a-z0-9_][a-z0-9_.]*/)) {
        made = made substr(text, 1, RSTART - 1)
        one = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        made = made (one ~ /^[0-9]/ ? one (one ~ /[.]/ ? "" : ".0") : "fact(f, \"" one "\")")
    }
    return made text
}

# Prints a function for a condition; `no faults` is faults == 0.
function condition(one,    given, sign, left_side, right_side) {
    given = one
    if (one ~ /^no [a-z_]+$/)
        one = substr(one, 4) " == 0"
    match(one, /[<>=!]+/)
    sign = substr(one, RSTART, RLENGTH)
    left_side = substr(one, 1, RSTART - 1)
    right_side = substr(one, RSTART + RLENGTH)
    if (!has("<= >= == != < >", sign) || left_side !~ operand || right_side !~ operand)
        wrong("requires: cannot read '" given "'; accepted are conditions such as " \
            "`global_ld_sectors <= 1.05 * in_bytes / 32` with `;` between, and `no faults`")
    printf "static bool holds_%d(const struct facts *f, double *left, double *right)%s" \
        "    *left = %s;\n    *right = %s;\n    return *left %s *right;\n}\n", ++functions,
        line_is(), expression(left_side), expression(right_side), sign
}

function conditions(requires,    n, i, list, all) {
    n = split(requires, all, ";")
    for (i = 1; i <= n; i++) {
        condition(trim(all[i]))
        list = list (i > 1 ? ", " : "") "{" string(trim(all[i])) ", holds_" functions "}"
    }
    return sprintf(",\n     %d, (const struct condition[]){%s}", n, n ? list : "{0}")
}

# `WHEN: text`, or just a text, of the columns from the sixth on.
function hints(requires,    n, i, list, when, text) {
    n = columns - 5
    if (n > 12)
        wrong("hint: a test has at most 12")
    for (i = 1; i <= n; i++) {
        text = column[i + 5]
        when = ""
        if (match(text, /^[a-z_]+: /)) {
            when = substr(text, 1, RLENGTH - 2)
            text = substr(text, RLENGTH + 1)
            if (!has(kinds, when) && !index(requires, when))
                wrong("hint: '" when "'; accepted are the counters that this test requires, and" \
                    kinds)
        }
        list = list (i > 1 ? ", " : "") "{" string(when) ", \"\", " string(text) "}"
    }
    return sprintf(",\n     %d, (const struct hint[]){%s}", n, n ? list : "{0}")
}

# ---- the tables ----

{
    folder = folder_in(FILENAME)
    columns = split($0, column, "|")
    for (i = 1; i <= columns; i++)
        column[i] = trim(column[i])
    if (columns > most_columns)
        columns = most_columns
}

file == 2 {
    if (columns != 3)
        wrong("a line has 3 columns: kind | part of the message | hint")
    if (!has(kinds, column[1]))
        kinds = kinds " " column[1]
    hint_rows = hint_rows sprintf("    {%s, %s, %s},\n", string(column[1]), string(column[2]),
        string(column[3]))
    next
}

columns < 6 { wrong("a line has 6 columns: name | points | sizes | data | requires | hint") }

column[1] == "board" && column[2] == 0 {
    if (column[5] !~ operand)
        wrong("board: cannot read '" column[5] "'; accepted is one expression, such as " \
            "`global_ld_sectors + 1000 * launches`")
    printf "static double score_%d(const struct facts *f)%s    return %s;\n}\n", ++boards,
        line_is(), expression(column[5])
    board_of[folder] = sprintf("{%s, %s, 0%s,\n     0, (const struct condition[]){{0}},\n" \
        "     0, (const struct hint[]){{0}}}, score_%d", string(column[1]), string(column[4]),
        shapes(column[3], sizes_of[folder]), boards)
    next
}

{
    if (column[2] !~ /^[0-9]+[.]?[0-9]*$/ || column[2] <= 0)
        wrong("points: '" column[2] "'; accepted is a number above 0")
    if (!has(data_of[folder], column[4]))
        wrong("data: '" column[4] "'; accepted are " data_of[folder])
    if (++tests_of[folder] > most_tests)
        wrong("there are more than " most_tests " tests")
    points_of[folder] += column[2]
    table_of[folder] = table_of[folder] sprintf("    {%s, %s, %s%s%s%s},\n", string(column[1]),
        string(column[4]), column[2], shapes(column[3], sizes_of[folder]),
        conditions(column[5]), hints(column[5]))
}

# ---- the C file ----

END {
    if (failed)
        exit 1
    if (task_count == 0)
        die("make_list: no task.c defines `const struct task task_NAME = {`")
    for (i = 0; i < folder_count; i++)
        if (!tests_of[folders[i]])
            die(folders[i] "/tests.txt has no test")
    for (i = 0; i < task_count; i++)
        printf "extern const struct task %s;\n", symbols[i]
    for (i = 0; i < folder_count; i++) {
        printf "static const struct test tests_%d[] = {\n%s};\n", i, table_of[folders[i]]
        number_of[folders[i]] = i
    }
    print "const struct task *const tasks[] = {"
    for (i = 0; i < task_count; i++)
        printf "    &%s,\n", symbols[i]
    print "};\nconst size_t task_count = sizeof tasks / sizeof *tasks;"
    printf "const char task_names[] = \""
    for (i = 0; i < task_count; i++)
        printf "%s%s", (i > 0 ? " " : ""), name_of[symbols[i]]
    print "\";\nconst struct tests tests[] = {"
    for (i = 0; i < task_count; i++) {
        folder = folder_of[symbols[i]]
        printf "    {tests_%d, %d, %g, %s},\n", number_of[folder], tests_of[folder],
            points_of[folder], (folder in board_of ? board_of[folder] : "{0}, NULL")
    }
    printf "};\nconst struct hint hint_kinds[] = {\n%s};\n", hint_rows
    print "const size_t hint_kind_count = sizeof hint_kinds / sizeof *hint_kinds;"
}
