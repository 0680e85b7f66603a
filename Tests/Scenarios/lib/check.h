/* What must hold in a test in C, as `check` in scenario.sh. The program counts in `held` and `broken`, two integers. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (condition) held++;                                                                  \
    else broken++, printf("FAILED: line %d: %s\n", __LINE__, #condition), fflush(stdout); \
  } while (0)
#endif
