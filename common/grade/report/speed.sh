#!/bin/sh
# SPDX-License-Identifier: MIT
#
# speed.sh BUILD TASK FILE - on a GPU: the speed of a submission as a ratio to the solution.
# NVCC, ARCH, CC and CUDA_HOME are those of make, GRADER is the grader. `make grade DEVICE=gpu`
# calls it after grading, for files that you trust: here nothing is confined.
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

# The first shape of the last test, with the upper ends of its ranges.
shape=$(awk -F'|' '
    !/^ *#/ && NF == 6 { sizes = $3 }
    END {
        sub(/[,@].*/, "", sizes)
        gsub(/[0-9]+\.\.| /, "", sizes)
        print sizes
    }' "$folder/tests.txt")

mkdir -p "$build"
library() { # FILE OUT
    "$NVCC" -std=c++20 -arch="$ARCH" -O3 -Icommon -shared -Xcompiler -fPIC -cudart shared \
        "$1" -o "$2"
}
library "$file" "$build/submission.so"
library "$solution" "$build/solution.so"
"$CC" -std=c11 -O2 -Icommon -I"$CUDA_HOME/include" common/grade/report/speed.c \
    common/grade/tasks/task.c "${GRADER%/*}/list.c" [0-9][0-9]_*/*/task.c \
    common/harness/dtype.c -L"$CUDA_HOME/lib64" \
    -Wl,-rpath,"$CUDA_HOME/lib64" -lcudart -ldl -lm -o "$build/speed"
"$build/speed" "$task" "$build/submission.so" "$build/solution.so" "$shape"
