/* SPDX-License-Identifier: MIT */
/*
 * accuracy.c - how far off a step's GELU is: f16 for each of the 65,536 halves, f32 for a sample.
 *
 * A second main for a step: linked with its object instead of harness/main.c. It prints rows of
 * CSV; accuracy.sh runs it for three forms of GELU, and makes a table of them. A GPU computes with
 * its own erff, tanhf and exp2f, the emulator with those of the host: the errors may differ.
 */
#include "harness/cuda_check.h"
#include "harness/device.h"
#include "harness/dtype.h"
#include "harness/size.h"

#include <math.h>
#include <string.h>

enum { POISON = 0xff }; /* a NaN: an output that was never written has an infinite error */

/* ---- the inputs ---- */

/* They come first in each sample. */
static const struct {
    const char *name;
    uint32_t f32, f16; /* bits */
} SPECIALS[] = {
    {"nan", 0x7fc00000, 0x7e00},       {"+inf", 0x7f800000, 0x7c00},
    {"-inf", 0xff800000, 0xfc00},      {"-0", 0x80000000, 0x8000},
    {"+subnormal", 0x00400000, 0x200}, {"-subnormal", 0x80400000, 0x8200},
};
enum { SPECIAL_COUNT = sizeof SPECIALS / sizeof SPECIALS[0] };

/*
 * f16: all bit patterns. f32: every 4099th one, and more for 1/16 <= |x| < 16, which have the bits
 * 0x3d800000 to 0x417fffff: every 509th. Both are primes, so all the low bits vary. Returns the
 * count; x may be NULL.
 */
static size_t sample(dtype_t type, void *x)
{
    const uint64_t patterns = type == DTYPE_F16 ? 1 << 16 : (uint64_t)1 << 32;
    const uint64_t step_all = type == DTYPE_F16 ? 1 : 4099, step_near = 509;
    size_t n = 0;

    for (size_t i = 0; i < SPECIAL_COUNT; i++, n++)
        if (x != NULL)
            dtype_store_bits(type, x, n, type == DTYPE_F16 ? SPECIALS[i].f16 : SPECIALS[i].f32);
    for (uint64_t bits = 0; bits < patterns; bits += step_all, n++)
        if (x != NULL)
            dtype_store_bits(type, x, n, bits);
    for (uint64_t bits = 0x3d800000; type == DTYPE_F32 && bits < 0x41800000; bits += step_near)
        for (uint64_t sign = 0; sign < 2; sign++, n++)
            if (x != NULL)
                dtype_store_bits(type, x, n, bits | sign << 31);
    return n;
}

/* The step's GELU of n elements, from host memory to host memory. */
static void compute(dtype_t type, const void *x, void *y, size_t n)
{
    const size_t bytes = n * dtype_size(type);
    size_t work_bytes = 0;
    void *d_in, *d_out, *d_work;

    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_out, bytes));
    const void *const inputs[] = {d_in};
    CUDA_CHECK(step.map[type][MAP_GELU](inputs, d_out, n, NULL, &work_bytes, NULL));
    CUDA_CHECK(cudaMalloc(&d_work, work_bytes + 1)); /* never NULL */

    CUDA_CHECK(cudaMemcpy(d_in, x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, POISON, bytes));
    CUDA_CHECK(step.map[type][MAP_GELU](inputs, d_out, n, d_work, &work_bytes, NULL));
    CUDA_CHECK(cudaMemcpy(y, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_work));
}

/* ---- the errors ---- */

/* Of the finite inputs low <= x < high. ulps: units in the last place of the nearest result. */
typedef struct {
    const char *name;
    double low, high;
    size_t count, right; /* right: it is the nearest */
    double sum_ulps, max_ulps, worst, max_error;
} range_t;

/* x/2 * erfc(-x / sqrt(2)): nothing cancels. For -Inf that is -Inf * 0 = NaN. */
static double gelu(double x)
{
    return (double)((long double)x / 2 * erfcl(-(long double)x * 0.70710678118654752440084L));
}

static double ulps_off(dtype_t type, double exact, double got)
{
    const double nearest = dtype_round(type, exact);
    if (got == nearest)
        return 0;
    return isnan(got) ? INFINITY : fabs(got - nearest) / dtype_ulp(type, nearest);
}

static void range_add(range_t *r, dtype_t type, double x, double got)
{
    if (!isfinite(x) || x < r->low || x >= r->high)
        return;
    const double exact = gelu(x), ulps = ulps_off(type, exact, got);
    r->count++;
    r->right += ulps == 0;
    r->sum_ulps += ulps;
    r->max_error = fmax(r->max_error, fabs(got - exact));
    if (ulps > r->max_ulps) {
        r->max_ulps = ulps;
        r->worst = x;
    }
}

/* NaN for NaN, the infinity, the zero with its sign, a subnormal within one unit. */
static bool special_right(dtype_t type, double x, double got)
{
    const double exact = gelu(x);
    if (isnan(exact))
        return isnan(got);
    return ulps_off(type, exact, got) <= 1 && signbit(got) == signbit(exact);
}

static void print_type(const char *form, dtype_t type)
{
    range_t ranges[] = {{"all", -INFINITY, INFINITY, 0, 0, 0, 0, 0, 0},
                        {"-16 to -4", -16, -4, 0, 0, 0, 0, 0, 0},
                        {"-4 to 0", -4, 0, 0, 0, 0, 0, 0, 0},
                        {"0 to 16", 0, 16, 0, 0, 0, 0, 0, 0}};
    const size_t n = sample(type, NULL), size = dtype_size(type);
    void *x = alloc_array(n, size), *y = alloc_array(n, size);
    char wrong[128] = "";

    sample(type, x);
    compute(type, x, y, n);
    for (size_t i = 0; i < SPECIAL_COUNT; i++)
        if (!special_right(type, dtype_load(type, x, i), dtype_load(type, y, i)))
            strcat(strcat(wrong, wrong[0] != '\0' ? " " : ""), SPECIALS[i].name);
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        range_t *range = &ranges[r];
        for (size_t i = SPECIAL_COUNT; i < n; i++)
            range_add(range, type, dtype_load(type, x, i), dtype_load(type, y, i));
        printf("%s,%s,%s,%zu,%.6g,%.9g,%.3g,%.6f,%.3g,%s\n", form, dtype_name(type), range->name,
               range->count, range->max_ulps, range->worst, range->sum_ulps / (double)range->count,
               (double)range->right / (double)range->count, range->max_error,
               wrong[0] != '\0' ? wrong : "none");
    }
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    const char *why;
    device_t device;

    if (argc != 2) {
        fprintf(stderr, "usage: %s NAME; NAME of the form begins each row\n", argv[0]);
        return 2;
    }
    if (!device_open(&device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", argv[0], why);
        return 77;
    }
    puts("form,type,range,inputs,max_ulps,at,mean_ulps,nearest,max_error,wrong_specials");
    for (int type = 0; type < DTYPE_COUNT; type++)
        if (step.map[type][MAP_GELU] != NULL)
            print_type(argv[1], (dtype_t)type);
    return 0;
}
