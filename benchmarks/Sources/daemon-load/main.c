// What answering costs a daemon: see BENCHMARKS.md, "daemon-cost".
//
//   daemon-load cpu PID                                                   prints the process's CPU nanoseconds
//   daemon-load cost SOCKET TOKENS KEY PID CONNECTIONS ROUNDS COUNT BATCH
//       in turn COUNT bare verifications and COUNT tokens asked about, BATCH in a request (0: no batch); prints for each
//       round FLOOR_NS SERVER_NS TOKENS_PER_SECOND
//   daemon-load latency SOCKET TOKENS CONNECTIONS RATE                    prints P50_NS P99_NS GREATEST_NS LATE
//
// TOKENS has one token a line. Each is asked about once, and an answer that is not VALID_TOKEN ends the program.
#include "client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "floor.h"

enum { MOST_CLIENTS = 256 };
static struct client clients[MOST_CLIENTS];
static struct pollfd waits[MOST_CLIENTS];

static int cpu_clock(const char *pid) {
  clockid_t clock;
  errno = clock_getcpuclockid((pid_t)atoi(pid), &clock);
  if (errno != 0) fail("the process");
  return clock;
}

static void open_all(const char *path, int count) {
  if (count < 1 || count > MOST_CLIENTS) fail("1...256 connections");
  for (int index = 0; index < count; index++) {
    client_open(&clients[index], path);
    waits[index] = (struct pollfd){.fd = clients[index].socket, .events = POLLIN};
  }
}

// Asks about all these tokens, each connection as soon as its last answer is here.
static void ask_all(int connections, char **tokens, size_t count, size_t batch) {
  size_t step = batch ? batch : 1, asked = 0, answered = 0;
  for (int index = 0; index < connections && asked < count; index++, asked += step)
    client_ask(&clients[index], tokens + asked, batch);
  while (answered < count) {
    if (poll(waits, (nfds_t)connections, -1) < 0) fail("poll");
    for (int index = 0; index < connections; index++) {
      if (!(waits[index].revents & (POLLIN | POLLHUP)) || !client_read(&clients[index], batch)) continue;
      answered += step;
      if (asked < count) {
        client_ask(&clients[index], tokens + asked, batch);
        asked += step;
      }
    }
  }
}

static void cost(char **words) {
  struct tokens tokens = read_tokens(words[1]);
  int clock = cpu_clock(words[3]), connections = atoi(words[4]), rounds = atoi(words[5]);
  size_t count = strtoul(words[6], NULL, 10), batch = strtoul(words[7], NULL, 10);
  if (count == 0 || rounds < 1 || (batch && count % batch) || tokens.count < (size_t)(rounds + 1) * count)
    fail("enough tokens for one round more than are counted");
  struct floor *floor = floor_of_token(words[2], tokens.lines[0]);
  if (floor == NULL) fail("the floor verifies the first token");
  open_all(words[0], connections);
  for (int round = 0; round <= rounds; round++) {
    uint64_t begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    if (floor_verify(floor, (long)count) != (long)count) fail("the floor");
    uint64_t bare = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin;
    uint64_t server = nanoseconds(clock), wall = nanoseconds(CLOCK_MONOTONIC);
    ask_all(connections, tokens.lines + (size_t)round * count, count, batch);
    server = nanoseconds(clock) - server;
    wall = nanoseconds(CLOCK_MONOTONIC) - wall;
    // The first round is not counted: pages and caches are new.
    if (round > 0)
      printf("%.0f %.0f %.0f\n", (double)bare / (double)count, (double)server / (double)count,
        (double)count * 1e9 / (double)wall);
  }
}

static int by_size(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return a < b ? -1 : a > b;
}

// Each question has its instant, whatever became of those before; its time runs from that instant.
static void latency(char **words) {
  struct tokens tokens = read_tokens(words[1]);
  int connections = atoi(words[2]);
  uint64_t gap = 1000000000 / strtoul(words[3], NULL, 10);
  uint64_t *times = calloc(tokens.count + 1, sizeof *times);
  if (times == NULL || tokens.count == 0) fail("tokens");
  open_all(words[0], connections);
  uint64_t start = nanoseconds(CLOCK_MONOTONIC), late = 0;
  size_t asked = 0, answered = 0;
  while (answered < tokens.count) {
    uint64_t now = nanoseconds(CLOCK_MONOTONIC);
    for (int index = 0; index < connections && asked < tokens.count && now >= start + asked * gap; index++) {
      if (clients[index].asked_at != 0) continue;
      clients[index].asked_at = start + asked * gap;
      late += now - clients[index].asked_at > 1000000;
      client_ask(&clients[index], &tokens.lines[asked++], 0);
    }
    // Looking without waiting: a sleep would be measured too.
    if (poll(waits, (nfds_t)connections, 0) < 0) fail("poll");
    for (int index = 0; index < connections; index++) {
      if (!(waits[index].revents & (POLLIN | POLLHUP)) || !client_read(&clients[index], 0)) continue;
      times[answered++] = nanoseconds(CLOCK_MONOTONIC) - clients[index].asked_at;
      clients[index].asked_at = 0;
    }
  }
  qsort(times, answered, sizeof *times, by_size);
  printf("%llu %llu %llu %llu\n", (unsigned long long)times[answered / 2],
    (unsigned long long)times[answered * 99 / 100], (unsigned long long)times[answered - 1], (unsigned long long)late);
}

int main(int count, char **words) {
  if (count == 3 && strcmp(words[1], "cpu") == 0)
    printf("%llu\n", (unsigned long long)nanoseconds(cpu_clock(words[2])));
  else if (count == 10 && strcmp(words[1], "cost") == 0)
    cost(words + 2);
  else if (count == 6 && strcmp(words[1], "latency") == 0)
    latency(words + 2);
  else
    return 2;
  return 0;
}
