// Files that peers in C are given. Whatever can't be read ends the program.
#pragma once

#include <stddef.h>

struct lines {
  char **line;  // without line end
  size_t count;
};

struct lines lines_of(const char *path);

// All bytes of a file, and a zero after them.
char *contents_of(const char *path, size_t *length);
