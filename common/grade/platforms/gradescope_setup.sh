#!/bin/sh
# SPDX-License-Identifier: MIT
#
# setup.sh - Gradescope runs this once, as root, when it makes the image: compilers, the grader, and
# one file graded as a trial. If that fails there is no image, so that no student gets a wrong 0.
set -eu
apt-get update
apt-get install -y --no-install-recommends gcc g++ make binutils bubblewrap
course=/autograder/source/cuda_course
sh "$course/common/grade/platforms/build.sh" "$course/build"
