# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# results.sh - what the scripts that measure share: where a program's source is, where the results
# of this GPU are, how a file of them begins, and how its rows are read. Read by `.` from the root
# of the course.

# A file of these folders of a lesson that defines `step` is a variant.
variant_folders='variants faster rows'

variant_sources() { # LESSON, or a pattern
    for folder in $variant_folders; do
        # shellcheck disable=SC2231 # patterns, both
        for file in $1/$folder/*.cu; do
            if [ -f "$file" ]; then echo "$file"; fi
        done
    done | xargs grep -lE -e "$step_defined" /dev/null
}
space='[[:space:]]'
step_defined="^$space*(extern$space*\"C\"$space*)?(const$space+)?step_t$space+step($space|[={]|\$)"

# The source of a program: 05_warp_shuffle.best is 05_warp_shuffle/faster/best.cu.
source_of() { # PROGRAM
    case $1 in
    *.*)
        for folder in $variant_folders; do
            if [ -f "${1%%.*}/$folder/${1#*.}.cu" ]; then echo "${1%%.*}/$folder/${1#*.}.cu"; fi
        done
        ;;
    *) echo "$1/kernel.cu" ;;
    esac
}

# The operator by which a step is compared with others: one about gelu has no sum.
main_op() { # STEP
    case $("$BUILD/$1" --list) in *gelu*) echo gelu ;; *) echo sum ;; esac
}

# awk on CSV files, whose columns are read by name: get("gbps"); see columns.awk. Variables go among
# the files, as NAME=VALUE.
csv_awk() { # SCRIPT FILE...
    csv_script=$(cat common/measure/columns.awk && printf '%s\n' "$1")
    shift
    awk "$csv_script" "$@"
}

# Adds the rows of a CSV file to another one, and before its first row the comments and the names.
# NAMES and VALUES are columns to put in front, as `step,variant,`.
add_rows() { # TO FROM [NAMES VALUES]
    head=
    if ! grep -qsv '^#' "$1"; then head=yes; fi
    awk -v head="$head" -v names="${3:-}" -v values="${4:-}" '
        /^#/ { if (head) print; next }
        named++ { print values $0; next }
        head { print names $0 }' "$2" >>"$1"
}

# Runs a program under Nsight Compute, which prints what counters.awk reads.
under_ncu() { # METRICS OPTION_OF_NCU... PROGRAM ARGUMENT...
    ncu_metrics=$1
    shift
    "${NCU:-ncu}" --clock-control none --csv --print-units base --metrics "$ncu_metrics" "$@"
}

# Sizes small enough for the checker to run the same cases on a GPU and in the emulator (cases.c),
# and no powers of two: options of the program.
small_size() { # PROGRAM
    case $("$BUILD/$1" --help) in
    *--rows*) echo '--rows 257 --cols 255' ;;
    *) echo '-n 65521' ;;
    esac
}

count_rows() { sed '/^#/d' "$1" | sed 1d | wc -l | tr -d ' '; } # FILE

# Counts what is done, where somebody watches. Without arguments the line is wiped.
progress() { # [COUNT TOTAL TEXT]
    if [ ! -t 2 ]; then return; fi
    if [ $# -eq 0 ]; then
        printf '\r%79s\r' '' >&2
        return
    fi
    bar=$(printf '%*s' $((20 * $1 / $2)) '' | tr ' ' '#')
    printf '\r[%-20s] %d of %d  %-40.40s' "$bar" "$1" "$2" "$3" >&2
}

# The files that cannot be built for a device: the cpu, or a GPU with these releases of nvcc and
# CUB, 12.4/2.3.1. A line `// Needs: CUDA 12.8` names the oldest toolkit that has what the file uses
# (the emulator has it); `// Needs: CUB 3.4` and any other line names what the emulator lacks.
left_out() { # cpu|RELEASES FILE...
    releases=$1
    shift
    awk -v releases="$releases" '
        function number(text,   part) { split(text, part, "."); return 1000 * part[1] + part[2] }
        BEGIN { cpu = releases == "cpu"; split(releases, release, "/") }
        /^\/\/ Needs: CUDA [0-9]+\.[0-9]+$/ {
            if (!cpu && number(release[1]) < number($4)) print FILENAME
            next
        }
        /^\/\/ Needs: CUB [0-9]+\.[0-9]+$/ && !cpu {
            if (release[2] && number(release[2]) < number($4)) print FILENAME
        }
        /^\/\/ Needs: / && cpu { print FILENAME }' "$@" /dev/null | uniq
}

nvcc_release() { # NVCC
    "$1" --version 2>/dev/null | sed -n 's/.* release \([0-9]*\.[0-9]*\).*/\1/p'
}

# The release of CUB: of the headers in $CCCL if that is set, else of the toolkit's. If nvcc is a
# script that calls another one, no headers are beside it: then nvcc is asked, which takes longer.
cub_release() { # NVCC
    home=$(readlink -f "$(command -v "$1")") && home=${home%/bin/*}
    for folder in ${CCCL:+"$CCCL"} "$home/include/cccl" "$home/include"; do
        if [ -f "$folder/cub/version.cuh" ]; then break; fi
    done
    if [ -f "$folder/cub/version.cuh" ]; then
        sed -n 's/^#define CUB_VERSION //p' "$folder/cub/version.cuh"
    else
        printf '#include <cub/version.cuh>\nCUB_VERSION\n' | "$1" -x cu -E - 2>/dev/null | tail -n 1
    fi | awk '/^ *[0-9]/ { printf "%d.%d.%d\n", $1 / 100000, $1 / 100 % 1000, $1 % 100 }'
}

# Both, such as 13.0/3.0.1; a missing one is left out.
releases() { # NVCC
    cub=$(cub_release "$1")
    echo "$(nvcc_release "$1")${cub:+/$cub}"
}

needs_gpu() { # WHO ASKS
    if [ "$DEVICE" = gpu ]; then return; fi
    echo "$1 needs a GPU and nvcc: the emulator has no notion of time" >&2
    echo "    device cpu: $DEVICE_WHY" >&2
    exit 77
}

# The folder of recorded results that GPU=name chooses: that of the H200 where nothing is said.
recorded_results() { # WHO ASKS
    if [ -d "common/results/${GPU:=h200}" ] && [ "${GPU#*/}" = "$GPU" ]; then
        echo "common/results/$GPU"
        return
    fi
    # shellcheck disable=SC2012 # names of letters, digits and _
    echo "$1: GPU: there are no results of '$GPU'; there are results of:" \
        "$(ls common/results | tr '\n' ' ' | sed 's/ $//')" >&2
    return 2
}

# The folder of this GPU: "NVIDIA H100 80GB HBM3" gives h100, "NVIDIA GeForce RTX 4090"
# geforce_rtx_4090.
results_folder() {
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader |
        sed -n '1{s/^NVIDIA //;s/[ -][0-9]*GB.*//;p;}' | tr '[:upper:] ' '[:lower:]_' |
        tr -cd 'a-z0-9_')
    if [ -z "$name" ]; then
        echo 'nvidia-smi names no GPU of NVIDIA' >&2
        return 77
    fi
    mkdir -p "common/results/$name"
    echo "common/results/$name"
}

# The programs of the course write the head of a CSV file. What they cannot know of a measurement
# they are given here: the command, the commit and the driver's version.
measured_by() { # COMMAND
    results_folder >/dev/null # or it ends here, before anything is measured
    COURSE_COMMAND=$1
    : "${COURSE_COMMIT:=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
    COURSE_DRIVER=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | sed -n 1p)
    export COURSE_COMMAND COURSE_COMMIT COURSE_DRIVER
}

# The head of a file whose rows are not those of the harness. Any program writes it, so the first
# one does; a script that make did not start has it built.
csv_head() {
    set -- [0-9][0-9]_*/kernel.cu
    if [ -z "${BUILD:-}" ]; then
        BUILD=$PWD/build/gpu
        "${MAKE:-make}" --no-print-directory DEVICE=gpu "$BUILD/${1%/*}" >&2
    fi
    "$BUILD/${1%/*}" --csv --check -n 1 -t f32 >"$BUILD/head.csv"
    sed -n '/^#/p' "$BUILD/head.csv"
}

# A program that makes pages. A script that make did not start has it built.
page_tool() { # NAME
    if [ -z "${BUILD:-}" ]; then
        BUILD=$PWD/build/cpu
        MAKEFLAGS='' "${MAKE:-make}" --no-print-directory DEVICE=cpu V=1 "$BUILD/pages/$1" \
            >/dev/null
    fi
    echo "$BUILD/pages/$1"
}

# A file becomes a result of this GPU when all of it is there: a run that breaks off leaves the old.
record() { # FILE
    folder=$(results_folder)
    cp "$1" "$folder/${1##*/}"
    echo "wrote $folder/${1##*/}: $(count_rows "$1") rows"
}
