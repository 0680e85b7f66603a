// The benchmarks' protocol, for programs in C: see suite/measure/contender.py.
#pragma once

#include <time.h>

// Says that it is ready, then for each line of standard input does the work so many times and says how long that took.
// Ends with standard input. Whatever fails must end the program by itself.
void contend(void (*work)(long count, void *context), void *context);
// The same where another process does the work: `clock` is its processor clock, of clock_getcpuclockid.
void contend_by(clockid_t clock, void (*work)(long count, void *context), void *context);

// The same with something that is done before each work and is not in its time.
void contend_after(void (*prepare)(void *context), void (*work)(long count, void *context), void *context);

// The first line of a file without its line end; ends the program if it is empty.
char *first_line_of(const char *path);
