/* SPDX-License-Identifier: MIT */
#include "pairs.h"

#include "dtype.h"

#include <string.h>

bool pairs_offered(const options_t *options, const problem_t *lead, char *message)
{
    char ops[100];

    for (int type = 0; type < DTYPE_COUNT; type++) {
        bool missing = false;
        problem_t p = {lead->step, lead->kind, (dtype_t)type, 0};
        ops[0] = '\0';
        for (; p.op < problem_op_count(p.kind); p.op++) {
            size_t used = strlen(ops);
            if (problem_why_not(&p) == NULL)
                snprintf(ops + used, sizeof ops - used, " %s", problem_op_name(p.kind, p.op));
            else if ((options->types >> type & 1) && (options->ops >> p.op & 1))
                missing = true;
        }
        if (!missing || options->all)
            continue;
        snprintf(message, OPTIONS_MESSAGE, "-o: this step does not offer that for %s; it offers%s",
                 dtype_name(p.type), ops);
        return false;
    }
    return true;
}

bool pairs_offer_type(const problem_t *lead, dtype_t type, unsigned ops)
{
    problem_t p = {lead->step, lead->kind, type, 0};
    for (; p.op < problem_op_count(p.kind); p.op++) {
        if ((ops >> p.op & 1) && problem_why_not(&p) == NULL)
            return true;
    }
    return false;
}

bool pairs_asked(const options_t *options, const problem_t *pair, bool everything)
{
    const unsigned ops = options->ops != 0 ? options->ops : ~0u;
    problem_t earlier = *pair;

    if (options->types != 0 && !(options->types >> pair->type & 1))
        return false;
    if (options->ops != 0 && !(options->ops >> pair->op & 1))
        return false;
    if (everything)
        return true;
    if (options->types == 0) {
        if (!pairs_offer_type(pair, pair->type, ops))
            return false;
        for (int type = 0; type < (int)pair->type; type++) {
            if (pairs_offer_type(pair, (dtype_t)type, ops))
                return false;
        }
    }
    for (earlier.op = 0; options->ops == 0 && earlier.op < pair->op; earlier.op++) {
        if (problem_why_not(&earlier) == NULL)
            return false;
    }
    return options->ops != 0 || problem_why_not(pair) == NULL;
}
