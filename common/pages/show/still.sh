#!/bin/sh
# SPDX-License-Identifier: MIT
#
# still.sh - the still on the front page: still.webp, one step of the page that `make show-01` has
# written, photographed by chromium. The step is the first addition, of which a newcomer sees that
# every second thread takes its neighbour's number.
set -eu
cd "$(dirname "$0")/../../.."
page=build/show/01_naive.html step=27
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo 'still.sh: chromium was not found (Debian: sudo apt install chromium)' >&2
    exit 1
}
[ -f "$page" ] || { echo "still.sh: there is no $page; run: make show-01" >&2; exit 1; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT INT TERM
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
    --window-size=1060,700 --screenshot="$PWD/common/pages/show/still.webp" \
    "file://$PWD/$page#step=$step" 2>/dev/null
