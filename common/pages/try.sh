#!/bin/sh
# SPDX-License-Identifier: MIT
#
# try.sh NN - `make try-03`: writes try_03.cu, the kernel of a lesson with the gaps of its
# gaps.diff, but never over an existing file. TRY names another file.
#
# A gap is a paragraph of gaps.diff: with - a line of kernel.cu, which occurs once; with + its
# replacement, which ends with `// GAP 1: ...`; with ! what is reported while only this gap is open.
# A line `--- FILE` before the first gap names another file than kernel.cu.
set -eu
cd "$(dirname "$0")/../.."
for lesson in "$1"_*; do gaps=$lesson/gaps.diff; done
try=${TRY:-try_$1.cu}
if [ ! -f "$gaps" ]; then
    echo "make try-$1: there is no $gaps: this lesson has no gaps" >&2
    exit 2
fi
kernel=$(sed -n 's/^--- //p' "$gaps")
kernel=${kernel:-$lesson/kernel.cu}
if [ -e "$try" ]; then
    echo "$try is there already and stays as it is. To start again:" | awk -f common/wrap.awk
    echo "rm $try && make try-$1"
else
    trap 'rm -f "$try.new"' EXIT
    awk -f common/pages/edited.awk "$gaps" "$kernel" >"$try.new"
    mv "$try.new" "$try"
    echo "$try is $kernel with gaps. Fill them in and run it:" | awk -f common/wrap.awk
fi
sed -n '/GAP [0-9]/{=;s/.*\(GAP [0-9]\)/\1/p;}' "$try" | paste -d ' ' - - | sed 's/^/line /' |
    awk -v indent=8 -f common/wrap.awk
grep -q 'GAP [0-9]' "$try" || echo 'no gap is left in it'
# A GPU overlooks a race, and says less about the other faults.
echo "make run KERNEL=$try$([ "${DEVICE:-cpu}" = cpu ] || echo ' DEVICE=cpu')"
