// SPDX-License-Identifier: MIT
//
// plants.cuh - many faults in one program: FAULT in the environment names the one that is planted,
// without it none is. A fault is a line of a launcher, or a kernel of its own.
#include "step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool plants(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

struct fault_t {
    const char *name;
    step_t step;
};

// The step of the fault that is planted; without one the first, which is a control.
template <size_t COUNT>
static inline step_t planted(const fault_t (&faults)[COUNT])
{
    const char *name = getenv("FAULT");
    for (const fault_t &fault : faults) {
        if (name == NULL || plants(fault.name)) {
            step_t step = fault.step;
            step.summary = fault.name;
            return step;
        }
    }
    fprintf(stderr, "FAULT: there is no '%s' in this file\n", name);
    exit(2);
}
