// Connections that ask about tokens over a UNIX socket and check every answer.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokens.h"

enum { MOST_CLIENTS = 8192 };

struct client {
  int socket;         // -1 while it is not connected
  size_t held;        // bytes of an answer that came already
  char *answer;
  uint64_t asked_at;  // for the caller
};

struct clients {
  const char *path;
  enum endpoint { VERIFY, BATCH, AUTH, BEARER } endpoint;  // BEARER: RFC 6750, for another server
  size_t batch;  // tokens in a request
  bool kept;     // else each request has a connection of its own
  struct tokens tokens;
  size_t count, room;  // connections; bytes of an answer
  struct client *each;
  int events;
};

void clients_open(struct clients *clients);
// Asks about the next tokens.
void client_ask(struct clients *clients, struct client *client);
// Waits at most `milliseconds` (-1: for ever); gives those whose answer is whole, and says that all tokens are valid.
size_t clients_answered(struct clients *clients, struct client *answered[MOST_CLIENTS], int milliseconds);
// Asks about `count` tokens, each connection as soon as its last answer is here.
void clients_ask_all(struct clients *clients, size_t count);
// Asks once on each connection, one after the other.
void clients_ask_once_each(struct clients *clients);
