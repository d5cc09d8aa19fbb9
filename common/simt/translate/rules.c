/* SPDX-License-Identifier: MIT */
/*
 * rules.c - what nvcc rejects and a C++ compiler would accept: what a kernel may be and how it is
 * launched, arrays, words; and calls between host and device (calls.c).
 */
#include <stdio.h>

#include "inside.h"

/* ---- kernels ---- */

static const char value_types[] =
    "int float double char bool short long unsigned signed size_t half "
    "float2 float3 float4 int2 int3 int4 cudaError_t";

/* The name of the function whose parameter list token i opens. */
static size_t parameters(const struct source *s, size_t i)
{
    while (i < s->count && !is_any(s, i, "( ; {"))
        i = is_any(s, i, "__attribute__ alignas") ? skip_brackets(s, skip_blank(s, i + 1)) : i + 1;
    return i;
}

static bool has_ellipsis(const struct source *s, size_t open)
{
    const size_t close = skip_brackets(s, open) - 1, last = skip_back(s, close);
    return is(s, last, ".") && is(s, last - 1, ".");
}

/* The name of the first parameter that is a reference, or 0. `= a & b` is a default value. */
static size_t reference(const struct source *s, size_t open)
{
    const size_t close = skip_brackets(s, open) - 1;
    for (size_t i = open + 1; i < close;) {
        const size_t next = skip_blank(s, i + 1);
        if (is(s, i, "="))
            while (i < close && !is(s, i, ","))
                i = skip_part(s, i);
        else if (is(s, i, "&") && s->tokens[next].kind == TOKEN_WORD)
            return next;
        else
            i = is_any(s, i, "( [") ? skip_brackets(s, i)
                : is(s, i, "<") && s->tokens[skip_back(s, i)].kind == TOKEN_WORD ? skip_angles(s, i)
                                                                                 : next;
    }
    return 0;
}

static void check_kernel(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t open = parameters(s, i), name = skip_back(s, open);
    bool none = false, value = false, pointer = false, other = false, two = false;
    for (size_t k = specifiers_start(s, i); k < name; k++) {
        none |= is(s, k, "void");
        value |= is_any(s, k, value_types) || (name_bits(s, k) & NAME_CLASS);
        two |= value && k < i && s->tokens[k].kind == TOKEN_WORD && !is_any(s, k, value_types);
        pointer |= none && is(s, k, "*");
        other |= is_any(s, k, "< auto decltype");
        if (is(s, k, "(")) /* __launch_bounds__(2 * N): none of it is the type */
            k = skip_brackets(s, k) - 1;
    }
    if (two) { /* int n  __global__ void k() */
        mistake(scope, s, skip_back(s, i), "a ; is missing before __global__");
    } else if (name_bits(s, name) & NAME_MEMBER) {
        mistake(scope, s, i, "a kernel cannot be a member of a class: move %.*s out of it",
                NAME(s, name));
    } else if (find_specifier(s, i, "__device__") < s->count ||
               find_specifier(s, i, "__host__") < s->count) {
        mistake(scope, s, i, "a __global__ function cannot also be __device__ or __host__");
        fprintf(stderr, "move what both need into a __host__ __device__ function\n");
    } else if (!other && (pointer || (value && !none))) {
        mistake(scope, s, i, "a kernel returns nothing: write __global__ void %.*s(...)",
                NAME(s, name));
        fprintf(stderr, "    and store the result through a pointer argument\n");
    } else if (is(s, name, "main")) {
        mistake(scope, s, i, "main runs on the host: remove __global__");
    } else if (is(s, open, "(") && reference(s, open)) {
        mistake(scope, s, i, "a kernel cannot take %.*s by reference: it is a host variable",
                NAME(s, reference(s, open)));
        fprintf(stderr, "    take it by value, or take a pointer to device memory\n");
    } else if (is(s, open, "(") && has_ellipsis(s, open)) {
        mistake(scope, s, i, "a kernel cannot take `...`: name all of its arguments");
    }
}

/* `k<<<...>>>` of a function that is not a kernel; i is the word before `<<<`, or before
 * `<T><<<`. */
static void check_launched(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i);
    if ((bits != NAME_HOST && bits != NAME_DEVICE) || is_member(s, i) || is_local(scope, s, i))
        return;
    mistake(scope, s, i, "%.*s is not a kernel: write __global__ void %.*s(...)%s", NAME(s, i),
            NAME(s, i), bits == NAME_DEVICE ? ", not __device__" : "");
}

/* `int n = 1  kernel<<<...` has two words side by side; `int n = kernel<<<...` a `=` after them. */
static bool is_name_alone(const struct scope *scope, const struct source *s, size_t from, size_t i)
{
    size_t second = 0, value = 0;
    for (size_t k = from, next; k < i && !is(s, k, "<"); k = next) {
        const bool bracket = is(s, k, "(") || is(s, k, "[");
        const bool one =
            bracket || s->tokens[k].kind == TOKEN_WORD || s->tokens[k].kind == TOKEN_NUMBER;
        next = skip_blank(s, bracket ? skip_brackets(s, k) : k + 1);
        if (is(s, k, "="))
            value = k;
        if (one && next < i && s->tokens[next].kind == TOKEN_WORD && !is(s, k, "template"))
            second = next;
    }
    if (value > second)
        mistake(scope, s, i, "a launch has no value: remove the = before it");
    else if (second)
        mistake(scope, s, skip_back(s, second), "a ; is missing before %.*s", NAME(s, second));
    return !second && !value;
}

static void check_before_launch(const struct scope *scope, const struct source *s, size_t from,
                                size_t i)
{
    if (!is_name_alone(scope, s, from, i))
        return;
    size_t name = from;
    while (is(s, skip_blank(s, name + 1), ":"))
        name = skip_blank(s, skip_blank(s, name + 1) + 2);
    if (after_name(s, name) == i || skip_blank(s, name + 1) == i)
        check_launched(scope, s, name);
}

void rules_launch(const struct scope *scope, const struct source *s, size_t from, size_t i,
                  size_t end)
{
    const size_t open = triple_end(s, i, "<"), close = triple_end(s, end, ">");
    const char *const form = "write kernel<<<blocks, threads>>>(arguments)";
    if (from == i)
        mistake(scope, s, i, "a kernel's name is missing before <<<: %s", form);
    else if (end >= s->count || is(s, end, ";"))
        mistake(scope, s, i, "the >>> of this launch is missing: %s", form);
    else if (is(s, open + 1, "<") || is(s, close + 1, ">"))
        mistake(scope, s, i, "a launch has three < and three >: %s", form);
    else if (skip_blank(s, open + 1) == end)
        mistake(scope, s, i, "<<<>>> is empty: %s", form);
    else if (!is(s, skip_blank(s, close + 1), "("))
        mistake(scope, s, i, "the arguments of the kernel are missing: %s", form);
    else
        check_before_launch(scope, s, from, i);
}

/* ---- arrays ---- */

static const char integer_types[] = "int unsigned long short size_t char uint32_t int32_t uint64_t "
                                    "int64_t uint";

/* The word in `[...]` that is not a constant: a variable of this function, the size of the
 * block. */
static size_t not_constant(const struct scope *scope, const struct source *s, size_t open)
{
    const size_t end = skip_brackets(s, open), head = parameters(s, scope->device_start);
    const size_t body = skip_brackets(s, head); /* a parameter is not a constant, even if const */
    for (size_t i = open; i < end; i++) {
        if (is_any(s, i, "sizeof decltype"))
            return 0;
        if (is_any(s, i, "blockDim gridDim threadIdx blockIdx"))
            return i;
        if (s->tokens[i].kind != TOKEN_WORD || is_member(s, i))
            continue;
        for (size_t k = head; k < open; k++)
            if (s->tokens[k].kind == TOKEN_WORD && same_text(s, k, i) &&
                is_any(s, skip_back(s, k), integer_types) && is_declarator(s, k) &&
                (k < body || (find_specifier(s, skip_back(s, k), "const") == s->count &&
                              find_specifier(s, skip_back(s, k), "constexpr") == s->count)))
                return i;
    }
    return 0;
}

/* `int a[n];` compiles with g++ and clang, as an extension. */
static void check_array(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t open = skip_blank(s, i + 1), type = skip_back(s, i);
    if (!is(s, open, "[") || s->tokens[type].kind != TOKEN_WORD || is_statement_word(s, type))
        return;
    for (size_t k = open; is(s, k, "["); k = skip_blank(s, skip_brackets(s, k))) {
        const size_t word = not_constant(scope, s, k);
        if (!word)
            continue;
        mistake(scope, s, i, "the size of %.*s must be a constant; %.*s is not", NAME(s, i),
                NAME(s, word));
        if (find_specifier(s, type, "__shared__") < s->count)
            fprintf(stderr,
                    "    write extern __shared__ %.*s %.*s[]; and launch with <<<blocks, "
                    "threads, bytes>>>\n",
                    NAME(s, type), NAME(s, i));
        return;
    }
}

static void shared_value(const struct scope *scope, const struct source *s, size_t i, size_t name)
{
    mistake(scope, s, i, "a __shared__ variable cannot have an initial value");
    fprintf(stderr, "    let one thread set %.*s, then __syncthreads()\n", NAME(s, name));
}

/* `__shared__ T a[4] = {0}, b(3), c{}` and `__shared__ T d[]`. */
static void check_declarators(const struct scope *scope, const struct source *s, size_t i)
{
    const bool is_extern = find_specifier(s, i, "extern") < s->count;
    bool body = false;
    for (size_t k = i, name = i; k < s->count && !is(s, k, ";");) {
        const size_t next = skip_blank(s, k + 1);
        if (is(s, k, ")")) {
            mistake(scope, s, i, "a parameter cannot be __shared__: remove the word");
            return;
        }
        if (is_any(s, k, "__attribute__ alignas decltype")) {
            k = skip_brackets(s, next);
        } else if (is(s, k, "{") && body) {
            k = skip_braces(s, k);
            body = false;
        } else if (is_any(s, k, "= {") || (is(s, k, "(") && name != i && !is(s, next, "*"))) {
            shared_value(scope, s, k, name);
            return;
        } else if (is(s, k, "[") && is(s, next, "]") && !is_extern) {
            mistake(scope, s, k,
                    "an array without a size must be extern: write extern __shared__ ...");
            return;
        } else if (is(s, k, "[")) {
            k = skip_blank(s, skip_brackets(s, k));
            if (!is_any(s, k, "[ , ; = { ( __attribute__")) {
                mistake(scope, s, skip_back(s, k), "a ; is missing after %.*s[...]", NAME(s, name));
                return;
            }
        } else if (s->tokens[k].kind == TOKEN_WORD) {
            body |= is_any(s, k, "struct union class enum");
            name = k;
            k = after_name(s, k);
        } else {
            k = next;
        }
    }
}

void rules_shared(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t name = skip_back(s, parameters(s, function_head(s, scope->function_start)));
    if (scope->user && in_host(scope, i) && !(name_bits(s, name) & (NAME_DEVICE | NAME_OTHER))) {
        mistake(scope, s, i,
                "only device code has __shared__ variables; this function runs on the host");
        fprintf(stderr, "    write __global__ or __device__ before the function\n");
    } else if (scope->user) {
        check_declarators(scope, s, i);
    }
}

/* ---- words ---- */

static void check_word_in_device(const struct scope *scope, const struct source *s, size_t i)
{
    if (is_any(s, i, "dynamic_cast typeid thread_local") && !is_member(s, i))
        mistake(scope, s, i, "%.*s is not available in device code", NAME(s, i));
}

/* `T name = ... name ...;` on one line: else a `;` may be missing. Braces may be those of a lambda,
 * which runs later. */
static void check_own_value(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t last = skip_back(s, i), equals = skip_blank(s, i + 1);
    if (!is(s, equals, "=") || is(s, equals + 1, "=") || s->tokens[last].kind != TOKEN_WORD ||
        is_statement_word(s, last) || is_any(s, last, "using namespace typename class concept"))
        return;
    int depth = 0;
    for (size_t k = equals + 1; k < s->count && !is_any(s, k, "; { }"); k++) {
        depth += is_any(s, k, "( [");
        depth -= is_any(s, k, ") ]");
        const bool ends = s->tokens[k].kind == TOKEN_BLANK && *s->tokens[k].text == '\n';
        if (ends || depth < 0 || (depth == 0 && is(s, k, ",")))
            return;
        if (s->tokens[k].kind != TOKEN_WORD || !same_text(s, k, i) || is_member(s, k))
            continue;
        const size_t before = skip_back(s, k);
        if (s->tokens[before].kind == TOKEN_WORD && is_declarator(s, k)) /* of a lambda */
            return;
        if (!is_any(s, before, ": &") && !is_any(s, skip_blank(s, k + 1), ": (") &&
            !is_asked_for(s, k)) {
            mistake(scope, s, k, "%.*s has no value yet: this is its own initializer", NAME(s, k));
            return;
        }
    }
}

void rules_word(const struct scope *scope, const struct source *s, size_t i)
{
    if (!scope->user)
        return;
    const bool device = in_device(scope, i), host = in_host(scope, i);
    if (device || host)
        check_own_value(scope, s, i);
    if (is(s, i, "main") && is(s, skip_blank(s, i + 1), "(") && (name_bits(s, i) & NAME_DEVICE))
        mistake(scope, s, i, "main runs on the host: remove __device__");
    else if (is(s, i, "__global__") && !is(s, skip_back(s, i), "]"))
        check_kernel(scope, s, i);
    else if (is_any(s, i, "__device__ __constant__") && (device || host) && is_variable(s, i) &&
             find_specifier(s, i, "static") == s->count && !is(s, skip_back(s, i), "]"))
        mistake(scope, s, i, "a %.*s variable must be outside all functions", NAME(s, i));
    else if (device && is(s, i, "std") && is(s, i + 1, ":") && !is(s, skip_back(s, i), ":"))
        calls_library(scope, s, skip_blank(s, i + 3));
    else if (i < scope->device_end && is_any(s, i, "throw try")) /* maybe __host__, too */
        mistake(scope, s, i, "device code has no exceptions: %.*s is not allowed", NAME(s, i));
    else if (device) {
        check_word_in_device(scope, s, i);
        check_array(scope, s, i);
        calls_in_device(scope, s, i);
    } else if (host)
        calls_in_host(scope, s, i);
}
