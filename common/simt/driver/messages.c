/* SPDX-License-Identifier: MIT */
/*
 * messages.c - reads the messages of g++ or clang++ (LC_ALL=C) about a program that does not
 * compile. If the cause is known, it becomes one sentence; else only the compiler's first error is
 * shown, at the user's line. `all` shows all causes, and then the compiler's own messages.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define OUR_HEADERS "/simt/include/"

static struct {
    const char *seen; /* the reports: one, but for `all` */
    bool all;
    bool unclear;            /* a syntax error may be the cause of all that follow */
    const char *part[PARTS]; /* of the line, by the pattern of its rule */
    const char *rest;        /* the lines after it */
    const char *asked;       /* the user's line that instantiates one of our templates */
    const char *pending;     /* what it ran into */
} the = {.seen = ""};

/* ---- parts of a line ---- */

static bool has(const char *line, const char *pattern)
{
    return match(pattern, line, NULL) != NULL;
}

/* "file:12:" */
static const char *place(const char *line)
{
    const char *part[PARTS];
    const char *at = match(":[0-9]+:", line, part);
    return at ? text("%.*s%s", (int)(at - line), line, part[0]) : "";
}

/* The text between the n-th pair of quotes; both compilers use ' in the C locale. */
static const char *quoted(const char *line, int n)
{
    for (int i = 1; i < 2 * n && line; i++)
        line = (line = strchr(line, '\'')) ? line + 1 : NULL;
    return line ? until(line, "'") : "";
}

/* ---- reports ---- */

static void report(const char *where, const char *what, const char *advice)
{
    const char *line = text("%s%ssimtcc: %s", where, *where ? " " : "", what);
    if (the.all ? strstr(the.seen, text("\n%s\n", line)) != NULL : *the.seen || the.unclear)
        return;
    fprintf(stderr, "%s\n", line);
    if (advice)
        fprintf(stderr, "    %s\n", advice);
    the.seen = text("%s\n%s\n", the.seen, line);
}

static void refuse(const char *where, const char *name)
{
    report(where, text("%s " OUTSIDE, name), NULL);
}

/* ---- unknown names ---- */

/* CUDA's words that the translator has replaced, and names that are often misspelt. */
static const char words[] =
    "threadIdx blockIdx blockDim gridDim warpSize __global__ __device__ __host__ __shared__ "
    "__constant__ __syncthreads __syncwarp __shfl_down_sync __shfl_xor_sync atomicAdd atomicMax "
    "atomicMin atomicCAS atomicExch cudaMalloc cudaMemcpy cudaMemset cudaFree "
    "cudaDeviceSynchronize cudaGetLastError cudaMemcpyHostToDevice cudaMemcpyDeviceToHost "
    "cudaMemcpyDeviceToDevice cudaError_t cudaSuccess";

/* What needs a header of the standard library. */
static const char headers[] =
    "cstring: std::memcpy std::memmove std::memset "
    "cstdio: printf fprintf puts stderr stdout cassert: assert cfloat: FLT_MAX FLT_MIN FLT_EPSILON "
    "DBL_MAX cstdint: uint8_t vector: std::vector string: std::string iostream: std::cout "
    "std::cerr std::endl algorithm: std::sort numeric: std::accumulate std::iota functional: "
    "std::function chrono: std::chrono array: std::array map: std::map random: std::mt19937 "
    "memory: std::unique_ptr fstream: std::ostream std::ifstream";

static const char *header_of(const char *name)
{
    const struct list list = list_split(headers, " ", true);
    const char *header = NULL;
    for (size_t i = 0; i < list.count; i++)
        if (ends(list.words[i], ":"))
            header = until(list.words[i], ":");
        else if (strcmp(list.words[i], name) == 0)
            return header;
    return NULL;
}

/* Without capitals and underscores. */
static const char *plain(const char *name)
{
    char *result = text("%s", name), *to = result;
    for (; *name; name++)
        if (*name != '_')
            *to++ = (char)tolower((unsigned char)*name);
    *to = '\0';
    return result;
}

/* Do the names differ by one letter, or by two swapped ones? A digit is not a typo: cudaMemcpy3D is
 * not cudaMemcpy2D. */
static bool one_letter(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    size_t m = strlen(a), n = strlen(b);
    while (m > 0 && n > 0 && a[m - 1] == b[n - 1])
        m--, n--;
    if (!has(text("%.*s%.*s", (int)m, a, (int)n, b), "^[A-Za-z_]+$"))
        return false;
    return (m <= 1 && n <= 1) || (m == 2 && n == 2 && a[0] == b[1] && a[1] == b[0]);
}

/* A word of CUDA that differs only in capitals, underscores, or one letter. */
static const char *word_of_cuda(const char *name)
{
    const struct list list = list_split(words, " ", true);
    for (size_t i = 0; strlen(name) > 3 && i < list.count; i++) {
        const char *a = plain(name), *b = plain(list.words[i]);
        if (strcmp(a, b) == 0 || one_letter(a, b))
            return list.words[i];
    }
    return NULL;
}

/* Names that can only come from CUDA's headers. The half types only lack their header. */
static bool of_cuda(const char *name)
{
    return !has(name, "^__(half|nv_bfloat)") &&
           has(name, "^((cuda|cu|nv|CU|NV|cublas|curand|cufft|cusparse|cudnn)[A-Z_]|__[a-z]|"
                     "CU(tex|surf|ctx|array|mem|stream|event|module|function|context|graph|link|"
                     "kernel|library)|(tex|surf)([123]D|Cube)|(atomic|this_)[A-Za-z]|"
                     "(thrust|nvcuda|wmma|texture|cub|cutlass|(grid|cluster|multi_grid)_group)$)");
}

/* A name that the compiler does not know. It may suggest another one: "did you mean '...'?" */
static void unknown(const char *line, const char *name)
{
    const char *part[PARTS];
    match("; did you mean '([^']*)'", line, part);
    const char *other = part[1];
    name += begins(name, "struct ") ? strlen("struct ") : 0;
    const char *const renamed = strstr(name, "simt_mem"); /* by the translator */
    if (renamed)
        name = text("%.*s%s", (int)(renamed - name), name, after(renamed, "simt_"));
    const char *word = word_of_cuda(name), *header = header_of(name), *says;
    if (has(name, "^__(shfl(_up|_down|_xor)?|any|all|ballot)$"))
        says = text("is no longer in CUDA: write %s_sync(mask, ...)", name);
    else if (*other && one_letter(after(name, "::"), after(other, "::")))
        says = text("is not known here; did you mean %s?", other);
    else if (word && strcmp(word, name) == 0 && begins(name, "__"))
        says = "is misplaced: it starts a declaration";
    else if (word && strcmp(word, name) == 0)
        says = "exists in device code only";
    else if (word)
        says = text("is not known here; did you mean %s?", word);
    else if (has(name, "^(cublas|curand|cufft|cusparse|cusolver|cudnn|nccl|nvrtc|npp)[A-Z]"))
        says = OUTSIDE;
    else if (header)
        says = text("is not known here: #include <%s>", header);
    else if (of_cuda(name) || has(name, "^(cooperative_groups|cg|cub|cuda|nvcuda|thrust)::"))
        says = "is not known here: it is outside the subset, or misspelt "
               "(see common/simt/README.md)";
    else if (*other && !strstr(name, "::"))
        says = text("is not known here; did you mean %s?", other);
    else
        says = "is not known here: declare it above, or fix the spelling";
    report(place(line), text("%s %s", name, says),
           ends(says, "code only")    ? "write __global__ or __device__ before the function"
           : ends(says, "mask, ...)") ? "the mask 0xffffffff is for a full warp"
                                      : NULL);
}

static void name_unknown(const char *line)
{
    const bool owner_first = strstr(line, "has no member named"); /* g++ */
    const bool member = strstr(line, "no member named");
    const char *owner = quoted(line, owner_first ? 1 : 2);
    const char *name = quoted(line, !owner_first ? 1 : strstr(line, "{aka") ? 3 : 2);
    if (strstr(line, "' in namespace '") || (member && has(line, "'(struct )?cuda[A-Z]")) ||
        (has(line, "is not a member of|no (member|type|template) named") &&
         has(line, "'(cooperative_groups|cg|cub|cuda|cuda::std|nvcuda|thrust|std)'")))
        unknown(line, text("%s::%s", owner, name));
    else if (member)
        report(place(line), text("%s has no member %s", owner, name), NULL);
    else if (!strstr(line, "not a class, namespace") || of_cuda(name))
        unknown(line, name);
}

/* The next line shows how it was included: "cuda_utils.h" in quotes is the user's own. */
static void header_missing(const char *line)
{
    const char *name = the.part[1];
    if (has(name, "^((thrust|cub|cuda|cooperative_groups|cutlass|nv|nvtx3)/|cublas|curand|cufft|"
                  "cusparse|cusolver|cudnn|nvrtc|nccl|npp|nvml|mma|helper_)") ||
        (has(name, "^(cuda|cu[A-Z]|texture|surface|sm_[0-9]|device_)") &&
         !has(until(the.rest, "\n"), "#[ ]*include[ ]*\"")))
        refuse(place(line), text("<%s>", name));
    else
        report(place(line), text("there is no file %s", name),
               "fix its name, or give its folder with -I");
}

/* ---- our own templates: the user's line is where they are instantiated, before the error or after
 * it ---- */

/* A text with "says: " is a sentence, a `|` and advice; any other names what is outside the
 * subset. */
static void template_asked(const char *line)
{
    if (!strstr(line, OUR_HEADERS) && !the.asked)
        the.asked = place(line);
    const char *what = the.pending, *advice = what ? strchr(what, '|') : NULL;
    if (!what || !the.asked)
        return;
    the.pending = NULL;
    if (begins(what, "says: "))
        report(the.asked, until(what + strlen("says: "), "|"), advice ? advice + 1 : NULL);
    else
        refuse(the.asked, what);
}

/* g++: the lines that follow say who asked, the innermost first. */
static void template_new(const char *line)
{
    (void)line;
    the.asked = NULL;
}

static void template_refused(const char *line)
{
    the.pending = until(the.part[1], "\"'");
    the.asked = strstr(line, OUR_HEADERS) ? the.asked : NULL;
    template_asked(line);
}

/* ---- calls ---- */

/* A line below says why: `candidate function not viable: requires 2 arguments, ...` */
static void call_unfit(const char *line)
{
    const char *part[PARTS], *p = the.rest;
    while (*p && !match("note: candidate( template)? ?(function|constructor)?( template)?"
                        "( not viable| ignored)?:? ?(.*)",
                        until(p, "\n"), part))
        p = next_line(p);
    const bool of_warp = has(line, "'__(shfl|match)_");
    if (*p)
        report(place(line), text("the arguments do not fit %s", quoted(line, 1)),
               of_warp ? "it takes one number: call it for each member of a struct" : part[5]);
}

/* g++, in the call of a kernel: cannot convert 'float*' to 'int*' */
static void kernel_argument(const char *line)
{
    if (the.asked)
        report(place(line),
               text("the kernel takes '%s', but is given '%s'", quoted(line, 2), quoted(line, 1)),
               NULL);
}

static void semicolon(const char *line)
{
    report(place(line), text("a ; is missing%s", *the.part[3] ? the.part[3] : " here"), NULL);
}

/* Any other syntax error may be the cause of all that follow. */
static void syntax(const char *line)
{
    (void)line;
    the.unclear = the.unclear || !*the.seen;
}

/* Is the error at the first token of its line? Then `int a = 1` above it may lack its `;`. */
static void line_above(const char *line)
{
    const char *at = place(line), *part[PARTS], *shown = the.rest;
    const unsigned long column = strtoul(line + strlen(at), NULL, 10);
    /* g++ shows several lines, with their numbers. */
    while (match("^ *([0-9]*) \\| ?", line = until(shown, "\n"), part) &&
           !ends(at, text(":%s:", part[1])))
        shown = next_line(shown);
    line += strlen(part[0]);
    if (column > 1 && strspn(line, " ") >= column - 1 && line[column - 1] &&
        strchr("*&(+-", line[column - 1]))
        report(at, "this does not fit the line above; is a ; missing there?", NULL);
}

/* g++ -O1 sees at once that a function has no body here; clang leaves it to the linker. */
static void undefined(const char *line)
{
    const char *name = the.part[1], *call = until(name, "(");
    if (has(name, "^cuda[A-Z]"))
        refuse(place(line), call);
    else if (strcmp(name, "main") == 0)
        report("program:", "there is no main()", NULL);
    else if (has(line, ":[0-9]+:(\\(\\.text[^)]*\\):)? undefined"))
        report(place(line), text("%s is declared, but not defined in any of the files", name),
               NULL);
}

/* ---- which line means what ---- */

/* A rule has a function; or a sentence, where $1 is what is in the first round brackets, and
 * advice. */
static const struct rule {
    const char *pattern;
    void (*write)(const char *line);
    const char *sentence, *advice;
} rules[] = {
    {"In (instantiation|substitution) of", template_new, NULL, NULL},
    {"required from|required by|in instantiation of", template_asked, NULL, NULL},
    {"error: .*simtcc:? (.*)", template_refused, NULL, NULL},
    {"fatal error: '?([^']*)'?(: No such file or directory| file not found)", header_missing, NULL,
     NULL},
    {"error: .*(was not declared|has not been declared|does not name a (template )?type|"
     "undeclared identifier|unknown type name|is not a member of|no member named|"
     "has no member named|no type named|no template named|is not a class, namespace|"
     "undeclared \\(first use|there are no arguments to)",
     name_unknown, NULL, NULL},
    {"error: no matching function for call to '(simt::)?launch['(]", NULL,
     "these are not blocks and threads",
     "a launch is kernel<<<blocks, threads, bytes of shared memory, stream>>>(...)"},
    {"error: too (few|many) arguments to function '([^']*)'", NULL, "too $1 arguments for $2",
     NULL},
    {"error: too (few|many) arguments to function call", NULL, "too $1 arguments here", NULL},
    {"error: (conflicting declaration|redeclaration of) '.*simt_only_([A-Za-z0-9_]*)", NULL,
     "extern __shared__ $2 has another type elsewhere in this file",
     "give it another name: one name is one variable for nvcc"},
    {"error: no matching function for call to '(simt::)?local_array", NULL,
     "the size of a local array must be a constant", NULL},
    {"error: no matching function for call to", call_unfit, NULL, NULL},
    {"error: (cannot convert|invalid conversion from) '", kernel_argument, NULL, NULL},
    {"error: (no match for|no viable|invalid operands|cannot convert).*'uint3'", NULL,
     "threadIdx and blockIdx have three parts: write .x, .y or .z", NULL},
    {"error: expected ';' after struct", NULL, "a ; is missing after the } of the struct", NULL},
    {"error: expected (('[,)]' or |'[,)]', )?';'|'[,}]' or ';')( before '[^']*')?", semicolon, NULL,
     NULL},
    {"error: expected", syntax, NULL, NULL},
    {"error: (invalid operands|expression cannot be used as a function|called object)", line_above,
     NULL, NULL},
    {"error: (storage size of .* isn't constant|variable length array declaration)", NULL,
     "the size of a __shared__ array must be a constant",
     "write extern __shared__ T s[]; and launch with <<<blocks, threads, bytes>>>"},
    {"error: call to non-'constexpr' function 'int simt::warp_size", NULL,
     "warpSize is no constant: nvcc knows its value late", "write 32, or a constant of your own"},
    {"error: (return-statement with a value, in function returning 'void'|"
     "void function .* should not return)",
     NULL, "this function is void: it cannot return a value",
     "a kernel stores its result through a pointer"},
    {"error: (unrecognized command-line option|unknown argument:) '([^']*)'", NULL,
     "the compiler does not know the option $2", NULL},
    {"undefined reference to .(.*)'", undefined, NULL, NULL},
};

static const char *filled(const char *sentence)
{
    const char *dollar = strchr(sentence, '$');
    return dollar ? text("%.*s%s%s", (int)(dollar - sentence), sentence, the.part[dollar[1] - '0'],
                         filled(dollar + 2))
                  : sentence;
}

static void read_line(const char *line)
{
    for (const struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++)
        if (!match(r->pattern, line, the.part))
            continue;
        else if (r->write)
            r->write(line);
        else
            report(place(line), filled(r->sentence), r->advice);
}

/* ---- the compiler's own words ---- */

/* An error with its source line and the mark below it; of a template of ours, the user's line. */
static void show_error(const char *error, size_t lines)
{
    const char *line = until(error, "\n");
    if (strstr(line, OUR_HEADERS) && the.asked)
        fprintf(stderr, "%s error: %s\n", the.asked, after(line, "error: "));
    else
        for (int k = 0; k < 3 && (k == 0 || *error == ' '); k++, error = next_line(error))
            fprintf(stderr, "%s\n", until(error, "\n"));
    if (lines > 5 && !the.all)
        fprintf(stderr, "    (V=1 shows all %zu lines of the compiler)\n", lines);
}

void messages_show(const char *messages, bool all)
{
    size_t lines = 0;
    const char *first = NULL;
    the.all = all;
    for (const char *p = messages; *p; p = the.rest, lines++) {
        const char *line = until(p, "\n");
        the.rest = next_line(p);
        read_line(line);
        if (!first && has(line, "error: |^[^ ]*ld: |undefined reference|multiple definition"))
            first = p;
    }
    if (lines > 0 && !*the.seen)
        show_error(first ? first : messages, lines);
    if (all)
        fputs(messages, stderr);
}

/* The translator prints a line for each mistake, and advice in lines that begin with spaces. One
 * mistake may cause others, so the first is shown. */
void messages_mistakes(const char *messages, bool all)
{
    size_t count = 0;
    for (const char *p = messages; *p; p = next_line(p)) {
        const char *line = until(p, "\n");
        count += strstr(line, ": simtcc: ") != NULL;
        if (all || count < 2)
            fprintf(stderr, "%s\n", line);
    }
    if (count > 1 && !all)
        fprintf(stderr, "    (V=1 shows all %zu messages)\n", count);
}
