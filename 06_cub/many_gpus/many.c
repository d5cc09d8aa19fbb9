/* SPDX-License-Identifier: MIT */
#include "many.h"

#include "harness/bench.h"
#include "harness/buffers.h"
#include "harness/cuda_check.h"
#include "harness/size.h"

#include <string.h>
#include <time.h>

enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_NO_GPU = 77 };
enum { BATCH = 256, MIN_BATCH = 4, ARENA_IN_L2S = 4 };

/* Everything a mode needs. */
typedef struct {
    const char *program;
    const way_t *way;
    options_t options;
    problem_t lead;
    device_t device; /* the first one */
    int devices, gpus;
    mismatches_t mismatches;
} run_t;

/* ---- the slices ---- */

void many_reduce(const many_t *m, int g, size_t copy, void *d_to)
{
    const gpu_t *gpu = &m->gpu[g];
    const reduce_fn launch = step.reduce[m->type][m->op];
    size_t work_bytes = gpu->work_bytes;

    CUDA_CHECK(
        launch(gpu->d_in + copy * m->stride, d_to, gpu->n, gpu->d_work, &work_bytes, gpu->stream));
}

/*
 * n elements over the first `gpus` devices: the first n % gpus slices are longer by one. There are
 * as many copies as `cold_bytes` holds, at least one. many_free() frees everything.
 */
static many_t many_alloc(const problem_t *problem, int gpus, size_t n, size_t cold_bytes)
{
    const size_t size = dtype_size(problem->type), share = n / (size_t)gpus;
    const size_t longest = (share + (n % (size_t)gpus > 0)) * size;
    const size_t least = longest > cold_bytes / BATCH ? longest : cold_bytes / BATCH;
    many_t m = {.gpus = gpus,
                .type = problem->type,
                .op = (reduce_op_t)problem->op,
                .stride = size_round_up(least + 1, 256)};

    m.copies = cold_bytes > m.stride ? (cold_bytes + m.stride - 1) / m.stride : 1;
    for (int g = 0; g < gpus; g++) {
        gpu_t *gpu = &m.gpu[g];
        const reduce_fn launch = step.reduce[problem->type][problem->op];
        gpu->n = share + ((size_t)g < n % (size_t)gpus);
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking));
        CUDA_CHECK(launch(NULL, NULL, gpu->n, NULL, &gpu->work_bytes, gpu->stream));
        CUDA_CHECK(cudaMalloc((void **)&gpu->d_in, m.copies * m.stride));
        CUDA_CHECK(cudaMalloc(&gpu->d_part, sizeof(double)));
        CUDA_CHECK(cudaMalloc(&gpu->d_out, sizeof(double)));
        CUDA_CHECK(cudaMalloc(&gpu->d_work, gpu->work_bytes + 1));
    }
    return m;
}

static void many_free(const many_t *m)
{
    for (int g = 0; g < m->gpus; g++) {
        const gpu_t *gpu = &m->gpu[g];
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaFree(gpu->d_in));
        CUDA_CHECK(cudaFree(gpu->d_part));
        CUDA_CHECK(cudaFree(gpu->d_out));
        CUDA_CHECK(cudaFree(gpu->d_work));
        CUDA_CHECK(cudaStreamDestroy(gpu->stream));
    }
}

static void many_fill(const many_t *m, const data_t *data)
{
    size_t begin = 0;
    for (int g = 0; g < m->gpus; g++) {
        const gpu_t *gpu = &m->gpu[g];
        CUDA_CHECK(cudaSetDevice(g));
        for (size_t copy = 0; copy < m->copies; copy++)
            data_upload_part(data, begin, gpu->n, gpu->d_in + copy * m->stride, gpu->stream);
        begin += gpu->n;
    }
}

/* Whether n elements, and everything else, fit in the memory of the first device. */
static bool fits(const run_t *run, dtype_t type, size_t n)
{
    const size_t needed = n * dtype_size(type) + ARENA_IN_L2S * 2 * run->device.l2_bytes;

    CUDA_CHECK(cudaSetDevice(0));
    return needed < device_free_bytes() / 20 * 19;
}

/* The same for the longest slice of n; if it does not fit, with a message. */
static bool slices_fit(const run_t *run, const problem_t *p, size_t n)
{
    if (fits(run, p->type, n / (size_t)run->gpus + 1))
        return true;
    fprintf(stderr, "%s: -n: %zu elements of %s are too many for the free memory of %d GPU%s\n",
            run->program, n, dtype_name(p->type), run->gpus, run->gpus == 1 ? "" : "s");
    return false;
}

/* ---- right or wrong ---- */

static void wait_for_all(const many_t *m)
{
    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaStreamSynchronize(m->gpu[g].stream));
    }
}

typedef void (*work_fn)(const many_t *many, size_t copy);

/* Run `work` once, and compare what each GPU has with the reference. Says what is wrong. */
static bool right(run_t *run, const many_t *m, work_fn work, const input_t *input, size_t copy)
{
    bool all = true;

    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(
            cudaMemsetAsync(m->gpu[g].d_out, POISON_OUTPUT, sizeof(double), m->gpu[g].stream));
    }
    work(m, copy);
    wait_for_all(m);
    for (int g = 0; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        outcome_t outcome =
            compare_output(input, &run->device, m->gpu[g].d_out, NULL, NULL, m->gpu[g].stream);
        if (outcome.wrong == 0)
            continue;
        mismatches_add_outcome(&run->mismatches, input, 0, &outcome);
        if (mismatches_shown(&run->mismatches))
            fprintf(run->mismatches.stream, "    on GPU %d of %d\n", g, m->gpus);
        all = false;
    }
    return all;
}

/* All sets of one size and pair. Adds to *cases; returns how many were wrong. */
static size_t check_size(run_t *run, const problem_t *p, size_t n, size_t *cases)
{
    const set_t last = dtype_is_float(p->type) ? SET_MINUS_ZERO : SET_CANCEL;
    const size_t large = (size_t)1 << 26;
    const many_t m = many_alloc(p, run->gpus, n, 0);
    size_t wrong = 0;

    for (int set = SET_INTEGERS; set <= (int)last; set++) {
        input_t input;
        if (n > large && set != SET_INTEGERS && set != SET_UNIFORM && set != SET_NAN_LAST)
            continue;
        input_make(&input, p, (shape_t){1, n}, (set_t)set, run->options.seed);
        many_fill(&m, &input.data[0]);
        wrong += !right(run, &m, run->way->sum, &input, 0);
        input_free(&input);
        ++*cases;
    }
    many_free(&m);
    return wrong;
}

static int check_pair(run_t *run, const problem_t *p)
{
    static const size_t quick[] = {0, 1, 2, 3, 1025, 70001};
    static const size_t full[] = {
        0,    1,    2,    3,     5,     31,      33,      255,
        1025, 4098, 8191, 70001, 65536, 1111111, 1048577, ((size_t)1 << 22) + 3};
    const options_t *o = &run->options;
    const size_t *sizes = o->quick ? quick : full;
    const size_t own = o->quick ? sizeof quick / sizeof *quick : sizeof full / sizeof *full;
    const size_t count = o->shape_count > 0 ? o->shape_count : own;
    size_t cases = 0, wrong = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t n = o->shape_count > 0 ? problem_n(o->shapes[i]) : sizes[i];
        if (!slices_fit(run, p, n))
            return EXIT_WRONG;
        wrong += check_size(run, p, n, &cases);
    }
    printf("%-3s %-5s check %s  %zu size%s, %zu cases\n", dtype_name(p->type),
           problem_op_name(p->kind, p->op), wrong > 0 ? "WRONG" : "ok", count,
           count == 1 ? "" : "s", cases);
    fflush(stdout);
    return wrong > 0 ? EXIT_WRONG : EXIT_RIGHT;
}

/* ---- times ---- */

/*
 * `batch` pieces of work as one graph of all GPUs. It begins on the first one, and ends there when
 * all are done.
 */
static cudaGraphExec_t capture(const many_t *m, work_fn work, size_t batch)
{
    cudaEvent_t begun, done[MANY_GPUS];
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
    CUDA_CHECK(cudaStreamBeginCapture(m->gpu[0].stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaEventRecord(begun, m->gpu[0].stream));
    for (int g = 1; g < m->gpus; g++)
        CUDA_CHECK(cudaStreamWaitEvent(m->gpu[g].stream, begun, 0));
    for (size_t i = 0; i < batch; i++)
        work(m, i % m->copies);
    for (int g = 1; g < m->gpus; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaEventCreateWithFlags(&done[g], cudaEventDisableTiming));
        CUDA_CHECK(cudaEventRecord(done[g], m->gpu[g].stream));
        CUDA_CHECK(cudaStreamWaitEvent(m->gpu[0].stream, done[g], 0));
    }
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaStreamEndCapture(m->gpu[0].stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(begun));
    for (int g = 1; g < m->gpus; g++)
        CUDA_CHECK(cudaEventDestroy(done[g]));
    return exec;
}

/* Milliseconds of one launch of the graph: until the slowest GPU is done. */
static double time_graph(const many_t *m, cudaGraphExec_t exec, cudaEvent_t start, cudaEvent_t stop)
{
    float ms;

    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaEventRecord(start, m->gpu[0].stream));
    CUDA_CHECK(cudaGraphLaunch(exec, m->gpu[0].stream));
    CUDA_CHECK(cudaEventRecord(stop, m->gpu[0].stream));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    return (double)ms;
}

/* Microseconds of one piece of work. */
static stats_t time_work(const many_t *m, work_fn work, size_t reps)
{
    double *samples_us = alloc_array(reps, sizeof *samples_us);
    cudaEvent_t start, stop;
    size_t batch = MIN_BATCH;

    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    cudaGraphExec_t exec = capture(m, work, batch);
    time_graph(m, exec, start, stop); /* warm up */
    const double ms = time_graph(m, exec, start, stop) / MIN_BATCH;
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    if (ms * MIN_BATCH < 1)
        batch = ms * BATCH < 1 ? BATCH : (size_t)(1 / ms) + 1;
    batch = (batch + m->copies - 1) / m->copies * m->copies; /* no launch finds its copy in L2 */
    exec = capture(m, work, batch);
    for (size_t warm_up = 0; warm_up < 3; warm_up++)
        time_graph(m, exec, start, stop);
    for (size_t r = 0; r < reps; r++)
        samples_us[r] = 1e3 * time_graph(m, exec, start, stop) / (double)batch;
    stats_t stats = stats_of(samples_us, reps);
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    free(samples_us);
    return stats;
}

/* Microseconds on the host's clock: one call, launched by the host, until all GPUs are back. */
static stats_t time_calls(const many_t *m, work_fn work, size_t reps)
{
    double *samples_us = alloc_array(reps, sizeof *samples_us);
    struct timespec start, stop;

    for (size_t r = 0; r < 2 * reps; r++) { /* the first half warms up */
        timespec_get(&start, TIME_UTC);
        work(m, 0);
        wait_for_all(m);
        timespec_get(&stop, TIME_UTC);
        samples_us[r % reps] = 1e6 * (double)(stop.tv_sec - start.tv_sec) +
                               1e-3 * (double)(stop.tv_nsec - start.tv_nsec);
    }
    stats_t stats = stats_of(samples_us, reps);
    free(samples_us);
    return stats;
}

/* The work of one GPU alone: there is nothing to join. */
static void reduce_alone(const many_t *m, size_t copy)
{
    CUDA_CHECK(cudaSetDevice(0));
    many_reduce(m, 0, copy, m->gpu[0].d_out);
}

static const way_t *timed_way;
static void join_alone(const many_t *m, size_t copy)
{
    (void)copy;
    timed_way->join(m);
}

/*
 * One row. `work` is sum, join, or call: a join that the host launches. GB/s are of all GPUs
 * together. *one: the time of one GPU, NULL if that is not known.
 */
static void print_row(const run_t *run, const char *way, int gpus, const char *work,
                      const problem_t *p, size_t n, const stats_t *t, const stats_t *one)
{
    const double gbps = (double)n * (double)dtype_size(p->type) / t->median / 1e3;
    const char *type = dtype_name(p->type), *op = problem_op_name(p->kind, p->op);

    if (run->options.format == FORMAT_CSV) {
        printf("%s,%d,%s,%s,%s,%zu,%.3f,%.3f,%.3f,%.1f\n", way, gpus, work, type, op, n, t->median,
               t->min, t->p90, gbps);
    } else {
        printf("%-3s %-4s n %-11zu %-4s %2d GPU%s %-4s %10.2f us", type, op, n, way, gpus,
               gpus == 1 ? " " : "s", work, t->median);
        if (n > 0)
            printf(" %8.0f GB/s", gbps);
        if (one != NULL && one->median > 0)
            printf("  %.2f times one", one->median / t->median);
        puts("");
    }
    fflush(stdout);
    if (stats_spread(t) > 0.05 && strcmp(work, "call") != 0)
        fprintf(stderr, "warning: %s %s, n %zu, %d GPUs, %s: times spread over %.0f %%\n", type, op,
                n, gpus, work, 100 * stats_spread(t));
}

/* Check and time `work` for one size on `gpus` GPUs. False if the result is wrong. */
static bool bench_on(run_t *run, int gpus, work_fn work, const input_t *input, stats_t *times)
{
    const size_t n = problem_n(input->shape);
    const many_t m = many_alloc(&input->problem, gpus, n, ARENA_IN_L2S * run->device.l2_bytes);

    many_fill(&m, &input->data[0]);
    bool ok = right(run, &m, work, input, 0) && right(run, &m, work, input, m.copies - 1);
    if (ok) {
        *times = time_work(&m, work, run->options.reps);
        ok = right(run, &m, work, input, 0);
    }
    many_free(&m);
    return ok;
}

static int bench_size(run_t *run, const problem_t *p, size_t n)
{
    stats_t one = {0}, all = {0};
    input_t input;

    if (!slices_fit(run, p, n))
        return EXIT_WRONG;
    input_make(&input, p, (shape_t){1, n}, SET_UNIFORM, run->options.seed);
    bool ok = !fits(run, p->type, n) || bench_on(run, 1, reduce_alone, &input, &one);
    ok = ok && bench_on(run, run->gpus, run->way->sum, &input, &all);
    input_free(&input);
    if (!ok)
        return EXIT_WRONG;
    if (one.median > 0)
        print_row(run, "one", 1, "sum", p, n, &one, NULL);
    print_row(run, run->way->name, run->gpus, "sum", p, n, &all, &one);
    return EXIT_RIGHT;
}

static int bench_pair(run_t *run, const problem_t *p)
{
    const options_t *o = &run->options;
    int code = EXIT_RIGHT;

    many_t m = many_alloc(p, run->gpus, 0, 0);
    timed_way = run->way;
    run->way->sum(&m, 0); /* partials */
    wait_for_all(&m);
    const stats_t join = time_work(&m, join_alone, o->reps);
    const stats_t call = time_calls(&m, join_alone, o->reps);
    print_row(run, run->way->name, run->gpus, "join", p, 0, &join, NULL);
    print_row(run, run->way->name, run->gpus, "call", p, 0, &call, NULL);
    many_free(&m);
    for (size_t i = 0; i < o->shape_count && code == EXIT_RIGHT; i++) {
        if (problem_n(o->shapes[i]) > 0)
            code = bench_size(run, p, problem_n(o->shapes[i]));
    }
    for (int k = 20; k <= 30 && o->shape_count == 0 && code == EXIT_RIGHT; k += 2)
        code = bench_size(run, p, (size_t)1 << k);
    return code;
}

/* ---- the program ---- */

static void print_help(const run_t *run)
{
    printf("%s: %s\n\nusage: %s [options]\n"
           "  Without -n: times for sizes 1M to 1G, beside those of one GPU.\n\n"
           "  -g, --gpus G          the first G GPUs (default: all)\n"
           "  -n, --size SIZE,...   elements in all (1000003, 4K, 1M, 1G, 2^20, 2^33+5)\n"
           "  -t, --type TYPE,...   f32 f64 i32, or all\n"
           "  -o, --op OP,...       sum max min, or all\n"
           "  --seed S              another set of random inputs (default 1)\n"
           "  --reps R              samples for each time, %d or more (default 40)\n"
           "  --check               check many sizes and data sets, or those of -n; no times\n"
           "  --quick               with --check: a short list\n"
           "  --csv                 the times in this form\n"
           "  -h, --help            this page\n\n"
           "exit status: 0 all right, 1 wrong result or error, 2 usage, 77 no usable GPU\n",
           run->program, run->way->summary, run->program, OPTIONS_MIN_REPS);
}

/* A pair that GPUs can share: a half's partial would be rounded before the join. */
static bool shared(const problem_t *p)
{
    return p->type <= DTYPE_I32 && p->op <= OP_MIN && problem_why_not(p) == NULL;
}

/* Takes -g G out of argv. NULL if it is absent; "" if its value is missing. */
static const char *take_gpus(int *argc, char **argv)
{
    const char *value = NULL;
    int kept = 1;

    for (int i = 1; i < *argc; i++) {
        const bool brief = strncmp(argv[i], "-g", 2) == 0;
        const bool equals = strncmp(argv[i], "--gpus=", 7) == 0;
        if (equals || (brief && argv[i][2] != '\0'))
            value = argv[i] + (equals ? 7 : 2);
        else if (brief || strcmp(argv[i], "--gpus") == 0)
            value = i + 1 < *argc ? argv[++i] : "";
        else
            argv[kept++] = argv[i];
    }
    *argc = kept;
    return value;
}

/*
 * How many GPUs `value` asks for, NULL for all of them. If it is invalid: false, with one line in
 * message (room for OPTIONS_MESSAGE bytes).
 */
static bool read_gpus(run_t *run, const char *value, char *message)
{
    size_t gpus = 0;
    const int most = run->devices < MANY_GPUS ? run->devices : MANY_GPUS;

    run->gpus = most;
    if (value == NULL)
        return true;
    if (size_read(value, strlen(value), &gpus) == NULL && gpus >= 1 && gpus <= (size_t)most) {
        run->gpus = (int)gpus;
        return true;
    }
    snprintf(message, OPTIONS_MESSAGE,
             "-g: '%.60s': of GPUs this machine has %d; give a whole number, 1 to %d", value,
             run->devices, most);
    return false;
}

/* NULL, or the option that programs for one GPU have and this one does not. */
static const char *foreign_option(const options_t *o)
{
    return o->input != NULL           ? "--input"
           : o->warm                  ? "--warm"
           : o->once                  ? "--once"
           : o->list                  ? "--list"
           : o->offset_given          ? "--offset"
           : o->format == FORMAT_JSON ? "--json"
                                      : NULL;
}

static bool read_options(run_t *run, int argc, char **argv)
{
    char message[OPTIONS_MESSAGE];
    options_t *o = &run->options;
    const unsigned types = 1u << DTYPE_F32 | 1u << DTYPE_F64 | 1u << DTYPE_I32;
    const unsigned ops = 1u << OP_SUM | 1u << OP_MAX | 1u << OP_MIN;

    if (!options_parse(o, argc, argv, &run->lead, message)) {
        fprintf(stderr, "%s: %s\n", run->program, message);
        return false;
    }
    if (foreign_option(o) != NULL) {
        fprintf(stderr, "%s: %s: not for many GPUs; --help lists the options\n", run->program,
                foreign_option(o));
        return false;
    }
    if (!o->all && ((o->types & ~types) != 0 || (o->ops & ~ops) != 0)) {
        fprintf(stderr, "%s: -t, -o: many GPUs share f32 f64 i32, and sum max min\n", run->program);
        return false;
    }
    return true;
}

static int run_pairs(run_t *run)
{
    const options_t *o = &run->options;
    int code = EXIT_RIGHT;

    if (!o->check && o->format == FORMAT_CSV)
        printf("# %s: %s\nway,gpus,work,type,op,n,median_us,min_us,p90_us,gbps\n", run->way->name,
               run->way->summary);
    else
        printf("%s: %s\n%s, %d of %d GPU%s\n", run->program, run->way->summary, run->device.name,
               run->gpus, run->devices, run->devices == 1 ? "" : "s");
    for (size_t i = 0; i < problem_pairs(&run->lead); i++) {
        const problem_t p = problem_pair(&run->lead, i);
        if (!shared(&p) || !options_ask(o, &p, o->check))
            continue;
        const int result = o->check ? check_pair(run, &p) : bench_pair(run, &p);
        code = result > code ? result : code;
    }
    mismatches_finish(&run->mismatches);
    return code;
}

int many_main(int argc, char **argv, const way_t *way)
{
    const char *slash = strrchr(argv[0], '/'), *why;
    char message[OPTIONS_MESSAGE];
    run_t run = {.program = slash != NULL ? slash + 1 : argv[0], .way = way};
    const char *gpus = take_gpus(&argc, argv);

    why = problem_open(&run.lead, &step);
    if (why == NULL && run.lead.kind != KIND_REDUCE)
        why = "the step is no reduction of a vector";
    if (why != NULL) {
        fprintf(stderr, "%s: %s\n", run.program, why);
        return EXIT_USAGE;
    }
    if (!read_options(&run, argc, argv))
        return EXIT_USAGE;
    if (run.options.help) {
        print_help(&run);
        return EXIT_RIGHT;
    }
    if (cudaGetDeviceCount(&run.devices) != cudaSuccess)
        run.devices = 0;
    if (run.devices > 0 && !read_gpus(&run, gpus, message)) {
        fprintf(stderr, "%s: %s\n", run.program, message);
        return EXIT_USAGE;
    }
    if (!device_open(&run.device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s\n", run.program, why);
        return EXIT_NO_GPU;
    }
    run.mismatches = (mismatches_t){
        .step = "many_gpus", .variant = way->name, .device = &run.device, .stream = stderr};
    why = way->open(run.gpus);
    if (why != NULL) {
        fprintf(stderr, "%s: %d GPUs: %s\n", run.program, run.gpus, why);
        return EXIT_NO_GPU;
    }
    const int code = run_pairs(&run);
    way->close(run.gpus);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: the results could not be written to stdout\n", run.program);
        return EXIT_WRONG;
    }
    return code;
}
