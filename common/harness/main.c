/* SPDX-License-Identifier: MIT */
/*
 * main.c - the program of a step: read the options, open the device, run.
 */
#include "alloc.h"
#include "pairs.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* The last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "05_warp_shuffle.one_pass" is the variant one_pass of step 05_warp_shuffle. The caller frees. */
static char *split_name(const char *program, const char **variant)
{
    char *step_name = alloc_array(strlen(program) + 1, 1);
    strcpy(step_name, program);
    char *dot = strchr(step_name, '.');
    *variant = "kernel";
    if (dot != NULL) {
        *dot = '\0';
        *variant = dot + 1;
    }
    return step_name;
}

/* The command line as one string, its program without folders. The caller frees it. */
static char *join_command(int argc, char *const *argv, const char *program)
{
    size_t length = strlen(program) + 1;
    for (int i = 1; i < argc; i++)
        length += strlen(argv[i]) + 1;
    char *command = alloc_array(length, 1);
    strcat(command, program);
    for (int i = 1; i < argc; i++) {
        strcat(command, " ");
        strcat(command, argv[i]);
    }
    return command;
}

/* Everything after the command line has been read. */
static int start(run_t *run, int argc, char *const *argv)
{
    const char *variant, *why;

    if (!device_open(&run->device, &why)) {
        fprintf(stderr, "%s: no usable GPU: %s; DEVICE=cpu runs the emulator\n", run->program, why);
        return EXIT_NO_GPU;
    }
    char *step_name = split_name(run->program, &variant);
    char *command = join_command(argc, argv, run->program);
    run->faults = (faults_t){step_name, variant, &run->device, stderr, 0};
    run->report = (report_t){.stream = stdout,
                             .format = run->options.format,
                             .step = step_name,
                             .variant = variant,
                             .summary = run->lead.step->summary,
                             .device = &run->device,
                             .command = command};
    int code = run_all(run);
    free(step_name);
    free(command);
    return code;
}

static int run_program(int argc, char **argv)
{
    char message[OPTIONS_MESSAGE];
    run_t run = {.program = argc > 0 ? base_name(argv[0]) : "step"};

    const char *wrong = problem_open(&run.lead, &step);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s\n", run.program, wrong);
        return EXIT_USAGE;
    }
    if (!options_parse(&run.options, argc, argv, &run.lead, message) ||
        (!run.options.help && !pairs_offered(&run.options, &run.lead, message))) {
        fprintf(stderr, "%s: %s\n", run.program, message);
        return EXIT_USAGE;
    }
    if (run.options.help) {
        options_help(stdout, run.program, &run.lead);
        return EXIT_RIGHT;
    }
    if (run.options.list) {
        run_list(&run, stdout);
        return EXIT_RIGHT;
    }
    return start(&run, argc, argv);
}

/* A report that did not reach its file, on a full disk say, must not look like a success. */
int main(int argc, char **argv)
{
    int code = run_program(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: the results could not be written to stdout\n", base_name(argv[0]));
        return EXIT_WRONG;
    }
    return code;
}
