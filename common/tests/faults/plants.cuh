// SPDX-License-Identifier: MIT
//
// plants.cuh - many faults in one program: the one that FAULT in the environment names is planted,
// by default none. The words of the lines `// Faults: ` are the names; only the emulator can see
// those of `// Faults (cpu): `. common/tests/run.sh runs the program with each.
#include <stdlib.h>
#include <string.h>

static bool plants(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}
