#define _GNU_SOURCE
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *path) {
  perror(path);
  exit(1);
}

char *contents_of(const char *path, size_t *length) {
  FILE *file = fopen(path, "r");
  char *bytes = NULL;
  size_t room = 0;
  // No file of ours has a zero byte, so that this reads all of it.
  ssize_t count = file == NULL ? -1 : getdelim(&bytes, &room, 0, file);
  if (count < 0) fail(path);
  fclose(file);
  *length = (size_t)count;
  return bytes;
}

struct lines lines_of(const char *path) {
  size_t length;
  char *rest = contents_of(path, &length), *line;
  struct lines lines = {malloc(length * sizeof *lines.line), 0};
  if (lines.line == NULL) fail(path);
  while ((line = strsep(&rest, "\n")) != NULL)
    if (*line != 0) lines.line[lines.count++] = line;
  return lines;
}
