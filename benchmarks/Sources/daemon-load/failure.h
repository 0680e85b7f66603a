// How the program ends when something is not as it must be.
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A system call failed: `what` it was for.
static inline _Noreturn void fail(const char *what) {
  fprintf(stderr, "daemon-load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static inline _Noreturn void fail_expecting(const char *what) {
  fprintf(stderr, "daemon-load: expected %s\n", what);
  exit(1);
}
