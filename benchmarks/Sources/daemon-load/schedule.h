// The open loop: questions have their instants, whatever becomes of those before.
#pragma once

#include <stddef.h>

#include "client.h"

// Asks `questions` times, at `rate` a second on average. Prints how many were asked late, the nanoseconds that this took by the
// clock of the server and by the wall clock, and then each question's nanoseconds.
void ask_on_schedule(struct clients *clients, double rate, size_t questions, clockid_t server);
