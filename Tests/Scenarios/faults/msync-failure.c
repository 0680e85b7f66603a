// msync fails as on a broken disk, from the MSYNC_FAILS_FROM-th call on.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

int msync(void *address, size_t length, int flags) {
  static int calls;
  static int (*real)(void *, size_t, int);
  const char *from = getenv("MSYNC_FAILS_FROM");
  if (from != NULL && ++calls >= atoi(from)) {
    errno = EIO;
    return -1;
  }
  if (real == NULL) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  return real(address, length, flags);
}
