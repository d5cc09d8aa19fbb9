/* SPDX-License-Identifier: MIT */
/*
 * sides.c - tells the compiler which functions of a program run on the device alone, and which on
 * the host alone, by an attribute that changes nothing else. Its dump has them, and says who calls
 * whom, whatever the names: see driver/sides.c.
 */
#include "inside.h"

bool sides_relaxed;

#define ON_DEVICE "__attribute__((no_instrument_function)) "
#define ON_HOST "__attribute__((no_profile_instrument_function)) "
#define ON_DEVICE_KERNEL "__attribute__((no_instrument_function, no_icf)) "

/* Marks a function, from its first token; `head` is a token of its head, `end` the one after its
 * body. In our own headers only kernels are marked. A declaration with __device__ is marked too,
 * since its definition may lack the word. */
void sides_function(const struct source *s, size_t from, size_t head, size_t end, bool user)
{
    bool host = false, device = false, kernel = false, constant = false;
    for (size_t i = from; i < head; i++) {
        host |= is(s, i, "__host__");
        device |= is(s, i, "__device__");
        kernel |= is(s, i, "__global__");
        constant |= is_any(s, i, "constexpr consteval");
    }
    if (!user && !kernel)
        return;
    while (is(s, from, "[") && is(s, from + 1, "[")) /* [[nodiscard]] */
        from = skip_blank(s, skip_brackets(s, from));
    if (is(s, from, "extern"))
        from = skip_blank(s, from + 1);
    if (s->tokens[from].kind == TOKEN_STRING)
        from = skip_blank(s, from + 1);
    const bool either = (host && device) || (constant && !device && sides_relaxed);
    device |= kernel;
    const bool body = is(s, skip_back(s, end), "}");
    if (from <= head && (device || body) && !is_any(s, from, "requires catch"))
        s->tokens[from].before = either   ? ON_DEVICE ON_HOST
                                 : kernel ? ON_DEVICE_KERNEL
                                 : device ? ON_DEVICE
                                          : ON_HOST;
}

/* `[=](float x) {`; the attribute comes after the brackets. A lambda of device code is of the
 * device without one. Has it __host__ or __device__? */
bool sides_lambda(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i);
    const bool value = s->tokens[last].kind == TOKEN_WORD && !is_any(s, last, "return co_return");
    if (value || s->tokens[last].kind == TOKEN_NUMBER || is_any(s, last, ") ] [ \\") ||
        is(s, i + 1, "["))
        return false;
    bool host = false, device = false, list = false;
    for (i = skip_blank(s, skip_brackets(s, i)); !is(s, i, "{"); i = skip_blank(s, i)) {
        host |= is(s, i, "__host__");
        device |= is(s, i, "__device__");
        if (is(s, i, "-") && list)
            break;
        if (is(s, i, "(") && !list)
            list = true;
        else if (!is_any(s, i, "__host__ __device__ <") || (is(s, i, "<") && list))
            return false; /* no lambda, or `mutable`, whose place differs */
        i = is(s, i, "(") ? skip_brackets(s, i) : is(s, i, "<") ? skip_angles(s, i) : i + 1;
    }
    if (list && i >= scope->device_end)
        s->tokens[i].before = host && device ? " " ON_DEVICE ON_HOST
                              : device       ? " " ON_DEVICE
                                             : " " ON_HOST;
    return host || device;
}
