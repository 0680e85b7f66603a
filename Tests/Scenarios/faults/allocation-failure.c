// Preloaded before the C library's malloc: lets one allocation of libcrypto's or libxml2's fail, the one whose number is
// in FAILING_ALLOCATION, and with FAILING_ALLOCATIONS=on all after it too. With COUNT_FROM=token the count begins when
// the program reads its standard input, that is when the keys are loaded. Whether it came to a failure is written to the
// file named by FAILING_ALLOCATION_RECORD. The caller is told by its return address: Swift ends the program when one of
// its own allocations fails, so those are left alone.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static struct { uintptr_t start, end; } watched[2];
static int libraries;
static long failing;
static int onwards;
static atomic_int counting;
static atomic_long allocations;

static int watch(struct dl_phdr_info *library, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!strstr(library->dlpi_name, "/libcrypto.so") && !strstr(library->dlpi_name, "/libxml2.so")) return 0;
  if (libraries == 2) abort();
  uintptr_t end = 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end)
      end = segment->p_vaddr + segment->p_memsz;
  }
  watched[libraries].start = library->dlpi_addr;
  watched[libraries++].end = library->dlpi_addr + end;
  return 0;
}

static void record(char what) {
  int file = open(getenv("FAILING_ALLOCATION_RECORD"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  // What cannot be recorded must not pass unseen.
  if (file < 0 || write(file, &what, 1) != 1 || close(file) != 0) abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAILING_ALLOCATION");
  if (number == NULL) return;
  dl_iterate_phdr(watch, NULL);
  if (libraries != 2) abort();
  onwards = getenv("FAILING_ALLOCATIONS") != NULL;
  counting = getenv("COUNT_FROM") == NULL;
  record('-');
  failing = atol(number);
}

ssize_t read(int file, void *bytes, size_t size) {
  if (file == STDIN_FILENO) counting = 1;
  return syscall(SYS_read, file, bytes, size);
}

static int fails(void *caller) {
  uintptr_t address = (uintptr_t)caller;
  if (failing == 0 || !counting) return 0;
  if (!(address >= watched[0].start && address < watched[0].end) &&
      !(address >= watched[1].start && address < watched[1].end))
    return 0;
  long number = atomic_fetch_add(&allocations, 1) + 1;
  if (number != failing && !(onwards && number > failing)) return 0;
  if (number == failing) record('+');
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
