/* SPDX-License-Identifier: MIT */
/*
 * calls.c - what device code cannot call or use because it belongs to the host, and vice versa. It
 * goes by names, and is silent if a name is ambiguous (names.c).
 */
#include <stdio.h>
#include <string.h>

#include "inside.h"

/* ---- the C++ library: a GPU has only the functions of <cmath> ---- */

static const char library_functions[] =
    "min max minmax clamp swap sort stable_sort partial_sort nth_element fill fill_n copy copy_n "
    "transform accumulate reduce iota inner_product partial_sum count count_if find find_if "
    "reverse "
    "rotate shuffle unique max_element min_element lower_bound upper_bound binary_search to_string "
    "stoi stof getline make_unique make_shared make_pair make_tuple";
static const char constexpr_types[] = "pair tuple complex optional bitset";
static const char host_types[] =
    "vector string map set multimap unordered_map unordered_set list deque queue priority_queue "
    "stack thread mutex function mt19937 random_device ostringstream stringstream ofstream "
    "ifstream "
    "unique_ptr shared_ptr";
static const char streams[] = "cout cerr clog endl"; /* also after `using namespace std` */

/* Does device code call the function, or make an object of the type? The name alone is harmless. */
static bool is_library_use(const struct source *s, size_t i)
{
    const size_t next = after_name(s, i);
    const bool strict = !sides_relaxed;
    if (is(s, i, "numeric_limits")) /* `::max()`, but not `::digits` */
        return strict && is(s, next, ":") && is(s, skip_blank(s, skip_blank(s, next + 2) + 1), "(");
    if (is_any(s, i, library_functions))
        return strict && is(s, next, "(");
    if (is_any(s, i, constexpr_types))
        return strict && is_construction(s, i);
    return is_any(s, i, streams) ||
           (is_any(s, i, host_types) &&
            (is_any(s, next, "( {") || (next < s->count && s->tokens[next].kind == TOKEN_WORD)));
}

void calls_library(const struct scope *scope, const struct source *s, size_t i)
{
    if (!is_library_use(s, i) || is_asked_for(s, i))
        return;
    mistake(scope, s, i, "std::%.*s belongs to the host; device code cannot use it", NAME(s, i));
    fprintf(stderr, "    %s\n",
            is_any(s, i, "min max") ? "write min() or max() without std::, as CUDA has its own"
            : is(s, i, "numeric_limits")
                ? "give --expt-relaxed-constexpr, or write INT_MAX, INFINITY ..."
            : is_any(s, i, constexpr_types) ? "give --expt-relaxed-constexpr, or write it out"
            : is_any(s, i, streams)         ? "write printf()"
            : is_any(s, i, "vector string") ? "pass a pointer and the number of elements"
                                            : "write it out, or let the host do it");
}

/* ---- which function may call which ---- */

/* A name that CUDA defines for the device: __syncthreads, atomicAdd. */
static bool is_builtin(const struct source *s, size_t i)
{
    const char *text = s->tokens[i].text;
    return strncmp(text, "__", 2) == 0 || strncmp(text, "atomic", 6) == 0 ||
           is_any(s, i, "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion");
}

/* A GPU has these functions of the C library, and those of math.h; memmove and memcmp it lacks. */
static const char device_library[] = "printf malloc free memcpy memset clock abs labs llabs alloca "
                                     "memmove memcmp";

static void host_function(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i);
    mistake(scope, s, i, "%.*s() runs on the host; device code cannot call it", NAME(s, i));
    if (is_any(s, i, "cudaDeviceSynchronize cudaThreadSynchronize"))
        fprintf(stderr, "    __syncthreads() waits for the threads of the block; the host waits "
                        "for kernels\n");
    else if (bits & NAME_LIBRARY)
        fprintf(stderr, "    call it on the host, and pass its result to the kernel\n");
    else
        fprintf(stderr, "    write __device__, or __host__ __device__, before it%s\n",
                bits & NAME_CONSTEXPR ? " (or give --expt-relaxed-constexpr)" : "");
}

static bool is_host_function(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i), function = NAME_HOST | NAME_CONSTEXPR | NAME_LIBRARY;
    if (!(bits & NAME_HOST) || (bits & NAME_CONSTEXPR && sides_relaxed))
        return false;
    if (bits & NAME_CLASS)
        return !(bits & ~(function | NAME_CLASS)) && is_construction(s, i);
    return !(bits & ~function) && is_call(s, i) && !is_asked_for(s, i) && !is_builtin(s, i) &&
           !is_any(s, i, device_library) && !is_local(scope, s, i);
}

/* `name[3]` of a constexpr array at file scope is a number: no memory is read. */
static bool is_constant(const struct source *s, size_t i)
{
    const size_t open = skip_blank(s, i + 1), index = skip_blank(s, open + 1);
    if (!is(s, open, "[") || s->tokens[index].kind != TOKEN_NUMBER ||
        !is(s, skip_blank(s, index + 1), "]"))
        return false;
    for (size_t k = 0; k < i; k++)
        if (s->tokens[k].kind == TOKEN_WORD && same_text(s, k, i) && is_declarator(s, k))
            return find_specifier(s, k, "constexpr") < s->count;
    return false;
}

/* A host variable, or an array of host constants, that device code reads or writes. */
static void check_variable(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i);
    if ((bits & ~NAME_LIBRARY) != NAME_VARIABLE && (bits & ~NAME_LIBRARY) != NAME_TABLE)
        return;
    if (is_member(s, i) || is_declarator(s, i) || is(s, skip_blank(s, i + 1), ":") ||
        is_asked_for(s, i) || is_local(scope, s, i) || (bits & NAME_TABLE && is_constant(s, i)))
        return;
    mistake(scope, s, i, "%.*s is a host variable; device code cannot use it", NAME(s, i));
    fprintf(stderr,
            bits & NAME_TABLE
                ? "    write __constant__ before it, or __device__\n"
                : "    pass it to the kernel as an argument, or write __device__ before it\n");
}

void calls_in_device(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i);
    if (is_host_function(scope, s, i)) {
        host_function(scope, s, i);
    } else if ((bits & ~NAME_TEMPLATE) == NAME_KERNEL && is_call(s, i) && !is_local(scope, s, i)) {
        mistake(scope, s, i, "%.*s is a kernel; device code cannot call it", NAME(s, i));
        fprintf(stderr, "move what both need into a __device__ function\n");
    } else if (is_any(s, i, streams) && !(bits & ~NAME_LIBRARY) && !is_local(scope, s, i)) {
        calls_library(scope, s, i);
    } else {
        check_variable(scope, s, i);
    }
}

/* What takes a value or a pointer, but not a device variable; so does a launch. */
static const char takes_no_symbol[] =
    "printf fprintf if while switch cudaMalloc cudaMallocManaged cudaFree cudaMemcpy "
    "cudaMemcpyAsync cudaMemset cudaMemsetAsync";

/* `T *name` declares the name at token i, and T is not void: no symbol of CUDA's API. */
static bool is_typed_pointer(const struct source *s, size_t i)
{
    size_t type = skip_back(s, i);
    while (is_any(s, type, "const volatile __restrict__ __restrict"))
        type = skip_back(s, type);
    if (!is(s, type, "*"))
        return false;
    while (is_any(s, type, "* const volatile"))
        type = skip_back(s, type);
    return !is(s, type, "void") && (s->tokens[type].kind == TOKEN_WORD || is(s, type, ">"));
}

/* Is parameter k of the program's function a pointer with a type? */
static bool takes_pointer(const struct source *s, size_t function, unsigned k)
{
    const size_t open = definition_of(s, function);
    size_t i = open ? parameter(s, open + 1, k) : 0;
    while (open && !is_any(s, i, ", ) = [ ("))
        i = is(s, i, "<") ? skip_angles(s, i) : i + 1;
    return open && is_any(s, i, ", ) =") && is_typed_pointer(s, skip_back(s, i));
}

/* `T *p = i;`, and `p = i;` if p was declared as such in this function. */
static bool is_set_as_pointer(const struct scope *scope, const struct source *s, size_t equals)
{
    const size_t name = skip_back(s, equals);
    size_t k = name;
    if (!is(s, equals, "=") || s->tokens[name].kind != TOKEN_WORD || is_member(s, name))
        return false;
    while (k > scope->function_start && !(same_text(s, k, name) && is_declarator(s, k)))
        k--;
    return k > scope->function_start && is_typed_pointer(s, k);
}

/* Is token i, maybe with a `&` before it, an argument of a call that may accept it:
 * cudaMemcpyToSymbol(i, ...), or a function of the program? */
static bool is_passed_as_symbol(const struct source *s, size_t i, bool alone)
{
    int depth = 0, calls = 0;
    unsigned argument = 0;
    for (size_t k = skip_back(s, i); k > 0 && !is_any(s, k, "; { }"); k = skip_back(s, k)) {
        depth += is_any(s, k, ") ]");
        argument += depth == 0 && calls == 0 && is(s, k, ",");
        if (!is_any(s, k, "( [") || depth-- > 0)
            continue;
        depth = 0;
        const size_t callee = skip_back(s, k);
        const struct token *t = &s->tokens[callee];
        for (size_t at = 0; at + 6 <= t->length; at++)
            if (memcmp(t->text + at, "Symbol", 6) == 0)
                return true;
        if (calls++ == 0 && alone && is(s, k, "(") && t->kind == TOKEN_WORD &&
            !is_any(s, callee, takes_no_symbol))
            return !takes_pointer(s, callee, argument);
    }
    return false;
}

/* Back over `&` and casts, to the token before the whole. */
static size_t before_value(const struct source *s, size_t i, bool *address)
{
    size_t last = skip_back(s, i);
    *address = is(s, last, "&") && !is(s, last - 1, "&");
    if (*address)
        last = skip_back(s, last);
    while (is(s, last, ")")) {
        size_t open = last;
        while (open > 0 && !is(s, open, "("))
            open--;
        last = skip_back(s, open);
    }
    return last;
}

/* A device variable: host code sees another variable of that name, which is never set. Its address
 * is of use as a symbol only, a const void pointer. */
static void check_device_variable(const struct scope *scope, const struct source *s, size_t i)
{
    const size_t next = skip_blank(s, i + 1);
    bool address;
    const size_t last = before_value(s, i, &address);
    const bool ends = is_any(s, next, ", ) ;"), alone = ends && is_any(s, last, "( ,");
    const bool first = is(s, last, "{") && is(s, next, "="); /* `{ name = 1; ...` */
    const bool declared =
        is_declarator(s, i) && !first && !(alone && address && is(s, last - 1, ">"));
    const bool template_argument = (is(s, last, "<") && !is(s, last - 1, "<")) || is(s, next, ">");
    if (is_member(s, i) || declared || template_argument || (is(s, last, "{") && !first) ||
        is(s, next, ":") || is_asked_for(s, i) || is_local(scope, s, i) ||
        is_passed_as_symbol(s, i, alone) ||
        (ends && is_any(s, last, "= return") && (address || name_bits(s, i) & NAME_TABLE) &&
         !is_set_as_pointer(scope, s, last)))
        return;
    mistake(scope, s, i, "%.*s is a device variable; host code cannot use it", NAME(s, i));
    fprintf(stderr, "    use cudaMemcpyFromSymbol() or cudaMemcpyToSymbol(), and its name in a "
                    "name\n");
}

void calls_in_host(const struct scope *scope, const struct source *s, size_t i)
{
    const unsigned bits = name_bits(s, i);
    const size_t next = skip_blank(s, i + 1);
    if ((bits & ~(NAME_LIBRARY | NAME_TABLE)) == NAME_DEVICE_VARIABLE)
        check_device_variable(scope, s, i);
    if (bits == NAME_DEVICE || (bits == (NAME_DEVICE | NAME_LIBRARY) && is_builtin(s, i))) {
        if (!is_call(s, i) || is_local(scope, s, i))
            return;
        mistake(scope, s, i, "%.*s() runs on the device; host code cannot call it", NAME(s, i));
        fprintf(stderr, "    %s\n",
                bits & NAME_LIBRARY ? "call it in a kernel"
                                    : "write __host__ __device__ before it");
    } else if ((bits & ~NAME_TEMPLATE) == NAME_KERNEL && !is_local(scope, s, i) &&
               !is_asked_for(s, i)) {
        const bool one = is(s, next, "<") && !is(s, next + 1, "<") && !(bits & NAME_TEMPLATE);
        const bool two =
            is(s, next, "<") && is(s, next + 1, "<") && !is(s, skip_blank(s, next + 2), "<");
        if (one || two || is_call(s, i))
            mistake(scope, s, i, "%.*s is a kernel: write %.*s<<<blocks, threads>>>(...)",
                    NAME(s, i), NAME(s, i));
    }
}
