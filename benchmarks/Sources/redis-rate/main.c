// SET key 1 NX PX 3600000 for distinct keys on a Redis behind a UNIX socket: see BENCHMARKS.md, "replay-rate".
//
//   redis-rate SOCKET FIRST COUNT DEPTH START    prints START_NS END_NS SET NOT_SET P50_NS P99_NS
//
// DEPTH commands are sent before their answers are read; START is the CLOCK_REALTIME second at which to begin.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t splitmix64(uint64_t number) {
  uint64_t word = (number + 1) * 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

static size_t command(char *output, uint64_t number) {
  static const char head[] = "*6\r\n$3\r\nSET\r\n$32\r\n";
  static const char tail[] = "\r\n$1\r\n1\r\n$2\r\nNX\r\n$2\r\nPX\r\n$7\r\n3600000\r\n";
  memcpy(output, head, sizeof head - 1);
  for (int index = 0; index < 4; index++) {
    uint64_t word = splitmix64(number * 4 + (uint64_t)index);
    memcpy(output + sizeof head - 1 + 8 * index, &word, 8);
  }
  memcpy(output + sizeof head - 1 + 32, tail, sizeof tail - 1);
  return sizeof head - 1 + 32 + sizeof tail - 1;
}

static void write_all(int socket, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(socket, bytes, count);
    if (written < 0) fail("write");
    bytes += written;
    count -= (size_t)written;
  }
}

static int by_size(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return a < b ? -1 : a > b;
}

int main(int count_of_arguments, char **arguments) {
  if (count_of_arguments != 6) return 2;
  uint64_t first = strtoull(arguments[2], 0, 10), count = strtoull(arguments[3], 0, 10);
  uint64_t depth = strtoull(arguments[4], 0, 10), start = strtoull(arguments[5], 0, 10) * 1000000000;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
  char *output = malloc(depth * 128), input[4096];
  uint32_t *times = calloc(count / depth + 1, sizeof *times);
  if (!output || !times) fail("malloc");
  while (nanoseconds(CLOCK_REALTIME) < start) {
  }
  uint64_t begin = nanoseconds(CLOCK_MONOTONIC), set = 0, not_set = 0, rounds = 0;
  for (uint64_t number = first; number < first + count; number += depth) {
    uint64_t before = nanoseconds(CLOCK_MONOTONIC), wanted = set + not_set + depth;
    size_t bytes = 0;
    for (uint64_t index = 0; index < depth; index++) bytes += command(output + bytes, number + index);
    write_all(server, output, bytes);
    // "+OK\r\n" or "$-1\r\n": both are five bytes, and the first tells.
    for (size_t held = 0; set + not_set < wanted;) {
      ssize_t got = read(server, input + held, sizeof input - held);
      if (got <= 0) fail("read");
      held += (size_t)got;
      size_t used = 0;
      for (; held - used >= 5; used += 5) {
        if (memcmp(input + used, "+OK\r\n", 5) == 0) set++;
        else if (memcmp(input + used, "$-1\r\n", 5) == 0) not_set++;
        else return 3;
      }
      memmove(input, input + used, held -= used);
    }
    times[rounds++] = (uint32_t)(nanoseconds(CLOCK_MONOTONIC) - before);
  }
  uint64_t end = nanoseconds(CLOCK_MONOTONIC);
  qsort(times, rounds, sizeof *times, by_size);
  printf("%llu %llu %llu %llu %u %u\n", (unsigned long long)begin, (unsigned long long)end, (unsigned long long)set,
    (unsigned long long)not_set, times[rounds / 2], times[rounds * 99 / 100]);
  return 0;
}
