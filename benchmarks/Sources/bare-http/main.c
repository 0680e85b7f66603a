// The floor of HTTP: a loop over epoll that takes each request to its end and answers what is always the same. Nothing is
// looked for but the end of the head and Content-Length: see BENCHMARKS.md, "other servers".
//
//   bare-http SOCKET BODY
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serving.h"

// Room for a request about one token; a connection that sends more is closed, as is one that asks before it is answered.
enum { ROOM = 16 * 1024, EVENTS = 128 };

struct connection {
  int socket;
  size_t held;
  char bytes[ROOM];
};

static char *answer;
static size_t answer_bytes;

static void end(int signal) {
  (void)signal;
  _exit(0);
}

static void require(bool good, const char *what) {
  if (good) return;
  perror(what);
  exit(1);
}

// How long head and body are together; 0 as long as the head is not whole.
static size_t request_bytes(const char *bytes, size_t held) {
  const char *end = memmem(bytes, held, "\r\n\r\n", 4);
  if (end == NULL) return 0;
  const char *length = memmem(bytes, (size_t)(end - bytes), "\r\nContent-Length: ", 18);
  return (size_t)(end + 4 - bytes) + (length == NULL ? 0 : strtoul(length + 18, NULL, 10));
}

// Reads what is there, once, and answers if that makes the request whole. False where the connection ends.
static bool serve(struct connection *connection) {
  ssize_t got = recv(connection->socket, connection->bytes + connection->held, ROOM - connection->held, 0);
  if (got <= 0) return false;
  connection->held += (size_t)got;
  size_t whole = request_bytes(connection->bytes, connection->held);
  if (whole == 0 || connection->held < whole) return connection->held < ROOM;
  bool alone = connection->held == whole;
  connection->held = 0;
  return alone && send(connection->socket, answer, answer_bytes, MSG_NOSIGNAL) == (ssize_t)answer_bytes;
}

static void take_connection(int listener, int events) {
  struct connection *connection = malloc(sizeof *connection);
  require(connection != NULL, "memory");
  connection->held = 0;
  connection->socket = accept(listener, NULL, NULL);
  require(connection->socket >= 0, "accept");
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  require(epoll_ctl(events, EPOLL_CTL_ADD, connection->socket, &event) == 0, "epoll_ctl");
}

int main(int count, char **words) {
  if (count != 3) return 2;
  int length = asprintf(&answer, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
    strlen(words[2]), words[2]);
  require(length > 0, "memory");
  answer_bytes = (size_t)length;
  signal(SIGTERM, end);
  int listener = serve_on(words[1]), events = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[EVENTS];
  require(events >= 0 && epoll_ctl(events, EPOLL_CTL_ADD, listener, &event) == 0, "epoll");
  for (;;) {
    int found = epoll_wait(events, ready, EVENTS, -1);
    require(found >= 0, "epoll_wait");
    for (int index = 0; index < found; index++) {
      struct connection *connection = ready[index].data.ptr;
      if (connection == NULL) {
        take_connection(listener, events);
      } else if (!serve(connection)) {
        close(connection->socket);
        free(connection);
      }
    }
  }
}
