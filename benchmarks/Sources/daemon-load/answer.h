// HTTP answers of mediatokend, and of servers that answer the same.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "client.h"

// `held` bytes came, and a NUL after them.
bool answer_is_whole(const char *answer, size_t held);
// Ends the program unless it is one whole answer that says about `tokens` tokens that they are valid, and about no more.
void answer_check(const char *answer, size_t held, enum endpoint endpoint, size_t tokens);
