#define _GNU_SOURCE
#include "CMemoryGuard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ranges = 8 };

// A guard is never freed, but used again: the handler finds all of them without a lock.
struct memory_guard {
  memory_guard *next;
  uint64_t use;  // odd while it is in use
  uint64_t broken;
  struct {
    uintptr_t start, bytes;  // start is 0 where there is no mapping
  } range[ranges];
};

static memory_guard *first;
static struct sigaction before;

#define load(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define store(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)
// What runs in the handler asks a sanitizer for nothing: the access that failed may hold the sanitizer's own lock, as every atomic one
// does under ThreadSanitizer, and the handler would wait for it.
#define in_handler __attribute__((disable_sanitizer_instrumentation))

// The guard of the mapping that an address is in, and the mapping. A guard's mappings come and go only with its use or before
// anyone accesses them, so what was read is one of them if the use is still the same.
in_handler static memory_guard *find(uintptr_t address, uintptr_t *start, size_t *bytes) {
  for (memory_guard *guard = load(&first); guard != NULL; guard = guard->next) {
    uint64_t use = load(&guard->use);
    for (int index = 0; use % 2 == 1 && index < ranges; index++) {
      *start = load(&guard->range[index].start);
      *bytes = load(&guard->range[index].bytes);
      if (*start != 0 && address - *start < *bytes && load(&guard->use) == use) return guard;
    }
  }
  return NULL;
}

// Memory of this process alone in the place of what cannot be read or written. The system is asked by number, because a sanitizer, or
// what else is loaded before libc, has a mmap of its own.
in_handler static bool replace(uintptr_t start, size_t bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return syscall(SYS_mmap, start, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != -1;
}

// What was to be done about the signal before there was this handler.
in_handler static void pass_on(int number, siginfo_t *what, void *context) {
  // The kernel's, about an access that will be made again. MCEERR_AO is its warning about memory that no one has read yet.
  bool is_fault = what->si_code > 0 && what->si_code != BUS_MCEERR_AO;
  bool is_default = !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL;
  bool is_ignored = !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN;
  if (is_ignored && !is_fault) return;
  if (is_default || is_ignored || before.sa_flags & SA_RESETHAND) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  }
  if (is_default || is_ignored) {
    if (!is_fault) raise(number);  // It is held back until the handler returns.
  } else if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(number, what, context);
  } else {
    before.sa_handler(number);
  }
}

in_handler static void handle(int number, siginfo_t *what, void *context) {
  int error = errno;
  uintptr_t address = (uintptr_t)what->si_addr, start, page = (uintptr_t)sysconf(_SC_PAGESIZE);
  size_t bytes;
  memory_guard *guard = what->si_code > 0 ? find(address, &start, &bytes) : NULL;
  if (guard != NULL) store(&guard->broken, 1);
  // All of it, so that no other page fails; where the system has no room to promise for that, the one.
  if (guard == NULL || !(replace(start, bytes) || replace(address & ~(page - 1), page))) pass_on(number, what, context);
  errno = error;
}

static void install(void) {
  // Read first: another thread may be in the handler before sigaction returns.
  sigaction(SIGBUS, NULL, &before);
  struct sigaction ours = {.sa_sigaction = handle, .sa_mask = before.sa_mask};
  // On the other stack, where the thread has one: Go's have none but that.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (before.sa_flags & (SA_RESTART | SA_NODEFER));
  sigaction(SIGBUS, &ours, NULL);
}

memory_guard *memory_guard_new(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  for (memory_guard *guard = load(&first); guard != NULL; guard = guard->next) {
    uint64_t use = load(&guard->use);
    if (use % 2 == 1 || !__sync_bool_compare_and_swap(&guard->use, use, use + 1)) continue;
    store(&guard->broken, 0);
    return guard;
  }
  memory_guard *guard = calloc(1, sizeof *guard);
  if (guard == NULL) return NULL;
  guard->use = 1;
  do guard->next = load(&first);
  while (!__sync_bool_compare_and_swap(&first, guard->next, guard));
  return guard;
}

int memory_guard_add(memory_guard *guard, const void *start, size_t bytes) {
  for (int index = 0; index < ranges; index++) {
    if (load(&guard->range[index].start) != 0) continue;
    store(&guard->range[index].bytes, bytes);
    store(&guard->range[index].start, (uintptr_t)start);
    return 0;
  }
  return -1;
}

void memory_guard_remove(memory_guard *guard, const void *start) {
  for (int index = 0; index < ranges; index++) {
    if (load(&guard->range[index].start) == (uintptr_t)start) store(&guard->range[index].start, 0);
  }
}

uint64_t *memory_guard_broken(memory_guard *guard) { return &guard->broken; }

void memory_guard_end(memory_guard *guard) { __atomic_add_fetch(&guard->use, 1, __ATOMIC_SEQ_CST); }
