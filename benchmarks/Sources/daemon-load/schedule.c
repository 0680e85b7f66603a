#define _GNU_SOURCE
#include "schedule.h"

#include <math.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "failure.h"

// The client sleeps until the next question is so near, and then looks without waiting: a sleep may end later than it should.
enum { LATE_NANOSECONDS = 1000000, NEAR_NANOSECONDS = 200000 };

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Until the next question of viewers who do not know of each other: a Poisson process. The seed is always the same.
static double gap_nanoseconds(double rate) {
  static unsigned short seed[3] = {1, 2, 3};
  return -log(1 - erand48(seed)) * 1e9 / rate;
}

static size_t answered_until(struct clients *clients, struct client *answered[MOST_CLIENTS], double instant) {
  double rest = instant - (double)nanoseconds(CLOCK_MONOTONIC) - NEAR_NANOSECONDS;
  struct timespec at_most = {0};
  if (rest > 0) at_most = (struct timespec){(time_t)(rest / 1e9), (long)fmod(rest, 1e9)};
  return clients_answered(clients, answered, &at_most);
}

void ask_on_schedule(struct clients *clients, double rate, size_t questions, clockid_t server) {
  // Else the kernel ends each sleep up to 50 µs later than it should: prctl(2).
  prctl(PR_SET_TIMERSLACK, 1);
  uint64_t *times = calloc(questions, sizeof *times);
  if (times == NULL) fail("memory");
  struct client *idle[MOST_CLIENTS], *answered[MOST_CLIENTS];
  size_t idle_count = 0, asked = 0, done = 0, late = 0;
  while (idle_count < clients->count) {
    idle[idle_count] = &clients->each[idle_count];
    idle_count++;
  }
  uint64_t start = nanoseconds(CLOCK_MONOTONIC), served = nanoseconds(server);
  double instant = (double)start + gap_nanoseconds(rate);
  while (done < questions) {
    for (uint64_t now; asked < questions && idle_count > 0 && (now = nanoseconds(CLOCK_MONOTONIC)) >= (uint64_t)instant; asked++) {
      struct client *client = idle[--idle_count];
      client->asked_at = (uint64_t)instant;
      late += now - client->asked_at > LATE_NANOSECONDS;
      client_ask(clients, client);
      instant += gap_nanoseconds(rate);
    }
    size_t whole = answered_until(clients, answered, instant);
    uint64_t now = nanoseconds(CLOCK_MONOTONIC);
    for (size_t index = 0; index < whole; index++) {
      times[done++] = now - answered[index]->asked_at;
      idle[idle_count++] = answered[index];
    }
  }
  uint64_t end = nanoseconds(CLOCK_MONOTONIC);
  printf("%zu\n%llu\n%llu\n", late, (unsigned long long)(nanoseconds(server) - served), (unsigned long long)(end - start));
  for (size_t index = 0; index < questions; index++) printf("%llu\n", (unsigned long long)times[index]);
  free(times);
}
