# SPDX-License-Identifier: MIT
#
# counters.awk - rows of ncu's --csv details page. Every field is quoted; numbers may have thousands
# separators, and details of their instances in brackets: `865 (BAR: 72; LDS: 129)`.
#
#   -v program=NAME            step,variant,kernel,grid,block,counter,value with Nsight's names
#   -v program=NAME -v run=TYPE,OP,N
#                              step,variant,type,op,n,launch,kernel,grid,block,counter,value with
#                              the emulator's names; what it does not count is left out

BEGIN {
    FS = "\",\""
    print "step,variant," (run == "" ? "" : "type,op,n,launch,") "kernel,grid,block,counter,value"
    step = variant = program
    if (!sub(/^[^.]*\./, "", variant)) variant = "kernel"
    sub(/\..*/, "", step)
    sass = "smsp__sass_inst_executed_op_shared_"
    wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
    split("ld st", direction, " ")
    for (i = 1; i <= 2; i++) {
        d = direction[i]
        ours[sass d ".sum"] = "shared_" d "_requests"
        ours[wavefronts d ".sum"] = "shared_" d "_wavefronts"
        ours["l1tex__t_requests_pipe_lsu_mem_global_op_" d ".sum"] = "global_" d "_requests"
        ours["l1tex__t_sectors_pipe_lsu_mem_global_op_" d ".sum"] = "global_" d "_sectors"
    }
    ours["memory_l1_wavefronts_shared"] = "shared_wavefronts"
    ours["memory_l1_wavefronts_shared_ideal"] = "shared_wavefronts_ideal"
}

# How often an opcode was executed, out of `865 (ISETP: 160; BAR: 72)`.
function opcode(text, name,   i, n, part) {
    sub(/^[^(]*\(/, "", text)
    sub(/\).*/, "", text)
    n = split(text, part, "; ")
    for (i = 1; i <= n; i++)
        if (index(part[i], name ": ") == 1) {
            sub(/^[^:]*: /, "", part[i])
            gsub(/,/, "", part[i])
            return part[i]
        }
    return 0
}

function row(counter, number) {
    if (run == "") {
        print step "," variant "," kernel "," grid "," block "," counter "," number
        return
    }
    print step "," variant "," run "," launch "," kernel "," grid "," block "," counter "," number
}

/^"ID",/ {
    for (i = 1; i <= NF; i++) column[$i] = i
    for (name in column) if (name ~ /Metric Value/) value = column[name]
    next
}
/^"[0-9]+",/ {
    launch = $1
    sub(/^"/, "", launch)
    launch++
    kernel = $(column["Kernel Name"])
    sub(/[<(].*/, "", kernel)
    sub(/^void /, "", kernel)
    grid = $(column["Grid Size"])
    block = $(column["Block Size"])
    gsub(/[(),]/, "", grid); gsub(/ /, "x", grid)
    gsub(/[(),]/, "", block); gsub(/ /, "x", block)
    metric = $(column["Metric Name"])
    number = $value
    if (run != "" && metric == "sass__inst_executed_per_opcode") {
        row("barriers", opcode(number, "BAR"))
        row("shuffles", opcode(number, "SHFL"))
        row("atomic_requests", opcode(number, "ATOM") + opcode(number, "ATOMG") + \
            opcode(number, "ATOMS") + opcode(number, "RED") + opcode(number, "REDG"))
        next
    }
    sub(/ *\(.*/, "", number)
    gsub(/[",]/, "", number)
    if (run == "") row(metric, number)
    else if (metric in ours) row(ours[metric], number)
}
