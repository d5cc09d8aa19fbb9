# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# programs.sh - the small programs of a list, such as hostile.txt: `.` reads it.
#
#   programs LIST FOLDER    writes FOLDER/EXERCISE_NAME.cu of each block of the list, and prints
#                           `EXERCISE NAME EXPECTED` of each
#
# A block begins with `=== EXERCISE NAME: EXPECTED`, and its first comment says what it does. After
# a line `---` comes the body of solve. After `--- BYTES` it is what a second call does; the first
# has asked for that much scratch. There in, out, count, index, n and above are the input, the
# output as a type of each kind, and the sizes. The includes that all need, and a last return, are
# added. `=== EXERCISE NAME MACHINE: ...` is for that kind of processor only.
programs() { # LIST FOLDER
    awk -v folder="$2" -v machine="$(uname -m)" '
        function finish() {
            if (in_solve) print "    return cudaGetLastError();\n}" >file
            if (file != "") close(file)
            file = in_solve = ""
        }
        /^=== / {
            finish()
            head = $0
            sub(/:.*/, "", head)
            split(head, word, " ")
            if (word[4] != "" && word[4] != machine) next
            file = folder "/" word[2] "_" word[3] ".cu"
            print word[2], word[3] substr($0, length(head) + 2)
            print "#include <cuda_runtime.h>\n#include <math.h>" >file
            next
        }
        file == "" { next }
        $1 == "---" {
            in_solve = 1
            print "extern \"C\" cudaError_t solve(const void *const *d_in, void *const *d_out," >file
            print "    const size_t *size, void *d_work, size_t *work_bytes, cudaStream_t stream)\n{" >file
            if (sub(/^--- /, "")) {
                print "    const size_t n = size[0];\n    const float above = (float)size[1];" >file
                print "    *work_bytes = " $0 ";\n    if (d_work == NULL) return cudaSuccess;" >file
                print "    const float *const in = (const float *)d_in[0];" >file
                print "    float *const out = (float *)d_out[0];" >file
                print "    int *const index = (int *)d_out[0];" >file
                print "    unsigned long long *const count = (unsigned long long *)d_out[0];" >file
            }
            next
        }
        { print (in_solve ? "    " : "") $0 >file }
        END { finish() }' "$1"
}
