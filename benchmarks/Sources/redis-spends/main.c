// Contenders that use up tokens as SET key 1 NX PX 3600000 on a Redis at a UNIX socket: see BENCHMARKS.md, "replay".
//
//   redis-spends pass SOCKET DEPTH WORKER      DEPTH commands are sent before their answers are read
//   redis-spends percentiles SOCKET COUNT      one by one
//
// WORKER tells processes apart: no other has its keys.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contender.h"
#include "redis.h"

static uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int by_size(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return a < b ? -1 : a > b;
}

static void spend_all(long count, void *redis) { redis_spend(redis, count); }

// As JSON, in nanoseconds, by hundredth.
static void print_percentiles(struct redis *redis, size_t count) {
  uint64_t *times = calloc(count, sizeof *times);
  if (times == NULL || count == 0) exit(1);
  for (size_t index = 0; index < count; index++) {
    uint64_t begin = nanoseconds();
    redis_spend(redis, 1);
    times[index] = nanoseconds() - begin;
  }
  qsort(times, count, sizeof *times, by_size);
  const char *names[] = {"50", "90", "99", "99.9", "100"};
  for (int index = 0; index < 5; index++)
    printf("%s\"%s\": %llu", index == 0 ? "{" : ", ", names[index],
           (unsigned long long)times[(size_t)((double)(count - 1) * atof(names[index]) / 100)]);
  puts("}");
  free(times);
}

int main(int count, char **words) {
  if (count == 5 && strcmp(words[1], "pass") == 0) {
    struct redis *redis = redis_open(words[2], (size_t)atol(words[3]), strtoull(words[4], 0, 10));
    contend(spend_all, redis);
  } else if (count == 4 && strcmp(words[1], "percentiles") == 0) {
    print_percentiles(redis_open(words[2], 1, 0), (size_t)atol(words[3]));
  } else {
    return 2;
  }
  return 0;
}
