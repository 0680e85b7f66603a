// Counts allocations by who asked for them. Linking this puts it in front of malloc, so it has a program of its own.
#ifndef MEDIATOKEN_ALLOCATIONS_H
#define MEDIATOKEN_ALLOCATIONS_H

// Allocations of the calling thread, counted between start and stop, by who asked for them.
struct allocations {
  long swift;   // the Swift runtime and the program
  long libxml2;
  long openssl;
};
void allocations_start(void);
struct allocations allocations_stop(void);

#endif
