/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 32, MOST_SOURCE_BYTES = 1 << 20, HEAD_BYTES = 1024 };

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

/* Reads a plain file as a string. Returns what it is instead of a source file, or "". */
static const char *read_source(int folder, const char *name, char text[MOST_SOURCE_BYTES + 1])
{
    const mode_t type = type_of(folder, name);
    const bool wanted = type == S_IFREG && ends_with(name, ".cu ");
    const int fd =
        wanted ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    const size_t bytes = file ? fread(text, 1, MOST_SOURCE_BYTES, file) : 0;
    const bool readable = file && !ferror(file);
    text[bytes] = '\0';
    if (file)
        fclose(file);
    const struct {
        bool so;
        const char *why;
    } reasons[] = {{type == S_IFLNK, "is a link: hand in the file itself"},
                   {type != S_IFREG, "is not a plain file"},
                   {ends_with(name, ".zip .tar .gz .tgz .bz2 .xz .7z .rar "),
                    "is an archive: unpack it first"},
                   {!wanted, "is not a .cu file"},
                   {!readable, "cannot be read"},
                   {bytes == 0, "is empty"},
                   {bytes == MOST_SOURCE_BYTES, "is larger than 1 MiB"},
                   {memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0,
                    "is UTF-16 text: save it as UTF-8"},
                   {memchr(text, '\0', bytes) != NULL, "is not a text file"},
                   {true, ""}};
    size_t i = 0;
    while (!reasons[i].so)
        i++;
    return reasons[i].why;
}

/* ---- folders ---- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* What systems and archives leave behind is nobody's file. */
static int is_seen(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__MACOSX") != 0;
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
    static char text[MOST_SOURCE_BYTES + 1];
    struct dirent **entries = NULL;
    const char *name;
    const int folder = find_open(f, path, &name);
    const int n = depth > 0 && folder >= 0 && strlen(path) + NAME_BYTES < PATH_BYTES
                      ? scandirat(folder, ".", &entries, is_seen, by_name)
                      : -1;
    if (*path)
        write_path(f, list, path, n < 0 ? "is a folder that cannot be read, or lies too deep" : "",
                   "");
    for (int i = 0; i < n; i++) {
        char inner[PATH_BYTES + 2];
        name = entries[i]->d_name;
        const bool is_folder = type_of(folder, name) == S_IFDIR;
        snprintf(inner, sizeof inner, "%s%s%s", path, name, is_folder ? "/" : "");
        if (!is_folder)
            write_path(f, list, inner, read_source(folder, name, text), text);
        else if (*path || !is_ours(folder, name))
            walk(f, list, inner, depth - 1);
        free(entries[i]);
    }
    free(entries);
    close(folder);
}

/* ---- what is graded ---- */

static void set_variables(const struct class_options *o, bool class)
{
    char names[NAME_BYTES] = "", shown[4 * NAME_BYTES] = "";
    for (size_t i = 0; i < task_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", tasks[i]->name);
    text_show(shown, sizeof shown, o->student);
    setenv("KIND", class ? "class" : "student", 1);
    setenv("TASKS", names, 1);
    setenv("ASKED", o->asked, 1);
    setenv("STUDENT", o->student, 1);
    setenv("SHOWN", shown, 1);
    setenv("FOLDER", o->folder, 1);
}

/* Takes a line of find.awk apart. */
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
    char *list = NULL, *lines = NULL;
    size_t bytes;
    *f = (struct finding){.folder = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (f->folder < 0) {
        fprintf(stderr, "grade: '%s': %s; accepted: a folder\n", o->folder, strerror(errno));
        return false;
    }
    FILE *to = open_memstream(&list, &bytes);
    walk(f, to, "", MOST_DEPTH);
    fclose(to);
    set_variables(o, class);
    to = open_memstream(&lines, &bytes);
    const bool fine = report_awk(o->course, "find.awk", list, to);
    fclose(to);
    free(list);
    f->remark = strsep(&lines, "\n");
    for (char *line; fine && (line = strsep(&lines, "\n")) != NULL && *line;)
        read_row(f, line);
    return fine;
}
