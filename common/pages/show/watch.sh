#!/bin/sh
# SPDX-License-Identifier: MIT
#
# watch.sh FILE PAGE - checks a file and draws its page, now and each time that it is saved, until
# Ctrl-C. `make watch` calls it. PAGE.js says what is on the page, and what the checker said of it;
# watch.js, which is in the page, reads that. From the environment: MAKE; TASK, if the file is an
# exercise; OPEN=1 opens the page.
#
# Between two saves it looks at the time of the file, once a second: a process that sleeps and a
# call of stat.
set -u
file=$1 page=$2
folder=$(dirname "$0")
mark=$(mktemp)
said=$mark.said
trap 'rm -f "$mark" "$said"; exit 0' INT TERM HUP
saves=0 drawn=$$.0

# news STATE WORDS FILE: into PAGE.js; and the words to the terminal. The page is drawn anew if
# $drawn is another one.
news() {
    echo "make watch: $(basename "$file"): $2"
    {
        printf 'watched({"page": "%s", "state": "%s", "said": "%s", "text": "' "$drawn" "$1" "$2"
        tr -d '\000-\010\013-\037' <"$3" | sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' | tr -d '\n'
        echo '"});'
    } >"$page.js.new" && mv "$page.js.new" "$page.js"
}

# Runs a command, and keeps what it says but for the lines of make.
run() {
    "$@" >"$mark.all" 2>&1
    status=$?
    sed -e '/^make[:[]/d' -e '/^  [A-Z]\{2,7\} /d' -e '/^device /d' -e '/^step through it/d' \
        "$mark.all" >"$said"
    rm -f "$mark.all"
    return "$status"
}

draw() {
    WATCH=$$.$saves run "$MAKE" --no-print-directory -f "$folder/show.mk" show OPEN=
}

check() {
    if [ -n "${TASK:-}" ]; then
        run "$MAKE" --no-print-directory -f "$folder/../../grade/grade.mk" grade &&
            ! grep -q '^FAILED' "$said"
    else
        run "$MAKE" --no-print-directory run DEVICE=cpu
    fi
}

# Where there is no page yet, one that waits for it.
first_page() {
    mkdir -p "$(dirname "$page")"
    {
        echo '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>make watch</title><style>'
        cat "$folder/show.css"
        echo "</style><body><script>const WATCH = '$drawn';"
        cat "$folder/watch.js"
        echo '</script>'
    } >"$page"
}

save() {
    saves=$((saves + 1))
    : >"$said"
    news busy 'compiling' "$said"
    if ! draw; then
        news broken 'does not compile or run; the steps are of what did' "$said"
        cat "$said"
        return
    fi
    drawn=$$.$saves
    : >"$said"
    news busy 'checking' "$said"
    if check; then news right 'right' "$said"; else news wrong 'wrong' "$said"; fi
    cat "$said"
}

first_page
echo "make watch: $page; Ctrl-C ends it"
if [ "${OPEN:-}" = 1 ]; then
    if opener=$(command -v xdg-open || command -v open); then
        "$opener" "$page" >/dev/null 2>&1 &
    else
        echo "OPEN=1: neither xdg-open nor open was found; open '$page' in a browser" >&2
    fi
fi
while :; do
    touch -r "$file" "$mark"
    save
    # An editor may remove the file for a moment.
    # shellcheck disable=SC3013 # dash, bash, ksh and busybox have -nt
    while ! [ -e "$file" ] || ! { [ "$file" -nt "$mark" ] || [ "$file" -ot "$mark" ]; }; do
        sleep 1
    done
done
