/* Calls that change files below a folder are counted, recorded and failed: a library to preload.

   `shim_begin` says below which folder, which call fails and how; every call before it is passed on. */

#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ONCE, FROM_THEN_ON, HALF, KILL };

static char root[PATH_MAX];
static long failing = -1, count = 0;
static int failure = 0, manner = ONCE, record = -1;
static char failed[PATH_MAX + 64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Begins anew: the call with this number fails with this error, and the calls are written to this file. */
void shim_begin(const char *folder, long number, int error, int how, int file) {
    snprintf(root, sizeof root, "%s", folder);
    failing = number, failure = error, manner = how, record = file;
    count = 0, failed[0] = 0;
}

long shim_count(void) { return count; }
const char *shim_failed(void) { return failed; }

static int is_below(const char *path) {
    size_t length = strlen(root);
    return length && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0 && is_below(path);
}

static int place_of(int folder, const char *name, char *path) {
    char at[PATH_MAX] = "";
    if (name[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(at, sizeof at)) return 0;
        } else {
            path_of(folder, at);
        }
        strncat(at, "/", sizeof at - strlen(at) - 1);
    }
    snprintf(path, PATH_MAX, "%s%s", at, name);
    return is_below(path);
}

static void put(const void *bytes, size_t length) {
    const char *rest = bytes;
    while (length) {
        ssize_t done = syscall(SYS_write, record, rest, length);
        if (done <= 0) _exit(99);
        rest += done, length -= (size_t)done;
    }
}

/* Counts a call. Whether it is to fail. */
static int fails(const char *name, const char *path) {
    pthread_mutex_lock(&mutex);
    long number = count++;
    int now = number == failing || (manner == FROM_THEN_ON && failing >= 0 && number > failing);
    if (now && !failed[0]) snprintf(failed, sizeof failed, "(%s of %s)", name, path);
    pthread_mutex_unlock(&mutex);
    if (now && manner == KILL) _exit(137);
    if (now) errno = failure;
    return now;
}

static void note(const char *name, const char *path, const char *other, long at, long length,
                 const struct iovec *parts) {
    if (record < 0) return;
    char line[2 * PATH_MAX + 128];
    int size = snprintf(line, sizeof line, "%s\t%s\t%s\t%ld\t%ld\n", name, path, other, at, length);
    pthread_mutex_lock(&mutex);
    put(line, (size_t)size);
    for (; parts && length > 0; parts++) {
        size_t part = parts->iov_len < (size_t)length ? parts->iov_len : (size_t)length;
        put(parts->iov_base, part);
        length -= (long)part;
    }
    pthread_mutex_unlock(&mutex);
}


static long place_in(int fd) {
    struct stat about;
    if (fcntl(fd, F_GETFL) & O_APPEND) return fstat(fd, &about) ? 0 : (long)about.st_size;
    return (long)lseek(fd, 0, SEEK_CUR);
}

static ssize_t written(int fd, const struct iovec *parts, int many, long at, int moves) {
    char path[PATH_MAX];
    int counted = path_of(fd, path);
    long place = moves ? place_in(fd) : at;
    struct iovec half = {parts[0].iov_base, parts[0].iov_len / 2};
    if (counted && fails("write", path)) {
        if (manner != HALF || !half.iov_len) return -1;
        parts = &half, many = 1;
    }
    long done = moves ? syscall(SYS_writev, fd, parts, many)
                      : syscall(SYS_pwritev, fd, parts, many, at, 0);
    int error = errno;
    if (counted && done > 0) note("write", path, "", place, done, parts);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    struct iovec part = {(void *)bytes, length};
    return written(fd, &part, 1, 0, 1);
}
ssize_t writev(int fd, const struct iovec *parts, int many) { return written(fd, parts, many, 0, 1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    struct iovec part = {(void *)bytes, length};
    return written(fd, &part, 1, at, 0);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) { return pwrite(fd, bytes, length, at); }

static int synced(int fd, int number) {
    char path[PATH_MAX];
    int counted = path_of(fd, path);
    if (counted && fails("fsync", path)) return -1;
    int done = (int)syscall(number, fd);
    if (counted && !done) note("fsync", path, "", 0, 0, NULL);
    return done;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
/* The whole disk is not synced for a test; it has no way to fail either. */
void sync(void) { note("sync", root, "", 0, 0, NULL); }

int close(int fd) {
    char path[PATH_MAX];
    int writes = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
    int fault = writes && path_of(fd, path) && fails("close", path);
    int done = (int)syscall(SYS_close, fd);
    if (fault) errno = failure;
    return fault ? -1 : done;
}

int ftruncate(int fd, off_t length) {
    char path[PATH_MAX];
    int counted = path_of(fd, path);
    if (counted && fails("ftruncate", path)) return -1;
    int done = (int)syscall(SYS_ftruncate, fd, length);
    if (counted && !done) note("truncate", path, "", 0, length, NULL);
    return done;
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

void *mmap(void *where, size_t length, int use, int kind, int fd, off_t at) {
    char path[PATH_MAX];
    if (fd >= 0 && path_of(fd, path) && fails("mmap", path)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, where, length, use, kind, fd, at);
}
void *mmap64(void *where, size_t length, int use, int kind, int fd, off_t at) {
    return mmap(where, length, use, kind, fd, at);
}

static int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    char one[PATH_MAX], other[PATH_MAX];
    int counted = place_of(from, old, one) & place_of(to, new, other);
    if (counted && fails("rename", other)) return -1;
    int done = (int)syscall(SYS_renameat2, from, old, to, new, flags);
    if (counted && !done) note("rename", one, other, 0, 0, NULL);
    return done;
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return renamed(from, old, to, new, flags);
}

static int removed(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    int counted = place_of(folder, name, path);
    if (counted && fails("unlink", path)) return -1;
    int done = (int)syscall(SYS_unlinkat, folder, name, flags);
    if (counted && !done) note("unlink", path, "", 0, 0, NULL);
    return done;
}
int unlink(const char *name) { return removed(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return removed(AT_FDCWD, name, AT_REMOVEDIR); }
int unlinkat(int folder, const char *name, int flags) { return removed(folder, name, flags); }

int mkdirat(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    int counted = place_of(folder, name, path);
    if (counted && fails("mkdir", path)) return -1;
    int done = (int)syscall(SYS_mkdirat, folder, name, mode);
    if (counted && !done) note("mkdir", path, "", 0, 0, NULL);
    return done;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

static int opened(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int changes = flags & (O_CREAT | O_TRUNC) && place_of(folder, name, path);
    struct stat about;
    int is_new = changes && fstatat(folder, name, &about, 0);
    if (changes && fails("open", path)) return -1;
    int fd = (int)syscall(SYS_openat, folder, name, flags, mode);
    int error = errno;
    if (changes && fd >= 0 && is_new) note("create", path, "", 0, 0, NULL);
    if (changes && fd >= 0 && !is_new && flags & O_TRUNC) note("truncate", path, "", 0, 0, NULL);
    errno = error;
    return fd;
}
#define MODE(flags) ({ va_list more; va_start(more, flags); mode_t mode_ = va_arg(more, mode_t); va_end(more); mode_; })
int open(const char *name, int flags, ...) { return opened(AT_FDCWD, name, flags, MODE(flags)); }
int open64(const char *name, int flags, ...) { return opened(AT_FDCWD, name, flags | O_LARGEFILE, MODE(flags)); }
int openat(int folder, const char *name, int flags, ...) { return opened(folder, name, flags, MODE(flags)); }
int openat64(int folder, const char *name, int flags, ...) {
    return opened(folder, name, flags | O_LARGEFILE, MODE(flags));
}
