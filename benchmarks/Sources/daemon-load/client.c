#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_BYTES = 8 << 20 };

void fail(const char *what) {
  fprintf(stderr, "daemon-load: %s: %s\n", what, errno ? strerror(errno) : "not as expected");
  exit(1);
}

uint64_t nanoseconds(int clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) fail("clock");
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct tokens read_tokens(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(path);
  struct tokens tokens = {NULL, 0};
  size_t room = 0, unused = 0;
  char *line = NULL;
  ssize_t length;
  while ((length = getline(&line, &unused, file)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    if (tokens.count == room) tokens.lines = realloc(tokens.lines, (room = room * 2 + 1024) * sizeof *tokens.lines);
    if (tokens.lines == NULL) fail("memory");
    tokens.lines[tokens.count++] = line;
    line = NULL;
  }
  fclose(file);
  return tokens;
}

void client_open(struct client *client, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  client->socket = socket(AF_UNIX, SOCK_STREAM, 0);
  client->held = 0;
  client->asked_at = 0;
  client->answer = malloc(ANSWER_BYTES);
  if (client->answer == NULL || client->socket < 0) fail("socket");
  if (connect(client->socket, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
}

static void write_all(int socket, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(socket, bytes, count);
    if (written < 0) fail("write");
    bytes += written;
    count -= (size_t)written;
  }
}

void client_ask(struct client *client, char **tokens, size_t batch) {
  static char request[ANSWER_BYTES];
  size_t body = 0, count = batch ? batch : 1;
  for (size_t index = 0; index < count; index++) body += strlen(tokens[index]) + (batch != 0);
  size_t used = (size_t)snprintf(request, 512,
    "POST /v1/verify%s?requestor=REF30&resource=TNT HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    "Content-Length: %zu\r\n\r\n", batch ? "-batch" : "", body);
  if (used + body > sizeof request) fail("request too large");
  for (size_t index = 0; index < count; index++) {
    size_t length = strlen(tokens[index]);
    memcpy(request + used, tokens[index], length);
    used += length;
    if (batch) request[used++] = '\n';
  }
  write_all(client->socket, request, used);
}

static size_t occurrences(const char *text, const char *word) {
  size_t count = 0;
  for (; (text = strstr(text, word)) != NULL; text++) count++;
  return count;
}

int client_read(struct client *client, size_t batch) {
  ssize_t got = recv(client->socket, client->answer + client->held, ANSWER_BYTES - 1 - client->held, 0);
  if (got <= 0) fail("an answer");
  client->held += (size_t)got;
  client->answer[client->held] = 0;
  char *body = strstr(client->answer, "\r\n\r\n");
  if (body == NULL) return 0;
  char *length = strstr(client->answer, "Content-Length: ");
  if (length == NULL || length > body) fail("an answer without Content-Length");
  size_t total = (size_t)(body + 4 - client->answer) + strtoul(length + 16, NULL, 10);
  if (client->held < total) return 0;
  errno = 0;
  if (client->held != total || strncmp(client->answer, "HTTP/1.1 200", 12) != 0 ||
      occurrences(body, "\"verdict\":\"VALID_TOKEN\"") != (batch ? batch : 1)) {
    fprintf(stderr, "%.300s\n", client->answer);
    fail("a valid token's answer");
  }
  client->held = 0;
  return 1;
}
