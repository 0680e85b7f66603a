// Asks a server, and says what that costs it: see BENCHMARKS.md, "daemon".
//
//   daemon-load ask PID SOCKET TOKENS CONNECTIONS ENDPOINT PIPELINE KEPT
//       a contender: each connection asks as soon as its last answers are here
//   daemon-load keep PID SOCKET TOKENS CONNECTIONS
//       a contender: all connections, one after the other, ask once and stay; it works once, CONNECTIONS times
//   daemon-load schedule PID SOCKET TOKENS CONNECTIONS WARM RATE QUESTIONS
//       asks about WARM tokens as `ask` does, then RATE times a second whatever is answered; prints how many questions
//       were asked late, the nanoseconds of the server's processor and of the wall clock that this took, and then each
//       question's nanoseconds from its instant to its whole answer
//   daemon-load remunge PID COMMAND
//       a contender: COMMAND is a shell command of remunge, which is told the number of credentials
//
// TOKENS has one token per line. Each is asked about once. ENDPOINT is verify or auth, or bearer for another server; PIPELINE how
// many questions a connection sends at once; KEPT 1, or 0 for a connection for each request. A contender's processor time is that
// of the process PID.
#define _GNU_SOURCE
#include <time.h>

#include "client.h"
#include "contender.h"
#include "failure.h"
#include "munge.h"
#include "schedule.h"

static clockid_t clock_of(const char *pid) {
  clockid_t clock;
  errno = clock_getcpuclockid((pid_t)atoi(pid), &clock);
  if (errno != 0) fail("the clock of the server");
  return clock;
}

static enum endpoint endpoint_named(const char *name) {
  if (strcmp(name, "verify") == 0) return VERIFY;
  if (strcmp(name, "auth") == 0) return AUTH;
  if (strcmp(name, "bearer") == 0) return BEARER;
  fail_expecting("verify, auth or bearer");
}

static void ask(long count, void *clients) { clients_ask_all(clients, (size_t)count); }

static void keep(long count, void *context) {
  struct clients *clients = context;
  if ((size_t)count != clients->count) fail_expecting("as many questions as connections");
  clients_ask_once_each(clients);
}

// One question at a time, on kept connections.
static struct clients verifying(const char *path, const char *tokens, const char *connections) {
  return (struct clients){
    .path = path, .tokens = tokens_open(tokens), .count = strtoul(connections, NULL, 10), .endpoint = VERIFY,
    .pipeline = 1, .kept = true};
}

int main(int count, char **words) {
  struct clients clients;
  if (count == 9 && strcmp(words[1], "ask") == 0) {
    clients = (struct clients){
      .path = words[3], .tokens = tokens_open(words[4]), .count = strtoul(words[5], NULL, 10),
      .endpoint = endpoint_named(words[6]), .pipeline = strtoul(words[7], NULL, 10), .kept = atoi(words[8]) != 0};
    clients_open(&clients);
    contend_by(clock_of(words[2]), ask, &clients);
  } else if (count == 6 && strcmp(words[1], "keep") == 0) {
    clients = verifying(words[3], words[4], words[5]);
    clients_open(&clients);
    contend_by(clock_of(words[2]), keep, &clients);
  } else if (count == 9 && strcmp(words[1], "schedule") == 0) {
    clients = verifying(words[3], words[4], words[5]);
    clients_open(&clients);
    clients_ask_all(&clients, strtoul(words[6], NULL, 10));
    ask_on_schedule(&clients, atof(words[7]), strtoul(words[8], NULL, 10), clock_of(words[2]));
  } else if (count == 4 && strcmp(words[1], "remunge") == 0) {
    contend_by(clock_of(words[2]), remunge, words[3]);
  } else {
    return 2;
  }
  return 0;
}
