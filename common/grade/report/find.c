/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 32, HEAD_BYTES = 1024 };

static void *checked(void *memory)
{
    if (!memory) {
        fprintf(stderr, "grade: no memory for the list of files\n");
        exit(2);
    }
    return memory;
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

static mode_t type_of(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & S_IFMT : 0;
}

static bool ends_with(const char *name, const char *ends)
{
    const char *dot = strrchr(name, '.');
    char end[NAME_BYTES + 2];
    snprintf(end, sizeof end, "%s ", dot ? dot : "?");
    return strcasestr(ends, end) != NULL;
}

/* The text of a student's file, to be freed. NULL, and what it is instead. */
static char *read_source(int folder, const char *name, const char **why)
{
    if (type_of(folder, name) != S_IFREG || (name[0] != '.' && ends_with(name, ".cu ")))
        return source_read(folder, name, why);
    *why = ends_with(name, ".zip .tar .gz .tgz .bz2 .xz .7z .rar ")
               ? "is an archive: unpack it first"
           : ends_with(name, ".cu ") ? "is a hidden file: its name begins with a dot"
                                     : "is not a .cu file";
    return NULL;
}

/* ---- folders ---- */

/* Leftovers of systems and archives are not submissions. */
static int is_seen(const struct dirent *entry)
{
    char name[sizeof entry->d_name + 2];
    snprintf(name, sizeof name, "/%s/", entry->d_name);
    return !strstr("/./../.git/.DS_Store/__MACOSX/", name) && strncmp(name, "/._", 3) != 0;
}

/* Writes the line of a file, or of a folder, for find.awk. */
static void write_path(struct finding *f, FILE *list, const char *path, const char *why,
                       const char *text)
{
    char shown[4 * PATH_BYTES + 8], head[4 * HEAD_BYTES];
    text_show(shown, sizeof shown, path);
    text_show(head, sizeof head, text);
    fprintf(list, "%s\t%s\t%d\t%s\n", shown, why, strstr(text, "solve") != NULL, head);
    f->path = checked(realloc(f->path, (f->paths + 1) * sizeof *f->path));
    f->path[f->paths++] = checked(strdup(path));
}

/* Writes what is in the folder `path`, which ends with a slash or is empty. */
static void walk(struct finding *f, FILE *list, const char *path, int depth)
{
    struct dirent **entries = NULL;
    const char *name, *why;
    const int folder = find_open(f, path, &name);
    const int n = depth > 0 && folder >= 0 && strlen(path) + NAME_BYTES < PATH_BYTES
                      ? scandirat(folder, ".", &entries, is_seen, alphasort)
                      : -1;
    if (*path)
        write_path(f, list, path,
                   n < 0 ? "is a folder that cannot be read, or is nested too deeply" : "", "");
    for (int i = 0; i < n; i++) {
        char inner[PATH_BYTES + 2];
        name = entries[i]->d_name;
        const bool is_folder = type_of(folder, name) == S_IFDIR;
        snprintf(inner, sizeof inner, "%s%s%s", path, name, is_folder ? "/" : "");
        char *text = is_folder ? NULL : read_source(folder, name, &why);
        if (!is_folder)
            write_path(f, list, inner, text ? "" : why, text ? text : "");
        else if (!*path || name[0] != '.')
            walk(f, list, inner, depth - 1);
        free(text);
        free(entries[i]);
    }
    free(entries);
    close(folder);
}

/* ---- what is graded ---- */

/* Splits a line of find.awk. */
static void read_row(struct finding *f, char *line)
{
    struct row row = {.student = strsep(&line, "\t")};
    row.task = task_find(strsep(&line, "\t"));
    char *numbers = strsep(&line, "\t");
    for (char *number; (number = strsep(&numbers, " ")) != NULL && row.files < MOST_TRIED;)
        if (*number)
            row.file[row.files++] = f->path[strtoul(number, NULL, 10)];
    row.instead = line;
    f->row = checked(realloc(f->row, (f->rows + 1) * sizeof *f->row));
    f->row[f->rows++] = row;
}

bool find_rows(struct finding *f, const struct class_options *o, bool class)
{
    char *list = NULL, *lines = NULL, shown[4 * NAME_BYTES];
    size_t bytes;
    *f = (struct finding){.folder = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (f->folder < 0) {
        fprintf(stderr, "grade: '%s': %s; accepted: a folder\n", o->folder, strerror(errno));
        return false;
    }
    FILE *to = open_memstream(&list, &bytes);
    walk(f, to, "", MOST_DEPTH);
    fclose(to);
    text_show(shown, sizeof shown, o->student);
    setenv("KIND", class ? "class" : "student", 1);
    setenv("TASKS", task_names, 1);
    setenv("ASKED", o->asked, 1);
    setenv("STUDENT", o->student, 1);
    setenv("SHOWN", shown, 1);
    setenv("FOLDER", o->folder, 1);
    to = open_memstream(&lines, &bytes);
    const bool fine = report_awk(o->course, "find.awk", list, to);
    fclose(to);
    free(list);
    f->remark = strsep(&lines, "\n");
    for (char *line; fine && (line = strsep(&lines, "\n")) != NULL && *line;)
        read_row(f, line);
    return fine;
}
