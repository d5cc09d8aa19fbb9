/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "find.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 32, MOST_SOURCE_BYTES = 1 << 20, HEAD_BYTES = 1024, MOST_TOLD = 3 };

/* How well the exercise of a file is known. */
enum { BY_BEING_ASKED = 1, BY_FOLDER, BY_NUMBER, BY_CONTENT, HAS_SOLVE = 8, BY_NAME = 16 };

static task_set bit_of(const struct task *task)
{
    task_set bit = 1;
    for (size_t i = 0; tasks[i] != task; i++)
        bit <<= 1;
    return bit;
}

static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "grade: no memory for the list of files\n");
        exit(2);
    }
    return memory;
}

/* ---- of which exercise a file is ---- */

/* "03" in ex03_final, not in 2003; "capstone". */
static bool says(const char *name, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = name; (at = strcasestr(at, word)) != NULL; at++)
        if (!isdigit((unsigned char)*word) ||
            ((at == name || !isdigit((unsigned char)at[-1])) && !isdigit((unsigned char)at[n])))
            return true;
    return false;
}

/* The exercise that a name says; one that is asked for before any other. */
static const struct task *task_named(const char *name, task_set asked)
{
    const struct task *task = NULL;
    for (size_t i = 0; i < task_count; i++)
        if (says(name, tasks[i]->name) && (!task || (asked >> i & 1 && !(bit_of(task) & asked))))
            task = tasks[i];
    return task;
}

/* ex3, Exercise 3: the first number of the name. */
static const struct task *task_numbered(const char *name)
{
    char number[8];
    name += strcspn(name, "0123456789");
    const size_t digits = strspn(name, "0123456789");
    snprintf(number, sizeof number, "0%.*s", (int)(digits < 2 ? digits : 2), name);
    return task_find(number);
}

/* `// Exercise 03: ...` or `// Capstone: ...` at the head of a file that was handed out. */
static const struct task *task_of_text(const char *text)
{
    char head[HEAD_BYTES], mark[NAME_BYTES];
    snprintf(head, sizeof head, "%s", text);
    for (size_t i = 0; i < task_count; i++) {
        snprintf(mark, sizeof mark,
                 "// %s%s:", isdigit((unsigned char)tasks[i]->name[0]) ? "Exercise " : "",
                 tasks[i]->name);
        if (strcasestr(head, mark))
            return tasks[i];
    }
    return NULL;
}

/* By the folders, the innermost first. */
static const struct task *task_of_folders(const char *path, task_set asked)
{
    char folders[PATH_BYTES];
    const struct task *task = NULL;
    snprintf(folders, sizeof folders, "%s", path);
    for (char *slash; !task && (slash = strrchr(folders, '/')) != NULL;) {
        *slash = '\0';
        const char *name = strrchr(folders, '/') ? strrchr(folders, '/') + 1 : folders;
        task = task_named(name, asked) ? task_named(name, asked) : task_numbered(name);
    }
    return task;
}

/* `name` is the part of the file's name that may tell, `inner` its path below the student. */
static void recognise(struct found *file, const char *name, const char *inner, const char *text,
                      task_set asked)
{
    const struct task *only = NULL;
    for (size_t i = 0; i < task_count; i++)
        if (asked == (task_set)1 << i)
            only = tasks[i];
    const struct {
        const struct task *task;
        int sure;
    } ways[] = {{task_named(name, asked), BY_NAME},
                {task_of_text(text), BY_CONTENT},
                {task_numbered(name), BY_NUMBER},
                {task_of_folders(inner, asked), BY_FOLDER},
                {only, BY_BEING_ASKED}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !file->task; i++)
        if (ways[i].task) {
            file->task = ways[i].task;
            file->sure = ways[i].sure;
        }
    if (!file->task)
        file->why = "does not say its exercise: call it 03.cu";
    else if (file->sure < BY_NAME && strstr(text, "solve"))
        file->sure += HAS_SOLVE;
}

/* ---- one file ---- */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcasecmp(name + n - m, end) == 0;
}

static bool is_archive(const char *name)
{
    const char *dot = strrchr(name, '.');
    char end[NAME_BYTES + 2];
    snprintf(end, sizeof end, "%s ", dot ? dot : "");
    return dot && strcasestr(".zip .tar .gz .tgz .bz2 .xz .7z .rar ", end);
}

/* Reads a plain file as a string, in memory of its own that lives until the next call. Returns what
 * is wrong with it, or NULL. */
static const char *read_source(int folder, const char *name, const char **text)
{
    static char memory[MOST_SOURCE_BYTES + 1];
    struct stat st;
    *text = memory;
    memory[0] = '\0';
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return "cannot be read";
    size_t bytes = 0;
    ssize_t n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 1 : -1;
    while (n > 0 && bytes < MOST_SOURCE_BYTES) {
        n = read(fd, memory + bytes, MOST_SOURCE_BYTES - bytes);
        bytes += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    memory[bytes] = '\0';
    if (n < 0)
        return "cannot be read";
    if (bytes == 0)
        return "is empty";
    if (bytes == MOST_SOURCE_BYTES)
        return "is larger than 1 MiB";
    if (memcmp(memory, "\xff\xfe", 2) == 0 || memcmp(memory, "\xfe\xff", 2) == 0)
        return "is UTF-16 text: save it as UTF-8";
    return memchr(memory, '\0', bytes) ? "is not a text file" : NULL;
}

/* Why this is no source file, or NULL. */
static const char *look_at(int folder, const char *name, const char **text)
{
    struct stat st;
    *text = "";
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return "cannot be read";
    if (S_ISLNK(st.st_mode))
        return "is a link: hand in the file itself";
    if (!S_ISREG(st.st_mode))
        return "is not a plain file";
    if (is_archive(name))
        return "is an archive: unpack it first";
    if (!ends_with(name, ".cu"))
        return "is not a .cu file";
    return read_source(folder, name, text);
}

static struct found *new_file(struct finding *f, size_t student, const char *path, const char *why)
{
    f->file = checked(realloc(f->file, (f->files + 1) * sizeof *f->file));
    f->file[f->files] = (struct found){student, checked(strdup(path)), NULL, 0, why};
    return &f->file[f->files++];
}

static void add_file(struct finding *f, int folder, const char *name, size_t student,
                     const char *path, const char *telling, const char *inner, task_set asked)
{
    const char *text;
    struct found *file = new_file(f, student, path, NULL);
    const char *why = look_at(folder, name, &text);
    recognise(file, telling, inner, text, asked);
    if (why) {
        file->sure = 0;
        file->why = why;
    }
}

/* ---- folders ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_folder(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

const char find_our_sign[] = ".written_by_grade";

bool find_is_ours(int folder, const char *name)
{
    char sign[2 * NAME_BYTES];
    struct stat st;
    snprintf(sign, sizeof sign, "%s/%s", name, find_our_sign);
    return strncmp(name, "reports", 7) == 0 && is_folder(folder, name) &&
           fstatat(folder, sign, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* What systems and archives leave behind is nobody's file. */
static bool is_hidden(const char *name)
{
    return name[0] == '.' || strcmp(name, "__MACOSX") == 0;
}

static int open_folder(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Finds what is in the folder `path`; from its `start` on it is below the student. */
static void walk(struct finding *f, int folder, size_t student, const char *path, size_t start,
                 task_set asked, int depth)
{
    struct dirent **entries;
    const int n = depth > 0 && folder >= 0 ? scandirat(folder, ".", &entries, NULL, by_name) : -1;
    if (n < 0)
        new_file(f, student, path, "is a folder that cannot be read, or lies too deep");
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char inner[PATH_BYTES];
        const bool fits = snprintf(inner, sizeof inner, "%s%s", path, name) + 2 < PATH_BYTES;
        if (!is_hidden(name) && fits && is_folder(folder, name)) {
            const int next = open_folder(folder, name);
            walk(f, next, student, strcat(inner, "/"), start, asked, depth - 1);
            close(next);
        } else if (!is_hidden(name) && fits) {
            add_file(f, folder, name, student, inner, name, inner + start, asked);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

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
 * Takes a name apart that a platform has made. Moodle: `Alice Smith_123_assignsubmission_file_`, a
 * folder, or with a file's name behind it; the student is `Alice Smith_123`. Canvas:
 * `smithalice_LATE_123_456_03.cu`; the student is `smithalice_123`. False: it is another name.
 */
static bool is_of_platform(const char *name, char *student, const char **rest)
{
    static const char moodle[] = "_assignsubmission_";
    const char *at = strstr(name, moodle);
    if (at) {
        snprintf(student, NAME_BYTES, "%.*s", (int)(at - name), name);
        at += strlen(moodle);
        *rest = at[strcspn(at, "_")] ? at + strcspn(at, "_") + 1 : "";
        return true;
    }
    for (at = strchr(name + 1, '_'); at; at = strchr(at + 1, '_')) {
        const size_t id = strspn(at + 1, "0123456789");
        const size_t hand_in = at[id + 1] == '_' ? strspn(at + id + 2, "0123456789") : 0;
        const char *end = at + id + 2 + hand_in;
        if (id == 0 || hand_in == 0 || *end != '_' || !end[1])
            continue;
        int length = (int)(at - name);
        if (length > 5 && memcmp(at - 5, "_LATE", 5) == 0)
            length -= 5;
        snprintf(student, NAME_BYTES, "%.*s_%.*s", length, name, (int)id, at + 1);
        *rest = end + 1;
        return true;
    }
    return false;
}

/* student.cu or student_03.cu, in the class's folder itself: `telling` gets what may say the
 * exercise. */
static void take_apart(const char *name, task_set asked, char *student, char *telling)
{
    snprintf(student, NAME_BYTES, "%s", name);
    telling[0] = '\0';
    char *dot = strrchr(student, '.');
    if (dot && dot != student)
        *dot = '\0';
    for (size_t i = 0; i < task_count; i++) {
        const size_t n = strlen(student), m = strlen(tasks[i]->name);
        if ((asked && !(asked >> i & 1)) || n < m + 2 || !strchr("_- ", student[n - m - 1]) ||
            strcasecmp(student + n - m, tasks[i]->name) != 0)
            continue;
        strcpy(telling, student + n - m);
        student[n - m - 1] = '\0';
        return;
    }
}

static void add_entry(struct finding *f, const char *name, task_set asked)
{
    char student[NAME_BYTES], own[NAME_BYTES], path[NAME_BYTES + 1];
    const char *rest = NULL, *telling = own;
    const bool platform = is_of_platform(name, student, &rest);
    if (is_folder(f->folder, name)) {
        const int folder = open_folder(f->folder, name);
        const size_t index = student_of(f, platform ? student : name);
        const int n = snprintf(path, sizeof path, "%s/", name);
        walk(f, folder, index, path, (size_t)n, asked, MOST_DEPTH);
        close(folder);
        return;
    }
    struct stat st;
    const bool plain =
        fstatat(f->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
    if (plain && !platform && !ends_with(name, ".cu") && !is_archive(name))
        return; /* marks.csv, a list, a note of the teacher */
    if (platform)
        telling = rest;
    else
        take_apart(name, asked, student, own);
    add_file(f, f->folder, name, student_of(f, student), name, telling, "", asked);
}

static bool open_finding(struct finding *f, const char *folder)
{
    *f = (struct finding){.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (f->folder < 0)
        fprintf(stderr, "grade: '%s': %s; accepted: a folder\n", folder, strerror(errno));
    return f->folder >= 0;
}

bool find_class(struct finding *f, const char *folder, task_set asked)
{
    struct dirent **entries;
    if (!open_finding(f, folder))
        return false;
    const int n = scandirat(f->folder, ".", &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        if (!is_hidden(entries[i]->d_name) && !find_is_ours(f->folder, entries[i]->d_name))
            add_entry(f, entries[i]->d_name, asked);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return true;
}

bool find_student(struct finding *f, const char *folder, task_set asked)
{
    if (!open_finding(f, folder))
        return false;
    walk(f, f->folder, student_of(f, "this folder"), "", 0, asked, MOST_DEPTH);
    return true;
}

/* ---- what was found ---- */

static const char *name_of(const struct found *file)
{
    const char *slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}

/* 03-2.cu comes after 03.cu, and 03-10.cu after 03-2.cu. */
static int compare_names(const void *a, const void *b)
{
    char x[NAME_BYTES], y[NAME_BYTES];
    const struct found *f = *(const struct found *const *)a, *g = *(const struct found *const *)b;
    snprintf(x, sizeof x, "%.*s", (int)strlen(name_of(f)) - 3, name_of(f));
    snprintf(y, sizeof y, "%.*s", (int)strlen(name_of(g)) - 3, name_of(g));
    const int order = strverscmp(x, y);
    return order ? order : strcmp(f->path, g->path);
}

size_t find_files(const struct finding *f, size_t student, const struct task *task,
                  const struct found **files, size_t most)
{
    const struct found **all = checked(malloc((f->files + 1) * sizeof *all));
    size_t count = 0;
    int sure = 1;
    for (size_t i = 0; i < f->files; i++) {
        const struct found *file = &f->file[i];
        if (file->student != student || file->task != task || file->sure < sure)
            continue;
        if (file->sure > sure)
            count = 0;
        sure = file->sure;
        all[count++] = file;
    }
    qsort(all, count, sizeof *all, compare_names);
    const size_t first = count > most ? count - most : 0;
    memcpy(files, all + first, (count - first) * sizeof *files);
    free(all);
    return count - first;
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

/* The folder of a file, once more without following links; `name` is what remains of the path. */
static int open_folder_of(const struct finding *f, const char *path, const char **name)
{
    int folder = dup(f->folder);
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

bool find_judge(const struct finding *f, const struct found *file, size_t student,
                const struct task *task, const struct course *course, uint64_t seed, struct mark *m)
{
    char path[2 * PATH_BYTES], instead[MESSAGE_BYTES / 2];
    if (file) {
        const char *name;
        const int folder = open_folder_of(f, file->path, &name);
        snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
        const bool judged = judge(course, task, path, seed, m);
        close(folder);
        snprintf(m->file, sizeof m->file, "%s", file->path);
        return judged;
    }
    *m = (struct mark){.task = task, .seed = seed, .file = "no file"};
    snprintf(path, sizeof path, "%s/%s/tests.txt", course->root, task->folder);
    if (!tests_read(path, task, &m->tests, m->refused, sizeof m->refused))
        return false;
    find_instead(f, student, task, instead, sizeof instead);
    snprintf(m->refused, sizeof m->refused, "missing: there is no file of exercise %s%s%s",
             task->name, instead[0] ? "; " : "", instead);
    return true;
}
