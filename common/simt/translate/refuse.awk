# SPDX-License-Identifier: MIT
#
# refuse.awk - reads the messages of g++ or clang++ (LC_ALL=C). Where one says that a name of CUDA
# is not known, it is misspelt or outside of the subset: these become one line each, and nothing
# else is shown. Other messages pass as they are.

function place(line) {
    match(line, /:[0-9]+:/)
    return substr(line, 1, RSTART + RLENGTH - 1)
}

function tell(where, text) {
    line = where " simtcc: " text
    if (!(line in seen))
        print line
    seen[line] = 1
    refused = 1
}

function refuse(where, name) {
    tell(where, name " is outside the subset (see common/simt/README.md)")
}

# A name that the compiler does not know. It may suggest another one: "did you mean '...'?"
function unknown(line, name,   other) {
    if (match(line, /; did you mean '[^']*'/))
        other = substr(line, RSTART + 16, RLENGTH - 17)
    sub(/^struct /, "", name)
    if (one_letter(last_part(name), last_part(other)))
        tell(place(line), name " is not known here; did you mean " other "?")
    else
        tell(place(line), name " is not known here: it is outside the subset, or misspelt " \
                          "(see common/simt/README.md)")
}

function last_part(name) {
    sub(/.*::/, "", name)
    return name
}

# Do the names differ by one letter, or by two that have changed places? A digit is no error of
# typing: cudaMemcpy3D is not cudaMemcpy2D.
function one_letter(a, b) {
    while (a != "" && substr(a, 1, 1) == substr(b, 1, 1)) {
        a = substr(a, 2)
        b = substr(b, 2)
    }
    while (a != "" && substr(a, length(a)) == substr(b, length(b))) {
        a = substr(a, 1, length(a) - 1)
        b = substr(b, 1, length(b) - 1)
    }
    if ((a b) !~ /^[A-Za-z_]+$/)
        return 0
    return (length(a) <= 1 && length(b) <= 1) ||
        (length(a) == 2 && a == substr(b, 2) substr(b, 1, 1))
}

# What stands between the n-th pair of quotes; both compilers use ' in the C locale.
function quoted(line, n,   part) {
    split(line, part, "'")
    return part[2 * n]
}

# Names that nobody but CUDA's headers can have meant. The half types only miss their header.
function of_cuda(name) {
    if (name ~ /^__(half|nv_bfloat)/)
        return 0
    return name ~ /^(cuda|cu|nv|CU|NV|cublas|curand|cufft|cusparse|cudnn)[A-Z_]/ || name ~ /^__[a-z]/ ||
        name ~ /^(tex|surf)([123]D|Cube)/ || name ~ /^(thrust|nvcuda|wmma|texture|cub|cutlass)$/ ||
        name ~ /^(atomic|this_)[A-Za-z]/ || name ~ /^(grid_group|cluster_group|multi_grid_group)$/
}

{ lines[NR] = $0 }

# A header that was not found. The next line shows how it was asked for: "cuda_utils.h" in quotes
# is the user's own.
/fatal error: .*(No such file or directory|file not found)/ {
    header = $0
    sub(/.*fatal error: /, "", header)
    sub(/: No such file.*| file not found.*/, "", header)
    gsub(/'/, "", header)
    asked_at = place($0)
    next
}
header != "" {
    if (header ~ /^(thrust|cub|cuda|cooperative_groups|cutlass|nv|nvtx3)\// ||
        header ~ /^(cublas|curand|cufft|cusparse|cusolver|cudnn|nvrtc|nccl|npp|nvml|mma|helper_)/ ||
        (header ~ /^(cuda|cu[A-Z]|texture|surface|sm_[0-9]|device_)/ && $0 !~ /#[ ]*include[ ]*"/))
        refuse(asked_at, "<" header ">")
    header = ""
}

# Templates of ours: the user's line is where they are asked for, before the error or after it.
/required from|required by|in instantiation of/ && !/\/simt\/include\// { asked = place($0) }

/error: .*simtcc: / {
    name = $0
    sub(/.*simtcc: /, "", name)
    sub(/["'].*/, "", name)
    pending = name
    if ($0 !~ /\/simt\/include\//)
        asked = place($0)
}
pending != "" && asked != "" {
    refuse(asked, pending)
    pending = ""
}

/error: .*(was not declared|has not been declared|does not name a type|undeclared identifier|unknown type name|is not a member of|no member named|has no member named|no type named|no template named|is not a class, namespace|undeclared \(first use)/ {
    name = quoted($0, 1)
    if (/is not a member of|no (member|type|template) named/ &&
        /'(cooperative_groups|cg|cub|cuda|cuda::std|nvcuda|thrust)'/)
        unknown($0, quoted($0, 2) "::" name)
    else if (/has no member named/ && /'(struct )?cuda[A-Z]/)
        unknown($0, name "::" quoted($0, 2))
    else if (/no member named/ && /'(struct )?cuda[A-Z]/)
        unknown($0, quoted($0, 2) "::" name)
    else if (of_cuda(name) || name ~ /^(cooperative_groups|cg|cub|cuda|nvcuda|thrust)::/)
        unknown($0, name)
}

# g++ -O1 knows at once that a function has no body here; clang leaves it to the linker.
/undefined reference to .cuda[A-Z]/ {
    name = $0
    sub(/.*undefined reference to ./, "", name)
    sub(/\(.*|'.*/, "", name)
    refuse(place($0), name == "cudaLaunchKernel" ? name " of a void pointer" : name)
}

END {
    for (i = 1; i <= NR && !refused; i++)
        print lines[i]
}
