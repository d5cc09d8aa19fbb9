/* SPDX-License-Identifier: MIT */
/* options.c - the options of nvcc, and those that go to the host's compiler. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

struct option;
typedef void take_t(struct options *o, const struct option *option, const char *value);

/*
 * `names` is without dashes; the value of `I*` may follow at once. `value` is NULL for none, "" for
 * any, else those that there are: no other word that follows is the option's. Without a function
 * the option is left out. `text` and `field` are for the function: what is put in front, or a
 * reason; what is set.
 */
struct option {
    const char *names, *value;
    take_t *take;
    const char *text;
    size_t field;
};

static void *field_of(struct options *o, const struct option *option)
{
    return (char *)o + option->field;
}

/* ---- what options do ---- */

/* Left out although it would matter. */
static void leave_out_aloud(struct options *o, const struct option *option, const char *value)
{
    if (!listed("legacy null", value))
        fprintf(stderr, "simtcc: %s is left out: %s\n", o->word, option->text);
}

static void refuse(struct options *o, const struct option *option, const char *value)
{
    (void)value;
    die("%s is not supported: %s", o->word, option->text);
}

static void set_flag(struct options *o, const struct option *option, const char *value)
{
    (void)value;
    *(bool *)field_of(o, option) = true;
}

static void set_text(struct options *o, const struct option *option, const char *value)
{
    *(const char **)field_of(o, option) = text("%s%s", option->text, value);
}

static void add_word(struct options *o, const struct option *option, const char *value)
{
    ADD(field_of(o, option), text("%s%s", option->text, value));
}

static void add_words(struct options *o, const struct option *option, const char *value)
{
    const struct list parts = list_split(value, ",", false);
    for (size_t i = 0; i < parts.count; i++)
        add_word(o, option, parts.words[i]);
}

/* An option of the host's compiler. Those of code generation define macros. */
static void add_host(struct options *o, const char *word)
{
    if (begins(word, "-std="))
        o->std = word;
    else if (begins(word, "-D") || begins(word, "-U") || begins(word, "-I"))
        ADD(&o->cpp, word);
    else {
        if (begins(word, "-f") || begins(word, "-m") || strcmp(word, "-pthread") == 0)
            ADD(&o->cpp, word);
        ADD(&o->flags, word);
        ADD(&o->link, word);
    }
}

static void pass_words(struct options *o, const struct option *option, const char *value)
{
    const struct list words = list_split(text("%s%s", option->text, value), ", \t\n", true);
    for (size_t i = 0; i < words.count; i++)
        add_host(o, words.words[i]);
}

/* Kinds of nvcc's; any other is the compiler's: -Werror=unused. */
static void pass_error(struct options *o, const struct option *option, const char *value)
{
    const struct list kinds = list_split(*value ? value : "all-warnings", ",", false);
    for (size_t i = 0; i < kinds.count; i++)
        if (strcmp(kinds.words[i], "all-warnings") == 0)
            add_host(o, "-Werror");
        else if (!listed(option->value, kinds.words[i]))
            add_host(o, text("-Werror=%s", kinds.words[i]));
}

static void add_library(struct options *o, const struct option *option, const char *value)
{
    const struct list names = list_split(value, ",", false);
    for (size_t i = 0; i < names.count; i++)
        if (listed("cudnn nvrtc nccl npp nvjpeg", names.words[i]))
            die("-l%s " OUTSIDE, names.words[i]);
        /* The emulator is the first; of the others no function is called. */
        else if (!listed("cudart cudart_static cudadevrt cuda nvToolsExt nvidia-ml "
                         "cublas cublasLt cufft curand cusolver cusparse",
                         names.words[i]))
            add_word(o, option, names.words[i]);
}

static void read_options(struct options *o, const struct option *option, const char *value)
{
    (void)option;
    const char *all = file_read(value);
    if (!all)
        die("cannot read %s", value);
    options_take(o, list_split(all, " \t\r\n", true).words);
}

/* ---- the table ---- */

#define FIELD(name) offsetof(struct options, name)

static const struct option table[] = {
    {"o* output-file", "", set_text, "", FIELD(output)},
    {"odir output-directory", "", set_text, "", FIELD(folder)},
    {"x* x", "", set_text, "", FIELD(language)},
    {"std", "", set_text, "-std=", FIELD(std)},
    {"c compile dc device-c dw device-w", NULL, set_flag, "", FIELD(compile_only)},
    {"E preprocess", NULL, set_flag, "", FIELD(preprocess_only)},
    {"dlink device-link", NULL, set_flag, "", FIELD(device_link)},
    {"g G debug device-debug", NULL, set_flag, "", FIELD(debug)},
    {"h help", NULL, set_flag, "", FIELD(help)},
    {"V version", NULL, set_flag, "", FIELD(version)},
    {"v verbose", NULL, set_flag, "", FIELD(verbose)},
    {"shared", NULL, set_flag, "", FIELD(shared)},
    {"dryrun", NULL, set_flag, "", FIELD(dry)},
    {"expt-relaxed-constexpr", NULL, set_flag, "", FIELD(relaxed)},
    {"extended-lambda expt-extended-lambda", NULL, set_flag, "", FIELD(lambdas)},
    {"optf options-file", "", read_options, "", 0},

    {"I* include-path", "", add_words, "-I", FIELD(cpp)},
    {"isystem* system-include", "", add_words, "-isystem", FIELD(cpp)},
    {"iquote*", "", add_words, "-iquote", FIELD(cpp)},
    {"include pre-include", "", add_words, "-include", FIELD(cpp)},
    {"D* define-macro", "", add_words, "-D", FIELD(cpp)},
    {"U* undefine-macro", "", add_words, "-U", FIELD(cpp)},
    {"MF* dependency-output", "", add_word, "-MF", FIELD(cpp)},
    {"MT* dependency-target-name", "", add_word, "-MT", FIELD(cpp)},
    {"MQ*", "", add_word, "-MQ", FIELD(cpp)},
    {"M generate-dependencies", NULL, add_word, "-M", FIELD(only_deps)},
    {"MM generate-nonsystem-dependencies", NULL, add_word, "-MM", FIELD(only_deps)},
    {"MD generate-dependencies-with-compile", NULL, add_word, "-MD", FIELD(deps)},
    {"MMD generate-nonsystem-dependencies-with-compile", NULL, add_word, "-MMD", FIELD(deps)},
    {"MP generate-dependency-targets", NULL, add_word, "-MP", FIELD(deps)},

    {"L* library-path", "", add_words, "-L", FIELD(link)},
    {"l* library", "", add_library, "-l", FIELD(link)},
    {"Xlinker linker-options", "", add_word, "-Wl,", FIELD(link)},
    {"Xcompiler compiler-options", "", pass_words, "", 0},
    {"Werror",
     "all-warnings cross-execution-space-call reorder default-stream-launch "
     "missing-launch-bounds ext-lambda-captures-this deprecated-declarations",
     pass_error, "", 0},
    {"disable-warnings", NULL, pass_words, "-w", 0},
    {"noeh no-exceptions", NULL, pass_words, "-fno-exceptions", 0},

    /* About device code, and how fast it is: */
    {"arch gpu-architecture code gpu-code gencode generate-code Xptxas ptxas-options Xcudafe "
     "Xfatbin Xnvlink nvlink-options Xarchive archive-options ccbin compiler-bindir cudart "
     "cudadevrt maxrregcount dopt opt-info diag-suppress diag-error diag-warn t threads time "
     "keep-dir split-compile split-compile-extended compress-mode ldir libdevice-directory "
     "target-dir target-directory arbin archiver-binary Ofc Ofast-compile e entries jtd "
     "jump-table-density fdevice-time-trace host-linker-script hls m machine idp "
     "input-drive-prefix ddp dependency-drive-prefix dp drive-prefix run-args frandom-seed "
     "sanitize ftemplate-backtrace-limit",
     "", NULL, "", 0},
    {"rdc relocatable-device-code ftz prec-div prec-sqrt fmad static-global-template-stub "
     "device-entity-has-hidden-visibility brief-diag brief-diagnostics device-stack-protector",
     "true false", NULL, "", 0},
    {"O* optimize", "0 1 2 3 s fast", NULL, "", 0},
    {"g* lineinfo generate-line-info use_fast_math m64 "
     "res-usage resource-usage src-in-ptx source-in-ptx keep keep-device-functions restrict "
     "save-temps clean clean-targets objtemp objdir-as-tempdir dlto dlink-time-opt lto "
     "gen-opt-lto ewp extensible-whole-program link pg profile noprof dont-use-profile "
     "use-local-env force-cl-env-setup allow-unsupported-compiler "
     "forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts "
     "nohdinitlist nohdmoveforward no-host-device-initializer-list no-host-device-move-forward "
     "no-align-double nodlink no-device-link extra-device-vectorization fdevice-syntax-only "
     "Wno-deprecated-gpu-targets Wdefault-stream-launch Wmissing-launch-bounds "
     "Wext-lambda-captures-this no-compress qpp-config compile-as-tools-patch astoolspatch err-no "
     "display-error-number no-err-no no-display-error-number aug-hls augment-host-linker-script "
     "reloc-ptx relocatable-ptx jobserver",
     NULL, NULL, "", 0},
    {"default-stream", "", leave_out_aloud, "all host threads share one default stream", 0},
    {"ptx cubin fatbin optix-ir ltoir cuda code-ls list-gpu-code arch-ls list-gpu-arch", NULL,
     refuse, "there is no device code", 0},
    {"lib r relocatable-link", NULL, refuse, "ar and ld do that with the object files", 0},
    {"run", NULL, refuse, "start the program yourself", 0},
};

/* ---- the command line ---- */

/* The value in a word whose name, up to a `=`, is one of the option's; or, stuck, which begins with
 * one that has a *. NULL if the word is not that option. */
static const char *value_in(const struct option *option, const char *word, bool stuck)
{
    const size_t length = strcspn(word, "=");
    for (const char *name = option->names; *name; name += strspn(name, " ")) {
        const size_t size = strcspn(name, " *");
        const bool open = name[size] == '*', same = strncmp(word, name, size) == 0;
        if (same && (stuck ? open && word[size] : size == length))
            return word + size;
        name += size + open;
    }
    return NULL;
}

static const struct option *find(const char *word, const char **value)
{
    for (int stuck = 0; stuck < 2; stuck++)
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if ((*value = value_in(&table[i], word, stuck)))
                return &table[i];
    return NULL;
}

/* Takes an option and its value, and returns the next word. */
static const char **take(struct options *o, const char **words)
{
    const char *value, *next = words[1];
    const struct option *option = find(*words + 1 + ((*words)[1] == '-'), &value);
    if (!option) {
        add_host(o, *words);
        return words + 1;
    }
    const bool apart = option->value && !*value &&
                       (!*option->value || (next && listed(option->value, until(next, ","))));
    if (apart && !next)
        die("%s needs an argument", *words);
    o->word = *words;
    if (option->take)
        option->take(o, option, apart ? next : value + (*value == '='));
    return words + 1 + apart;
}

void options_take(struct options *o, const char **words)
{
    while (words && *words)
        if ((*words)[0] == '-' && (*words)[1])
            words = take(o, words);
        else if ((*words)[0] == '@')
            read_options(o, NULL, *words++ + 1);
        else if (access(*words, R_OK) != 0)
            die("cannot read %s", *words);
        else
            ADD(&o->files, *words++);
}
