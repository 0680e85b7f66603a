// What happens when the system cannot give a page of a mapped file (SIGBUS): the disk failed, or has no room for a page that
// is written to. Without a guard the process ends.
//
// In C, because a handler of signals may call nothing that is not ready in the middle of anything else. No name begins with
// mediatoken_, as those are what the C library exports.
#ifndef MEDIATOKEN_CMEMORYGUARD_H
#define MEDIATOKEN_CMEMORYGUARD_H

#include <stddef.h>
#include <stdint.h>

// Mappings that belong together.
typedef struct memory_guard memory_guard;

// A guard of no mapping yet; NULL with errno set if there is no memory for one. The first call of the process installs the
// handler; what was installed before is called for all that is in no guarded mapping.
memory_guard *memory_guard_new(void);

// Guards a mapping too; returns -1 if there are 8 already. One call at a time.
int memory_guard_add(memory_guard *guard, const void *start, size_t bytes);

// Guards that mapping no longer: to be called before it is unmapped.
void memory_guard_remove(memory_guard *guard, const void *start);

// 0; not 0 from just before the first mapping is replaced by memory that is not the file's. To be read atomically.
uint64_t *memory_guard_broken(memory_guard *guard);

// Gives up a guard that has no mapping any more.
void memory_guard_end(memory_guard *guard);

#endif
