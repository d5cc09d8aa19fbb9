#!/bin/sh
# SPDX-License-Identifier: MIT
#
# show.sh SHOW FOLDER TRACE [TRACE] - writes the page of one or two traces into a folder, with the
# program SHOW, and prints its name. TRACE.what says what ran. In the environment: OPEN=1 opens it;
# WATCH=NUMBER, of watch.sh, makes it a page that loads itself again.
set -eu
cd "$(dirname "$0")/../../.." || exit 1 # names of files begin at the root
program=$1 folder=$2
shift 2
title=
for trace in "$@"; do
    shift
    name=$(basename "$trace" .trace)
    title=${title:+$title-}$name
    set -- "$@" "$name" "$(head -n 1 "$trace.what")" "$trace"
done
mkdir -p "$folder"
page=$folder/$title.html
"$program" "$page" "$@"
if [ -n "${WATCH:-}" ]; then
    {
        echo "<script>const WATCH = '$WATCH';"
        cat common/pages/show/watch.js
        echo '</script>'
    } >>"$page"
fi
echo "$page"
if [ "${OPEN:-}" = 1 ]; then
    if opener=$(command -v xdg-open || command -v open); then
        "$opener" "$page" >/dev/null 2>&1 &
    else
        echo "OPEN=1: neither xdg-open nor open was found; open '$page' in a browser" >&2
    fi
fi
