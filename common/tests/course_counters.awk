# SPDX-License-Identifier: MIT
#
# course_counters.awk - compares the emulator's counters with recorded ones. Three files: known
# differences, the counters counted here, the recorded ones. The checker runs fewer cases in the
# emulator than on a GPU, so there can be recorded launches that have no partner here.
#
#   -v name=styles    what is compared: "course counters", styles or atomics; for the verdict, and
#                     only its own known differences count

FNR == 1 { file++ }
/^#/ || /^$/ || $1 == "step" { next }

# step[.variant] kernel counter reason; * stands for all
file == 1 {
    split($0, word, " ")
    of = word[1] == "styles" || word[1] == "atomics" ? word[1] : "course counters"
    if (of != name) next
    entries++
    for (i = 1; i <= 3; i++) entry[entries, i] = word[i]
    entry_line[entries] = $0
    next
}

# step,variant,type,op,n,launch,kernel,grid,block,counter,value
{ key = $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $10; shape = $7 " " $8 " " $9 }
{ one_run = $1 "," $2 "," $3 "," $4 "," $5 }
file == 2 { value[key] = $11; launched[key] = shape; last[one_run] = $6 + 0; next }
last[one_run] > 1 && $6 > last[one_run] { next }

function fits(pattern, text) { return pattern == "*" || pattern == text }

function is_known(step, kernel, counter,   i) {
    for (i = 1; i <= entries; i++)
        if (fits(entry[i, 1], step) && fits(entry[i, 2], kernel) && fits(entry[i, 3], counter)) {
            used[i]++
            return 1
        }
    return 0
}

{
    program = $2 == "kernel" ? $1 : $1 "." $2
    if (!((program, $3, $4) in seen)) runs++
    seen[program, $3, $4] = ran[program] = 1
    values++
    where = program " " $3 " " $4 " launch " $6 " " $7 " " $8
    if (!(key in value)) problem = "not counted here"
    else if (launched[key] != shape) problem = "here the launch is " launched[key]
    else if (value[key] "" != $11 "") problem = value[key] " here"
    else next
    if (is_known(program, $7, $10)) { accepted++; next }
    differences++
    if (differences <= 40) list = list "    " where ": " $10 " " $11 ", " problem "\n"
}

END {
    # A known difference of a program that ran must have been met, or the list is out of date.
    for (i = 1; i <= entries; i++)
        if (!used[i] && (entry[i, 1] == "*" || entry[i, 1] in ran)) {
            stale++
            list = list "    no longer a difference: " entry_line[i] "\n"
        }
    wrong = differences || stale || !values
    printf "%s%s: %d runs, %d values, %d differences, %d known\n%s", wrong ? "FAIL " : "ok   ",
        name, runs, values, differences, accepted, list
    exit wrong
}
