// What the program was called with. Swift's CommandLine reads it from /proc, which a chroot or an image's builder may lack.
#ifndef MEDIATOKEN_PROGRAM_ARGUMENTS_H
#define MEDIATOKEN_PROGRAM_ARGUMENTS_H

// argv of main: it ends with NULL, and lives as long as the program.
char *const *program_arguments(void);

#endif
