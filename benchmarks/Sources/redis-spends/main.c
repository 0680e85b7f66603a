// Contenders that use up tokens as SET key 1 NX PX 3600000 on a Redis at a UNIX socket: see BENCHMARKS.md, "replay".
//
//   redis-spends pass SOCKET DEPTH WORKER      DEPTH commands are sent before their answers are read
//   redis-spends percentiles SOCKET COUNT      one by one
//
// WORKER tells processes apart: no other has its keys. With keys and values as long as those of a claim on a node (see "nodes"):
//
//   redis-spends node SOCKET CONNECTIONS DEPTH WORKER PID    on each connection so many, and so many again when they are
//                                                            answered; the processor time is that of PID, the server
//   redis-spends node-percentiles SOCKET COUNT WORKER        one by one
#define _GNU_SOURCE
#include <poll.h>
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

struct clients {
  struct redis **connections;
  struct pollfd *ready;
  long count, depth;
};

// Each connection asks again as soon as its answers are here.
static void spend_on_all(long count, void *context) {
  const struct clients *clients = context;
  if (count % (clients->count * clients->depth) != 0) exit(1);
  long sent = 0, answered = 0;
  for (; sent < clients->count * clients->depth; sent += clients->depth) {
    redis_send(clients->connections[sent / clients->depth]);
  }
  while (answered < count) {
    if (poll(clients->ready, (nfds_t)clients->count, -1) < 0) exit(1);
    for (long index = 0; index < clients->count; index++) {
      if (clients->ready[index].revents == 0) continue;
      redis_await(clients->connections[index]);
      answered += clients->depth;
      if (sent == count) continue;
      redis_send(clients->connections[index]);
      sent += clients->depth;
    }
  }
}

// Contends with many connections, by the clock of the server.
static void contend_on_all(char **words) {
  struct clients clients = {.count = atol(words[3]), .depth = atol(words[4])};
  clients.connections = calloc((size_t)clients.count, sizeof *clients.connections);
  clockid_t clock;
  clients.ready = calloc((size_t)clients.count, sizeof *clients.ready);
  if (clients.connections == NULL || clients.ready == NULL || clock_getcpuclockid(atoi(words[6]), &clock) != 0) exit(1);
  for (long index = 0; index < clients.count; index++) {
    uint64_t worker = strtoull(words[5], 0, 10) << 10 | (uint64_t)index;
    clients.connections[index] = redis_open(words[2], REDIS_KEY_OF_16_AND_WORD, (size_t)clients.depth, worker);
    clients.ready[index] = (struct pollfd){.fd = redis_socket(clients.connections[index]), .events = POLLIN};
  }
  contend_by(clock, spend_on_all, &clients);
}

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
    struct redis *redis = redis_open(words[2], REDIS_KEY_OF_32, (size_t)atol(words[3]), strtoull(words[4], 0, 10));
    contend(spend_all, redis);
  } else if (count == 4 && strcmp(words[1], "percentiles") == 0) {
    print_percentiles(redis_open(words[2], REDIS_KEY_OF_32, 1, 0), (size_t)atol(words[3]));
  } else if (count == 7 && strcmp(words[1], "node") == 0) {
    contend_on_all(words);
  } else if (count == 5 && strcmp(words[1], "node-percentiles") == 0) {
    uint64_t worker = strtoull(words[4], 0, 10) << 10;
    print_percentiles(redis_open(words[2], REDIS_KEY_OF_16_AND_WORD, 1, worker), (size_t)atol(words[3]));
  } else {
    return 2;
  }
  return 0;
}
