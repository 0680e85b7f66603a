#pragma once

#include <stddef.h>
#include <stdint.h>

// A connection that spends distinct tokens.
struct redis;

// Connects; ends the program if it can't.
struct redis *redis_open(const char *socket, size_t depth, uint64_t worker);
// Sets so many new keys; ends the program if one is there already. A multiple of the depth.
void redis_spend(struct redis *redis, long count);
