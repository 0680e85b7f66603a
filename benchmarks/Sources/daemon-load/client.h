// Connections that ask about tokens over a UNIX socket and check every answer.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "tokens.h"

enum { MOST_CLIENTS = 8192, ROOM = 8192 };

struct client {
  int socket;         // -1 while it is not connected
  size_t open;        // questions that are not answered
  size_t held;        // bytes of answers that came already
  char *answer;       // of ROOM bytes
  uint64_t asked_at;  // for the caller
};

struct clients {
  const char *path;
  enum endpoint { VERIFY, AUTH, BEARER } endpoint;  // BEARER: RFC 6750, for another server
  size_t pipeline;  // questions that a connection sends at once
  bool kept;        // else each request has a connection of its own
  struct tokens tokens;
  size_t count;  // connections
  struct client *each;
  int events;
};

void clients_open(struct clients *clients);
// Asks about the next tokens, one in each question.
void client_ask(struct clients *clients, struct client *client);
// Waits at most so long (NULL: for ever); gives those whose questions are all answered: each token is valid.
size_t clients_answered(struct clients *clients, struct client *answered[MOST_CLIENTS], const struct timespec *at_most);
// Asks about `count` tokens, each connection as soon as its last ones are answered.
void clients_ask_all(struct clients *clients, size_t count);
// Asks once on each connection, one after the other.
void clients_ask_once_each(struct clients *clients);
