/* Shifts the time of day of a process by what a mapped file says, for `tests.soak.clock`.
 *
 * CLOCK_FILE names a file of rows: a word, and an offset in nanoseconds. A process takes the first row whose word is in
 * its command line, and goes on to read its offset there, so a test can set the clock while the process lives. The
 * monotonic clock stays. A deadline that is a time of day is put back into the real one before it is waited for.
 * A deadline later than 1,000,000,000 s is one: no machine has been up for thirty years. A wait that has begun is not
 * changed by a step. The kernel's own times, such as those of files, are real.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define REAL(name) ((__typeof__(&name))find(&real_##name, #name))
#define DECLARE(name) static void *real_##name

struct row {
    char word[56];
    volatile int64_t offset;
};

static volatile int64_t none = 0;
static volatile int64_t *offset = &none;

DECLARE(clock_gettime);
DECLARE(clock_nanosleep);
DECLARE(pthread_cond_timedwait);
DECLARE(pthread_cond_clockwait);
DECLARE(pthread_mutex_timedlock);
DECLARE(pthread_mutex_clocklock);
DECLARE(pthread_rwlock_timedrdlock);
DECLARE(pthread_rwlock_timedwrlock);
DECLARE(sem_timedwait);
DECLARE(sem_clockwait);
DECLARE(cnd_timedwait);
DECLARE(mtx_timedlock);

static void *find(void **place, const char *name)
{
    if (!*place) {
        /* x86-64 has an older pthread_cond_timedwait too, which dlsym may prefer */
        if (!strncmp(name, "pthread_cond_", 13))
            *place = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
        if (!*place)
            *place = dlsym(RTLD_NEXT, name);
    }
    return *place;
}

__attribute__((constructor)) static void choose_row(void)
{
    static char line[16384];
    const char *path = getenv("CLOCK_FILE");
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = 0, got;
    if (file < 0)
        return;
    while ((got = read(file, line + length, sizeof line - 1 - length)) > 0)
        length += got;
    close(file);
    for (ssize_t at = 0; at < length; at++)
        if (!line[at])
            line[at] = ' ';
    if (!path || (file = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return;
    struct stat facts;
    struct row *rows = MAP_FAILED;
    if (!fstat(file, &facts))
        rows = mmap(NULL, facts.st_size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (rows == MAP_FAILED)
        return;
    for (size_t at = 0; at < facts.st_size / sizeof *rows; at++)
        if (strstr(line, rows[at].word)) {
            offset = &rows[at].offset;
            return;
        }
}

static struct timespec add(struct timespec time, int64_t nanoseconds)
{
    int64_t sum = time.tv_nsec + nanoseconds % SECOND;
    time.tv_sec += nanoseconds / SECOND;
    if (sum < 0)
        sum += SECOND, time.tv_sec -= 1;
    else if (sum >= SECOND)
        sum -= SECOND, time.tv_sec += 1;
    time.tv_nsec = sum;
    return time;
}

static int is_of_day(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

/* The real time of a deadline, in `room` if it differs. */
static const struct timespec *to_real(const struct timespec *deadline, struct timespec *room)
{
    if (!deadline || deadline->tv_sec < SECOND || deadline->tv_sec > 100 * SECOND)
        return deadline;
    *room = add(*deadline, -*offset);
    return room;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = REAL(clock_gettime)(clock, time);
    if (!result && is_of_day(clock))
        *time = add(*time, *offset);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place)
        *place = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, time) ? base : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *deadline, struct timespec *left)
{
    struct timespec room;
    if (flags & TIMER_ABSTIME && is_of_day(clock))
        deadline = to_real(deadline, &room);
    return REAL(clock_nanosleep)(clock, flags, deadline, left);
}

#define WAIT(name, parameters, ...)                                                                                    \
    int name parameters                                                                                                \
    {                                                                                                                  \
        struct timespec room;                                                                                          \
        deadline = to_real(deadline, &room);                                                                           \
        return REAL(name)(__VA_ARGS__);                                                                                \
    }
#define DEADLINE const struct timespec *restrict deadline

WAIT(pthread_cond_timedwait, (pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, DEADLINE), cond, mutex, deadline)
WAIT(pthread_cond_clockwait, (pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock, DEADLINE),
     cond, mutex, clock, deadline)
WAIT(pthread_mutex_timedlock, (pthread_mutex_t *restrict mutex, DEADLINE), mutex, deadline)
WAIT(pthread_mutex_clocklock, (pthread_mutex_t *restrict mutex, clockid_t clock, DEADLINE), mutex, clock, deadline)
WAIT(pthread_rwlock_timedrdlock, (pthread_rwlock_t *restrict lock, DEADLINE), lock, deadline)
WAIT(pthread_rwlock_timedwrlock, (pthread_rwlock_t *restrict lock, DEADLINE), lock, deadline)
WAIT(sem_timedwait, (sem_t *restrict sem, DEADLINE), sem, deadline)
WAIT(sem_clockwait, (sem_t *restrict sem, clockid_t clock, DEADLINE), sem, clock, deadline)
WAIT(cnd_timedwait, (cnd_t *restrict cond, mtx_t *restrict mutex, DEADLINE), cond, mutex, deadline)
WAIT(mtx_timedlock, (mtx_t *restrict mutex, DEADLINE), mutex, deadline)
