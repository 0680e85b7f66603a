#define _GNU_SOURCE
#include "ctrace.h"

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int trace_me(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : -1; }

int trace_step(pid_t child, int *status) {
  if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0) return -1;
  while (waitpid(child, status, 0) != child) {
    if (errno != EINTR) return -1;
  }
  return WIFSTOPPED(*status) ? 1 : 0;
}

int trace_release(pid_t child) { return ptrace(PTRACE_DETACH, child, NULL, NULL) == 0 ? 0 : -1; }
