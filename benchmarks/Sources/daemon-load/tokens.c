#define _GNU_SOURCE
#include "tokens.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

struct tokens tokens_open(const char *path) {
  int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail(path);
  // Every page at once: a fault would be measured as waiting.
  const char *start = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (start == MAP_FAILED) fail(path);
  close(file);
  return (struct tokens){start, start + status.st_size};
}

const char *tokens_take(struct tokens *tokens, size_t *length) {
  const char *start = tokens->next, *end = memchr(start, '\n', (size_t)(tokens->end - start));
  if (end == NULL) fail_expecting("a token that was not asked about");
  tokens->next = end + 1;
  *length = (size_t)(end - start);
  return start;
}
