/* Preloaded into programs: the wall clock shows the vectors' hour for ever, so that they say the same on every day. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  long result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec = 1795176000, now->tv_nsec = 0;
  return (int)result;
}

/* What a node calls. */
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  now->tv_sec = 1795176000, now->tv_usec = 0;
  return 0;
}
