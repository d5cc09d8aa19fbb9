/* SPDX-License-Identifier: MIT */
/*
 * main.c - simtcc: compiles CUDA source files for the CPU, to run them in the SIMT emulator. Takes
 * the options of nvcc. The script simtcc finds the emulator, and starts this program with the
 * course's folder common/simt as its first argument.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

static const char help[] =
    "usage: simtcc [options] FILE...\n"
    "\n"
    "  FILE          .cu is compiled for the emulator, .cpp .cc .cxx .c by the host\n"
    "                compiler, .o .a .so are linked\n"
    "  -o OUT        the program (default a.out), or with -c the object file\n"
    "  -c            compile only\n"
    "  -x cu         treat all source files as .cu\n"
    "  -std=c++17    the language, default c++17\n"
    "  -I -D -U -include -isystem -L -l -W... -w -f... -Xcompiler LIST -Xlinker LIST\n"
    "                as in nvcc\n"
    "  -M -MM -MD -MMD -MP -MF FILE -MT NAME\n"
    "                dependency files\n"
    "  -g -G         variables as well as lines in the debug data\n"
    "  --version     what is emulated, and the host compiler\n"
    "  -v            all messages of the compiler about a program that does not\n"
    "                compile; so does V=1\n"
    "  --dryrun      show the commands only\n"
    "  -expt-relaxed-constexpr\n"
    "                device code may call constexpr functions of the host\n"
    "  -extended-lambda\n"
    "                a lambda may be a __device__ function\n"
    "  -arch -gencode -code -O -lineinfo -use_fast_math -rdc -maxrregcount\n"
    "  -Xptxas ...   accepted and ignored: there is no device code\n"
    "\n"
    "Above -O1 the optimiser moves the very accesses that we want to see, so -O is\n"
    "ignored. SIMT_REPORT=1 ./PROGRAM counts what its kernels do;\n"
    "common/simt/README.md says more.\n";

enum kind { CUDA, CPP, C, LINKED };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum kind kind_of(const char *file, const char *language)
{
    const char *base = base_name(file), *dot = strrchr(base, '.'), *end = dot ? dot + 1 : "";
    if (listed("o a so", end) || strstr(base, ".so."))
        return LINKED;
    const char *name = language ? language : end;
    if (!listed("cu cpp cc cxx c++ c", name))
        die("%s: unknown kind of file; -x cu treats it as CUDA", file);
    return strcmp(name, "cu") == 0 ? CUDA : strcmp(name, "c") == 0 ? C : CPP;
}

/* The object of a file by its own name. */
static const char *name_of(const struct options *o, const char *file)
{
    const char *base = base_name(file), *dot = strrchr(base, '.');
    return text("%s%s%.*s.o", o->folder ? o->folder : "", o->folder ? "/" : "",
                (int)(dot ? dot - base : (long)strlen(base)), base);
}

static const char *object_of(const struct driver *d, const char *file, size_t number)
{
    const struct options *o = &d->options;
    const enum kind kind = kind_of(file, o->language);
    if (kind == LINKED)
        return file;
    const char *named = o->output ? o->output : name_of(o, file); /* in make's rule */
    const char *object = o->compile_only ? named : process_path(text("%zu.o", number));
    if (kind == CUDA)
        compile_cuda(d, file, object, named);
    else
        compile_host(d, file, object, named, kind == C);
    return object;
}

/* -shared: the emulator reads the symbols of one program, so the library becomes a part of what is
 * linked with it: an archive, and a linker script that names it. dlopen() refuses that. */
static void link_shared(const struct driver *d, const struct list *objects, const char *output)
{
    const char *archive = text("%s.a", output), *input = "";
    struct list command = {0};
    remove(archive);
    ADD(&command, setting("AR", "ar"), "rcs", archive);
    for (size_t i = 0; i < objects->count; i++)
        if (ends(objects->words[i], ".o"))
            ADD(&command, objects->words[i]);
        else if (!begins(base_name(objects->words[i]), "libcuda")) /* ours */
            input = text("%s %s", input, realpath(objects->words[i], NULL));
    for (size_t i = 0; i < d->options.link.count; i++)
        if (begins(d->options.link.words[i], "-l"))
            input = text("%s %s", input, d->options.link.words[i]);
    compile_run(d, &command);
    if (!process_dry)
        file_write(output, text("INPUT(%s%s %s/libsimt.a -lstdc++ -lm -ldl -lpthread)\n",
                                realpath(archive, NULL), input, d->build));
}

static void link_all(const struct driver *d, const struct list *objects)
{
    const char *output = d->options.output ? d->options.output : "a.out";
    if (d->options.shared) {
        link_shared(d, objects, output);
        return;
    }
    struct list command = d->compiler.command;
    list_add(&command, objects->words);
    list_add(&command, d->options.link.words);
    if (*setting("SIMT_MAP", "")) /* the map: which code is whose */
        ADD(&command, text("-Wl,-Map=%s.map", output));
    ADD(&command, text("%s/libsimt.a", d->build), "-lm", "-ldl", "-lpthread", "-o", output);
    compile_run(d, &command);
}

/* There is no device code to link: an object without anything. */
static void link_device(const struct driver *d)
{
    struct list command = d->compiler.command;
    ADD(&command, "-c", "-x", "c++", "/dev/null", "-o",
        d->options.output ? d->options.output : "a_dlink.o");
    compile_run(d, &command);
}

static void run(const struct driver *d)
{
    const struct options *o = &d->options;
    struct list objects = {0};
    for (size_t i = 0; i < o->files.count; i++)
        if (o->preprocess_only || o->only_deps.count > 0)
            compile_preprocess(d, o->files.words[i]);
        else
            ADD(&objects, object_of(d, o->files.words[i], i));
    if (objects.count > 0 && !o->compile_only)
        link_all(d, &objects);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        die("start the script simtcc instead");
    struct driver d = {.include = text("%s/include", argv[1]), .build = setting("SIMT_BUILD", "")};
    struct options *o = &d.options;
    options_take(o, (const char **)argv + 2);
    if (o->help || (!o->version && o->files.count == 0)) {
        fputs(help, o->help ? stdout : stderr);
        return o->help ? 0 : 2;
    }
    if (o->compile_only && o->output && o->files.count > 1)
        die("-o with -c takes one file");
    setenv("LC_ALL", "C", 1);
    setenv("SIMTCC_HOST", "c++", 1); /* for a CXX that is simtcc itself */
    /* C++17 is what our headers need at least, and the default of nvcc 13. */
    if (!o->std || match("^-std=(c|gnu)[+][+](98|03|0x|11|1y|14|1z)$", o->std, NULL))
        o->std = "-std=c++17";
    o->verbose = o->verbose || strcmp(setting("V", "0"), "0") != 0;
    d.compiler = compiler_find(o->debug);
    process_dry = o->dry;
    if (o->version)
        printf("simtcc " VERSION ", a subset of CUDA 13.0 for the CPU, through %s\n",
               until(d.compiler.version, "\n"));
    else if (o->device_link)
        link_device(&d);
    else
        run(&d);
    return 0;
}
