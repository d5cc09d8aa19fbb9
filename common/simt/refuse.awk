# SPDX-License-Identifier: MIT
#
# refuse.awk - reads the messages of g++ or clang++ (LC_ALL=C). Where one says that a name of CUDA is
# not known, it is a thing outside of the subset: these become one line each, and nothing else is
# shown. Other messages pass as they are.

function place(line) {
    match(line, /:[0-9]+:/)
    return substr(line, 1, RSTART + RLENGTH - 1)
}

function refuse(where, name) {
    line = where " simtcc: " name " is outside the subset (see common/simt/README.md)"
    if (!(line in seen))
        print line
    seen[line] = 1
    refused = 1
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
    whole = $0
    if (whole ~ /is not a member of|no (member|type|template) named/ &&
        whole ~ /'(cooperative_groups|cg|cub|cuda|cuda::std|nvcuda|thrust)'/)
        refuse(place($0), quoted($0, 2) "::" name)
    else if (whole ~ /has no member named|no member named/ && whole ~ /'(struct )?cuda[A-Z]/)
        refuse(place($0), whole ~ /has no member named/ ? quoted($0, 1) "::" quoted($0, 2) \
                                                          : quoted($0, 2) "::" name)
    else if (of_cuda(name) || name ~ /^(cooperative_groups|cg|cub|cuda|nvcuda|thrust)::/)
        refuse(place($0), name)
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
