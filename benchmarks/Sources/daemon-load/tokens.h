// A file of tokens, one per line, taken in order.
#pragma once

#include <stddef.h>

struct tokens {
  const char *next, *end;
};

struct tokens tokens_open(const char *path);
// The next line without its line end; ends the program where there is no other.
const char *tokens_take(struct tokens *tokens, size_t *length);
