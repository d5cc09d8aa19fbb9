# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for its readers
#
# check.sh - how every test script reports: `.` reads it. A test is a command, conditions on its
# status and its output, and a verdict: `ok   NAME`, or `FAIL NAME` and below it the expected and
# the actual.
#
#   group='gelu: '            what each name begins with
#   run COMMAND...            sets $status, fills $tmp/out and $tmp/err
#   ends STATUS COMMAND...    the same, and it must end with this status
#   want MESSAGE COMMAND...   the command must succeed; the message says what is wrong if it fails
#   says out|err 'TEXT | TEXT'    the output must have these texts
#   verdict NAME
#
#   check NAME COMMAND...     all of these: the command must exit 0
#   refuses NAME STATUS 'TEXT | TEXT' COMMAND...
#                             it ends with this status, prints nothing on stdout, and on stderr one
#                             line, which has these texts
#   equal NAME GOT WANTED     two texts
#   empty NAME TEXT           a text that says what is wrong
#   suite NAME COMMAND...     a program that prints its own verdicts
#   finish                    the last line, `N passed, N failed`, and the status of the script
#
# $tmp is a folder for the script; it is removed when the script ends. `mk` is make, in the same
# build folder: no option of the make that called us reaches it.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES N TYPE OP ROWS COLS INPUT SEED ARGS VARIANT KERNEL \
    TASK BLOCK V TRY OPEN LIST TRACE WAYS NCCL_HOME
mk() {
    "${MAKE:-make}" --no-print-directory BUILD_DIR="${BUILD%/*}" DEVICE="${DEVICE:-cpu}" "$@"
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for file in verdicts out err; do : >"$tmp/$file"; done
group=''
why=''

run() {
    status=0
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
}

ends() {
    wanted=$1
    shift
    run "$@"
    want "exit $status, expected $wanted" [ "$status" -eq "$wanted" ]
}

want() {
    message=$1
    shift
    "$@" || why="$why$message
"
}

holds() { grep -qE -e "$2" "$tmp/$1"; }  # out|err REGEX
lacks() { ! grep -qE -e "$2" "$tmp/$1"; } # out|err REGEX
names() { grep -qF -e "$2" "$tmp/$1"; }  # out|err TEXT
says() { # out|err 'TEXT | TEXT'
    rest="$2 | "
    while [ -n "$rest" ]; do
        want "it does not say: ${rest%% | *}" names "$1" "${rest%% | *}"
        rest=${rest#* | }
    done
}
lines() { [ "$(wc -l <"$tmp/$1")" -eq "$2" ]; }
silent() { [ "$status:$(cat "$tmp/out" "$tmp/err")" = 0: ]; } # exit 0 and no output

# A browser without a window, if there is one.
has_browser() {
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
}
in_browser() { # OPTION...
    "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/browser" "$@" \
        2>"$tmp/err"
}

# Tests run in parallel: each verdict is printed in one piece, so that they do not mix. Its status
# is 1 if it is FAIL.
verdict() {
    if [ -z "$why" ]; then
        text="ok   $group$1"
    else
        text=$(printf 'FAIL %s\n' "$group$1" && {
            printf '%s' "$why"
            sed 's/^/stdout: /' "$tmp/out" | head -n 20
            sed 's/^/stderr: /' "$tmp/err" | head -n 20
        } | sed 's/^/    /')
    fi
    printf '%s\n' "$text"
    printf '%s\n' "$text" >>"$tmp/verdicts"
    why=''
    : >"$tmp/out"
    : >"$tmp/err"
    case $text in FAIL*) return 1 ;; esac
}

check() {
    check_name=$1
    shift
    ends 0 "$@"
    verdict "$check_name"
}

refuses() {
    check_name=$1 texts=$3 wanted=$2
    shift 3
    ends "$wanted" "$@"
    want 'stdout is not empty' lines out 0
    want 'stderr is not one line' lines err 1
    says err "$texts"
    verdict "$check_name"
}

equal() {
    want "got '$2', expected '$3'" [ "$2" = "$3" ]
    verdict "$1"
}

empty() {
    want "$2" [ -z "$2" ]
    verdict "$1"
}

# The other program's count is left out: ours follows. If it stops early, it has failed as a whole.
suite() {
    suite_name=$1
    shift
    run "$@"
    sed -n -e "s/^ok  */ok   $group/p" -e "s/^FAIL /FAIL $group/p" -e '/^skip /p' -e '/^    /p' \
        "$tmp/out" >"$tmp/lines"
    awk '{ print; fflush() }' "$tmp/lines"
    cat "$tmp/lines" >>"$tmp/verdicts"
    if grep -q '^FAIL ' "$tmp/lines"; then return; fi
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'it prints no verdict' grep -qE '^(ok|skip) ' "$tmp/lines"
    if [ -n "$why" ]; then verdict "$suite_name"; fi
}

finish() {
    passed=$(grep -c '^ok ' "$tmp/verdicts")
    failed=$(grep -c '^FAIL ' "$tmp/verdicts")
    if [ "$passed" -eq 0 ]; then failed=$((failed + 1)); fi
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
