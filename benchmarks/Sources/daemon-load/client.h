// Connections that ask about tokens over a UNIX socket and check every answer.
#ifndef DAEMON_LOAD_CLIENT_H
#define DAEMON_LOAD_CLIENT_H

#include <stddef.h>
#include <stdint.h>

struct tokens {
  char **lines;
  size_t count;
};

struct client {
  int socket;
  size_t held;        // bytes of an answer that came already
  uint64_t asked_at;  // nanoseconds; 0 if nothing is asked
  char *answer;
};

void fail(const char *what);
uint64_t nanoseconds(int clock);
struct tokens read_tokens(const char *path);
void client_open(struct client *client, const char *path);
// Asks about `batch` tokens at once, or in a request of its own if `batch` is 0.
void client_ask(struct client *client, char **tokens, size_t batch);
// Reads what is there. Returns 1 if the answer is whole; ends the program unless all its tokens are valid.
int client_read(struct client *client, size_t batch);

#endif
