#!/bin/sh
# SPDX-License-Identifier: MIT
#
# setup.sh - Gradescope runs this once, as root, when it makes the image: compilers, and the grader.
set -eu
apt-get update
apt-get install -y --no-install-recommends gcc g++ make binutils
make -C /autograder/source/cuda_course -s -f common/grade/grade.mk grader
