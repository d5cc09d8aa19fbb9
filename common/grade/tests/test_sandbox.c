/* SPDX-License-Identifier: MIT */
/*
 * test_sandbox.c - what a program in the sandbox can do, tested with programs that try it.
 *
 *   test_sandbox LEVEL     bwrap, namespaces or limits; 77 if this system does not have it
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade/protect/sandbox.h"
#include "tests/unit/test.h"

enum { SKIPPED = 77 };

static enum sandbox_level level;
static struct folder folder, neighbour;
static bool own_user; /* a run has a user of its own */
static char self[4096], here[4096], enter[4200];

/* ---- runs ---- */

static char *const environment[] = {"PATH=/usr/bin:/bin", NULL};

/* Opens a sandbox for tools, or for the program of this folder. False: stderr says why. */
static bool opened(struct sandbox *s, bool for_tools)
{
    const struct box b = {.level = level,
                          .enter = enter,
                          .folder = folder.path,
                          .shared = for_tools ? here : NULL,
                          .user = folder.user};
    const char *why = sandbox_open(s, &b, environment);
    if (why)
        fprintf(stderr, "%s", why);
    return !why;
}

static struct ended run_in(struct sandbox *s, const char *script, const struct limits *l)
{
    return sandbox_run(s, (char *[]){"sh", "-c", (char *)(size_t)script, NULL}, l);
}

static struct ended run_with(const char *script, const struct limits *l)
{
    struct sandbox s;
    struct ended e = {.status = -1};
    if (opened(&s, true))
        e = run_in(&s, script, l);
    sandbox_close(&s);
    return e;
}

static const struct limits usual = {
    .seconds = 10, .file_bytes = 1 << 20, .files = {-1, -1, -1, -1, -1}};

static struct ended run(const char *script)
{
    return run_with(script, &usual);
}

static bool does(const char *script)
{
    return run(script).status == 0;
}

static bool ends_in(double seconds, const char *script)
{
    return run_with(script, &(struct limits){.seconds = seconds,
                                             .file_bytes = 5000,
                                             .files = {-1, -1, -1, -1, -1}})
        .timeout;
}

static bool ends_in_time(const char *script)
{
    return ends_in(0.2, script);
}

/* How many processes of this machine have this word in their command line. */
static int processes(const char *word)
{
    int found = 0;
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char path[sizeof entry->d_name + 16], text[512] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
        const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
        found += memmem(text, n, word, strlen(word)) != NULL && atoi(entry->d_name) != getpid();
        if (file)
            fclose(file);
    }
    if (all)
        closedir(all);
    return found;
}

/* With limits alone the keeper must become the parent of a run's orphans. Processor emulators may
 * not support that. */
static bool gets_orphans(void)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0)
        _exit(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0);
    return waitpid(child, &status, 0) == child && status == 0;
}

/* ---- every level ---- */

static void a_run_ends_in_time(void)
{
    CHECK(ends_in_time("sleep 60"));
    CHECK(ends_in_time("while :; do :; done"));
    CHECK(ends_in_time("trap '' TERM HUP INT; kill -STOP $$"));
    CHECK(ends_in_time("trap '' HUP INT TERM; setsid sh -c 'sleep 60' & wait"));
    CHECK(does("[ $(ulimit -t) -eq 10 ]")); /* of processor time; it ends by SIGXCPU */
    const struct ended busy = run("kill -XCPU $$");
    CHECK(busy.timeout && WTERMSIG(busy.status) == SIGXCPU);
    const struct ended fine = run("exit 3");
    CHECK(!fine.timeout && WIFEXITED(fine.status) && WEXITSTATUS(fine.status) == 3);
    CHECK(WEXITSTATUS(run("kill -9 $$").status) == 0 && WTERMSIG(run("kill -9 $$").status) == 9);
}

/* A part of its time is enough, and on the clock it takes many times as long: it shares one
 * processor with others. */
static void a_busy_machine_is_no_timeout(void)
{
    enum { BUSY = 16 };
    pid_t busy[BUSY];
    cpu_set_t all, one;
    int first = 0;
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one); /* what is forked from now on has it too */
    for (int i = 0; i < BUSY; i++)
        if ((busy[i] = fork()) == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            setsid(); /* Linux shares the processor between sessions first */
            for (;;)
                ;
        }
    const double start = now();
    const bool ended = ends_in(0.1, "i=0; while [ $i -lt 75000 ]; do i=$((i+1)); done");
    const double seconds = now() - start;
    for (int i = 0; i < BUSY; i++) {
        kill(busy[i], SIGKILL);
        waitpid(busy[i], NULL, 0);
    }
    sched_setaffinity(0, sizeof all, &all);
    CHECK(!ended);
    if (seconds < 0.4)
        printf("skip a busy machine: this one took %.1f s all the same\n", seconds);
}

static void nothing_is_left_of_a_run(void)
{
    char word[32], script[256];
    snprintf(word, sizeof word, "60.%d", (int)getpid());
    snprintf(script, sizeof script,
             "trap '' TERM HUP INT; sleep %s & setsid sh -c 'setsid sleep %s & setsid sleep %s &' "
             "& (setsid sleep %s &) ; exit 0",
             word, word, word, word);
    CHECK(does(script) && processes(word) == 0);
    snprintf(script, sizeof script, "(setsid sleep %s &); sleep %s", word, word);
    CHECK(ends_in_time(script) && processes(word) == 0);
}

static void files_are_limited(void)
{
    FILE *out = tmpfile();
    run_with(
        "while :; do echo 0123456789; done",
        &(struct limits){.seconds = 5, .file_bytes = 5000, .files = {-1, fileno(out), -1, -1, -1}});
    fseek(out, 0, SEEK_END);
    CHECK(ftell(out) > 0 && ftell(out) <= 5000);
    fclose(out);
}

static void files_are_those_given(void)
{
    CHECK(does("[ -c /dev/null ] && echo x >/dev/null && : <&0 && ! (: >&3) && ! (: >&5) && "
               "! (: >&6) && ! (: >&7) && ! (: >&8) && ! (: >&9)"));
    CHECK(does("[ -z \"$HOME$USER$LD_PRELOAD\" ]"));
}

/* One sandbox runs several programs: each has its own limits, and after each its processes are
 * gone, its files closed and its memory free. */
static void nothing_of_a_run_reaches_the_next(void)
{
    struct sandbox s;
    char word[32], script[128];
    FILE *out = tmpfile();
    struct limits l = usual, less = usual;
    snprintf(word, sizeof word, "61.%d", (int)getpid());
    snprintf(script, sizeof script,
             "(setsid sleep %s &); umask 0; ulimit -n 20; cd /; X=1; export X", word);
    CHECK(opened(&s, true));
    l.files[4] = fileno(out);
    less.seconds = 3;
    less.file_bytes = 512 * 7;
    CHECK(run_in(&s, script, &l).status == 0);
    if (level > SANDBOX_LIMITS || gets_orphans())
        CHECK(processes(word) == 0);
    CHECK(run_in(&s,
                 "[ -z \"$X\" ] && [ $(umask) = 0077 ] && [ $(ulimit -n) -gt 20 ] && "
                 "[ $(ulimit -t) = 10 ] && [ \"$(pwd)\" != / ] && ! (: >&4)",
                 &usual)
              .status == 0);
    CHECK(run_in(&s, "[ $(ulimit -t) = 3 ] && [ $(ulimit -f) = 7 ]", &less).status == 0);
    less.seconds = 0.2;
    CHECK(run_in(&s, "sleep 60", &less).timeout && s.keeper == 0);
    CHECK(!run_in(&s, "exit 0", &usual).timeout && run_in(&s, "exit 0", &usual).status != 0);
    CHECK(opened(&s, true) && run_in(&s, "exit 0", &usual).status == 0);
    sandbox_close(&s);
    fclose(out);
}

/* If the grader is killed, everything that it started ends. */
static void a_killed_grader_leaves_nothing(void)
{
    static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        char word[32], script[128], path[sizeof folder.path] = "";
        int names[2], status, tries = 0;
        CHECK(pipe(names) == 0);
        const pid_t grader = fork();
        if (grader == 0) {
            signal(signals[i], SIG_DFL); /* a shell makes its background jobs ignore SIGINT */
            if (!folder_make(&folder, "/tmp", own_user) ||
                write(names[1], folder.path, sizeof folder.path) < 0)
                _exit(1);
            snprintf(script, sizeof script, "n=%d; (setsid sleep 62.$n &); sleep 62.$n",
                     (int)getpid());
            run_with(script, &(struct limits){.seconds = 60, .files = {-1, -1, -1, -1, -1}});
            _exit(0);
        }
        snprintf(word, sizeof word, "62.%d", (int)grader); /* not in any shell's command line */
        CHECK(read(names[0], path, sizeof path) > 0 && access(path, F_OK) == 0);
        while (processes(word) < 2 && tries++ < 500)
            usleep(10000);
        CHECK(processes(word) == 2);
        kill(grader, signals[i]);
        CHECK(waitpid(grader, &status, 0) == grader && WIFSIGNALED(status));
        for (tries = 0; (processes(word) > 0 || access(path, F_OK) == 0) && tries < 500; tries++)
            usleep(10000);
        CHECK(processes(word) == 0 && access(path, F_OK) != 0);
        close(names[0]);
        close(names[1]);
    }
}

static void another_user_runs_it(void)
{
    if (own_user)
        CHECK(does("[ $(id -u) -ne 0 ] && ! [ -w /etc ] && ! [ -r /etc/shadow ]"));
}

/* ---- namespaces ---- */

static void it_sees_no_other_process(void)
{
    char script[128];
    snprintf(script, sizeof script, "kill -0 %d || kill -0 %d || [ -e /proc/self/stat ]",
             (int)getpid(), (int)getppid());
    CHECK(!does(script));
    CHECK(does("[ $$ -lt 10 ]"));
}

static void it_sees_its_own_files_only(void)
{
    char script[sizeof self * 2 + 512];
    snprintf(script, sizeof script, "ls '%s'", neighbour.path);
    CHECK(!does(script));
    CHECK(!does("cat /etc/passwd") && !does("cat /etc/hostname"));
    /* Of /home only the path to the course, if the course is there. */
    snprintf(script, sizeof script,
             "way=%s; for top in /home /root /var /sys; do case $way/ in $top/*)"
             " while [ $top != $way ]; do"
             "  next=${way#$top/}; next=${next%%%%/*};"
             "  [ \"$(ls -A $top)\" = $next ] || exit 1; top=$top/$next;"
             " done ;;"
             "*) [ ! -e $top ] || exit 1 ;; esac; done",
             here);
    CHECK(does(script));
    snprintf(script, sizeof script,
             "[ \"$(ls -d /tmp/grade.*)\" = \"$(pwd)\" ] && [ \"$(pwd)\" = '%s' ]", folder.path);
    CHECK(does(script));
    CHECK(!does("echo x >/usr/forged") && !does("echo x >/forged") && !does("mkdir /tmp/forged"));
    snprintf(script, sizeof script, "[ -r '%s' ] && ! echo x >'%s.forged'", self, self);
    CHECK(does(script));
    CHECK(does("echo x >kept && [ -s kept ]"));
}

/* In the program's sandbox: nothing but its own folder. A script has no /bin/sh there; enter needs
 * no file, and reports missing arguments. */
static int program_ends(const char *made_by)
{
    char script[sizeof enter + 64];
    struct sandbox s;
    snprintf(script, sizeof script, "cd '%s' && %s && chmod 755 program", folder.path, made_by);
    CHECK(system(script) == 0 && opened(&s, false));
    const struct ended e = sandbox_run(&s, (char *[]){"./program", NULL}, &usual);
    sandbox_close(&s);
    return WEXITSTATUS(e.status);
}

static void a_program_has_its_folder_alone(void)
{
    char copy[sizeof enter + 32];
    CHECK(program_ends("echo '#!/bin/sh' >program") == SANDBOX_FAILED);
    snprintf(copy, sizeof copy, "cp '%s' program", enter);
    CHECK(program_ends(copy) == SANDBOX_FAILED + 1);
}

static bool has_filter(void)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0)
        _exit(filter_set(true) ? 0 : 1);
    return waitpid(child, &status, 0) == child && status == 0;
}

/* What one run would leave in a file does not reach the next. */
static void a_program_leaves_no_file(void)
{
    if (level == SANDBOX_LIMITS && !has_filter()) {
        printf("skip files of a program: this system has no filter of system calls\n");
        return;
    }
    CHECK(program_ends("printf '#include <fcntl.h>\\n#include <unistd.h>\\nint main(void) { return "
                       "open(\"left\", O_WRONLY | O_CREAT, 0600) >= 0 || unlink(\"program\") == 0; "
                       "}' | ${CC:-cc} -static -x c - -o program") == 0);
    CHECK(does("[ ! -e left ] && [ -e program ]"));
}

/* The grader listens; it is called with the number of its port from inside. */
static void it_has_no_network(void)
{
    char script[4200];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 4) == 0 &&
          getsockname(fd, (struct sockaddr *)&at, &bytes) == 0);
    const int outside = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(outside, (struct sockaddr *)&at, sizeof at) == 0);
    snprintf(script, sizeof script, "exec '%s' --connect %d", self, ntohs(at.sin_port));
    CHECK(WEXITSTATUS(run(script).status) == 1);
    close(outside);
    close(fd);
}

static int connects(const char *port)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)atoi(port)),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0 ? 0 : 1;
}

/* ---- the filter ---- */

static int refused(long result)
{
    return result < 0 && (errno == EPERM || errno == EAGAIN) ? 0 : 1;
}

/* The number of calls that were allowed. */
static int try_everything(bool start)
{
    pid_t parent = getppid(); /* refused as well, but its result is useless */
    int through = 0;
    through += refused(fork());
    through += refused(open("/tmp/grade_forged", O_WRONLY | O_CREAT, 0600));
    through += refused(socket(AF_INET, SOCK_STREAM, 0));
    through += refused(kill(parent, 0));
    through += refused(setsid());
    through += refused(ptrace(PTRACE_TRACEME, 0, 0, 0));
    through += refused(unlink("/tmp/grade_forged"));
    through += refused(write(9, "x", 1));
    through += refused(mprotect((void *)((size_t)try_everything & ~(size_t)4095), 4096,
                                PROT_READ | PROT_WRITE | PROT_EXEC));
    through += mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0) != MAP_FAILED;
    if (start)
        return through;
    through += refused(open("/etc/passwd", O_RDONLY));
    through += refused(read(STDIN_FILENO, &parent, 0));
    through += refused(execl("/bin/true", "true", (char *)NULL));
    return through;
}

static void a_filtered_process_can_do_nothing(void)
{
    for (int start = 0; start < 2; start++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0)
            _exit(filter_set(start != 0) ? try_everything(start != 0) : 100);
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 100)
            printf("skip the filter of system calls: this system has none\n");
        else
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--connect") == 0)
        return connects(argv[2]);
    while (level < SANDBOX_LEVELS && (argc != 2 || strcmp(argv[1], sandbox_names[level]) != 0))
        level++;
    own_user = geteuid() == 0;
    if (level == SANDBOX_LEVELS || !realpath(argv[0], self) ||
        !folder_make(&folder, "/tmp", own_user) || !folder_make(&neighbour, "/tmp", false)) {
        fprintf(stderr, "usage: test_sandbox bwrap|namespaces|limits\n");
        return 2;
    }
    snprintf(here, sizeof here, "%.*s", (int)(strrchr(self, '/') - self), self);
    snprintf(enter, sizeof enter, "%s/../enter", here);
    if (level == SANDBOX_LIMITS && own_user && !does("exit 0")) { /* as course_init() does */
        printf("skip a user of its own: root alone can read the course\n");
        folder_end(&folder);
        own_user = false;
        CHECK(folder_make(&folder, "/tmp", false));
    }
    struct sandbox first;
    const bool there = opened(&first, true);
    sandbox_close(&first);
    if (!there) {
        folder_end(&folder);
        folder_end(&neighbour);
        return SKIPPED;
    }
    RUN(a_run_ends_in_time);
    if (level == SANDBOX_LIMITS || getenv("FULL"))
        RUN(a_busy_machine_is_no_timeout);
    RUN(files_are_limited);
    RUN(files_are_those_given);
    RUN(nothing_of_a_run_reaches_the_next);
    if (level > SANDBOX_LIMITS || gets_orphans()) {
        RUN(nothing_is_left_of_a_run);
        RUN(a_killed_grader_leaves_nothing);
    } else {
        printf("skip what is left of a run: this system has no PR_SET_CHILD_SUBREAPER\n");
    }
    RUN(another_user_runs_it);
    if (level > SANDBOX_LIMITS) {
        RUN(it_sees_no_other_process);
        RUN(it_sees_its_own_files_only);
        RUN(a_program_has_its_folder_alone);
        RUN(it_has_no_network);
    }
    RUN(a_program_leaves_no_file);
    RUN(a_filtered_process_can_do_nothing);
    folder_end(&folder);
    folder_end(&neighbour);
    return test_wrong > 0;
}
