#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sanitize.sh - on a machine with a GPU and the CUDA toolkit: runs each program of mistakes.cu as it
# is, and under the four tools of compute-sanitizer, and writes the first message to stdout, with `
# (line)` after it if the message names a line that is marked `// 1 NAME`.
#
#   sh common/simt/calibrate/sanitize.sh >common/simt/calibrate/mistakes.csv
#
# This takes about two minutes on 16 cores. NVCC, SANITIZER and ARCH choose the tools; LOGS a folder
# that keeps the whole messages. If the sanitizer can, initcheck checks shared memory too, and
# racecheck waits five seconds for a barrier before it reports a deadlock.
set -eu
cd "$(dirname "$0")/../../.."
program=common/simt/calibrate/mistakes
tools='plain memcheck racecheck initcheck synccheck'
seconds=15
: "${SANITIZER:=compute-sanitizer}"
export SANITIZER

# One run. The file NAME.TOOL holds what it printed, and in its last line how it ended.
run() { # NAME TOOL
    log=$work/$1.$2
    case $2 in
    plain) set -- "$work/mistakes" "$1" error ;;
    memcheck) set -- "$SANITIZER" --leak-check full "$work/mistakes" "$1" ;;
    racecheck) set -- "$SANITIZER" --tool racecheck \
        ${deadlock:+--racecheck-deadlock-timeout 5000} "$work/mistakes" "$1" ;;
    initcheck) set -- "$SANITIZER" --tool initcheck \
        ${spaces:+--initcheck-address-space all} "$work/mistakes" "$1" ;;
    *) set -- "$SANITIZER" --tool "$2" "$work/mistakes" "$1" ;;
    esac
    status=0
    timeout -k 2 "$seconds" "$@" >"$log" 2>&1 </dev/null || status=$?
    echo "exit $status" >>"$log"
}

if [ $# -eq 2 ]; then
    run "$1" "$2"
    exit
fi

work=${LOGS:-$(mktemp -d)}
[ -n "${LOGS:-}" ] || trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work"
deadlock=$("$SANITIZER" --help | sed -n 's/.*--racecheck-deadlock-timeout.*/yes/p')
spaces=$("$SANITIZER" --help | sed -n 's/.*--initcheck-address-space.*/yes/p')
export work deadlock spaces
"${NVCC:-nvcc}" -std=c++17 -g -lineinfo -Xcompiler -rdynamic -arch="${ARCH:-native}" $program.cu \
    -o "$work/mistakes" >&2
names=$(sed -n 's,^// Case: \([a-z_]*\) - .*,\1,p' $program.cu)
for name in $names; do
    for tool in $tools; do echo "$name $tool"; done
done | xargs -n 2 -P "$(getconf _NPROCESSORS_ONLN)" sh common/simt/calibrate/sanitize.sh

# The first message of a run, as a CSV field.
said() { # NAME TOOL
    awk -v tool="$2" -v seconds="$seconds" -v marked=" $(grep -n "// [1-9] .*\b$1\b" $program.cu |
        cut -d: -f1 | tr '\n' ' ')" '
        { last = this; this = $0 }
        tool == "plain" || !sub(/^=========/, "") { next }
        /COMPUTE-SANITIZER|SUMMARY|Target application returned/ { next }
        /^ [^ ]/ && ++findings == 1 {
            text = substr($0, 2)
            sub(/ (at|in) .*/, "", text)
        }
        findings == 1 && match($0, /mistakes\.cu:[0-9]+/) {
            if (index(marked, " " substr($0, RSTART + 12, RLENGTH - 12) " ")) line = " (line)"
        }
        END {
            status = substr(this, 6)
            if (findings == 0 && (status == 124 || status == 137))
                text = "does not end in " seconds " s"
            else if (status == 139) text = "segmentation fault"
            else if (tool == "plain") text = last
            text = text line
            gsub(/"/, "", text)
            gsub(/,/, " ", text)
            printf ",%s", text
        }' "$work/$1.$2"
}

gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader | sed -n 1p; }
echo "# gpu: $(gpu name)"
echo "# driver: $(gpu driver_version)"
echo "# cuda: $("${NVCC:-nvcc}" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
echo "# compute-sanitizer: $("$SANITIZER" --version | sed -n 's/^Version \([0-9.]*\).*/\1/p')"
echo "# date: $(date +%Y-%m-%d)"
echo '# command: sh common/simt/calibrate/sanitize.sh'
echo "mistake $tools" | tr ' ' ,
for name in $names; do
    printf %s "$name"
    for tool in $tools; do said "$name" "$tool"; done
    echo
done
