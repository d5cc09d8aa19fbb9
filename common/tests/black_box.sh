# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # who reads this file uses what it sets
#
# black_box.sh - what cli.sh and make.sh share: `.` reads it, at the course's root. A test is a
# command (run), what must be true of its status and its output (want), and a verdict.
: "${BUILD:?make test sets it}" "${DEVICE:?make test sets it}" "${STEPS:?make test sets it}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# ---- what a test may demand; each demand that is not met is a line of $why ----

run() { # COMMAND...: sets $status, fills $tmp/out and $tmp/err
    why=''
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}

want() { # MESSAGE COMMAND...: the command must succeed
    message=$1
    shift
    "$@" || why="$why    $message
"
}

holds() { grep -qE -e "$2" "$tmp/$1"; }  # out|err REGEX
lacks() { ! grep -qE -e "$2" "$tmp/$1"; } # out|err REGEX
names() { grep -qF -e "$2" "$tmp/$1"; }  # out|err TEXT
lines() { [ "$(wc -l <"$tmp/$1")" -eq "$2" ]; }

verdict() { # NAME
    if [ -z "$why" ]; then
        echo "ok   $1"
        passed=$((passed + 1))
    else
        printf 'FAIL %s\n%s' "$1" "$why"
        sed 's/^/    stdout: /' "$tmp/out" | head -n 8
        sed 's/^/    stderr: /' "$tmp/err" | head -n 8
        failed=$((failed + 1))
    fi
}
