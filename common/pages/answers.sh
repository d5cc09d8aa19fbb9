#!/bin/sh
# SPDX-License-Identifier: MIT
#
# answers.sh LESSON - `make answers`: the answers to the questions of a lesson, with the edits and
# the output behind them; LESSON=lab: how a report is marked; LESSON=bugs: the repairs of the bugs.
# A handout has no answers, and says so.
set -eu
cd "$(dirname "$0")/../.."
answers=common/grade/ANSWERS.md
if [ ! -f "$answers" ]; then
    echo 'make answers: a handout is made without the answers: ask your teacher for them, or' \
        'take the whole course' >&2
    exit 1
fi
case $1 in
lab) head='The lab report' ;;
bugs) head='Find the bug' ;;
[0-9]) head="0$1 " ;;
[0-9][0-9]) head="$1 " ;;
*) head='none' ;;
esac
grep -q "^## $head" "$answers" || {
    echo "make answers: LESSON: '$1' has none; accepted are:" \
        "$(sed -n 's/^## \([0-9][0-9]\) .*/\1/p' "$answers" | tr '\n' ' ')lab and bugs" >&2
    exit 2
}
awk -v head="## $head" '/^## / { on = index($0 " ", head) == 1 } on' "$answers"
