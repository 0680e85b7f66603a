// A file of tokens, one per line, taken in order.
#pragma once

#include <stddef.h>

struct tokens {
  const char *next, *end;
};

struct tokens tokens_open(const char *path);
// The next `count` lines with their line ends; ends the program if there are fewer.
const char *tokens_take(struct tokens *tokens, size_t count, size_t *length);
