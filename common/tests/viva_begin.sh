# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for its readers
#
# viva_begin.sh - how the suites of `make viva` begin: `.` reads it.
: "${BUILD:?make test sets it}"
. common/tests/check.sh
if "${CXX:-c++}" --version | grep -q clang; then # it compiles kernels without optimisation
    echo 'skip viva: clang loads and stores more than a GPU does'
    exit
fi
solution=03_no_bank_conflict/exercise/solution.cu
if ! [ -f $solution ]; then
    echo 'skip viva: a handout has no solutions'
    exit
fi
