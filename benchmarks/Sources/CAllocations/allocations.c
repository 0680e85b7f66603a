// Counts who allocates, by standing in front of glibc's malloc and asking for the caller's library.
#define _GNU_SOURCE
#include "allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static __thread int counting;
static __thread struct allocations counts;

static void count(void *caller) {
  if (!counting) return;
  counting = 0;  // dladdr may allocate
  Dl_info info;
  const char *name = dladdr(caller, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "";
  if (strstr(name, "libxml2") != NULL)
    counts.libxml2++;
  else if (strstr(name, "libcrypto") != NULL)
    counts.openssl++;
  else
    counts.swift++;
  counting = 1;
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
// What Swift's runtime calls for more than malloc's alignment.
int posix_memalign(void **memory, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

void allocations_start(void) {
  counts = (struct allocations){0};
  counting = 1;
}
struct allocations allocations_stop(void) {
  counting = 0;
  return counts;
}
