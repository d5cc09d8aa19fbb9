/* SPDX-License-Identifier: MIT */
/* compile.c - preprocess, translate, compile: a source file becomes an object. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../translate/translate.h"
#include "inside.h"

/* Of a compiler's errors the first is reported, in plain words if its cause is known. */
static void show(const struct driver *d, int status)
{
    if (status == 0) {
        fputs(process_messages(), stderr);
        return;
    }
    messages_show(process_messages(), d->options.verbose);
    exit(1);
}

void compile_run(const struct driver *d, const struct list *command)
{
    show(d, process_run(command, NULL));
}

/* The options about dependencies. They do not apply to the preprocessed text. */
static void add_dependencies(struct list *command, const struct options *o, const char *object)
{
    if (o->deps.count == 0)
        return;
    list_add(command, o->deps.words);
    if (!list_has(&o->cpp, "-MF"))
        ADD(command, "-MF",
            text("%.*s.d", (int)(strlen(object) - (ends(object, ".o") ? 2 : 0)), object));
    if (!list_has(&o->cpp, "-MT") && !list_has(&o->cpp, "-MQ"))
        ADD(command, "-MT", object);
}

/* A third of libstdc++'s <cmath> are functions such as std::beta. Its own guard leaves them out,
 * which makes small files compile in two thirds of the time. And some systems wrap memcpy() in a
 * check of sizes: off, because the memcpy() of a kernel is ours. */
static struct list preprocess(const struct driver *d)
{
    struct list command = d->compiler.command;
    ADD(&command, d->options.std, "-D__CUDACC__", "-D__NVCC__", "-DSIMT=1",
        text("-I%s", d->include), device_macro(), "-D_GLIBCXX_BITS_SPECFUN_H=1",
        "-U_FORTIFY_SOURCE", "-include", "cuda_runtime.h");
    list_add(&command, d->options.cpp.words);
    return command;
}

void compile_preprocess(const struct driver *d, const char *file)
{
    struct list command = preprocess(d);
    list_add(&command, d->options.deps.words);
    list_add(&command, d->options.only_deps.words);
    ADD(&command, "-E", "-x", "c++", file);
    if (d->options.output)
        ADD(&command, "-o", d->options.output);
    compile_run(d, &command);
}

static struct list compiling(const struct driver *d)
{
    struct list command = d->compiler.command;
    ADD(&command, d->options.std);
    list_add(&command, d->options.flags.words);
    list_add(&command, d->compiler.device_flags.words);
    return command;
}

/* ---- a record, which spares a caller 2 MB of headers for each file ---- */

/* The headers that the options include become one, which can be precompiled. */
static struct list without_headers(const struct list *command, const char **headers)
{
    struct list rest = {0};
    *headers = "";
    for (const char **word = command->words; *word; word++)
        if (!begins(*word, "-include"))
            ADD(&rest, *word);
        else
            *headers = text("%s#include \"%s\"\n", *headers,
                            (*word)[strlen("-include")] ? *word + strlen("-include") : *++word);
    return rest;
}

/* The folder SIMT_RECORD gets the head of a file: as text (in.ii), precompiled for the
 * preprocessor, translated (head.ii), and precompiled for the compiler. With the folder as
 * SIMT_HEAD, files that are compiled with the same options take it from there. */
static void record(const struct driver *d, const char *preprocessed, const char *head,
                   const char *kept)
{
    const char *folder = setting("SIMT_RECORD", ""), *raw = text("%s/raw.h", folder), *headers;
    if (!*folder)
        return;
    const struct list all = preprocess(d);
    struct list copy = {0}, precompile = without_headers(&all, &headers);
    file_write(text("%s/in.ii", folder), preprocessed);
    file_write(text("%s/head.ii", folder), head);
    file_write(raw, headers);
    ADD(&copy, "cp", kept, text("%s/head.gch", folder));
    compile_run(d, &copy);
    ADD(&precompile, "-x", "c++-header", raw, "-o", text("%s.gch", raw));
    compile_run(d, &precompile);
}

/* A file of that record, or NULL. */
static const char *recorded(const char *name)
{
    const char *folder = setting("SIMT_HEAD", "");
    return *folder ? file_read(text("%s/%s", folder, name)) : NULL;
}

/* The file itself begins where its name appears a second time, in a line `# 1 "FILE"`. */
static const char *own_start(const char *all)
{
    const int length = (int)strcspn(all, "\n");
    if (length < 4)
        return NULL;
    const char *own = strstr(all + length, text("\n# 1 %.*s\n", length - 4, all + 4));
    return own ? own + 1 : NULL;
}

/* The preprocessed file: its own part, after the head of the record without its first line. NULL:
 * something is different, or the preprocessor has a message. */
static const char *preprocess_own(const struct driver *d, const char *file)
{
    const char *head = recorded("in.ii"), *end = head ? own_start(head) : NULL, *headers, *own;
    if (!end || d->options.deps.count > 0)
        return NULL;
    const struct list all = preprocess(d);
    struct list command = without_headers(&all, &headers);
    ADD(&command, "-E", "-fpch-preprocess", "-x", "c++", "-include",
        text("%s/raw.h", setting("SIMT_HEAD", "")), file);
    if (process_run(&command, &own) != 0 || *process_messages() || !own_start(own) ||
        !strstr(own, "\n#pragma GCC pch_preprocess "))
        return NULL;
    head = next_line(head);
    return text("%.*s%.*s%s", (int)(next_line(own) - own), own, (int)(end - head), head,
                own_start(own));
}

/* ---- the head, which g++ precompiles ---- */

static int compile_text(const struct driver *d, const char *translated, const char *object,
                        bool permissive)
{
    const char *source = process_path("out.ii"), *lower = process_path("lower");
    struct list command = compiling(d);
    file_write(source, translated);
    if (permissive)
        ADD(&command, "-fpermissive", "-w");
    if (!d->compiler.clang) {
        file_write(lower, ""); /* without functions there is no dump */
        ADD(&command, text("-fdump-tree-lower-uid-lineno=%s", lower));
    }
    ADD(&command, "-x", "c++-cpp-output", "-c", source, "-o", object);
    return process_run(&command, NULL);
}

/* FNV-1a, 64 bits. */
static unsigned long long hash(const char *p)
{
    unsigned long long sum = 14695981039346656037u;
    for (; *p; p++)
        sum = (sum ^ (unsigned char)*p) * 1099511628211u;
    return sum;
}

/* Each takes 18 MB. Another process may remove one at the same time. */
static void remove_old(const char *heads)
{
    struct list command = {0};
    ADD(&command, "find", heads, "-type", "f", "-mmin", "+60", "-exec", "rm", "-f", "{}", "+");
    process_run(&command, NULL);
}

static bool make_head(const struct driver *d, const char *heads, const char *head, const char *kept)
{
    char *new = text("%s/new.XXXXXX", heads);
    const int file = mkstemp(new);
    if (file < 0)
        return false;
    close(file);
    unlink(new); /* the compiler makes it as the umask says */
    remove_old(heads);
    char *source = process_path("head.ii");
    file_write(source, head);
    struct list command = compiling(d);
    ADD(&command, "-c", "-x", "c++-header", "-fpreprocessed", source, "-o", new);
    if (process_run(&command, NULL) == 0 && rename(new, kept) == 0)
        return true;
    unlink(new);
    return false;
}

/* Of several processes that need it at the same time one makes it, and the others wait. */
static bool have_head(const struct driver *d, const char *heads, const char *head, const char *kept)
{
    if (access(kept, R_OK) == 0)
        return true;
    mkdir(heads, 0777);
    const int lock = open(heads, O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        return false;
    flock(lock, LOCK_EX);
    const bool have = access(kept, R_OK) == 0 || make_head(d, heads, head, kept);
    close(lock);
    return have;
}

/*
 * Nearly all that the compiler reads is the same for every file: our headers, and what they
 * include. g++ precompiles this head, and reuses it if the head, the options and g++ are the same.
 * The object is the same, byte for byte, and so are the messages. NULL: there is none.
 */
static const char *take_head(const struct driver *d, const char *translated, const char **kept)
{
    const char *own = d->compiler.clang ? NULL : own_start(translated);
    if (!own)
        return NULL;
    const struct list command = compiling(d);
    const char *second = next_line(translated);
    const char *head = text("/*%s %s*/\n%.*s", d->compiler.version, list_text(&command, " "),
                            (int)(own - second), second);
    const char *known = recorded("head.ii");
    if (known && strcmp(known, head) == 0) {
        *kept = text("%s/head.gch", setting("SIMT_HEAD", ""));
        return head;
    }
    const char *heads = text("%s/heads", d->build);
    *kept = text("%s/%016llx-%zu.gch", heads, hash(head), strlen(head));
    if (!have_head(d, heads, head, *kept))
        return NULL;
    utimensat(AT_FDCWD, *kept, NULL, 0); /* one that is unused for an hour is removed */
    return head;
}

/* nvcc takes a member that has the name of its type; to g++ that is an error, but not to others. */
static bool only_changed_meanings(const char *messages)
{
    size_t changed = 0, errors = 0;
    for (const char *p = messages; (p = strstr(p, "error: ")); p++, errors++)
        changed +=
            match("^error: declaration of .* changes meaning of ", until(p, "\n"), NULL) != NULL;
    return errors > 0 && changed == errors;
}

static int compile_either(const struct driver *d, const char *source, const char *object)
{
    const int status = compile_text(d, source, object, false);
    if (status != 0 && only_changed_meanings(process_messages()))
        return compile_text(d, source, object, true);
    return status;
}

/* Has g++ failed, not the program? Another process may have removed the head, or g++ is new. */
static bool of_head(const char *messages)
{
    return match("\\.gch|PCH|internal compiler error", messages, NULL) &&
           !strstr(messages, "CPU time limit");
}

static int compile_translated(const struct driver *d, const char *preprocessed,
                              const char *translated, const char *object)
{
    const char *kept, *head = take_head(d, translated, &kept);
    int status = -1;
    if (head) {
        const int first = (int)(next_line(translated) - translated);
        const char *rest = text("%.*s#pragma GCC pch_preprocess \"%s\"\n%s", first, translated,
                                kept, own_start(translated));
        status = compile_either(d, rest, object);
        if (status == 0 && !*process_messages())
            record(d, preprocessed, head, kept);
    }
    if (status < 0 || of_head(process_messages()))
        status = compile_either(d, translated, object);
    return status;
}

/* Where the pattern in variables would cost values, they get none. */
static int compile_whole(const struct driver *d, const char *preprocessed, const char *translated,
                         const char *object)
{
    const int status = compile_translated(d, preprocessed, translated, object);
    const char *dump = status == 0 && !d->compiler.clang ? file_read(process_path("lower")) : "";
    /* cuda::std is std here */
    const bool relaxed = d->options.relaxed || strstr(preprocessed, "/simt/include/cuda/std/");
    const char *mixed = sides_mixed(dump, preprocessed, relaxed);
    messages_mistakes(mixed, d->options.verbose);
    if (*mixed)
        exit(1);
    if (!d->compiler.pads || status != 0 || !padding_overwrites(dump))
        return status;
    struct driver other = *d;
    other.compiler.pads = false;
    ADD(&other.compiler.device_flags, "-ftrivial-auto-var-init=uninitialized");
    return compile_translated(&other, preprocessed, translated, object);
}

/* clang compiles copies of structs to memcpy(); these must go through the hooks as well. */
static void redirect_copies(const struct driver *d, const char *object)
{
    struct list command = list_split(setting("OBJCOPY", "objcopy"), " ", true);
    ADD(&command, "--redefine-sym", "memcpy=__tsan_memcpy", "--redefine-sym", "memmove=simt_moved",
        "--redefine-sym", "memset=simt_filled", "--redefine-sym",
        "__ubsan_handle_type_mismatch_v1=simt_type_mismatch", object);
    compile_run(d, &command);
}

struct translation {
    const char *preprocessed;
    bool relaxed, lambdas;
};

static int translate_apart(const void *what)
{
    const struct translation *t = what;
    return translate(t->preprocessed, t->relaxed, t->lambdas);
}

void compile_cuda(const struct driver *d, const char *file, const char *object, const char *named)
{
    const char *preprocessed = preprocess_own(d, file), *translated;
    struct list command = preprocess(d);
    int status = 0;
    add_dependencies(&command, &d->options, named);
    ADD(&command, "-E", "-x", "c++", file);
    if (!preprocessed)
        status = process_run(&command, &preprocessed);
    if (headers_refused(preprocessed))
        exit(1);
    const char *warnings = process_messages();
    if (status != 0)
        show(d, status);
    const struct translation translation = {preprocessed, d->options.relaxed, d->options.lambdas};
    if (process_apart(translate_apart, &translation, &translated) != 0) {
        messages_mistakes(process_messages(), d->options.verbose);
        exit(1);
    }
    fputs(warnings, stderr);
    show(d, compile_whole(d, preprocessed, translated, object));
    if (d->compiler.clang)
        redirect_copies(d, object);
}

/* ---- files of C and C++ ---- */

/* If it does not compile, the cause may be a header of a toolkit beside ours, or a kernel. */
void compile_host(const struct driver *d, const char *file, const char *object, const char *named,
                  bool plain_c)
{
    struct list options = plain_c ? d->compiler.c : d->compiler.command;
    if (!plain_c)
        ADD(&options, d->options.std);
    ADD(&options, "-x", plain_c ? "c" : "c++", "-O1", "-g", text("-I%s", d->include));
    list_add(&options, d->options.cpp.words);
    list_add(&options, d->options.flags.words);
    struct list command = options;
    add_dependencies(&command, &d->options, named);
    ADD(&command, "-c", file, "-o", object);
    const int status = process_run(&command, NULL);
    const char *messages = process_messages();
    if (status == 0) {
        fputs(messages, stderr);
        return;
    }
    const char *preprocessed;
    ADD(&options, "-E", file);
    process_run(&options, &preprocessed);
    if (!headers_refused(preprocessed) && !headers_kernel(file))
        messages_show(messages, d->options.verbose);
    exit(1);
}
