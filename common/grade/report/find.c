/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "find.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 32, MOST_SOURCE_BYTES = 1 << 20, HEAD_BYTES = 1024, MOST_TOLD = 3, GROUPS = 4 };

/* The student of what stands in the folder of the class: its name says it. */
static const size_t of_its_name = (size_t)-1;

/* How well the exercise of a file is known. */
enum { BY_BEING_ASKED = 1, BY_FOLDER, BY_NUMBER, BY_CONTENT, HAS_SOLVE = 8, BY_NAME = 16 };

static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "grade: no memory for the list of files\n");
        exit(2);
    }
    return memory;
}

/* Is it in the text, in capitals or not? The first place of it, and of its groups, goes to `at`. */
static bool matches(const char *text, const char *pattern, regmatch_t *at)
{
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE) != 0)
        checked(NULL);
    const bool found = regexec(&regex, text, at ? GROUPS : 0, at, 0) == 0;
    regfree(&regex);
    return found;
}

/* ---- of which exercise a file is ---- */

static task_set bit_of(const struct task *task)
{
    task_set bit = 1;
    for (size_t i = 0; tasks[i] != task; i++)
        bit <<= 1;
    return bit;
}

/* The exercise that a text says: of several one that is asked for, then the last one. In the pattern
 * %s is its name, and the first group what stands in front of it. */
static const struct task *task_said(const char *text, const char *pattern, bool short_name,
                                    task_set asked)
{
    const struct task *task = NULL;
    regmatch_t at[GROUPS];
    long best = -1;
    for (size_t i = 0; i < task_count; i++) {
        const char *name = tasks[i]->name + (short_name && tasks[i]->name[0] == '0');
        char own[NAME_BYTES];
        snprintf(own, sizeof own, pattern, name);
        if (!strcasestr(text, name) || !matches(text, own, at))
            continue;
        const long rank = (asked >> i & 1) * (long)PATH_BYTES + at[1].rm_eo;
        if (rank >= best) {
            best = rank;
            task = tasks[i];
        }
    }
    return task;
}

static const char by_name[] = "^(.*[^0-9]|)%s([^0-9]|$)"; /* "03" in ex03_final, not in 2003 */

/* `telling` is the part of the file's name that may tell, `inner` its path below the student. */
static void recognise(struct found *file, const char *telling, const char *inner, const char *text,
                      task_set asked)
{
    char head[HEAD_BYTES], folders[PATH_BYTES];
    const int length = strrchr(inner, '/') ? (int)(strrchr(inner, '/') - inner) + 1 : 0;
    snprintf(head, sizeof head, "%s", text);
    snprintf(folders, sizeof folders, "%.*s", length, inner);
    const struct {
        int sure;
        const char *text, *pattern;
        bool short_name;
    } ways[] = {{BY_NAME, telling, by_name, false},
                {BY_CONTENT, head, "(// |// Exercise )%s:", false},
                {BY_NUMBER, telling, "^([^0-9]*)%s([^0-9]|$)", true}, /* ex3, Exercise 3 */
                {BY_FOLDER, folders, by_name, false},
                {BY_FOLDER, folders, "^(.*/|)[^0-9/]*%s([^0-9]|$)", true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !file->task; i++) {
        file->task = task_said(ways[i].text, ways[i].pattern, ways[i].short_name, asked);
        file->sure = ways[i].sure;
    }
    for (size_t i = 0; i < task_count && !file->task; i++)
        if (asked == (task_set)1 << i) {
            file->task = tasks[i];
            file->sure = BY_BEING_ASKED;
        }
    if (!file->task)
        file->why = "does not say its exercise: call it 03.cu";
    else if (file->sure < BY_NAME && strstr(text, "solve"))
        file->sure += HAS_SOLVE;
}

/* ---- one file ---- */

static int open_folder(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int find_open(const struct finding *f, const char *path, const char **name)
{
    int folder = open_folder(f->folder, ".");
    for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        char part[NAME_BYTES];
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        const int next = open_folder(folder, part);
        close(folder);
        folder = next;
    }
    *name = path;
    return folder;
}

static const char archive[] = "\\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", source[] = ".\\.cu$";

/* Reads a plain file as a string, in memory that lives until the next call. Returns what it is
 * instead of a source file, or NULL. */
static const char *read_source(int folder, const char *name, const char **text)
{
    static char memory[MOST_SOURCE_BYTES + 1];
    struct stat st;
    const bool there = fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    const bool plain = there && S_ISREG(st.st_mode);
    const bool wanted = plain && matches(name, source, NULL);
    const int fd =
        wanted ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    const size_t bytes = file ? fread(memory, 1, MOST_SOURCE_BYTES, file) : 0;
    const bool read = file && !ferror(file);
    const struct {
        bool so;
        const char *why;
    } reasons[] = {
        {!there, "cannot be read"},
        {there && S_ISLNK(st.st_mode), "is a link: hand in the file itself"},
        {!plain, "is not a plain file"},
        {matches(name, archive, NULL), "is an archive: unpack it first"},
        {!wanted, "is not a .cu file"},
        {!read, "cannot be read"},
        {bytes == 0, "is empty"},
        {bytes == MOST_SOURCE_BYTES, "is larger than 1 MiB"},
        {bytes > 1 && (memcmp(memory, "\xff\xfe", 2) == 0 || memcmp(memory, "\xfe\xff", 2) == 0),
         "is UTF-16 text: save it as UTF-8"},
        {memchr(memory, '\0', bytes) != NULL, "is not a text file"}};
    memory[bytes] = '\0';
    *text = memory;
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].so)
            return reasons[i].why;
    return NULL;
}

/* What is known is `why` it is no file to grade, or NULL. From its `start` on the path is below the
 * student; `telling` is the part of the name that may say the exercise. */
static void add_file(struct finding *f, size_t student, const char *path, const char *telling,
                     size_t start, const char *why)
{
    const char *name, *text = "";
    struct found file = {student, checked(strdup(path)), NULL, 0, NULL};
    const int folder = find_open(f, path, &name);
    if (!why)
        why = read_source(folder, name, &text);
    close(folder);
    recognise(&file, telling, path + start, text, f->asked);
    if (why)
        file.why = why;
    if (file.why)
        file.sure = 0;
    f->file = checked(realloc(f->file, (f->files + 1) * sizeof *f->file));
    f->file[f->files++] = file;
}

/* ---- students ---- */

/* The student of this name; a new one if there is none yet. */
static size_t student_of(struct finding *f, const char *name)
{
    char shown[4 * NAME_BYTES];
    text_show(shown, sizeof shown, name);
    for (size_t i = 0; i < f->students; i++)
        if (strcmp(f->student[i], shown) == 0)
            return i;
    f->student = checked(realloc(f->student, (f->students + 1) * sizeof *f->student));
    f->student[f->students] = checked(strdup(shown));
    return f->students++;
}

/*
 * What names of the class's folder are made of: the student is what stands in front of the pattern,
 * with the number of the group `id`, and the group `telling` may say the exercise.
 */
enum { OF_MOODLE, OF_CANVAS, WITH_EXERCISE, PLAIN };
static const struct {
    const char *pattern;
    int id, telling; /* 0: there is none */
} rules[] = {
    /* Alice Smith_123_assignsubmission_file_03.cu, or a folder: Alice Smith_123 */
    [OF_MOODLE] = {"_assignsubmission_[^_]*_?(.*)$", 0, 1},
    /* smithalice_LATE_123_456_03.cu: smithalice_123 */
    [OF_CANVAS] = {"(_LATE)?_([0-9]+)_[0-9]+_(.+)$", 2, 3},
    /* smith_03.cu, of an exercise that is asked for: smith */
    [WITH_EXERCISE] = {"[-_ ]([0-9]{2}|capstone)\\.[^.]*$", 0, 1},
    /* smith.cu: smith */
    [PLAIN] = {"(\\.[^.]*)?$", 0, 0},
};

/* Takes a name apart. Returns the rule. */
static int take_apart(const char *name, task_set asked, char *student, char *telling)
{
    regmatch_t at[GROUPS];
    const char *rest = name + 1; /* no student has an empty name */
    for (int i = 0;; i++) {
        if (!matches(rest, rules[i].pattern, at))
            continue;
        const regmatch_t id = at[rules[i].id], tells = at[rules[i].telling];
        snprintf(telling, NAME_BYTES, "%.*s",
                 rules[i].telling ? (int)(tells.rm_eo - tells.rm_so) : 0, rest + tells.rm_so);
        const struct task *task = task_said(telling, by_name, false, asked);
        if (i == WITH_EXERCISE && (!task || (asked && !(bit_of(task) & asked))))
            continue;
        const int id_bytes = rules[i].id ? (int)(id.rm_eo - id.rm_so) : 0;
        snprintf(student, NAME_BYTES, "%.*s%s%.*s", (int)at[0].rm_so + 1, name, id_bytes ? "_" : "",
                 id_bytes, rest + id.rm_so);
        return i;
    }
}

/* ---- folders ---- */

static int by_letters(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* What systems and archives leave behind is nobody's file. */
static int is_seen(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0;
}

static mode_t type_of(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & S_IFMT : 0;
}

/* A folder with this file in it is one that find_reports() has made. */
static const char our_sign[] = ".written_by_grade";

static bool is_ours(int folder, const char *name)
{
    char sign[2 * NAME_BYTES];
    snprintf(sign, sizeof sign, "%s/%s", name, our_sign);
    return strncmp(name, "reports", 7) == 0 && type_of(folder, name) == S_IFDIR &&
           type_of(folder, sign) != 0;
}

static void walk(struct finding *f, size_t student, const char *path, size_t start, int depth);

/* What stands in the class's folder itself. */
static void add_entry(struct finding *f, const char *name, const char *path, mode_t type)
{
    char student[NAME_BYTES], telling[NAME_BYTES];
    const int rule = take_apart(name, f->asked, student, telling);
    const bool platform = rule == OF_MOODLE || rule == OF_CANVAS;
    const bool handed_in = platform || matches(name, source, NULL) || matches(name, archive, NULL);
    if (type == S_IFDIR && !is_ours(f->folder, name))
        walk(f, student_of(f, platform ? student : name), path, strlen(path), MOST_DEPTH);
    else if (type != S_IFDIR && (type != S_IFREG || handed_in)) /* or it is a list of the teacher */
        add_file(f, student_of(f, student), path, telling, strlen(path), NULL);
}

/* Finds what is in the folder `path`, which ends with a slash or is empty. */
static void walk(struct finding *f, size_t student, const char *path, size_t start, int depth)
{
    struct dirent **entries = NULL;
    const char *name;
    const int folder = find_open(f, path, &name);
    const int n = depth > 0 && folder >= 0 && strlen(path) + NAME_BYTES < PATH_BYTES
                      ? scandirat(folder, ".", &entries, is_seen, by_letters)
                      : -1;
    if (n < 0)
        add_file(f, student, path, "", start, "is a folder that cannot be read, or lies too deep");
    for (int i = 0; i < n; i++) {
        char inner[PATH_BYTES + 2];
        name = entries[i]->d_name;
        const mode_t type = type_of(folder, name);
        snprintf(inner, sizeof inner, "%s%s%s", path, name, type == S_IFDIR ? "/" : "");
        if (student == of_its_name)
            add_entry(f, name, inner, type);
        else if (type == S_IFDIR)
            walk(f, student, inner, start, depth - 1);
        else
            add_file(f, student, inner, name, start, NULL);
        free(entries[i]);
    }
    free(entries);
    close(folder);
}

/* ---- the order of files ---- */

/* The name without .cu: 03-2.cu comes after 03.cu. */
static void short_name(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, NAME_BYTES, "%s", slash ? slash + 1 : path);
    if (strrchr(name, '.'))
        *strrchr(name, '.') = '\0';
}

/* By exercise, how well it is known, and name: 03-10.cu comes after 03-2.cu. */
static int compare_files(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    char names[2][NAME_BYTES];
    short_name(x->path, names[0]);
    short_name(y->path, names[1]);
    const int order[] = {(x->task > y->task) - (x->task < y->task), x->sure - y->sure,
                         strverscmp(names[0], names[1]), strcmp(x->path, y->path)};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i])
            return order[i];
    return 0;
}

/* ---- a class, or one student ---- */

static bool find_all(struct finding *f, const char *folder, task_set asked, const char *student)
{
    *f = (struct finding){.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                          .asked = asked};
    if (f->folder < 0) {
        fprintf(stderr, "grade: '%s': %s; accepted: a folder\n", folder, strerror(errno));
        return false;
    }
    walk(f, student ? student_of(f, student) : of_its_name, "", 0, MOST_DEPTH);
    if (f->files > 0)
        qsort(f->file, f->files, sizeof *f->file, compare_files);
    return true;
}

bool find_class(struct finding *f, const char *folder, task_set asked)
{
    return find_all(f, folder, asked, NULL);
}

bool find_student(struct finding *f, const char *folder, task_set asked)
{
    return find_all(f, folder, asked, "this folder");
}

int find_reports(const struct finding *f, char *name, size_t bytes)
{
    snprintf(name, bytes, "reports");
    for (int i = 2; mkdirat(f->folder, name, 0755) != 0 && !is_ours(f->folder, name); i++) {
        if (errno != EEXIST && errno != ENOENT)
            return -1;
        snprintf(name, bytes, "reports_%d", i);
    }
    const int reports = open_folder(f->folder, name);
    const int sign = openat(reports, our_sign, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    close(sign);
    return sign < 0 ? -1 : reports;
}

/* ---- what was found ---- */

size_t find_files(const struct finding *f, size_t student, const struct task *task,
                  const struct found **files, size_t most)
{
    size_t count = 0;
    for (size_t i = f->files; i-- > 0 && count < most;) {
        const struct found *file = &f->file[i];
        if (file->student == student && file->task == task && file->sure > 0 &&
            (count == 0 || file->sure == files[0]->sure))
            files[count++] = file;
    }
    return count;
}

void find_instead(const struct finding *f, size_t student, const struct task *task, char *text,
                  size_t bytes)
{
    int told = 0;
    text[0] = '\0';
    for (size_t i = 0; i < f->files && told <= MOST_TOLD; i++) {
        const struct found *file = &f->file[i];
        char shown[PATH_BYTES];
        if (file->student != student || !file->why || (task && file->task && file->task != task))
            continue;
        text_show(shown, sizeof shown, file->path);
        const size_t used = strlen(text);
        if (told++ == MOST_TOLD)
            snprintf(text + used, bytes - used, "; and more");
        else
            snprintf(text + used, bytes - used, "%s%.200s %s", used ? "; " : "", shown, file->why);
    }
}

task_set find_tasks(const struct finding *f)
{
    task_set set = 0;
    for (size_t i = 0; i < f->files; i++)
        if (f->file[i].sure > 0)
            set |= bit_of(f->file[i].task);
    return set;
}
