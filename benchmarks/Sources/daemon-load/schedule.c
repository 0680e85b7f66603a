#define _GNU_SOURCE
#include "schedule.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "failure.h"

enum { LATE_NANOSECONDS = 1000000 };

static uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Until the next question of viewers who do not know of each other: a Poisson process. The seed is always the same.
static double gap_nanoseconds(double rate) {
  static unsigned short seed[3] = {1, 2, 3};
  return -log(1 - erand48(seed)) * 1e9 / rate;
}

void ask_on_schedule(struct clients *clients, double rate, size_t questions) {
  uint64_t *times = calloc(questions, sizeof *times);
  if (times == NULL) fail("memory");
  struct client *idle[MOST_CLIENTS], *answered[MOST_CLIENTS];
  size_t idle_count = 0, asked = 0, done = 0, late = 0;
  while (idle_count < clients->count) {
    idle[idle_count] = &clients->each[idle_count];
    idle_count++;
  }
  double instant = (double)nanoseconds() + gap_nanoseconds(rate);
  while (done < questions) {
    for (uint64_t now; asked < questions && idle_count > 0 && (now = nanoseconds()) >= (uint64_t)instant; asked++) {
      struct client *client = idle[--idle_count];
      client->asked_at = (uint64_t)instant;
      late += now - client->asked_at > LATE_NANOSECONDS;
      client_ask(clients, client);
      instant += gap_nanoseconds(rate);
    }
    // Looking without waiting: the time to wake up would be measured too.
    size_t whole = clients_answered(clients, answered, 0);
    uint64_t now = nanoseconds();
    for (size_t index = 0; index < whole; index++) {
      times[done++] = now - answered[index]->asked_at;
      idle[idle_count++] = answered[index];
    }
  }
  printf("%zu\n", late);
  for (size_t index = 0; index < questions; index++) printf("%llu\n", (unsigned long long)times[index]);
  free(times);
}
