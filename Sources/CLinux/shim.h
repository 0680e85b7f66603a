// Linux interfaces that Swift's Glibc module leaves out: which file system a file is on.
#ifndef MEDIATOKEN_CLINUX_SHIM_H
#define MEDIATOKEN_CLINUX_SHIM_H

#include <sys/vfs.h>

#endif
