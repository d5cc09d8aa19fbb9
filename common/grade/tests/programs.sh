# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# programs.sh - the small programs of hostile.txt and right.txt: `.` reads it.
#
#   programs LIST FOLDER    writes FOLDER/EXERCISE_NAME.cu of each block of the list, and prints
#                           `EXERCISE NAME EXPECTED` of each
#
# A block begins with `=== EXERCISE NAME: EXPECTED`, or `=== EXERCISE NAME MACHINE: EXPECTED` if it
# is for that kind of processor only: SAFETY.md. A comment says what the program does. After a
# line `---` comes the body of solve; after `--- BYTES` what solve does when it has that much
# scratch. There n, above, in, out, index and count are what a kernel gets, as typed below.
programs() { # LIST FOLDER
    awk -v folder="$2" -v machine="$(uname -m)" '
        BEGIN {
            first = "#include <cuda_runtime.h>\n#include <math.h>"
            head = "extern \"C\" cudaError_t solve(const void *const *d_in, void *const *d_out,\n" \
                "const size_t *size, void *d_work, size_t *work_bytes, cudaStream_t stream)\n{"
            sizes = "[[maybe_unused]] const size_t n = size[0];\n" \
                "[[maybe_unused]] const float above = (float)size[1];\n"
            arrays = "if (d_work == NULL) return cudaSuccess;\n" \
                "[[maybe_unused]] const float *const in = (const float *)d_in[0];\n" \
                "[[maybe_unused]] float *const out = (float *)d_out[0];\n" \
                "[[maybe_unused]] int *const index = (int *)d_out[0];\n" \
                "[[maybe_unused]] unsigned long long *const count = " \
                "(unsigned long long *)d_out[0];"
        }
        function finish() {
            if (in_solve) print "return cudaGetLastError();\n}" >file
            if (file != "") close(file)
            file = in_solve = ""
        }
        /^=== / {
            finish()
            expected = $0
            sub(/^[^:]*:/, "", expected)
            sub(/:.*/, "")
            if (NF == 4 && $4 != machine) next
            file = folder "/" $2 "_" $3 ".cu"
            print $2, $3 expected
            open = 1
            next
        }
        open && file != "" && !/^\/\// {
            print first >file
            open = 0
        }
        /^---/ && file != "" {
            in_solve = 1
            print head >file
            if (sub(/^--- /, "")) print sizes "*work_bytes = " $0 ";\n" arrays >file
            next
        }
        file != "" { print >file }
        END { finish() }' "$1"
}
