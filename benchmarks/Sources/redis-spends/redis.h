#pragma once

#include <stddef.h>
#include <stdint.h>

// A connection that spends distinct tokens.
struct redis;

// What a token is: a key of 32 bytes, alone; or, as in a claim on a node, one of 16 bytes with a word of 16.
enum redis_key { REDIS_KEY_OF_32, REDIS_KEY_OF_16_AND_WORD };

// Connects; ends the program if it can't.
struct redis *redis_open(const char *socket, enum redis_key key, size_t depth, uint64_t worker);
// Sets so many new keys; ends the program if one is there already. A multiple of the depth.
void redis_spend(struct redis *redis, long count);
// The same in two steps: sends as many commands as the depth, and awaits their answers.
void redis_send(struct redis *redis);
void redis_await(struct redis *redis);
// Ready to be read when there are answers.
int redis_socket(const struct redis *redis);
