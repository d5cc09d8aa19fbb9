#!/bin/sh
# SPDX-License-Identifier: MIT
#
# speed.sh BUILD TASK FILE - on a GPU: the speed of a submission as a ratio to the solution.
# NVCC, ARCH, CC and CUDA_HOME are those of make, GRADER is the grader. `make grade DEVICE=gpu` and
# make grade-class call it after grading, for files that you trust: nothing is confined here.
set -eu
build=$1 task=$2
case $3 in /*) file=$3 ;; *) file=$PWD/$3 ;; esac
cd "$(dirname "$0")/../../.."
folder=$("$GRADER" --list | awk -v task="$task" '$1 == task { print $2 }')
solution=$folder/solution.cu
if [ ! -f "$solution" ]; then
    echo "no speed of exercise $task: there is no solution to compare with"
    exit 0
fi

if ! command -v "$NVCC" >/dev/null; then
    echo "no speed of exercise $task: '$NVCC' was not found; give CUDA_HOME= or NVCC="
    exit 0
fi

# The first shape of the last test, with the upper ends of its ranges.
shape=$(awk -F'|' '
    !/^ *#/ && NF >= 6 { sizes = $3 }
    END {
        sub(/[,@].*/, "", sizes)
        gsub(/[0-9]+\.\.| /, "", sizes)
        print sizes
    }' "$folder/tests.txt")

# The headers are the emulator's, which the tasks need; the functions are CUDA's, which ignore the
# names of arrays and another number of multiprocessors.
mkdir -p "$build"
echo 'void simt_buffer(void) {} void simt_device_sms(void) {}' >"$build/buffer.c"
build() { # FILE NAME
    "$NVCC" -std=c++20 -arch="$ARCH" -O3 -Icommon -c "$1" -o "$build/$2.o"
    "$CC" -std=c11 -O2 -Icommon -Icommon/simt/include common/grade/once/once.c \
        "$build/buffer.c" common/grade/tasks/task.c common/grade/tasks/simple.c \
        "${GRADER%/*}/list.c" [0-9][0-9]_*/*/task.c \
        common/harness/dtype.c "$build/$2.o" -L"$CUDA_HOME/lib64" \
        -Wl,-rpath,"$CUDA_HOME/lib64" -lcudart -lstdc++ -lm -o "$build/$2"
}
build "$file" submission
build "$solution" solution

# The median of 21 times in microseconds, and the sizes.
time_of() { # NAME
    "$build/$1" "$task" -n "$shape" --bytes 268435456 --times 21 >"$build/$1.times" || wrong=$1
    sort -n "$build/$1.times" | awk '/^[0-9.]+$/ { time[++n] = $1 }
        /ran once/ { sub(/  ran once.*/, ""); sizes = $0 }
        END { print time[int((n + 1) / 2)] "|" sizes }'
}
time_of submission >"$build/times"
time_of solution >>"$build/times"
device=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
echo "speed of exercise $task on $device, no points:"
if [ -n "${wrong:-}" ]; then
    echo "  no ratio: the $wrong does not run here, or gives a wrong result: $(
        tail -n 1 "$build/$wrong.times" | sed 's/.*ran once, //')"
    exit
fi
awk -F'|' '
    NR == 1 { submission = $1 }
    NR == 2 { printf "  %.2f times the solution: %s us, the solution %s us; %s\n", $1 / submission,
        submission, $1, $2 }' "$build/times"
