// Preloaded into a scheduler under test: its clocks run as a file says, which the test changes while the program runs.
// The file (BERTH_TEST_CLOCKS) has the number of settings so far and then the settings, of which the last one applies.
// Nothing here allocates, locks, or opens a file after the start, because signal handlers read clocks, too. A program
// without the variable has the machine's clocks. internal/clocks writes the file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// A clock shows shown + (real - since) * num / den, in nanoseconds.
struct course {
  int64_t since, shown, num, den;
};
enum { kWall, kSteady, kBoot, kClocks, kMost = 1000 };
struct file {
  _Atomic uint64_t count;  // of the settings
  struct course settings[kMost][kClocks];
};
static const struct file* file;

__attribute__((constructor)) static void Begin(void) {
  const char* path = getenv("BERTH_TEST_CLOCKS");
  const int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* at = mmap(NULL, sizeof(struct file), PROT_READ, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) file = at;
  close(fd);
}

// NULL: a clock that is the machine's.
static const struct course* CourseOf(clockid_t clock) {
  const uint64_t count = file == NULL ? 0 : atomic_load_explicit(&file->count, memory_order_acquire);
  if (count == 0 || count > kMost) return NULL;
  const struct course* courses = file->settings[count - 1];
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return &courses[kWall];
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW: return &courses[kSteady];
    case CLOCK_BOOTTIME: return &courses[kBoot];
    default: return NULL;
  }
}

static int64_t Ns(const struct timespec* time) { return time->tv_sec * INT64_C(1000000000) + time->tv_nsec; }

static struct timespec Time(int64_t ns) {
  return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  const long failed = syscall(SYS_clock_gettime, clock, out);
  const struct course* course = failed ? NULL : CourseOf(clock);
  if (course != NULL) *out = Time(course->shown + (Ns(out) - course->since) * course->num / course->den);
  return (int)failed;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

// The machine's time at which the clock shows `until`.
static struct timespec RealTime(clockid_t clock, const struct timespec* until) {
  const struct course* course = CourseOf(clock);
  if (course == NULL) return *until;
  return Time(course->since + (Ns(until) - course->shown) * course->den / course->num);
}

typedef int ClockWait(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);

// The waits of std::condition_variable, until a time of the clock.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  static _Atomic(ClockWait*) next;
  ClockWait* wait = atomic_load(&next);
  if (wait == NULL) {
    wait = (ClockWait*)dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    atomic_store(&next, wait);
  }
  const struct timespec real = RealTime(clock, until);
  return wait(condition, mutex, clock, &real);
}

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict until) {
  enum { kMonotonic = 2 };  // glibc: nptl/pthread_cond_init.c, __PTHREAD_COND_CLOCK_MONOTONIC_MASK
  const clockid_t clock = condition->__data.__wrefs & kMonotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return pthread_cond_clockwait(condition, mutex, clock, until);
}
