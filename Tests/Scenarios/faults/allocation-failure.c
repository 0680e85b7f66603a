// Preloaded before the C library's malloc: lets one allocation of libcrypto's, libxml2's or libjansson's fail, the one whose
// number is in FAILING_ALLOCATION, and with FAILING_ALLOCATIONS=on all after it too. With COUNT_FROM=token the count begins
// when the program reads its standard input, that is when the keys are loaded. Whether it came to a failure is written to the
// file named by FAILING_ALLOCATION_RECORD. The caller is told by its return address: Swift ends the program when one of
// its own allocations fails, so those are left alone. jansson allocates by a function of the program's, which is called with
// a size that nothing has.
//
// A daemon's numbers are in a file that the test maps too, FAILING_ALLOCATION_SHARED: which allocation fails, 0 for none,
// and how many there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static struct { uintptr_t start, end; } watched[2];
static int libraries;
static struct numbers { atomic_long failing, allocations; } own, *numbers = &own;
static int onwards;
static atomic_int counting;

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

static void share(const char *name) {
  int file = open(name, O_RDWR | O_CLOEXEC);
  numbers = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *numbers, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (numbers == MAP_FAILED || close(file) != 0) abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAILING_ALLOCATION"), *shared = getenv("FAILING_ALLOCATION_SHARED");
  if (number == NULL && shared == NULL) return;
  dl_iterate_phdr(watch, NULL);
  if (libraries != 2) abort();
  onwards = getenv("FAILING_ALLOCATIONS") != NULL;
  counting = getenv("COUNT_FROM") == NULL;
  if (shared != NULL) return share(shared);
  record('-');
  numbers->failing = atol(number);
}

ssize_t read(int file, void *bytes, size_t size) {
  if (file == STDIN_FILENO) counting = 1;
  return syscall(SYS_read, file, bytes, size);
}

// Whether this allocation, which is counted, has to fail.
static int fails_now(void) {
  long failing = numbers->failing;
  if (failing == 0 || !counting) return 0;
  long number = atomic_fetch_add(&numbers->allocations, 1) + 1;
  if (number != failing && !(onwards && number > failing)) return 0;
  if (number == failing && numbers == &own) record('+');
  errno = ENOMEM;
  return 1;
}

static int fails(void *caller) {
  uintptr_t address = (uintptr_t)caller;
  for (int i = 0; i < libraries; i++)
    if (address >= watched[i].start && address < watched[i].end) return fails_now();
  return 0;
}

static void *(*json_malloc)(size_t);

static void *malloc_of_json(size_t size) { return json_malloc(fails_now() ? PTRDIFF_MAX : size); }

void json_set_alloc_funcs(void *(*new_malloc)(size_t), void (*new_free)(void *)) {
  void (*set)(void *(*)(size_t), void (*)(void *)) = dlsym(RTLD_NEXT, "json_set_alloc_funcs");
  if (set == NULL) abort();
  json_malloc = new_malloc;
  set(malloc_of_json, new_free);
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
