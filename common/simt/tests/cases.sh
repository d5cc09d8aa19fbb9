#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cases.sh FILE - prints the files whose heads describe the emulator's tests, the long ones first.
# FILE is one of them: it gets the cases of programs that check themselves and have no head.
set -eu
cd "$(dirname "$0")/../../.."
tests=common/simt/tests
{
    echo '# Group: simt'
    echo '# Case: built - all programs are'
    echo "# Run: exit ${BUILT:-0}"
    grep -L '^// Case: ' $tests/*.cu | sed 's,.*/,,; s,\.cu$,,' | while read -r name; do
        [ "$name" != report ] || continue # report.sh runs it
        echo "# Case: $name - it checks itself, and nothing is reported"
        echo "# Run: \$WORK/$name"
    done
} >"$1"
for suite in devices simtcc hooked heads refused found calibrate foreign action messages; do
    [ "$suite" = action ] && [ ! -d .github/actions ] || echo "$tests/$suite.sh"
done
echo "$1" $tests/barriers.sh $tests/report.sh $tests/mistakes.sh
grep -l '^\(//\| \*\) \(Case\|Suite\): ' $tests/*.cu $tests/*.c common/simt/calibrate/*.cu
