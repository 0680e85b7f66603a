// The open loop: questions have their instants, whatever becomes of those before.
#pragma once

#include <stddef.h>

#include "client.h"

// Asks `questions` times, at `rate` a second on average; prints how many were asked late, then each one's nanoseconds.
void ask_on_schedule(struct clients *clients, double rate, size_t questions);
