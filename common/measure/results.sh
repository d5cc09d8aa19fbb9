# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# results.sh - what the scripts that measure share: where a program's source is, where the results
# of this GPU are, and how a file of them begins. Read by `.` from the root of the course.

# The source of a program: 05_warp_shuffle.best is 05_warp_shuffle/faster/best.cu.
source_of() { # PROGRAM
    case $1 in
    *.*)
        for folder in variants faster rows; do
            if [ -f "${1%%.*}/$folder/${1#*.}.cu" ]; then echo "${1%%.*}/$folder/${1#*.}.cu"; fi
        done
        ;;
    *) echo "$1/kernel.cu" ;;
    esac
}

# awk on CSV files, whose columns are read by name: get("gbps"); see columns.awk. Variables stand
# among the files, as NAME=VALUE.
csv_awk() { # SCRIPT FILE...
    csv_script=$(cat common/measure/columns.awk && printf '%s\n' "$1")
    shift
    awk "$csv_script" "$@"
}

# Adds the rows of a CSV file to another one, and before its first row the head: comments and names.
# NAMES and VALUES are columns to put in front, as `step,variant,`.
add_rows() { # TO FROM [NAMES VALUES]
    head=
    if [ ! -s "$1" ]; then head=yes; fi
    awk -v head="$head" -v names="${3:-}" -v values="${4:-}" '
        /^#/ { if (head) print; next }
        named++ { print values $0; next }
        head { print names $0 }' "$2" >>"$1"
}

count_rows() { sed '/^#/d' "$1" | sed 1d | wc -l | tr -d ' '; } # FILE

# The folder of recorded results that GPU=name chooses: that of the H200 where nothing is said.
recorded_results() { # WHO ASKS
    if [ -d "common/results/${GPU:=h200}" ] && [ "${GPU#*/}" = "$GPU" ]; then
        echo "common/results/$GPU"
        return
    fi
    # shellcheck disable=SC2012 # names of letters, digits and _
    echo "$1: GPU: there are no results of '$GPU'; there are those of:" \
        "$(ls common/results | tr '\n' ' ')" >&2
    return 2
}

# The folder of this GPU: "NVIDIA H200" gives h200, "NVIDIA GeForce RTX 4090" geforce_rtx_4090.
results_folder() {
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader |
        sed -n '1s/^NVIDIA //p' | tr '[:upper:] ' '[:lower:]_' | tr -cd 'a-z0-9_')
    if [ -z "$name" ]; then
        echo 'nvidia-smi names no GPU of NVIDIA' >&2
        return 77
    fi
    mkdir -p "common/results/$name"
    echo "common/results/$name"
}

# The head: the GPU, its driver, the date, the commit of the course and the command that measures.
csv_head() { # COMMAND
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
        sed -n '1s/\(.*\), \(.*\)/# gpu: \1\n# driver: \2/p'
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# commit: ${COURSE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
    echo "# command: $1"
}
