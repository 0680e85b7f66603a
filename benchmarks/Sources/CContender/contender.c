#define _GNU_SOURCE
#include "contender.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void nothing(void *context) { (void)context; }

static void answer(clockid_t clock, void (*prepare)(void *), void (*work)(long, void *), void *context) {
  char line[32];
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    prepare(context);
    int64_t wall = nanoseconds(CLOCK_MONOTONIC), processor = nanoseconds(clock);
    work(atol(line), context);
    wall = nanoseconds(CLOCK_MONOTONIC) - wall;
    printf("%lld %lld\n", (long long)wall, (long long)(nanoseconds(clock) - processor));
    fflush(stdout);
  }
}

void contend(void (*work)(long, void *), void *context) { answer(CLOCK_PROCESS_CPUTIME_ID, nothing, work, context); }

void contend_by(clockid_t clock, void (*work)(long, void *), void *context) { answer(clock, nothing, work, context); }

void contend_after(void (*prepare)(void *), void (*work)(long, void *), void *context) {
  answer(CLOCK_PROCESS_CPUTIME_ID, prepare, work, context);
}

char *first_line_of(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  ssize_t length = file == NULL ? -1 : getline(&line, &room, file);
  if (length <= 0) {
    fprintf(stderr, "%s has no first line\n", path);
    exit(1);
  }
  fclose(file);
  if (line[length - 1] == '\n') line[length - 1] = 0;
  return line;
}
