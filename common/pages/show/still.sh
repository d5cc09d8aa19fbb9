#!/bin/sh
# SPDX-License-Identifier: MIT
#
# still.sh - the still on the front page: still.webp, one step of the page that `make show-02` has
# written, photographed by chromium. The step is the first conflict of round 3: eight wavefronts.
set -eu
cd "$(dirname "$0")/../../.."
page=build/show/02_no_divergence.html step=62
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo 'still.sh: chromium was not found (Debian: sudo apt install chromium)' >&2
    exit 1
}
[ -f "$page" ] || { echo "still.sh: there is no $page; run: make show-02" >&2; exit 1; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT INT TERM
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
    --window-size=1280,810 --screenshot="$PWD/common/pages/show/still.webp" \
    "file://$PWD/$page#step=$step" 2>/dev/null
