/* SPDX-License-Identifier: MIT */
/*
 * test_grade.c - unit tests of the grader: comparisons, tables, conditions, limits, and what a
 * confined process can still do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade/protect/confine.h"
#include "grade/protect/limited.h"
#include "grade/tasks/require.h"
#include "grade/tasks/tasks.h"
#include "tests/unit/test.h"

/* ---- comparisons ---- */

static size_t wrong(double got, double expected, double allowed)
{
    struct comparison c = {0};
    compare(&c, "out", 0, got, expected, allowed);
    return c.wrong;
}

static void nan_is_right_where_nan_is_expected(void)
{
    CHECK(wrong(NAN, 1, 1e30) == 1);
    CHECK(wrong(1, NAN, 1e30) == 1);
    CHECK(wrong(NAN, NAN, 0) == 0);
    CHECK(wrong(NAN, INFINITY, INFINITY) == 1);
}

static void infinity_and_bounds(void)
{
    CHECK(wrong(INFINITY, INFINITY, 0) == 0);
    CHECK(wrong(-INFINITY, INFINITY, INFINITY) == 1);
    CHECK(wrong(INFINITY, 1, INFINITY) == 1);
    CHECK(wrong(1.5, 1, 0.5) == 0);
    CHECK(wrong(1.6, 1, 0.5) == 1);
    CHECK(wrong(1, 1, 0) == 0);
}

/* ---- tables ---- */

static const struct task *first_task(void)
{
    return task_find("01");
}

/* Reads a table of one line. */
static bool reads(const char *line, struct tests *table, char *why, size_t bytes)
{
    char path[] = "/tmp/grade_table.XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "# a comment\n\n%s\n", line);
    fclose(file);
    const bool fine = tests_read(path, first_task(), table, why, bytes);
    unlink(path);
    return fine;
}

static void table_takes_shapes(void)
{
    struct tests t;
    char why[256];
    CHECK(reads("a b | 15 | 1..255x3, 7x0..9@0..3 | uniform | launches >= 1 | why", &t, why, 256));
    CHECK(t.count == 1 && t.points == 15 && t.test[0].shapes == 2);
    CHECK(strcmp(t.test[0].name, "a b") == 0 && t.test[0].hints.count == 1);
    CHECK(!t.test[0].hints.hint[0].when[0] && strcmp(t.test[0].hints.hint[0].text, "why") == 0);
    CHECK(t.test[0].shape[0].size[0].low == 1 && t.test[0].shape[0].size[0].high == 255);
    CHECK(t.test[0].shape[1].offset.high == 3 && t.test[0].shape[0].offset.high == 0);
}

static void table_refuses(void)
{
    static const char *const lines[][2] = {
        {"a | 15 | 1x1 | uniform | ", "6 columns"},
        {"a | 0 | 1x1 | uniform | | h", "points"},
        {"a | 5 points | 1x1 | uniform | | h", "points"},
        {"a | 5 | 1 | uniform | | h", "sizes"},
        {"a | 5 | 9..1x1 | uniform | | h", "sizes"},
        {"a | 5 | 1x1x1 | uniform | | h", "sizes"},
        {"a | 5 | 1x1@ | uniform | | h", "sizes"},
        {"a | 5 | 1x1 | unifor | | h", "data"},
        {"a | 5 | 1x1 | uniform | bank_conflicts == 0 | h", "requires"},
        {"a | 5 | 1x1 | uniform | launches = 1 | h", "requires"},
        {"a | 5 | 1x1 | uniform | | rase: h", "accepted are counters and blocks store race "},
        {"a | 5 | 1x1 | uniform | | h | h | h | h | h", "4 hints"},
        {"", "no test"},
    };
    struct tests t;
    char why[512] = "";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        CHECK(!reads(lines[i][0], &t, why, sizeof why));
        CHECK(strstr(why, lines[i][1]));
    }
}

/* Of a test with a condition, and of one without. */
static bool hints(enum cause cause, const char *fault, const char *condition, const char *expected)
{
    struct tests t;
    char why[256];
    CHECK(reads("a | 5 | 1x1 | uniform | launches >= 1 | the test's | race: of a race "
                "| launches: of launches",
                &t, why, sizeof why));
    return strstr(hint_choose(&t.test[0].hints, cause, fault, condition), expected);
}

static void hints_fit_what_went_wrong(void)
{
    static const char race[] = "race on s[1] in k", outside[] = "out-of-bounds read of 4 bytes";
    struct tests t;
    char why[256];
    CHECK(hints(CAUSE_FINDING, race, "", "of a race"));
    CHECK(hints(CAUSE_FINDING, outside, "", "compare the index"));
    CHECK(hints(CAUSE_FINDING, "race on 4-byte element 0, blocks run in any order", "", "second"));
    CHECK(hints(CAUSE_FINDING, "something new", "", "begin with this message"));
    CHECK(hints(CAUSE_CONDITION, "", "launches >= 1", "of launches"));
    CHECK(hints(CAUSE_CONDITION, race, "barriers == 0", "the test's"));
    CHECK(hints(CAUSE_RESULT, "", "out[0] = 1", "nothing was counted"));
    CHECK(hints(CAUSE_ENDLESS, "", "", "loop"));
    CHECK(reads("a | 5 | 1x1 | uniform | | the test's", &t, why, sizeof why));
    CHECK(strcmp(hint_choose(&t.test[0].hints, CAUSE_RESULT, "", ""), "the test's") == 0);
    CHECK(strstr(hint_choose(&t.test[0].hints, CAUSE_FINDING, race, ""), "barrier"));
}

static void ranges_reach_both_ends(void)
{
    const struct range r = {3, 5};
    rng_t rng = {1};
    bool seen[6] = {false};
    for (int i = 0; i < 200; i++) {
        const size_t x = range_draw(&r, &rng);
        CHECK(x >= 3 && x <= 5);
        seen[x < 6 ? x : 0] = true;
    }
    CHECK(seen[3] && seen[4] && seen[5]);
}

/* ---- conditions ---- */

static bool met(const char *condition, bool faults)
{
    static const size_t size[TASK_SIZES] = {1000, 7};
    static const struct reply reply = {.work_bytes = 64, .count = {2, 30, 40}};
    char expected[256], seen[256];
    const struct facts facts = {.task = first_task(),
                                .size = size,
                                .reply = &reply,
                                .in_bytes = 4000,
                                .out_bytes = 8,
                                .faults = faults};
    return require_met(condition, &facts, expected, seen, sizeof seen);
}

static void conditions(void)
{
    CHECK(met("", true));
    CHECK(met("no faults", false) && !met("no faults", true));
    CHECK(met("launches == 2; shared_ld_requests < 31", true));
    CHECK(!met("launches == 2; shared_ld_requests > 31", false));
    CHECK(met("shared_ld_wavefronts <= 1.25 * in_bytes / (n / 10) - 10", false));
    CHECK(!met("shared_ld_wavefronts <= 1.25 * in_bytes / (n / 10) - 10.1", false));
    CHECK(met("work_bytes != threshold", false) && met("out_bytes >= 2 + 2 * 3", false));
    CHECK(!met("launches > 2", false) && !met("launches < 2", false));
}

/* ---- limits ---- */

static struct ended run(const char *script, double seconds, size_t file_bytes, int out)
{
    char *const argv[] = {"sh", "-c", (char *)(size_t)script, NULL};
    char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    const struct limits l = {.seconds = seconds,
                             .file_bytes = file_bytes,
                             .files = {-1, out, -1, -1, -1},
                             .folder = "/tmp",
                             .other_user = geteuid() == 0};
    return limited_run(argv, environment, &l);
}

static void a_run_ends_in_time(void)
{
    CHECK(run("sleep 60", 0.2, 0, -1).timeout);
    CHECK(run("while :; do :; done", 0.2, 0, -1).timeout);
    char *const loop[] = {"sh", "-c", "while :; do :; done", NULL}, *const none[] = {NULL};
    const struct limits l = {
        .seconds = 20, .cpu_seconds = 1, .files = {-1, -1, -1, -1, -1}, .folder = "/tmp"};
    const struct ended busy = limited_run(loop, none, &l);
    CHECK(!busy.timeout && WIFSIGNALED(busy.status) && WTERMSIG(busy.status) == SIGXCPU);
    const struct ended fine = run("exit 3", 10, 0, -1);
    CHECK(!fine.timeout && WIFEXITED(fine.status) && WEXITSTATUS(fine.status) == 3);
}

static void nothing_is_left_of_a_run(void)
{
    char text[64] = "";
    FILE *out = tmpfile();
    run("sleep 60 & echo $!; trap '' TERM HUP INT; sleep 60 & exit 0", 10, 1000, fileno(out));
    rewind(out);
    CHECK(fgets(text, sizeof text, out));
    CHECK(atoi(text) > 1 && kill(atoi(text), 0) != 0 && errno == ESRCH);
    fclose(out);
}

static void files_are_limited(void)
{
    FILE *out = tmpfile();
    run("while :; do echo 0123456789; done", 5, 5000, fileno(out));
    fseek(out, 0, SEEK_END);
    CHECK(ftell(out) > 0 && ftell(out) <= 5000);
    fclose(out);
}

static void another_user_runs_it(void)
{
    if (geteuid() != 0)
        return;
    CHECK(run("[ $(id -u) -ne 0 ] && ! [ -w /etc/passwd ]", 10, 0, -1).status == 0);
}

/* ---- what a confined process can do ---- */

static int refused(long result)
{
    return result < 0 && (errno == EPERM || errno == EAGAIN) ? 0 : 1;
}

/* The number of calls that were let through. */
static int try_everything(void)
{
    const pid_t parent = getppid(); /* refused as well: what it gives is of no use */
    int through = 0;
    through += refused(fork());
    through += refused(open("/etc/passwd", O_RDONLY));
    through += refused(open("/tmp/grade_forged", O_WRONLY | O_CREAT, 0600));
    through += refused(socket(AF_INET, SOCK_STREAM, 0));
    through += refused(kill(parent, 0));
    through += refused(ptrace(PTRACE_TRACEME, 0, 0, 0));
    through += refused(execl("/bin/true", "true", (char *)NULL));
    through += refused(unlink("/tmp/grade_forged"));
    through += refused(write(9, "x", 1));
    through += refused(mprotect((void *)((size_t)try_everything & ~(size_t)4095), 4096,
                                PROT_READ | PROT_WRITE | PROT_EXEC));
    through += mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0) != MAP_FAILED;
    through += mmap(NULL, (size_t)1 << 32, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0) != MAP_FAILED;
    return through;
}

static void a_confined_process_can_do_nothing(void)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        const bool filtered = confine_process() & 1;
        _exit(filtered ? try_everything() : 100);
    }
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 100)
        printf("skip the filter of system calls: this system has none\n");
    else
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    RUN(nan_is_right_where_nan_is_expected);
    RUN(infinity_and_bounds);
    RUN(table_takes_shapes);
    RUN(table_refuses);
    RUN(hints_fit_what_went_wrong);
    RUN(ranges_reach_both_ends);
    RUN(conditions);
    RUN(a_run_ends_in_time);
    RUN(nothing_is_left_of_a_run);
    RUN(files_are_limited);
    RUN(another_user_runs_it);
    RUN(a_confined_process_can_do_nothing);
    return test_wrong > 0;
}
