/* SPDX-License-Identifier: MIT */
/*
 * listed.c - the table of what may be written in a graded file. What is not here is refused.
 *
 * source.c reads the file by it, object.c the symbols of the compiled file. Each access of memory
 * that remains has its hook: build.sh has that proven on the machine code.
 */
#include "listed.h"

#include <stddef.h>
#include <string.h>

/* ---- #include <...>: the headers of CUDA that the emulator has, and those that only declare ---- */

const char accepted_headers[] =
    "cuda_runtime.h cuda_runtime_api.h cuda.h cuda_fp16.h cuda_bf16.h cooperative_groups.h "
    "cooperative_groups/reduce.h cooperative_groups/scan.h cub/* cuda/functional cuda/std/* "
    "device_launch_parameters.h vector_types.h vector_functions.h math_constants.h driver_types.h "
    /* C */
    "assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stdbool.h stddef.h stdint.h "
    "stdio.h stdlib.h string.h time.h cassert cctype cerrno cfloat cinttypes climits cmath cstddef "
    "cstdint cstdio cstdlib cstring ctime "
    /* C++ */
    "algorithm array bit bitset cfloat chrono complex deque exception functional initializer_list "
    "iomanip ios iosfwd iostream istream iterator limits list map memory new numeric optional "
    "ostream queue random ratio set sstream stack stdexcept string string_view tuple type_traits "
    "unordered_map unordered_set utility variant vector";

const char accepted_pragmas[] = "unroll nounroll once nv_diag_suppress nv_diag_default";

const char accepted_attributes[] = "maybe_unused nodiscard likely unlikely fallthrough deprecated";

/* ---- names ---- */

const char accepted_names[] =
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __restrict "
    "__launch_bounds__ __align__ __forceinline__ __noinline__ __grid_constant__ __inline__ "
    "__CUDA_ARCH__ __CUDACC__ __NVCC__ __cplusplus __LINE__ __FILE__ __func__ __FUNCTION__ "
    "__VA_ARGS__ __VA_OPT__ _Bool "
    "__syncthreads __syncthreads_* __syncwarp __shfl_sync __shfl_up_sync __shfl_down_sync "
    "__shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __match_any_sync "
    "__match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync "
    "__reduce_and_sync __reduce_or_sync __reduce_xor_sync __threadfence __threadfence_block "
    "__threadfence_system __trap __nanosleep __assume __ldg __ldca __ldcg __ldcs __ldlu __ldcv "
    "__stwb __stcg __stcs __stwt __popc* __clz* __ffs* __brev* __byte_perm __funnelshift_* "
    "__dp4a __sad __usad __hadd __rhadd __uhadd __urhadd __mulhi __umulhi __mul24 __umul24 "
    "__mul64hi __umul64hi __saturatef __fdividef __expf __exp10f __logf __log2f __log10f __powf "
    "__sinf __cosf __tanf __tanhf __sincosf __fadd_* __fsub_* __fmul_* __fdiv_* __fmaf_* __fma_* "
    "__frcp_* __fsqrt_* __frsqrt_* __dadd_* __dsub_* __dmul_* __ddiv_* __drcp_* __dsqrt_* "
    "__float_as_* __int_as_float __uint_as_float __double_as_* __longlong_as_double "
    "__hiloint2double __double2* __float2* __int2* __uint2* __ll2* __ull2* __half* __bfloat16* "
    "__nv_bfloat16* __habs* __hadd* __hsub* __hmul* __hdiv* __hfma* __hneg* __hmin* __hmax* "
    "__h2div __heq* __hne* __hlt* __hle* __hgt* __hge* __hbeq2 __hbne2 __hblt2 __hble2 __hbgt2 "
    "__hbge2 __hisnan* __hisinf __low* __high* __floats2* __short_as_* __ushort_as_* __ushort2* "
    "__short2* __lows2* __highs2*";

const char cpp_words[] =
    "alignas alignof and and_eq auto bitand bitor bool break case catch char class const constexpr "
    "const_cast continue decltype default defined delete do double dynamic_cast else enum explicit "
    "export extern false float for friend goto if inline int long mutable namespace new noexcept "
    "not not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
    "return short signed sizeof static static_assert static_cast struct switch template this throw "
    "true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor "
    "xor_eq solve threadIdx blockIdx blockDim gridDim warpSize size_t cuda*";

const char refused_words[] = "asm thread_local typeof gnu clang _mm* va_start va_arg va_copy alloca";

/* ---- calls ---- */

const char accepted_calls[] =
    /* the hooks, and what a device function calls */
    "_GLOBAL_OFFSET_TABLE_ __tls_get_addr __stack_chk_fail __assert_fail __tsan_read* "
    "__tsan_write* __tsan_unaligned_* __tsan_func_entry __tsan_func_exit __tsan_init "
    "__tsan_vptr_* __ubsan_handle_* simt_thread_idx simt_block_idx simt_block_dim simt_grid_dim "
    "simt_launch simt_launched simt_barrier simt_warp_op simt_shuffle simt_clock "
    "simt_active_mask simt_atomic simt_fence simt_half_* simt_bfloat16_* simt_trap simt_memcpy "
    "simt_memmove simt_memset simt_memcmp simt_quiet simt_thread_end simt_passed simt_return "
    "simt_dynamic_shared simt_erfinv* "
    /* a call of a computed address: called.c asks whether a function of the file begins there */
    "__x86_indirect_thunk_* "
    /* build.sh puts checked ones, or some that do nothing, in place of these */
    "memcpy memmove memset memcmp cudaGetDevice cudaDeviceGetAttribute cudaGetDeviceProperties "
    "cudaFuncGetAttributes cudaOccupancyMaxActiveBlocksPerMultiprocessor printf fprintf puts "
    "putchar fputs fputc fflush fwrite __cxa_atexit __dso_handle "
    /* the host: kernels, questions, and waiting */
    "cudaGetLastError cudaPeekAtLastError cudaGetErrorString cudaGetErrorName cudaMemset "
    "cudaMemsetAsync cudaFuncSetAttribute cudaFuncSetCacheConfig cudaDeviceSynchronize "
    "cudaStreamSynchronize "
    /* of <iostream>, which need not be used */
    "_ZNSt8ios_base4Init* "
    /* mathematics, with an f at the end or without */
    "sqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sincos asin acos atan "
    "atan2 sinh cosh tanh asinh acosh atanh erf erfc lgamma tgamma fma fmod remainder hypot fabs "
    "floor ceil round trunc rint nearbyint lround llround lrint llrint fmin fmax fdim copysign "
    "ldexp frexp scalbn scalbln ilogb logb nextafter erfinv abs labs llabs";

static const struct {
    const char *names, *instead;
} instead[] = {
    {"asm __asm* _mm*", "write it in C++"},
    {"__attribute* __declspec gnu clang", "of attributes CUDA's are accepted, such as __launch_bounds__"},
    {"__builtin_* __sync_* __atomic_* __tsan_*", "write CUDA's function, such as __popc or "
                                                 "atomicAdd"},
    {"_Pragma", "write #pragma unroll"},
    {"thread_local __thread", "give each thread a variable in the kernel"},
    {"cudaMalloc* malloc calloc realloc _Zn* _Zd* cudaFree* free alloca aligned_alloc",
     "host code allocates nothing: *work_bytes asks for scratch, and d_work is it"},
    {"cudaMemcpy*", "a kernel reads d_in and writes d_out"},
    {"_ZSt4cout _ZSt4cerr _ZSt4clog _ZStls* _ZNSo* _ZSt4endl* _ZSt5flush*", "write printf"},
    {"cudaEvent* cudaStream*", "launch on the stream that solve gets"},
    {"__x86*", "a kernel or a function of this file"},
    {"_Z* __cxa_* strlen strcmp strncmp", "a launcher has plain variables and arrays"},
    {"__* _*", "of names with __, which are the compiler's, CUDA's are accepted"},
    {"SIMT* simt*", "this name is the emulator's"},
    {"*", "accepted are kernels, device functions, printf, and in host code questions about the "
          "device, cudaMemsetAsync and cudaDeviceSynchronize"},
};

/* Goes through the list: a name of it is like `name` when all its letters are, up to a `*`. */
bool is_listed(const char *list, const char *name)
{
    while (*list) {
        const size_t n = strcspn(list, " "), letters = list[n - 1] == '*' ? n - 1 : n;
        if (strncmp(list, name, letters) == 0 && (letters < n || name[letters] == '\0'))
            return true;
        list += n + strspn(list + n, " ");
    }
    return false;
}

const char *what_instead(const char *name)
{
    size_t i = 0;
    while (!is_listed(instead[i].names, name))
        i++;
    return instead[i].instead;
}
