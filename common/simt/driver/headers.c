/* SPDX-License-Identifier: MIT */
/* headers.c - shows what of a text, or a file, is of another compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* A user's own header may be called cuda_utils.h: a toolkit's is a system header (the marker ends
 * with a 3), or has a known path. */
static bool of_system(const char *path, const char *flags)
{
    return strstr(flags, " 3") || match("/cuda[^/]*/.*include/", path, NULL);
}

/* The name by which a CUDA header is included, NULL for any other header. */
static const char *outside(const char *path, const char *flags)
{
    const char *part[PARTS];
    const bool found =
        match("/((thrust|cub|cuda|cooperative_groups|cutlass|nv|nvtx3|crt)/.*|"
              "(cuda|cu[A-Z]|cublas|curand|cufft|cusparse|cusolver|cudnn|nvrtc|nccl|npp|nvml|"
              "texture_|surface_|sm_[0-9]|device_|mma\\.h|nvJitLink|nvToolsExt)[^/]*$)",
              after(path, "/include"), part);
    return found && of_system(path, flags) && !strstr(path, "/simt/include/") ? part[1] : NULL;
}

/* `# 12 "file" 1 3`: the text goes on at line 12 of a file; 1 means that the file begins here. */
bool headers_refused(const char *preprocessed)
{
    bool refused = false, inside = false;
    const char *file = "";
    unsigned long line = 0;
    for (const char *p = preprocessed; *p; p = next_line(p), line++) {
        const char *part[PARTS];
        if (!begins(p, "# ") || !match("^# ([0-9]+) \"([^\"]*)(.*)", until(p, "\n"), part))
            continue;
        const char *path = part[2], *flags = part[3];
        const char *name = strstr(flags, " 1") ? outside(path, flags) : NULL;
        if (name && !inside) {
            fprintf(stderr, "%s:%lu: simtcc: <%s> " OUTSIDE "\n", file, line, name);
            refused = true;
        }
        file = path;
        line = strtoul(part[1], NULL, 10) - 1;
        inside = of_system(file, flags);
    }
    return refused;
}

bool headers_kernel(const char *file)
{
    unsigned long line = 1;
    for (const char *p = file_read(file); p && *p; line++, p = next_line(p))
        if (match("^[^\"/]*(__global__|<<<|__syncthreads|threadIdx|blockIdx)", until(p, "\n"),
                  NULL)) {
            fprintf(stderr,
                    "%s:%lu: simtcc: this is CUDA in a file of C or C++\n"
                    "    name the file .cu, or compile it with -x cu\n",
                    file, line);
            return true;
        }
    return false;
}
