// Preloaded: the time of day cannot be read, as where a filter of system calls forbids it. Other clocks go on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (clock == CLOCK_REALTIME) {
    errno = EPERM;
    return -1;
  }
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return real(clock, time);
}
