# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the variables are for its readers
#
# begin.sh - how each suite of this folder begins: `.` reads it, in the course's folder. The suites
# use the programs of tests.mk, and none needs another one. CXX and CC choose the compiler.
. common/tests/check.sh
: "${CXX:=c++}" "${BUILD:=$PWD/build/cpu}" "${SIMT_BUILD:=$BUILD/simt}"
: "${WORK:=$SIMT_BUILD/tests-$(basename "$CXX")}"
export CXX SIMT_BUILD
simtcc=$PWD/common/simt/simtcc
is_clang() { "$CXX" --version | grep -q clang; }
