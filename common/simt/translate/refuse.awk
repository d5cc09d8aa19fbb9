# SPDX-License-Identifier: MIT
#
# refuse.awk - reads the messages of g++ or clang++ (LC_ALL=C) about a program that does not compile.
# If the cause is known, it becomes one sentence; else only the compiler's first error is shown, at
# the user's line. -v all=1 shows all causes, and then the compiler's own messages.

function place(line) {
    match(line, /:[0-9]+:/)
    return substr(line, 1, RSTART + RLENGTH - 1)
}

function report(where, text, advice,   line) {
    line = where " simtcc: " text
    if ((line in seen) || ((refused || unclear) && !all))
        return
    print line
    if (advice != "")
        print "    " advice
    seen[line] = 1
    refused = 1
}

function refuse(where, name) {
    report(where, name " is outside the subset (see common/simt/README.md)")
}

# ---- unknown names ----

BEGIN {
    # CUDA's words that the translator has replaced, and names that are often misspelt.
    split("threadIdx blockIdx blockDim gridDim warpSize __global__ __device__ __host__ __shared__ " \
        "__constant__ __syncthreads __syncwarp __shfl_down_sync __shfl_xor_sync atomicAdd atomicMax " \
        "atomicMin atomicCAS atomicExch cudaMalloc cudaMemcpy cudaMemset cudaFree " \
        "cudaDeviceSynchronize cudaGetLastError cudaMemcpyHostToDevice cudaMemcpyDeviceToHost " \
        "cudaMemcpyDeviceToDevice cudaError_t cudaSuccess", words, " ")
    split("printf=cstdio fprintf=cstdio puts=cstdio stderr=cstdio stdout=cstdio assert=cassert " \
        "FLT_MAX=cfloat FLT_MIN=cfloat FLT_EPSILON=cfloat DBL_MAX=cfloat uint8_t=cstdint " \
        "std::vector=vector std::string=string std::cout=iostream std::cerr=iostream " \
        "std::endl=iostream std::sort=algorithm std::accumulate=numeric std::iota=numeric " \
        "std::function=functional std::chrono=chrono std::array=array std::map=map " \
        "std::mt19937=random std::unique_ptr=memory std::ostream=ostream std::ifstream=fstream", pairs, " ")
    for (i in pairs) {
        split(pairs[i], pair, "=")
        header_of[pair[1]] = pair[2]
    }
}

function plain(name) {
    gsub(/_/, "", name)
    return tolower(name)
}

# A word of CUDA that differs only in capitals, underscores, or one letter.
function word_of_cuda(name,   i) {
    for (i in words)
        if (length(name) > 3 && (plain(name) == plain(words[i]) || one_letter(plain(name), plain(words[i]))))
            return words[i]
    return ""
}

# A name that the compiler does not know. It may suggest another one: "did you mean '...'?"
function unknown(line, name,   other, word) {
    if (match(line, /; did you mean '[^']*'/))
        other = substr(line, RSTART + 16, RLENGTH - 17)
    sub(/^struct /, "", name)
    word = word_of_cuda(name)
    if (other != "" && one_letter(last_part(name), last_part(other)))
        report(place(line), name " is not known here; did you mean " other "?")
    else if (word == name && name ~ /^__/)
        report(place(line), name " is misplaced: it starts a declaration")
    else if (word == name)
        report(place(line), name " exists in device code only",
            "write __global__ or __device__ before the function")
    else if (word != "")
        report(place(line), name " is not known here; did you mean " word "?")
    else if (name ~ /^(cublas|curand|cufft|cusparse|cusolver|cudnn|nccl|nvrtc|npp)[A-Z]/)
        refuse(place(line), name)
    else if (name in header_of)
        report(place(line), name " is not known here: #include <" header_of[name] ">")
    else if (of_cuda(name) || name ~ /^(cooperative_groups|cg|cub|cuda|nvcuda|thrust)::/)
        report(place(line), name " is not known here: it is outside the subset, or misspelt " \
                          "(see common/simt/README.md)")
    else if (other != "" && name !~ /::/)
        report(place(line), name " is not known here; did you mean " other "?")
    else
        report(place(line), name " is not known here: declare it above, or fix the spelling")
}

function last_part(name) {
    sub(/.*::/, "", name)
    return name
}

# Do the names differ by one letter, or by two swapped ones? A digit is not a typo: cudaMemcpy3D is
# not cudaMemcpy2D.
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

# The text between the n-th pair of quotes; both compilers use ' in the C locale.
function quoted(line, n,   part) {
    split(line, part, "'")
    return part[2 * n]
}

# Names that can only come from CUDA's headers. The half types only lack their header.
function of_cuda(name) {
    if (name ~ /^__(half|nv_bfloat)/)
        return 0
    return name ~ /^(cuda|cu|nv|CU|NV|cublas|curand|cufft|cusparse|cudnn)[A-Z_]/ || name ~ /^__[a-z]/ ||
        name ~ /^CU(tex|surf|ctx|array|mem|stream|event|module|function|context|graph|link|kernel|library)/ ||
        name ~ /^(tex|surf)([123]D|Cube)/ || name ~ /^(thrust|nvcuda|wmma|texture|cub|cutlass)$/ ||
        name ~ /^(atomic|this_)[A-Za-z]/ || name ~ /^(grid_group|cluster_group|multi_grid_group)$/
}

{ lines[NR] = $0 }

# ---- headers ----

# A header that was not found. The next line shows how it was included: "cuda_utils.h" in quotes is
# the user's own.
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
    else
        report(asked_at, "there is no file " header, "fix its name, or give its folder with -I")
    header = ""
}

# ---- our own templates: the user's line is where they are instantiated, before the error or after
# it ----

/required from|required by|in instantiation of/ && !/\/simt\/include\// { asked = place($0) }

# A text with "says: " is a sentence, a `|` and advice; any other names what is outside the subset.
/error: .*simtcc[: ]/ {
    name = $0
    sub(/.*simtcc:? /, "", name)
    sub(/["'].*/, "", name)
    pending = name
    if ($0 !~ /\/simt\/include\//)
        asked = place($0)
}
pending != "" && asked != "" {
    if (sub(/^says: /, "", pending) && split(pending, part, "|"))
        report(asked, part[1], part[2])
    else
        refuse(asked, pending)
    pending = ""
}

# ---- names, arguments, semicolons ----

/error: .*(was not declared|has not been declared|does not name a (template )?type|undeclared identifier|unknown type name|is not a member of|no member named|has no member named|no type named|no template named|is not a class, namespace|undeclared \(first use)/ {
    name = quoted($0, 1)
    if (/' in namespace '/)
        unknown($0, quoted($0, 2) "::" name)
    else if (/is not a member of|no (member|type|template) named/ &&
        /'(cooperative_groups|cg|cub|cuda|cuda::std|nvcuda|thrust|std)'/)
        unknown($0, quoted($0, 2) "::" name)
    else if (/has no member named/ && /'(struct )?cuda[A-Z]/)
        unknown($0, name "::" quoted($0, 2))
    else if (/no member named/ && /'(struct )?cuda[A-Z]/)
        unknown($0, quoted($0, 2) "::" name)
    else if (/member named/)
        report(place($0), (/has no/ ? name : quoted($0, 2)) " has no member " \
                        (/has no/ ? quoted($0, /aka/ ? 3 : 2) : name))
    else if (!/not a class, namespace/ || of_cuda(name))
        unknown($0, name)
}

/error: no matching function for call to '(simt::)?launch['(]/ {
    report(place($0), "these are not blocks and threads",
        "a launch is kernel<<<blocks, threads, bytes of shared memory, stream>>>(...)")
}

# g++: too few arguments to function 'void k(int*, int)'
/error: too (few|many) arguments to function/ {
    name = quoted($0, 1)
    report(place($0), (/too few/ ? "too few" : "too many") " arguments for " name)
}

# clang says why on the next line: `candidate function not viable: requires 2 arguments, but ...`
call != "" && /note: candidate/ {
    why = $0
    sub(/.*note: candidate( template)? ?(function|constructor)?( template)?( not viable| ignored)?:? ?/, "", why)
    report(call_at, "the arguments do not fit " call, why)
    call = ""
}
/error: no matching function for call to/ { call = quoted($0, 1); call_at = place($0) }

# g++, in the call of a kernel: cannot convert 'float*' to 'int*'
asked != "" && /error: (cannot convert|invalid conversion from) '/ {
    report(place($0), "the kernel takes '" quoted($0, 2) "', but is given '" quoted($0, 1) "'")
}

/error: (no match for|no viable|invalid operands|cannot convert).*'uint3'/ {
    report(place($0), "threadIdx and blockIdx have three parts: write .x, .y or .z")
}

/error: expected ';' after struct/ {
    report(place($0), "a ; is missing after the } of the struct")
}
/error: expected ('[,)]' or |'[,)]', )?';'|error: expected '[,}]' or ';'/ {
    report(place($0), "a ; is missing" (match($0, / before '[^']*'/) ? substr($0, RSTART, RLENGTH) : " here"))
}

# Any other syntax error may be the cause of all that follow.
/error: expected/ && !refused { unclear = 1 }

/error: (storage size of .* isn't constant|variable length array declaration)/ {
    report(place($0), "the size of a __shared__ array must be a constant",
        "write extern __shared__ T s[]; and launch with <<<blocks, threads, bytes>>>")
}

/error: (return-statement with a value, in function returning 'void'|void function .* should not return)/ {
    report(place($0), "this function is void: it cannot return a value",
        "a kernel stores its result through a pointer")
}

# ---- the linker ----

# g++ -O1 sees at once that a function has no body here; clang leaves it to the linker.
/undefined reference to / {
    name = $0
    sub(/.*undefined reference to ./, "", name)
    sub(/'[^']*$/, "", name)
    if (name ~ /^cuda[A-Z]/) {
        sub(/\(.*/, "", name)
        refuse(place($0), name == "cudaLaunchKernel" ? name " of a void pointer" : name)
    } else if (name == "main")
        report("program:", "there is no main()")
    else if (/:[0-9]+:(\(\.text[^)]*\):)? undefined/)
        report(place($0), name " is declared, but not defined in any of the files")
}

# Is the error at the first token of the line? Then `int a = 1` above it may lack its `;`.
function starts_line(i,   at, line, number, k) {
    split(substr(place(lines[i]), match(place(lines[i]), /:[0-9]+:$/) + 1), number, ":")
    at = substr(lines[i], length(place(lines[i])) + 1) + 0
    for (k = i + 1; k <= i + 8 && k <= NR; k++) {
        line = lines[k]
        if (line ~ /^ *[0-9]* \|/ && line + 0 != number[1] + 0)
            continue # g++ shows several lines, with their numbers
        sub(/^ *[0-9]+ \| /, "", line)
        return at > 1 && substr(line, 1, at - 1) ~ /^ *$/ && substr(line, at, 1) ~ /[*&(+-]/
    }
    return 0
}

# The first error with its source line and the mark below it.
function show_first(   i, last) {
    for (i = 1; i <= NR && lines[i] !~ /error: |^[^ ]*ld: |undefined reference|multiple definition/; i++)
        ;
    if (i > NR)
        i = 1
    if (lines[i] ~ /error: (invalid operands|expression cannot be used as a function|called object)/ && starts_line(i))
        print place(lines[i]) " simtcc: this does not fit the line above; is a ; missing there?"
    else if (lines[i] ~ /\/simt\/include\// && asked != "")
        print asked, substr(lines[i], index(lines[i], "error: "))
    else
        for (last = i + 2; i <= NR && i <= last && (i == last - 2 || lines[i] ~ /^ /); i++)
            print lines[i]
    if (NR > 5 && !all)
        print "    (V=1 shows all " NR " lines of the compiler)"
}

END {
    if (NR > 0 && !refused)
        show_first()
    for (i = 1; i <= NR && all; i++)
        print lines[i]
}
