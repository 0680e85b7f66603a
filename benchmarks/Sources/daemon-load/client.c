#define _GNU_SOURCE
#include "client.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "answer.h"
#include "failure.h"

static void client_connect(struct clients *clients, struct client *client) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, clients->path, sizeof address.sun_path - 1);
  client->socket = socket(AF_UNIX, SOCK_STREAM, 0);
  if (client->socket < 0 || connect(client->socket, (struct sockaddr *)&address, sizeof address) != 0)
    fail(clients->path);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(clients->events, EPOLL_CTL_ADD, client->socket, &event) != 0) fail("epoll_ctl");
}

void clients_open(struct clients *clients) {
  if (clients->count < 1 || clients->count > MOST_CLIENTS) fail_expecting("1...8192 connections");
  if (clients->pipeline < 1 || (clients->pipeline > 1 && !clients->kept))
    fail_expecting("questions that a connection can send at once");
  clients->events = epoll_create1(0);
  if (clients->events < 0) fail("epoll_create1");
  clients->each = calloc(clients->count, sizeof *clients->each);
  if (clients->each == NULL) fail("memory");
  for (size_t index = 0; index < clients->count; index++) {
    struct client *client = &clients->each[index];
    *client = (struct client){.socket = -1, .answer = malloc(ROOM)};
    if (client->answer == NULL) fail("memory");
    if (clients->kept) client_connect(clients, client);
  }
}

static void send_all(int socket, struct iovec *pieces, size_t count) {
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
  while (message.msg_iovlen > 0) {
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0) fail("asking");
    for (; message.msg_iovlen > 0 && (size_t)sent >= message.msg_iov->iov_len; message.msg_iov++, message.msg_iovlen--)
      sent -= (ssize_t)message.msg_iov->iov_len;
    if (message.msg_iovlen == 0) return;
    message.msg_iov->iov_base = (char *)message.msg_iov->iov_base + sent;
    message.msg_iov->iov_len -= (size_t)sent;
  }
}

// `head` is all before the token, `end` ends the head.
static void send_in_head(struct client *client, const char *head, const char *token, size_t length, const char *end) {
  struct iovec pieces[] = {
    {(char *)head, strlen(head)}, {(char *)token, length}, {"\r\n", 2}, {(char *)end, strlen(end)}};
  send_all(client->socket, pieces, 4);
}

static void send_body(struct client *client, const char *body, size_t length, const char *end) {
  char head[256];
  int used = snprintf(head, sizeof head,
    "POST /v1/verify?requestor=REF30&resource=TNT HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    "Content-Length: %zu\r\n%s", length, end);
  struct iovec pieces[] = {{head, (size_t)used}, {(char *)body, length}};
  send_all(client->socket, pieces, 2);
}

static void client_ask_once(struct clients *clients, struct client *client) {
  size_t length;
  const char *token = tokens_take(&clients->tokens, &length);
  const char *end = clients->kept ? "\r\n" : "Connection: close\r\n\r\n";
  switch (clients->endpoint) {
    case VERIFY: return send_body(client, token, length, end);
    case AUTH:
      return send_in_head(
        client, "GET /v1/auth/live HTTP/1.1\r\nHost: x\r\nX-Media-Token: ", token, length, end);
    case BEARER:
      return send_in_head(client, "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ", token, length, end);
  }
}

void client_ask(struct clients *clients, struct client *client) {
  if (client->socket < 0) client_connect(clients, client);
  for (; client->open < clients->pipeline; client->open++) client_ask_once(clients, client);
}

// Takes the first answer off what is held.
static void client_take(struct clients *clients, struct client *client, size_t length) {
  answer_check(client->answer, length, clients->endpoint);
  client->open--;
  client->held -= length;
  memmove(client->answer, client->answer + length, client->held + 1);
}

// Reads what is there, once. Whether all is answered, and with it the connection's end if it is not kept.
static bool client_read(struct clients *clients, struct client *client) {
  ssize_t got = recv(client->socket, client->answer + client->held, ROOM - 1 - client->held, 0);
  if (got < 0) fail("an answer");
  client->held += (size_t)got;
  client->answer[client->held] = 0;
  if (clients->kept) {
    if (got == 0) fail_expecting("an answer, found the end of the connection");
    for (size_t length; (length = answer_length(client->answer, client->held)) != 0;)
      client_take(clients, client, length);
    return client->open == 0;
  }
  if (got > 0) return false;
  if (answer_length(client->answer, client->held) != client->held) fail_expecting("one whole answer");
  client_take(clients, client, client->held);
  close(client->socket);
  client->socket = -1;
  return true;
}

size_t clients_answered(struct clients *clients, struct client *answered[MOST_CLIENTS], const struct timespec *at_most) {
  struct epoll_event events[MOST_CLIENTS];
  int ready = epoll_pwait2(clients->events, events, MOST_CLIENTS, at_most, NULL);
  if (ready < 0) fail("epoll_pwait2");
  size_t whole = 0;
  for (int index = 0; index < ready; index++) {
    struct client *client = events[index].data.ptr;
    if (client_read(clients, client)) answered[whole++] = client;
  }
  return whole;
}

void clients_ask_all(struct clients *clients, size_t count) {
  size_t each = clients->pipeline, asked = 0, done = 0;
  if (count % each != 0) fail_expecting("a number of tokens that fills whole pipelines");
  for (; asked / each < clients->count && asked < count; asked += each) client_ask(clients, &clients->each[asked / each]);
  while (done < count) {
    struct client *answered[MOST_CLIENTS];
    size_t whole = clients_answered(clients, answered, NULL);
    done += whole * each;
    for (size_t index = 0; index < whole && asked < count; index++, asked += each) client_ask(clients, answered[index]);
  }
}

void clients_ask_once_each(struct clients *clients) {
  for (size_t index = 0; index < clients->count; index++) {
    struct client *answered[MOST_CLIENTS];
    client_ask(clients, &clients->each[index]);
    while (clients_answered(clients, answered, NULL) == 0) continue;
  }
}
