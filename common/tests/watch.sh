#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: watch - make watch: at each save the page is redrawn and has the checker's verdict, also
# for a file that does not compile; between saves it is nearly idle; at the end it leaves no file.
# show.sh tests that the page reloads itself.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='watch: '
slow=${SLOW:-1}

mkdir -p "$tmp/temporary"
export TMPDIR="$tmp/temporary"

ends 2 mk watch
want 'not said what to give' names err 'KERNEL=my.cu, or TASK=03'
verdict 'without a file'
run mk watch KERNEL=no/such.cu
want 'exit 0' [ "$status" -ne 0 ]
want 'the file is not named' names err "'no/such.cu'"
verdict 'a file that is not there'

# A name with no other page beside it; the page says what it shows.
file=$tmp/watched_$$.cu
page=${BUILD%/*}/show/watched_$$.html
cp 02_no_divergence/kernel.cu "$file"
# make itself, not a shell around it: it gets the signal and passes it on.
"${MAKE:-make}" --no-print-directory DEVICE=cpu BUILD_DIR="${BUILD%/*}" watch KERNEL="$file" \
    >"$tmp/said" 2>&1 &
watcher=$!
trap 'kill "$watcher" 2>/dev/null; rm -rf "$tmp" "$page" "$page.js"' EXIT

# until STATE TEXT: waits until the page gets this state, and copies it to out.
until_told() {
    left=$((120 * slow))
    until grep -q "\"state\": \"$1\".*$2" "$page.js" 2>/dev/null || [ "$left" -eq 0 ]; do
        left=$((left - 1))
        sleep 1
    done
    cat "$page.js" >"$tmp/out"
    cat "$tmp/said" >"$tmp/err"
    want "not $1" [ "$left" -gt 0 ]
}
number() { sed -n "s/.*const WATCH = '\([0-9.]*\)'.*/\1/p" "$page"; }
save() { # FILE
    sleep 1 # some systems keep a file's time in whole seconds
    cp "$1" "$file.new" && mv "$file.new" "$file" # as editors do
}

until_told right 'f32 sum   check ok'
want 'the number of the page is not the reported one' names out "\"page\": \"$(number)\""
want 'the page has no steps' grep -q '"kind":"load"' "$page"
want 'the terminal shows nothing' names err ': right'
verdict 'a right kernel'
first=$(number)

sed 's,__syncthreads(); // this round,// this round,' 02_no_divergence/kernel.cu >"$tmp/race.cu"
save "$tmp/race.cu"
until_told wrong 'simt: race on s_data'
want 'the page is the old one' [ "$(number)" != "$first" ]
want 'the page has no finding' grep -q '"title":"race on' "$page"
verdict 'a race'
second=$(number)

sed 's,const Op op;,const Op "op",' 02_no_divergence/kernel.cu >"$tmp/broken.cu"
save "$tmp/broken.cu"
until_told broken "watched_$$.cu:23:.*error"
want 'a quote has no backslash' lacks out '[^\\]"op'
want 'the page is not the last one that ran' [ "$(number)" = "$second" ]
verdict 'a file that does not compile'

# Jiffies of the watcher and of everything that it has started, in 5 seconds without a change.
script=$(pgrep -f "show/watch.sh $file" 2>/dev/null | tail -n 1)
jiffies() { awk '{ print $14 + $15 + $16 + $17 }' "/proc/$script/stat"; }
if [ -n "$script" ] && [ -r "/proc/$script/stat" ]; then
    before=$(jiffies)
    sleep 5
    used=$(($(jiffies) - before))
    want "$used jiffies in 5 seconds" [ "$used" -le 5 ]
    verdict 'between two saves'
else
    echo 'skip watch: between two saves: there is no pgrep or no /proc'
fi

save 03_no_bank_conflict/kernel.cu
until_told right 'f32 sum   check ok'
verdict 'right once more'

# make ends with what it runs; the status file is removed.
kill "$watcher"
left=10
while [ -n "$(ls "$tmp/temporary")" ] && [ "$left" -gt 0 ]; do left=$((left - 1)) && sleep 1; done
ls "$tmp/temporary" >"$tmp/out"
want 'a file is left' [ ! -s "$tmp/out" ]
verdict 'it ends'
finish
