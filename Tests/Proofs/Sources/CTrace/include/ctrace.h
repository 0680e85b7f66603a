// ptrace(2) for Swift, which imports no variadic functions.
#ifndef MEDIATOKEN_CTRACE_H
#define MEDIATOKEN_CTRACE_H

#include <sys/types.h>

// The caller is traced by its parent from now on. 0, or -1.
int trace_me(void);

// Lets a stopped child execute one instruction, and waits until it stopped again.
// 1: it stopped; 0: it ended, and *status says how; -1: an error.
int trace_step(pid_t child, int *status);

// Lets a stopped child run without being traced. 0, or -1.
int trace_release(pid_t child);

#endif
