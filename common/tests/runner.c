/* SPDX-License-Identifier: MIT */
/*
 * runner.c - runs the tests. A test is a case, which the head of a file describes; README.md has
 * the grammar. Cases run in parallel, each in its own process group with a limit of time, and print
 * a verdict each: `ok   NAME`, or `FAIL NAME` and below it the reason and the output.
 *
 *   runner [-j JOBS] [-t SECONDS] FILE...
 *
 * From the environment: BUILD; DEVICE, cpu or gpu; FULL, run what takes long as well; ONLY, run the
 * cases whose names contain this pattern of the shell. The last line is `N passed, N failed`; the
 * status is 0 if none failed, 1 if one did, 2 if a head is wrong.
 */
#define _GNU_SOURCE /* vasprintf, wait4 */
#include <fcntl.h>
#include <fnmatch.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINES = 8, SHOWN_LINES = 20, SLOWEST = 10, COLUMNS = 100, GRACE_SECONDS = 2 };
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
enum where { ON_CPU = 1, ON_GPU = 2, ALONE = 4 };

/* The lines of a field. Those of the file hold for a case that has none of its own. */
typedef struct {
    size_t count;
    const char *text[MAX_LINES];
    bool is_default;
} lines_t;

typedef struct {
    const char *file;
    const char *name; /* with the group */
    const char *word; /* without it: $CASE for its commands */
    bool is_suite;    /* it prints verdicts of its own */
    int exit;
    unsigned where;
    lines_t run, full, says, matches, counts; /* once it is selected, `run` is what runs */
    double seconds, processor_seconds;
} case_t;

typedef struct {
    case_t *cases;
    size_t count;
} tests_t;

/* A case that runs. */
typedef struct {
    case_t *test;
    size_t command; /* which one of its lines */
    pid_t pid;
    double started, deadline;
    bool is_overdue;
    FILE *out, *err;
} job_t;

typedef struct {
    job_t *jobs;
    size_t most, running;
    double limit; /* seconds of a command; of processor time a third of it */
    size_t passed, failed;
} run_t;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static void *allocate(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes);
    if (memory == NULL)
        die("runner: memory");
    return memory;
}

/* What the cases point to is never freed: it is in use to the end. */
static char *format(const char *text, ...)
{
    char *result;
    va_list arguments;

    va_start(arguments, text);
    if (vasprintf(&result, text, arguments) < 0)
        die("runner: memory");
    va_end(arguments);
    return result;
}

/* All that is left to read, or all before a byte of 0; the caller frees it. */
static char *read_all(FILE *file)
{
    char *text = NULL;
    size_t room = 0;

    return getdelim(&text, &room, '\0', file) > 0 ? text : format("");
}

/* ---- heads of files ---- */

typedef struct {
    tests_t *tests;
    const char *file, *group;
    int line;
    size_t first;    /* case of this file */
    case_t defaults; /* what the file says before its first case */
    bool in_head;
} parser_t;

static const struct {
    const char *word;
    enum { GROUP, CASE, SUITE, EXIT, WHERE, COMMAND, COUNT, REGEX, LINES } kind;
    size_t offset; /* of the lines in a case */
} fields[] = {
    {"Group", GROUP, 0},
    {"Case", CASE, 0},
    {"Suite", SUITE, 0},
    {"Run", COMMAND, offsetof(case_t, run)},
    {"Full", COMMAND, offsetof(case_t, full)},
    {"Exit", EXIT, 0},
    {"Says", LINES, offsetof(case_t, says)},
    {"Matches", REGEX, offsetof(case_t, matches)},
    {"Count", COUNT, offsetof(case_t, counts)},
    {"Where", WHERE, 0},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void refuse(const parser_t *p, const char *why, const char *text)
{
    fprintf(stderr, "%s:%d: %s%s%s\n", p->file, p->line, why, *text ? ": " : "", text);
    exit(2);
}

static bool has_case(const parser_t *p)
{
    return p->tests->count > p->first;
}

static void add_line(const parser_t *p, lines_t *lines, const char *text)
{
    if (lines->is_default)
        *lines = (lines_t){0};
    if (*text == '\0' || lines->count == MAX_LINES)
        refuse(p, *text ? "too many lines of this field" : "a field is empty", text);
    lines->text[lines->count++] = text;
}

/* `NAME - what it is`, or a name that says it */
static void add_case(const parser_t *p, char *text, bool is_suite)
{
    tests_t *t = p->tests;
    const size_t length = strcspn(text, " ");
    case_t new = p->defaults;

    if (length == 0 || (text[length] != '\0' && strncmp(text + length, " - ", 3) != 0))
        refuse(p, "it should be 'NAME - what it is'", text);
    text[length] = '\0';
    new.file = p->file;
    new.word = text;
    new.name = p->group ? format("%s %s", p->group, text) : text;
    new.is_suite = is_suite;
    new.run.is_default = new.full.is_default = true;
    new.says.is_default = new.matches.is_default = new.counts.is_default = true;
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->cases[i].name, new.name) == 0)
            refuse(p, "there is another case of this name", new.name);
    t->cases = allocate(t->cases, (t->count + 1) * sizeof *t->cases);
    t->cases[t->count++] = new;
}

static int status_of(const parser_t *p, const char *text)
{
    char *end;
    const long status = strtol(text, &end, 10);
    if (end == text || *end != '\0' || status < 0 || status > 255)
        refuse(p, "a status is 0 to 255", text);
    return (int)status;
}

static unsigned places_of(const parser_t *p, char *text)
{
    static const char *const words[] = {"cpu", "gpu", "alone"}; /* as in the enum */
    unsigned where = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        size_t i = 0;
        while (i < 3 && strcmp(word, words[i]) != 0)
            i++;
        if (i == 3)
            refuse(p, "a place is cpu, gpu or alone", word);
        where |= 1u << i;
    }
    return where;
}

/* `REGEX` of `N REGEX`; the same text if there is no number. */
static const char *after_number(const char *text)
{
    const size_t digits = strspn(text, DIGITS);
    return digits > 0 && text[digits] == ' ' ? text + digits + 1 : text;
}

static void check_regex(const parser_t *p, const char *text)
{
    regex_t regex;
    if (regcomp(&regex, text, REG_EXTENDED) != 0)
        refuse(p, "this is no regular expression", text);
    regfree(&regex);
}

static void read_field(parser_t *p, size_t field, char *text)
{
    case_t *c = has_case(p) ? &p->tests->cases[p->tests->count - 1] : &p->defaults;
    switch (fields[field].kind) {
    case GROUP:
        if (has_case(p) || p->group != NULL)
            refuse(p, "the group comes first, and once", text);
        p->group = text;
        break;
    case CASE:
    case SUITE:
        add_case(p, text, fields[field].kind == SUITE);
        break;
    case EXIT:
        c->exit = status_of(p, text);
        break;
    case WHERE:
        c->where = places_of(p, text);
        break;
    case COMMAND: /* the first one replaces the commands of the file, of both fields */
        if (c->run.is_default)
            c->run = c->full = (lines_t){0};
        break;
    case COUNT:
        if (after_number(text) == text)
            refuse(p, "a count is 'N REGEX'", text);
        check_regex(p, after_number(text));
        break;
    case REGEX:
        check_regex(p, text);
        break;
    case LINES:
        break;
    }
    if (fields[field].offset > 0)
        add_line(p, (lines_t *)((char *)c + fields[field].offset), text);
}

/* What a line of a comment says; NULL for any other line. */
static char *comment_of(char *line)
{
    static const char *const begins[] = {"//", "#", " *", "/*"};
    for (size_t i = 0; i < 4; i++) {
        size_t length = strlen(begins[i]);
        char *end = strstr(line, " */");
        if (strncmp(line, begins[i], length) != 0 || (line[length] && line[length] != ' '))
            continue;
        if (end != NULL && end[3] == '\0')
            *end = '\0';
        return line + length + (line[length] == ' ');
    }
    return NULL;
}

/* A head begins with a group, a case or a suite, and ends with the comment. */
static void read_line(parser_t *p, char *line)
{
    char *text = comment_of(line);
    const size_t length = text ? strspn(text, LETTERS) : 0;
    size_t i = 0;

    p->in_head &= text != NULL;
    /* `Word: text`, or `Word:` at the end of the line */
    if (length == 0 || *text > 'Z' || text[length] != ':' || !strchr(" ", text[length + 1]))
        return;
    while (i < FIELDS &&
           (strlen(fields[i].word) != length || strncmp(fields[i].word, text, length)))
        i++;
    p->in_head |= i < FIELDS && fields[i].kind <= SUITE;
    if (p->in_head != (i < FIELDS))
        refuse(p, p->in_head ? "there is no such field" : "this line is in no head", text);
    if (p->in_head)
        read_field(p, i, text + length + 1 + strspn(text + length + 1, " "));
}

/* A script is its own command. */
static void check_case(parser_t *p, case_t *c)
{
    size_t length = strlen(c->file);
    if (c->run.count + c->full.count == 0 && length > 3 && strcmp(c->file + length - 3, ".sh") == 0)
        add_line(p, &c->run, format("sh %s", c->file));
    if (c->run.count + c->full.count == 0)
        refuse(p, "a case has no command", c->name);
}

static void read_file(tests_t *tests, const char *path)
{
    parser_t p = {.tests = tests, .file = path, .first = tests->count};
    FILE *file = fopen(path, "r");
    char *rest, *line;

    if (file == NULL)
        refuse(&p, "it cannot be read", "");
    rest = read_all(file);
    fclose(file);
    while ((line = strsep(&rest, "\n")) != NULL) {
        p.line++;
        read_line(&p, line);
    }
    if (tests->count == p.first)
        refuse(&p, "it has no case", "");
    for (size_t i = p.first; i < tests->count; i++)
        check_case(&p, &tests->cases[i]);
}

/* ---- which cases ---- */

/* Names a case that needs FULL=1, a line of many names at a time. */
static void print_left_out(const case_t *c, size_t *column)
{
    if (*column == 0)
        printf("left out without FULL=1:");
    if (*column == 0 || *column + strlen(c->name) + 2 > COLUMNS)
        *column = (size_t)printf("\n  %s", c->name);
    else
        *column += (size_t)printf(", %s", c->name);
}

/* Takes the cases that run on this device to the front. */
static void select_cases(tests_t *t, const char *only, unsigned device, bool is_full)
{
    char *pattern = format("*%s*", only);
    size_t kept = 0, column = 0;

    for (size_t i = 0; i < t->count; i++) {
        case_t c = t->cases[i];
        const unsigned devices = c.where & (ON_CPU | ON_GPU);
        if ((devices != 0 && !(devices & device)) || fnmatch(pattern, c.name, 0) != 0)
            continue;
        if (is_full && c.full.count > 0)
            c.run = c.full;
        if (c.run.count > 0)
            t->cases[kept++] = c;
        else
            print_left_out(&c, &column);
    }
    fputs(column > 0 ? "\n" : "", stdout);
    fflush(stdout);
    free(pattern);
    t->count = kept;
}

/* ---- one command ---- */

static void run_child(const job_t *job, double limit)
{
    const rlim_t seconds = (rlim_t)(limit / 3) + 1;
    const struct rlimit processor = {seconds, seconds + GRACE_SECONDS};
    const char *command = job->test->run.text[job->command];
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    setrlimit(RLIMIT_CPU, &processor);
    setenv("CASE", job->test->word, 1);
    if (dup2(open("/dev/null", O_RDONLY), 0) == 0 && dup2(fileno(job->out), 1) == 1 &&
        dup2(fileno(job->err), 2) == 2)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static FILE *output_file(void)
{
    FILE *file = tmpfile();
    if (file == NULL || fcntl(fileno(file), F_SETFD, FD_CLOEXEC) != 0)
        die("runner: a file for output");
    return file;
}

static void start(run_t *run, job_t *job)
{
    job->out = output_file();
    job->err = output_file();
    job->is_overdue = false;
    job->started = now();
    job->deadline = job->started + run->limit;
    job->pid = fork();
    if (job->pid < 0)
        die("runner: fork");
    if (job->pid == 0)
        run_child(job, run->limit);
    setpgid(job->pid, job->pid); /* here too: it may not have come so far */
}

/* ---- verdicts ---- */

/* What was printed, with lines that four spaces continue joined by commas; the caller frees it. */
static char *joined(const char *err, const char *out)
{
    char *text = format("%s%s", err, out), *to = text;
    for (const char *from = text; *from != '\0';) {
        if (strncmp(from, "\n    ", 5) == 0) {
            from += 1 + strspn(from + 1, " ");
            *to++ = ','; /* the two are fewer than those that they replace */
            *to++ = ' ';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

/* Is it there? A number at its end must end there as well. */
static bool contains(const char *text, const char *piece)
{
    const size_t length = strlen(piece);
    const bool ends_in_digit = length > 0 && strspn(piece + length - 1, DIGITS) > 0;
    for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece))
        if (!ends_in_digit || strspn(at + length, DIGITS) == 0)
            return true;
    return false;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t regex;
    bool found = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) == 0;
    if (found) {
        found = regexec(&regex, text, 0, NULL, 0) == 0;
        regfree(&regex);
    }
    return found;
}

/* The number of the line with `// MARK NAME`, which may name other cases too; 0 if none has it. */
static int marked_line(const case_t *c, char mark)
{
    char *pattern = format("// %c ([^/]* )?%s([^a-z0-9_]|$)", mark, c->word);
    FILE *file = fopen(c->file, "r");
    char *line = NULL;
    size_t room = 0;
    int number = 0;
    bool found = false;

    while (!found && getline(&line, &room, file) > 0) {
        number++;
        found = matches(line, pattern);
    }
    free(line);
    free(pattern);
    fclose(file);
    return found ? number : 0;
}

/* Text with `@1` replaced by the file and line that the mark 1 is in; the caller frees it. */
static char *with_places(const case_t *c, const char *text)
{
    const char *at = strchr(text, '@');
    char *rest, *result;

    if (at == NULL || at[1] < '1' || at[1] > '9')
        return format("%s", text);
    rest = with_places(c, at + 2);
    result = format("%.*s%s:%d%s", (int)(at - text), text, c->file, marked_line(c, at[1]), rest);
    free(rest);
    return result;
}

static void judge_status(const job_t *job, int status, double limit, FILE *why)
{
    const int wanted = job->test->exit;
    if (job->is_overdue)
        fprintf(why, "no end after %g s\n", limit);
    else if (WIFSIGNALED(status))
        fprintf(why, "killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != wanted)
        fprintf(why, "exit %d, expected %d\n", WEXITSTATUS(status), wanted);
}

/* Are all pieces of `a | b` there? */
static void judge_pieces(const case_t *c, const char *text, const char *said, FILE *why)
{
    char *pieces = with_places(c, text), *rest = pieces;
    while (rest != NULL) {
        char *piece = rest;
        rest = strstr(piece, " | ");
        if (rest != NULL) {
            *rest = '\0';
            rest += 3;
        }
        if (!contains(said, piece))
            fprintf(why, "it does not say: %s\n", piece);
    }
    free(pieces);
}

static void judge_match(const case_t *c, const char *text, const char *said, FILE *why)
{
    char *pattern = with_places(c, text);
    if (!matches(said, pattern))
        fprintf(why, "no line matches: %s\n", pattern);
    free(pattern);
}

/* `N REGEX`: so many lines match */
static void judge_count(const char *text, const char *said, FILE *why)
{
    char *lines = format("%s", said), *rest = lines, *line;
    long count = 0;

    while ((line = strsep(&rest, "\n")) != NULL)
        count += matches(line, after_number(text));
    if (count != strtol(text, NULL, 10))
        fprintf(why, "%ld lines match, expected %s\n", count, text);
    free(lines);
}

static void judge_output(const case_t *c, const char *out, const char *err, FILE *why)
{
    char *said = joined(err, out);
    for (size_t i = 0; i < c->says.count; i++)
        judge_pieces(c, c->says.text[i], said, why);
    for (size_t i = 0; i < c->matches.count; i++)
        judge_match(c, c->matches.text[i], said, why);
    for (size_t i = 0; i < c->counts.count; i++)
        judge_count(c->counts.text[i], said, why);
    if (c->exit == 0 && c->says.count == 0 && *err != '\0')
        fprintf(why, "stderr is not empty\n");
    free(said);
}

static void print_indented(const char *begin, const char *text, int most)
{
    for (int i = 0; *text != '\0' && i < most; i++) {
        size_t length = strcspn(text, "\n");
        printf("    %s%.*s\n", begin, (int)length, text);
        text += length + (text[length] != '\0');
    }
}

static void print_verdict(run_t *run, const case_t *c, const char *why, const char *out,
                          const char *err)
{
    if (*why == '\0') {
        run->passed++;
        printf("ok   %s\n", c->name);
        return;
    }
    run->failed++;
    printf("FAIL %s\n", c->name);
    print_indented("", why, SHOWN_LINES);
    print_indented("stdout: ", out, SHOWN_LINES);
    print_indented("stderr: ", err, SHOWN_LINES);
}

/* Prints the verdicts of a suite, with its name if it is of a group; returns how many there are. */
static size_t pass_on(run_t *run, const case_t *c, const char *out)
{
    const bool has_group = c->name != c->word;
    size_t verdicts = 0;
    for (size_t length; *out != '\0'; out += length + (out[length] != '\0')) {
        const bool ok = strncmp(out, "ok   ", 5) == 0, skip = strncmp(out, "skip ", 5) == 0;
        const bool fail = strncmp(out, "FAIL ", 5) == 0;
        length = strcspn(out, "\n");
        if ((ok || fail) && has_group)
            printf("%.5s%s: %.*s\n", out, c->name, (int)length - 5, out + 5);
        else if (ok || fail || skip || strncmp(out, "    ", 4) == 0)
            printf("%.*s\n", (int)length, out);
        run->passed += ok;
        run->failed += fail;
        verdicts += ok || fail || skip;
    }
    return verdicts;
}

static void judge(run_t *run, const job_t *job, int status)
{
    const case_t *c = job->test;
    const size_t failed = run->failed;
    char *out, *err, *why;
    size_t bytes;
    FILE *stream = open_memstream(&why, &bytes);

    rewind(job->out);
    rewind(job->err);
    out = read_all(job->out);
    err = read_all(job->err);
    judge_status(job, status, run->limit, stream);
    if (!c->is_suite)
        judge_output(c, out, err, stream);
    else if (pass_on(run, c, out) == 0)
        fprintf(stream, "it prints no verdict\n");
    fclose(stream);
    /* a suite that reported a failure ends with 1, and needs no verdict of its own */
    if (!c->is_suite || (*why != '\0' && run->failed == failed))
        print_verdict(run, c, why, out, err);
    fflush(stdout);
    free(out);
    free(err);
    free(why);
}

/* ---- all of them ---- */

/* After a 0 the case's next command follows; else, or after the last, its verdict. */
static void end_command(run_t *run, job_t *job, int status, const struct rusage *usage)
{
    case_t *c = job->test;
    const double user = (double)usage->ru_utime.tv_sec + 1e-6 * (double)usage->ru_utime.tv_usec;
    const double system = (double)usage->ru_stime.tv_sec + 1e-6 * (double)usage->ru_stime.tv_usec;
    const bool is_last = job->command + 1 == c->run.count;
    const bool goes_on = status == 0 && !job->is_overdue && !is_last;

    kill(-job->pid, SIGKILL); /* the children that it leaves */
    c->seconds += now() - job->started;
    c->processor_seconds += user + system;
    if (!goes_on)
        judge(run, job, status);
    fclose(job->out);
    fclose(job->err);
    if (goes_on) {
        job->command++;
        start(run, job);
        return;
    }
    *job = run->jobs[--run->running];
}

static void reap(run_t *run)
{
    for (size_t i = run->running; i-- > 0;) {
        struct rusage usage;
        int status;
        if (wait4(run->jobs[i].pid, &status, WNOHANG, &usage) > 0)
            end_command(run, &run->jobs[i], status, &usage);
    }
}

static void kill_all(const run_t *run, int signal)
{
    for (size_t i = 0; i < run->running; i++)
        kill(-run->jobs[i].pid, signal);
}

/* First they are asked to end: `timeout` has its command in another group, and passes that on. */
static void stop_overdue(run_t *run)
{
    for (size_t i = 0; i < run->running; i++) {
        job_t *job = &run->jobs[i];
        if (now() < job->deadline)
            continue;
        kill(-job->pid, job->is_overdue ? SIGKILL : SIGTERM);
        job->is_overdue = true;
        job->deadline = now() + GRACE_SECONDS;
    }
}

/* Until a child ends or a second is over. Ctrl-C reaches no other group than this one. */
static void wait_for_child(run_t *run, const sigset_t *signals)
{
    const struct timespec second = {1, 0};
    const int signal = sigtimedwait(signals, NULL, &second);
    if (signal <= 0 || signal == SIGCHLD)
        return;
    kill_all(run, SIGTERM);
    sleep(1);
    kill_all(run, SIGKILL);
    exit(128 + signal);
}

static void run_cases(run_t *run, const tests_t *tests, bool alone)
{
    const size_t most = alone ? 1 : run->most;
    size_t next = 0;
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    do {
        for (; next < tests->count && run->running < most; next++) {
            if (!!(tests->cases[next].where & ALONE) != alone)
                continue;
            run->jobs[run->running] = (job_t){.test = &tests->cases[next]};
            start(run, &run->jobs[run->running++]);
        }
        if (run->running > 0)
            wait_for_child(run, &signals);
        reap(run);
        stop_overdue(run);
    } while (run->running > 0 || next < tests->count);
}

static int by_seconds(const void *a, const void *b)
{
    const double x = ((const case_t *)a)->seconds, y = ((const case_t *)b)->seconds;
    return (x < y) - (x > y);
}

static void print_slowest(const tests_t *tests)
{
    qsort(tests->cases, tests->count, sizeof *tests->cases, by_seconds);
    puts("slowest, in seconds and seconds of processor time:");
    for (size_t i = 0; i < tests->count && i < SLOWEST; i++)
        printf("  %7.1f %7.1f  %s\n", tests->cases[i].seconds, tests->cases[i].processor_seconds,
               tests->cases[i].name);
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : otherwise;
}

static double positive(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 1)) {
        fprintf(stderr, "runner: '%s' is not a number from 1 on\n", text);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    run_t run = {.most = (size_t)sysconf(_SC_NPROCESSORS_ONLN) + 1, .limit = 1800};
    const bool is_full = *setting("FULL", "") != '\0';
    const bool on_gpu = strcmp(setting("DEVICE", "cpu"), "gpu") == 0;
    tests_t tests = {0};
    int option;

    while ((option = getopt(argc, argv, "j:t:")) != -1) {
        if (option == '?')
            return 2;
        if (option == 'j')
            run.most = (size_t)positive(optarg);
        else
            run.limit = positive(optarg);
    }
    for (int i = optind; i < argc; i++)
        read_file(&tests, argv[i]);
    select_cases(&tests, setting("ONLY", ""), on_gpu ? ON_GPU : ON_CPU, is_full);
    run.jobs = allocate(NULL, run.most * sizeof *run.jobs);
    run_cases(&run, &tests, false);
    run_cases(&run, &tests, true);
    if (is_full)
        print_slowest(&tests);
    if (run.passed + run.failed == 0) {
        fprintf(stderr, "make test: ONLY='%s': no case that runs here has that in its name%s\n",
                setting("ONLY", ""), is_full ? "" : "; FULL=1 has more");
        run.failed = 1;
    }
    printf("%zu passed, %zu failed\n", run.passed, run.failed);
    return run.failed > 0;
}
