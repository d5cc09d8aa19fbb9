#!/bin/sh
# SPDX-License-Identifier: MIT
#
# csv_head.sh COMMAND - the head of a file of results: the GPU, its driver, the date, the commit of
# the course and the command that makes the file.
set -eu
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
    sed -n '1s/\(.*\), \(.*\)/# gpu: \1\n# driver: \2/p'
echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: ${COURSE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
echo "# command: $1"
