/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "limited.h"
#include "submission.h"

enum { FIRST_MESSAGES_BYTES = 1 << 16, MESSAGE_FILE_BYTES = 1 << 20 };

/* ---- messages of the emulator ---- */

/*
 * The child may start no addr2line, so its messages say `code address 0x1234`. Here this becomes
 * `kernel.cu:33`. A return address lies behind the call: one byte less is inside of it.
 */
void submission_line(const struct submission *s, unsigned long address, char *place, size_t bytes)
{
    char code[32], text[4096];
    snprintf(code, sizeof code, "0x%lx", address - 1);
    char *const argv[] = {"addr2line", "-i", "-e", "program", code, NULL};
    char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
    FILE *out = nameless_file();
    const struct limits limits = {.seconds = 10,
                                  .file_bytes = sizeof text,
                                  .files = {-1, fileno(out), -1, -1, -1},
                                  .folder = s->folder,
                                  .other_user = s->course->other_user};
    limited_run(argv, environment, &limits);
    read_text(out, text, sizeof text);
    fclose(out);
    snprintf(place, bytes, "%s", s->name);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *name = strstr(line, s->name);
        if (!name)
            continue;
        snprintf(place, bytes, "%.*s", (int)strcspn(name, " "), name);
        return;
    }
}

/* The first message of the emulator, or of the child: `simt: race on s_data[128] ...`. Its lines
 * are joined: those after the first begin with four spaces. */
static void first_fault(const struct submission *s, const char *text, char *fault, size_t bytes)
{
    static const char code[] = "code address 0x", *const marks[] = {"simt: ", "grade: "};
    const char *at = NULL;
    for (int i = 0; i < 2 && !at; i++)
        for (at = strstr(text, marks[i]); at && at != text && at[-1] != '\n';)
            at = strstr(at + 1, marks[i]);
    size_t used = 0;
    fault[0] = '\0';
    if (!at)
        return;
    at += strcspn(at, " ") + 1;
    while (*at && used + 2 < bytes) {
        unsigned long address;
        if (strncmp(at, code, strlen(code)) == 0 &&
            sscanf(at + strlen(code), "%lx", &address) == 1) {
            submission_line(s, address, fault + used, bytes - used);
            used += strlen(fault + used);
            at += strlen(code) + strspn(at + strlen(code), "0123456789abcdef");
        } else if (strncmp(at, "\n    ", 5) == 0) {
            used += (size_t)snprintf(fault + used, bytes - used, ", ");
            at += 5;
        } else if (*at == '\n') {
            break;
        } else {
            fault[used++] = *at++;
        }
    }
    fault[used] = '\0';
}

/* ---- one run ---- */

static void write_job(FILE *file, const struct job *job, void *const *in)
{
    fwrite(job, sizeof *job, 1, file);
    for (uint64_t k = 0; k < job->inputs; k++)
        fwrite(in[k], 1, job->in[k].bytes, file);
    fflush(file);
    rewind(file);
}

/* `error` is the name of an error of CUDA. */
static bool read_reply(FILE *file, const struct job *job, struct run *run, void *const *out)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct reply *reply = &run->reply;
    uint64_t protections;
    rewind(file);
    if (fread(&protections, sizeof protections, 1, file) != 1)
        return false;
    run->protections |= (unsigned)protections;
    if (run->timeout || fread(reply, sizeof *reply, 1, file) != 1 || reply->token != job->token)
        return false;
    for (uint64_t k = 0; k < job->outputs; k++)
        if (fread(out[k], 1, job->out[k].bytes, file) != job->out[k].bytes)
            return false;
    reply->error[sizeof reply->error - 1] = '\0';
    reply->error[strspn(reply->error, letters)] = '\0';
    return fgetc(file) == EOF;
}

static size_t reply_bytes(const struct job *job)
{
    size_t bytes = sizeof(uint64_t) + sizeof(struct reply);
    for (uint64_t k = 0; k < job->outputs; k++)
        bytes += job->out[k].bytes;
    return bytes;
}

void submission_run(const struct submission *s, const struct job *given, void *const *in,
                    void *const *out, struct run *run)
{
    static char text[FIRST_MESSAGES_BYTES];
    struct job job = *given;
    *run = (struct run){0};
    if (getrandom(&job.token, sizeof job.token, 0) != sizeof job.token)
        return;
    FILE *input = nameless_file(), *reply = nameless_file(), *messages = nameless_file();
    write_job(input, &job, in);
    const size_t bytes = reply_bytes(&job);
    const struct limits limits = {.seconds = s->course->seconds,
                                  .file_bytes =
                                      bytes > MESSAGE_FILE_BYTES ? bytes : MESSAGE_FILE_BYTES,
                                  .files = {-1, -1, fileno(messages), fileno(input), fileno(reply)},
                                  .folder = s->folder,
                                  .other_user = s->course->other_user};
    char *const argv[] = {"./program", NULL};
    char *const environment[] = {"SIMT_STEPS=2097152", "SIMT_REPORT=source", NULL};
    const struct ended ended = limited_run(argv, environment, &limits);
    run->timeout =
        ended.timeout || (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGXCPU);
    run->status = ended.status;
    run->protections = ended.protections;
    run->replied = read_reply(reply, &job, run, out);
    read_text(messages, text, sizeof text);
    first_fault(s, text, run->fault, sizeof run->fault);
    run->endless = run->timeout || strncmp(run->fault, "step budget", strlen("step budget")) == 0;
    fclose(input);
    fclose(reply);
    fclose(messages);
}
