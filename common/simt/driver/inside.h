/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of simtcc share. The driver takes nvcc's options, has the host's
 * compiler preprocess, compile and link, and translates in between.
 */
#ifndef SIMT_DRIVER_H
#define SIMT_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#define VERSION "1.0.0" /* of the course; CITATION.cff and CHANGELOG.md have it too */
#define OUTSIDE "is outside the subset (see common/simt/README.md)"

/* text.c: texts and lists are never freed, because simtcc ends soon. A list may be copied: what is
 * added to the copy is not in the other. */
struct list {
    const char **words; /* NULL after the last */
    size_t count;
};

const char *setting(const char *name, const char *otherwise); /* of the environment */
void *memory(size_t bytes);
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *until(const char *from, const char *separators);
bool same(const char *a, const char *b);
bool begins(const char *text, const char *with);
bool ends(const char *text, const char *with);
bool listed(const char *names, const char *name);     /* among words with a blank between */
void list_add(struct list *list, const char **words); /* NULL after the last, or at once */
#define ADD(list, ...) list_add(list, (const char *[]){__VA_ARGS__, NULL})
/* As a shell splits, without its quotes and backslashes; or at commas as nvcc does, where only
 * `\,` loses its backslash. */
struct list list_split(const char *text, const char *separators, bool shell);
char *list_text(const struct list *list, const char *separator);
bool list_has(const struct list *list, const char *start); /* a word that begins with it */
/* Where an extended regular expression, a literal, is found. part[0] becomes the text that it fits,
 * part[1] the first in round brackets. */
enum { PARTS = 6 };
const char *match(const char *pattern, const char *string, const char *part[PARTS]);
const char *after(const char *text, const char *word); /* the last such word, or all */
const char *next_line(const char *p);
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/*
 * process.c: runs a command, or a function, in a process of its own, and waits for it. What it
 * prints is at *out, if asked for; what it said on stderr is process_messages(). With process_dry
 * set, commands are shown instead.
 */
extern bool process_dry;
int process_run(const struct list *command, const char **out);
int process_apart(int (*function)(const void *), const void *what, const char **out);
const char *process_messages(void);
char *process_path(const char *name); /* of a temporary file, removed at the end */
char *file_read(const char *path);    /* NULL if it cannot be read */
void file_write(const char *path, const char *all);

/* options.c: what the command line says. */
struct options {
    struct list files;
    struct list cpp;   /* for the preprocessor */
    struct list flags; /* for the compiler */
    struct list link;
    struct list deps;      /* -MMD and the like */
    struct list only_deps; /* -MM: and no object */
    const char *output;
    const char *folder; /* -odir */
    const char *std;
    const char *language; /* -x */
    const char *word;     /* the option that is being taken */
    bool compile_only, preprocess_only, device_link, shared, dry, help, version, verbose, relaxed,
        lambdas, debug;
};

void options_take(struct options *o, const char **words); /* NULL after the last */

/* flags.c: the host's compiler, and the flags that keep a program as it is written. */
struct compiler {
    struct list command;      /* CXX */
    struct list c;            /* CC */
    struct list device_flags; /* for .cu files */
    const char *version;
    bool clang, pads; /* pads: see padding.c */
};

struct compiler compiler_find(bool debug);
const char *device_macro(void); /* -D__CUDA_ARCH__=900 */

/* Of the dump of -fdump-tree-lower-uid-lineno: are values lost (padding.c)? The messages about
 * device code that calls the host's (sides.c). */
bool padding_overwrites(const char *dump);
const char *sides_mixed(const char *dump, const char *preprocessed, bool relaxed);

/* headers.c: shows what of a text, or a file, is of another compiler. */
bool headers_refused(const char *preprocessed); /* headers of an installed toolkit */
bool headers_kernel(const char *file);          /* kernels in a file of C++ */

/* messages.c: shows what the compiler says about a program that does not compile, or translate. */
void messages_show(const char *messages, bool all);
void messages_mistakes(const char *messages, bool all);

/* compile.c: a file becomes an object, which make's rule knows as `named`. All exit on failure. */
struct driver {
    struct options options;
    struct compiler compiler;
    const char *include; /* the folder of our headers */
    const char *build;   /* SIMT_BUILD */
};

void compile_cuda(const struct driver *d, const char *file, const char *object, const char *named);
void compile_host(const struct driver *d, const char *file, const char *object, const char *named,
                  bool plain_c);
void compile_preprocess(const struct driver *d, const char *file); /* -E, -M */
void compile_run(const struct driver *d, const struct list *command);

#endif
