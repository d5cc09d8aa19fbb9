# SPDX-License-Identifier: MIT
#
# gpus.awk - awk -f columns.awk -f formula.awk -f gpus.awk common/results/*/*.csv gpus.txt PAGE:
# prints the page with its tables regenerated. They have a column for each GPU with a ladder.csv,
# the H200 first.
#
#   <!-- table:gpus machines -->   the GPUs themselves, a row each
#   <!-- table:gpus NAME -->       the lines of gpus.txt that begin with NAME

csv {
    if (table == "ladder" && !(folder in seen)) {
        seen[folder] = 1
        if (folder != "h200") gpus[++others] = folder
    }
    next
}
FILENAME ~ /gpus\.txt$/ {
    if (/^(#|$)/) next
    if (split($0, field, / *\| */) != 4) broken(FILENAME ":" FNR ": not TABLE | LABEL | FORMAT | FORMULA")
    of[++lines] = field[1]
    label[lines] = field[2]
    format[lines] = field[3]
    formula[lines] = field[4]
    next
}
FNR == 1 && "h200" in seen { gpus[0] = "h200" }
/^<!-- table:gpus / {
    print
    print ""
    split($0, word, /[ :]+/)
    if (word[4] == "machines") machines()
    else compare(word[4])
    print ""
    inside = 1
    next
}
/^<!-- \/table -->/ { inside = 0 }
!inside { print }

function broken(why) {
    print why >"/dev/stderr"
    exit 1
}
function first() { return 0 in gpus ? 0 : 1 }
function name_of(gpu,   name) {
    name = head_of(gpu, "ladder", "gpu")
    gsub(/^NVIDIA |[ -][0-9]+GB.*/, "", name)
    return name
}
function machines(   i, memory, l2) {
    print "| | theoretical peak | L2 | CUDA | measured | data |"
    print "| --- | ---: | ---: | ---: | ---: | --- |"
    for (i = first(); i in gpus; i++) {
        memory = l2 = head_of(gpus[i], "ladder", "memory")
        sub(/ in theory.*/, "", memory)
        gsub(/.*L2: | bytes/, "", l2)
        printf "| %s | %s | %d MiB | %s | %s | `common/results/%s/` |\n", name_of(gpus[i]), memory, \
            l2 / 1048576, head_of(gpus[i], "ladder", "cuda"), head_of(gpus[i], "ladder", "date"), gpus[i]
    }
}
# A row without data from any GPU is left out.
function compare(which,   i, l, x, text, rule, found, measured) {
    text = "| |"
    rule = "| --- |"
    for (i = first(); i in gpus; i++) {
        text = text " " name_of(gpus[i]) " |"
        rule = rule " ---: |"
    }
    print text
    print rule
    for (l = 1; l <= lines; l++) {
        if (of[l] != which) continue
        found = 1
        text = "| " label[l] " |"
        measured = 0
        for (i = first(); i in gpus; i++) {
            x = cell(l, gpus[i])
            if (x != "-") measured = 1
            text = text " " x " |"
        }
        if (measured) print text
    }
    if (!found) broken(FILENAME ": gpus.txt has no line of a table " which)
}
# A formula for each % of the format, with & between them; "-" where one was not measured.
function cell(l, which,   part, n, i, x) {
    gpu = which
    n = split(formula[l], part, / & /)
    for (i = 1; i <= n; i++) {
        x[i] = formula_of(part[i])
        if (wrong ~ /^no (such cell|pairs)/) return "-"
        if (wrong != "") broken("gpus.txt: " label[l] ": " wrong)
    }
    return n == 1 ? sprintf(format[l], x[1]) : sprintf(format[l], x[1], x[2])
}
