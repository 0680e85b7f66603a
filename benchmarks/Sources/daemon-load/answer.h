// HTTP answers of mediatokend, and of servers that answer the same.
#pragma once

#include <stddef.h>

#include "client.h"

// The length of the first answer, head and body; 0 as long as it is not whole. `held` bytes came, and a NUL after them.
size_t answer_length(const char *answer, size_t held);
// Ends the program unless this is one whole answer that says that the token is valid.
void answer_check(const char *answer, size_t length, enum endpoint endpoint);
