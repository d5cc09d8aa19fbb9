#!/bin/sh
# SPDX-License-Identifier: MIT
#
# record.sh - on a machine with a GPU, nvcc and Nsight Compute: runs patterns.cu (this takes about
# five minutes), styles.cu, structs.cu, together.cu or atomics.cu under ncu and writes its counts to
# stdout.
#
#   sh common/simt/calibrate/record.sh patterns >common/simt/calibrate/h200.csv
#   sh common/simt/calibrate/record.sh styles >common/simt/calibrate/styles.csv
#   sh common/simt/calibrate/record.sh structs >common/simt/calibrate/structs.csv
#   sh common/simt/calibrate/record.sh atomics >common/simt/calibrate/atomics.csv
#   sh common/simt/calibrate/record.sh together >common/simt/calibrate/together.csv
#
# NVCC, NCU and ARCH choose the tools; COUNT the number of patterns.
set -eu
cd "$(dirname "$0")/../../.."
. common/measure/results.sh
here=common/simt/calibrate
what=${1:-patterns}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

metrics=smsp__sass_inst_executed_op_shared_ld.sum,smsp__sass_inst_executed_op_shared_st.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum

case $what in
patterns) arguments="0 ${COUNT:-1040} 1" ;;
styles | structs | together) arguments='' metrics=$metrics,sass__inst_executed_per_opcode ;;
atomics) arguments='' metrics=sass__inst_executed_per_opcode ;;
*)
    echo "record.sh: '$what' is not known; accepted:" \
        'patterns, styles, structs, together and atomics' >&2
    exit 2
    ;;
esac

# count METRICS RUN FILE: what ncu counts for the program; RUN is that of counters.awk.
count() {
    # shellcheck disable=SC2086 # arguments is a list of words
    under_ncu "$1" --print-metric-instances details "$work/$what" $arguments >"$work/ncu.txt" || {
        cat "$work/ncu.txt" >&2
        return 1
    }
    awk -v program="$what" -v run="$2" -f common/measure/counters.awk "$work/ncu.txt" >"$3"
}
"${NVCC:-nvcc}" -std=c++20 -arch="${ARCH:-native}" "$here/$what.cu" -o "$work/$what" >&2
count "$metrics" -,-,- "$work/counts.csv"

measured_by "sh common/simt/calibrate/record.sh $what"
csv_head

if [ "$what" != patterns ]; then cat "$work/counts.csv"; fi
# The same in counters of the GPU, as comments: not every chip and ncu has them.
if [ "$what" = atomics ]; then
    sass=smsp__sass_inst_executed_op_
    metrics=${sass}global_red.sum,${sass}global_atom.sum,${sass}shared_atom.sum
    metrics=$metrics,smsp__sass_thread_inst_executed_op_memory_pred_on.sum
    count "$metrics" '' "$work/named.csv" && sed '1d; s/^/# /' "$work/named.csv" ||
        echo "record.sh: left out, as ncu did not count $metrics" >&2
fi
[ "$what" = patterns ] || exit 0

# The program's own lines, each with what was counted for its launch.
csv_awk '
    !csv {
        if (/^[0-9]/) { line[$1 + 0] = $0; patterns = $1 + 1 }
        next
    }
    { value[get("launch") - 1, get("counter")] = get("value") }
    END {
        n = split(names, name, " ")
        gsub(/ /, ",", names)
        print "index,kernel,bytes,kind,active," names
        for (p = 0; p < patterns; p++) {
            row = line[p]
            for (i = 1; i <= n; i++) row = row "," value[p, name[i]]
            print row
        }
    }' names="shared_ld_requests shared_st_requests shared_ld_wavefronts shared_st_wavefronts \
shared_wavefronts shared_wavefronts_ideal global_ld_requests global_ld_sectors \
global_st_requests global_st_sectors" "$work/ncu.txt" "$work/counts.csv"
