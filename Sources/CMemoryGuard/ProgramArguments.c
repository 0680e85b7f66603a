#include "ProgramArguments.h"

#include <stddef.h>

static char *none[] = {NULL};
static char *const *arguments = none;

// The GNU C library hands to constructors what it hands to main (elf/dl-init.c, csu/libc-start.c).
__attribute__((constructor)) static void note_arguments(int count, char **values) {
  if (count > 0) arguments = values;
}

char *const *program_arguments(void) { return arguments; }
