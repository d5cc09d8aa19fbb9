# SPDX-License-Identifier: MIT
#
# counters.awk - rows of ncu's --csv details page as `step,variant,kernel,grid,block,counter,value`.
# Every field is quoted; numbers may carry thousands separators.

BEGIN {
    FS = "\",\""
    step = variant = program
    if (!sub(/^[^.]*\./, "", variant)) variant = "kernel"
    sub(/\..*/, "", step)
}
/^"ID",/ {
    for (i = 1; i <= NF; i++) column[$i] = i
    for (name in column) if (name ~ /Metric Value/) value = column[name]
    next
}
/^"[0-9]+",/ {
    kernel = $(column["Kernel Name"])
    sub(/[<(].*/, "", kernel)
    sub(/^void /, "", kernel)
    grid = $(column["Grid Size"])
    block = $(column["Block Size"])
    gsub(/[(),]/, "", grid); gsub(/ /, "x", grid)
    gsub(/[(),]/, "", block); gsub(/ /, "x", block)
    number = $value
    gsub(/[",]/, "", number)
    print step "," variant "," kernel "," grid "," block "," $(column["Metric Name"]) "," number
}
