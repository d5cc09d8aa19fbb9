# SPDX-License-Identifier: MIT
#
# headers.awk - reads preprocessed text. CUDA headers that are not ours, from an installed toolkit,
# are outside the subset: prints one line for each, and exits with status 1.

# A user's own header may be called cuda_utils.h: a toolkit's is a system header (the marker ends
# with a 3), or has a known path.
function of_system(path, flags) {
    return flags ~ / 3/ || path ~ /\/cuda[^\/]*\/.*include\//
}

# The name by which a CUDA header is included, "" for any other header.
function outside(path, flags,   name) {
    if (path ~ /\/simt\/include\// || !of_system(path, flags))
        return ""
    name = path
    if (match(path, /\/(thrust|cub|cuda|cooperative_groups|cutlass|nv|nvtx3|crt)\/.*/))
        return substr(path, RSTART + 1)
    sub(/.*\//, "", name)
    if (name ~ /^(cuda|cu[A-Z]|cublas|curand|cufft|cusparse|cusolver|cudnn|nvrtc|nccl|npp|nvml)/ ||
        name ~ /^(texture_|surface_|sm_[0-9]|device_|mma\.h|nvJitLink|nvToolsExt)/)
        return name
    return ""
}

# `# 12 "file" 1`: the text continues at line 12 of a file; 1 means that the file begins here.
/^# [0-9]+ "/ {
    split($0, part, "\"")
    name = part[3] ~ / 1/ ? outside(part[2], part[3]) : ""
    if (name != "" && !inside) {
        print file ":" line ": simtcc: <" name "> is outside the subset (see common/simt/README.md)"
        refused = 1
    }
    file = part[2]
    line = $2
    inside = of_system(file, part[3])
    next
}

{ line++ }

END { exit refused }
