// SPDX-License-Identifier: MIT
//
// plants.cuh - many faults in one program: that which the environment names as FAULT is planted,
// none where it names none. The words of the lines `// Faults: ` are the names; those behind
// `// Faults (cpu): ` only the emulator can see. common/tests/run.sh runs the program with each.
#include <stdlib.h>
#include <string.h>

static bool plants(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}
