#include "redis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct redis {
  int socket;
  enum redis_key key;
  size_t depth;
  uint64_t next;
  char *output;
};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

struct redis *redis_open(const char *path, enum redis_key key, size_t depth, uint64_t worker) {
  struct redis *redis = calloc(1, sizeof *redis);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (redis == NULL || depth == 0 || strlen(path) >= sizeof address.sun_path) fail("redis-spends");
  strcpy(address.sun_path, path);
  redis->socket = socket(AF_UNIX, SOCK_STREAM, 0);
  if (redis->socket < 0 || connect(redis->socket, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
  redis->key = key;
  redis->depth = depth;
  redis->next = worker << 40;
  redis->output = malloc(depth * 128);
  if (redis->output == NULL) fail("malloc");
  return redis;
}

static uint64_t splitmix64(uint64_t number) {
  uint64_t word = (number + 1) * 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

static char *append(char *output, const char *text) {
  size_t length = strlen(text);
  memcpy(output, text, length);
  return output + length;
}

static char *append_words(char *output, uint64_t number, int count) {
  for (int index = 0; index < count; index++, output += 8) {
    uint64_t word = splitmix64(number * 4 + (uint64_t)index);
    memcpy(output, &word, 8);
  }
  return output;
}

// The bytes of one command, at most 128.
static size_t command(char *output, enum redis_key key, uint64_t number) {
  char *end = append(output, "*6\r\n$3\r\nSET\r\n");
  if (key == REDIS_KEY_OF_32) {
    end = append_words(append(end, "$32\r\n"), number, 4);
    end = append(end, "\r\n$1\r\n1\r\n$2\r\nNX\r\n$2\r\nPX\r\n$7\r\n3600000\r\n");
  } else {
    end = append_words(append(end, "$16\r\n"), number, 2);
    end = append(end, "\r\n$16\r\na word: 16 bytes\r\n$2\r\nNX\r\n$2\r\nPX\r\n$6\r\n427000\r\n");
  }
  return (size_t)(end - output);
}

static void send_all(int socket, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(socket, bytes, count);
    if (written < 0) fail("write");
    bytes += written;
    count -= (size_t)written;
  }
}

// Reads so many answers, which must all be +OK: "+OK\r\n" and "$-1\r\n" both are five bytes.
static void expect_first_uses(int socket, size_t count) {
  char input[4096];
  size_t held = 0;
  while (count > 0) {
    ssize_t got = read(socket, input + held, sizeof input - held);
    if (got <= 0) fail("read");
    held += (size_t)got;
    size_t used = 0;
    for (; held - used >= 5 && count > 0; used += 5, count--) {
      if (memcmp(input + used, "+OK\r\n", 5) != 0) {
        fputs("expected +OK, found another answer\n", stderr);
        exit(1);
      }
    }
    memmove(input, input + used, held -= used);
  }
}

void redis_send(struct redis *redis) {
  size_t bytes = 0;
  for (size_t index = 0; index < redis->depth; index++) {
    bytes += command(redis->output + bytes, redis->key, redis->next++);
  }
  send_all(redis->socket, redis->output, bytes);
}

void redis_await(struct redis *redis) { expect_first_uses(redis->socket, redis->depth); }

int redis_socket(const struct redis *redis) { return redis->socket; }

void redis_spend(struct redis *redis, long count) {
  if (count % (long)redis->depth != 0) {
    fprintf(stderr, "expected a multiple of %zu, found %ld\n", redis->depth, count);
    exit(1);
  }
  for (; count > 0; count -= (long)redis->depth) {
    redis_send(redis);
    redis_await(redis);
  }
}
