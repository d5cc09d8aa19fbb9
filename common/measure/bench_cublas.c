/* SPDX-License-Identifier: MIT */
/*
 * bench_cublas.c - the time of cublasSasum and cublasDasum, as a peer for the sums.
 *
 * asum is the sum of |x|: another problem, which no step may pass off as its own. For values that
 * are not negative the two are equal, and the bytes are the same. So this separate program uses
 * positive data, checks the sum against the harness's reference, and prints rows of the ladder's
 * CSV: step 06_cub, variant cublas_asum.
 *
 * usage: bench_cublas [N...]    default 4M 256M
 * Built and run by make bench
 */
#include "harness/report.h"
#include "harness/size.h"

#include <cublas_v2.h>
#include <stdlib.h>
#include <string.h>

static const size_t WORKSPACE_BYTES = (size_t)4 << 20;

/* The one handle of the program, made at the first call. */
static cublasHandle_t handle_on(cudaStream_t stream, void *d_work)
{
    static cublasHandle_t handle;
    if ((handle == NULL && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) ||
        cublasSetStream(handle, stream) != CUBLAS_STATUS_SUCCESS ||
        cublasSetWorkspace(handle, d_work, WORKSPACE_BYTES) != CUBLAS_STATUS_SUCCESS ||
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "bench_cublas: cuBLAS could not be set up\n");
        exit(1);
    }
    return handle;
}

static cudaError_t asum_f32(const void *d_in, void *d_out, size_t n, void *d_work,
                            size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = WORKSPACE_BYTES;
    if (d_work == NULL)
        return cudaSuccess;
    cublasStatus_t status = cublasSasum_64(handle_on(stream, d_work), (int64_t)n, d_in, 1, d_out);
    return status == CUBLAS_STATUS_SUCCESS ? cudaGetLastError() : cudaErrorUnknown;
}

static cudaError_t asum_f64(const void *d_in, void *d_out, size_t n, void *d_work,
                            size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = WORKSPACE_BYTES;
    if (d_work == NULL)
        return cudaSuccess;
    cublasStatus_t status = cublasDasum_64(handle_on(stream, d_work), (int64_t)n, d_in, 1, d_out);
    return status == CUBLAS_STATUS_SUCCESS ? cudaGetLastError() : cudaErrorUnknown;
}

/* Not a step of the course: it does what a step promises on positive data only. */
static const step_t asum = {.summary = "cuBLAS asum, on positive data",
                            .reduce = {{asum_f32}, {asum_f64}}};

/* One row, timed like the steps: checked, from memory, beside a copy. False: it is wrong. */
static bool measure(report_t *report, mismatches_t *mismatches, dtype_t type, size_t n)
{
    const options_t options = {.reps = OPTIONS_MIN_REPS, .seed = 1};
    const problem_t problem = {&asum, KIND_REDUCE, type, OP_SUM};
    bench_t bench;

    if (bench_run(&bench, &problem, (shape_t){1, n}, SET_POSITIVE, &options, mismatches) !=
        BENCH_DONE) {
        fprintf(stderr, "bench_cublas: no time for n %zu\n", n);
        return false;
    }
    report_bench(report, &bench);
    return true;
}

int main(int argc, char **argv)
{
    static char *const sizes[] = {"4M", "256M"};
    char *const *size = argc > 1 ? argv + 1 : sizes;
    const int count = argc > 1 ? argc - 1 : 2;
    const char *why;
    device_t device;

    if (!device_open(&device, &why)) {
        fprintf(stderr, "bench_cublas: no usable GPU: %s\n", why);
        return 77;
    }
    report_t report = {.stream = stdout,
                       .format = FORMAT_CSV,
                       .table = TABLE_BENCH,
                       .step = "06_cub",
                       .variant = "cublas_asum",
                       .summary = asum.summary,
                       .device = &device,
                       .command = "bench_cublas"};
    mismatches_t mismatches = {
        .step = report.step, .variant = report.variant, .device = &device, .stream = stderr};
    report_begin(&report);
    for (int i = 0; i < count; i++) {
        size_t n = 0;
        const char *wrong = size_read(size[i], strlen(size[i]), &n);
        if (wrong != NULL || n == 0) {
            fprintf(stderr, "bench_cublas: '%s' is not a size; accepted are 1, 4M, 2^28, ...\n",
                    size[i]);
            return 2;
        }
        if (!measure(&report, &mismatches, DTYPE_F32, n) ||
            !measure(&report, &mismatches, DTYPE_F64, n))
            return 1;
    }
    report_end(&report);
    return 0;
}
