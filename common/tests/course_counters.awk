# SPDX-License-Identifier: MIT
#
# course_counters.awk - compares the emulator's counters with recorded ones: awk -v recorded=FILE
# -f columns.awk -f course_counters.awk KNOWN.txt HERE.csv FILE. KNOWN are known differences. The
# checker runs fewer cases in the emulator than on a GPU, so some recorded launches may have no
# partner here.
#
#   -v name=styles    what is compared: "course counters", styles or atomics; for the verdict, and
#                     only its own known differences count
#   -v kernels=1      leave the variants out

# step[.variant] kernel counter reason; * means all
!csv {
    if (/^#/ || /^$/) next
    split($0, word, " ")
    of = word[1] ~ /^(styles|structs|together|atomics|lines)$/ ? word[1] : "course counters"
    if (of != name) next
    entries++
    for (i = 1; i <= 3; i++) entry[entries, i] = word[i]
    entry_line[entries] = $0
    next
}

kernels && get("variant") != "kernel" { next }
{
    one_run = get("step") "," get("variant") "," get("type") "," get("op") "," get("n")
    launch = get("launch") + 0
    kernel = get("kernel")
    sub(/.*::/, "", kernel) # ncu shows no namespace
    counter = get("counter")
    key = one_run "," launch "," counter
    shape = kernel " " get("grid") " " get("block")
}
FILENAME != recorded { value[key] = get("value"); launched[key] = shape; last[one_run] = launch; next }
last[one_run] > 1 && launch > last[one_run] { next }

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
    program = get("variant") == "kernel" ? get("step") : get("step") "." get("variant")
    if (!(one_run in seen)) runs++
    seen[one_run] = ran[program] = 1
    values++
    where = program " " get("type") " " get("op") " launch " launch " " kernel " " get("grid")
    if (!(key in value)) problem = "not counted here"
    else if (launched[key] != shape) problem = "here the launch is " launched[key]
    else if (value[key] "" != get("value") "") problem = value[key] " here"
    else next
    if (is_known(program, kernel, counter)) { accepted++; next }
    differences++
    if (differences <= 40)
        list = list "    " where ": " counter " " get("value") ", " problem "\n"
}

END {
    # A known difference of a program that ran must occur, or the list is out of date.
    for (i = 1; i <= entries; i++)
        if (!used[i] && (entry[i, 1] == "*" || entry[i, 1] in ran)) {
            stale++
            list = list "    no longer a difference: " entry_line[i] "\n"
        }
    wrong = differences || stale || !values
    printf "%s%s: %d runs, %d values, %d differences, %d known\n%s", (wrong ? "FAIL " : "ok   "),
        name, runs, values, differences, accepted, list
    exit wrong
}
