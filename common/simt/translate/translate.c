/* SPDX-License-Identifier: MIT */
/*
 * translate.c - turns CUDA's additions to the syntax of C++ into plain C++:
 *
 *   kernel<<<grid, block>>>(args)     simt::launch("kernel", [=](auto &...simt_a)
 *                                     { kernel(simt::argument(simt_a)...), simt_thread_end(); },
 *                                     grid, block)(args): see launch.c
 *   __shared__ T name[N];             static thread_local T name[N];
 *   extern __shared__ T name[];       T (&name)[] = simt::dynamic_shared; see declare.c
 *   __device__ T name;                __attribute__((section("simt_device"))) T name;
 *   threadIdx                         (simt_thread_idx()), in device functions
 *   warpSize                          (::simt::warp_size()), but not in host functions
 *   __launch_bounds__(n) name() {     name() { static const char simt_bounds[n];
 *   return;                           { simt_return(); return; }, there too: see returns.c
 *   for (a; b; c)                     for (a; b; simt::iterate(), c): see loops.c
 *   float s; s += x;                  float s; simt::no_start<decltype(s)>(...): see starts.c
 *   p[i].x                            ::simt::pack(p[i]).x: see packs.c
 *   (c ? a : b)[i]                    ::simt::one_of((c ? a : b))[i]: there too
 *   memcpy, __builtin_memcpy          simt_memcpy, which calls the hooks; and the like
 *
 * It reads preprocessed text, so headers and macros are translated too. Everything else is copied
 * unchanged, line breaks included, so line numbers stay right.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "translate.h"

/* ---- the whole text ---- */

/* In device code these words are values of the thread; the host may have variables of these
 * names. */
static const char *thread_value(const struct source *s, size_t i)
{
    static const char *const values[][2] = {{"threadIdx", "(simt_thread_idx())"},
                                            {"blockIdx", "(simt_block_idx())"},
                                            {"blockDim", "(::dim3(simt_block_dim()))"},
                                            {"gridDim", "(::dim3(simt_grid_dim()))"}};
    const size_t last = skip_back(s, i);
    if (is(s, last, ".") || (is(s, last, ">") && is(s, last - 1, "-")))
        return NULL;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (is(s, i, values[k][0]))
            return values[k][1];
    /* In C it is the host's. */
    return is(s, i, "clock") && is(s, skip_blank(s, i + 1), "(") && !is(s, last, ":")
               ? "(clock_t)simt_clock"
               : NULL;
}

/* nvcc knows the value of warpSize late: it is no constant, as the size of an array must be. Not if
 * the program declares that name, outside of functions. */
static const char *warp_size(const struct scope *scope, const struct source *s, size_t i)
{
    static bool own;
    const size_t last = skip_back(s, i);
    const bool declared = is_declarator(s, i);
    own |= declared && scope->function_depth == INT_MAX && s->tokens[last].kind == TOKEN_WORD &&
           is_any(s, skip_blank(s, i + 1), "; = {");
    const bool inside = i < scope->device_end || scope->function_depth != INT_MAX;
    return own || declared || is_member(s, i) || is(s, last, ":") || in_host(scope, i) ||
                   (inside && is_local(scope, s, i))
               ? NULL
               : "(::simt::warp_size())";
}

/*
 * A compiler replaces memcpy() by what it likes, invisible to the hooks. So these functions get
 * other names, even where the C++ library calls or declares them. Our own headers use them only for
 * variables of a thread.
 */
static const char *memory_function(const struct source *s, size_t i)
{
    static const char *const names[][3] = {{"memcpy", "__builtin_memcpy", "simt_memcpy"},
                                           {"memmove", "__builtin_memmove", "simt_memmove"},
                                           {"memset", "__builtin_memset", "simt_memset"},
                                           {"memcmp", "__builtin_memcmp", "simt_memcmp"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is(s, i, names[k][0]) || is(s, i, names[k][1]))
            return names[k][2];
    return NULL;
}

static void translate_word(const struct source *s, size_t i, const struct scope *scope)
{
    struct token *t = &s->tokens[i];
    if (is(s, i, "__shared__")) {
        rules_shared(scope, s, i);
        declare_shared(s, i, scope->function_depth != INT_MAX ? scope->depth : 0);
    } else if (is(s, i, "\\")) /* `\ // a comment`: to nvcc the line goes on */
        t->replacement = "";
    else if (is(s, i, "__device__") || is(s, i, "__managed__") || is(s, i, "__constant__"))
        declare_device(s, i);
    else if (is(s, i, "__noinline__") && i > 0)
        declare_noinline(s, i);
    else if (is(s, i, "simt_bounds") || is(s, i, "simt_cluster"))
        declare_bounds(s, i);
    else if (is(s, i, "__global__")) /* never inlined: it needs its own address and name */
        t->replacement = "__attribute__((noinline))";
    else if (is(s, i, "__host__"))
        t->replacement = "";
    else if (is(s, i, "cudaLaunchKernel") || is(s, i, "cudaLaunchCooperativeKernel"))
        translate_api_launch(s, i);
    else if (is(s, i, "void") && scope->user)
        translate_kernel_pointer(s, i);
    else if (is(s, i, "warpSize") && scope->user)
        t->replacement = warp_size(scope, s, i);
    else if (!t->replacement && !scope->ours)
        t->replacement = memory_function(s, i);
    if (i < scope->device_end && !t->replacement)
        t->replacement = thread_value(s, i);
    if (i < scope->device_end && scope->user && is_member(s, i))
        packs_member(scope, s, i);
}

static void translate_tokens(const struct source *s, bool lambdas)
{
    struct scope scope = {.function_depth = INT_MAX};
    for (size_t i = 0; i < s->count; i++) {
        scope_follow(&scope, s, i);
        if (i == scope.device_start && scope.user) {
            mark_locals(&scope, s, i, scope.device_end);
            mark_loops(s, i, scope.device_end);
        }
        if (is(s, i, "}"))
            declare_close(scope.depth);
        else if (is(s, i, "[") && scope.user)
            packs_choice(s, i);
        if (is(s, i, "[") && scope.user && sides_lambda(&scope, s, i) && !lambdas) {
            mistake(&scope, s, i, "__host__ or __device__ before a lambda needs --extended-lambda");
            fprintf(stderr, "    give it to simtcc and nvcc, or write a struct with operator()\n");
        }
        if (triple_end(s, i, "<") && !s->tokens[i].replacement) {
            if (i < scope.device_end && scope.device_only)
                refuse(&scope, s, i, "a kernel launch in device code");
            else if (!is(s, skip_back(s, i), "operator"))
                translate_launch(&scope, s, i);
        } else if (s->tokens[i].kind == TOKEN_WORD) {
            translate_word(s, i, &scope);
            refuse_words(&scope, s, i);
            rules_word(&scope, s, i);
        }
    }
}

int translate(const char *text, bool relaxed, bool lambdas)
{
    const struct source s = tokens_cut(text);
    sides_relaxed = relaxed;
    brackets_check(&s);
    if (refused_any())
        return 1;
    names_read(&s);
    translate_tokens(&s, lambdas);
    for (const struct token *t = s.tokens; t < s.tokens + s.count; t++) {
        if (!t->before && !t->replacement)
            continue;
        fwrite(text, 1, (size_t)(t->text - text), stdout); /* what is unchanged since the last */
        fputs(t->before ? t->before : "", stdout);
        fputs(t->replacement ? t->replacement : "", stdout);
        text = t->text + (t->replacement ? t->length : 0);
    }
    fputs(text, stdout);
    free(s.tokens);
    if (refused_any())
        return 1;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
