/* SPDX-License-Identifier: MIT */
#include "lists.h"

#include <string.h>

bool is_listed(const char *name, size_t length, const char *const *list)
{
    for (; *list; list++) {
        const size_t n = strlen(*list);
        if ((*list)[n - 1] == '*' ? length >= n - 1 && memcmp(name, *list, n - 1) == 0
                                  : length == n && memcmp(name, *list, n) == 0)
            return true;
    }
    return false;
}

/* ---- files ---- */

const char *const course_headers[] = {"/common/simt/include/*", "/common/ops.cuh", NULL};
const char *const system_folders[] = {"/usr/*", "/opt/*", "/nix/store/*", NULL};

/* ---- words ---- */

const char *const refused_words[] = {"asm",          "__asm",    "__asm__",     "_Pragma",
                                     "__label__",    "__thread", "__attribute", "__declspec",
                                     "thread_local", "simt",     "simt_*",      "__tsan_*",
                                     "__ubsan_*",    "__asan_*", NULL};

const char *const accepted_builtins[] = {"__builtin_nan*",
                                         "__builtin_inf*",
                                         "__builtin_huge_val*",
                                         "__builtin_expect",
                                         "__builtin_offsetof",
                                         "__builtin_is*",
                                         "__builtin_popcount*",
                                         "__builtin_clz*",
                                         "__builtin_ctz*",
                                         "__builtin_ffs*",
                                         "__builtin_bswap*",
                                         "__builtin_unreachable",
                                         "__builtin_signbit*",
                                         "__builtin_fabs*",
                                         "__builtin_assume_aligned",
                                         "__builtin_bit_cast",
                                         "__builtin_LINE",
                                         "__builtin_FILE",
                                         NULL};

const char *const accepted_attributes[] = {
    "aligned",     "__aligned__", "always_inline", "__always_inline__", "noinline",
    "unused",      "__unused__",  "maybe_unused",  "__noinline__",      "nodiscard",
    "fallthrough", "likely",      "unlikely",      "may_alias",         NULL};

const char *const accepted_pragmas[] = {"unroll", "nounroll", "once", "nv*", NULL};

/* ---- calls ---- */

const char *const accepted_calls[] = {
    "_GLOBAL_OFFSET_TABLE_", "__tls_get_addr", "__stack_chk_fail", "__assert_fail", "__tsan_read*",
    "__tsan_write*", "__tsan_unaligned_*", "__tsan_atomic*", "__tsan_func_entry",
    "__tsan_func_exit", "__tsan_init", "__tsan_vptr_*", "__ubsan_handle_*", "simt_thread_idx",
    "simt_block_idx", "simt_block_dim", "simt_grid_dim", "simt_launch", "simt_launched",
    "simt_barrier", "simt_warp_op", "simt_shuffle", "simt_clock", "simt_active_mask", "simt_atomic",
    "simt_fence", "simt_half_*", "simt_bfloat16_*", "simt_trap", "simt_memcpy", "simt_memmove",
    "simt_memset", "simt_memcmp", "simt_quiet", "simt_thread_end", "simt_passed", "simt_return",
    "simt_dynamic_shared", "cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString",
    "cudaGetErrorName", "cudaMemsetAsync", "cudaFuncSetAttribute", "cudaFuncSetCacheConfig",
    /* build.sh puts checked ones in place of these */
    "memcpy", "memmove", "memset", "cudaGetDevice", "cudaDeviceGetAttribute",
    "cudaGetDeviceProperties", "cudaFuncGetAttributes",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    /* mathematics, with an f at the end or without */
    "sqrt", "cbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sin",
    "cos", "tan", "sincos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "erf", "erfc",
    "lgamma", "tgamma", "fma", "fmod", "remainder", "hypot", "fabs", "floor", "ceil", "round",
    "trunc", "rint", "nearbyint", "lround", "llround", "lrint", "llrint", "fmin", "fmax", "fdim",
    "copysign", "ldexp", "scalbn", "ilogb", "logb", "nextafter", "erfinv", "simt_erfinv*", NULL};
