# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2016 # the variable is for the reader; sh expands it
#
# grade_folder.sh - what make grade-class starts, for `sh -c`, with its variables: a test reads this
# file. `env DIR=folder sh -c "$grade_folder" GRADER OPTION...`
grade_folder='exec "$0" --class "${DIR:-}" --marks "${MARKS:-}" --quiz "${QUIZ_PROGRAM:-}" \
    --questions "${QUIZ:-}" ${TASK:+--only "$TASK"} ${SEED:+--seed "$SEED"} \
    ${STUDENT:+--student "$STUDENT"} ${FORMAT:+--format "$FORMAT"} "$@"'
