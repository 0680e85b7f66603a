// Linux interfaces that Swift's Glibc module leaves out: files that are open to be looked at, which file system a
// file is on, epoll, eventfd, and who is at the other end of a socket.
#ifndef MEDIATOKEN_CLINUX_SHIM_H
#define MEDIATOKEN_CLINUX_SHIM_H

#ifndef __linux__
#error "MediaToken is for Linux; build it in a container, as the article SwiftServer says under A laptop"
#else

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

// Declared by the C library for _GNU_SOURCE alone.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

extern int dup3(int descriptor, int number, int flags);

extern int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *processors);

extern int fallocate(int descriptor, int mode, off_t start, off_t bytes);

// environ(7), for _GNU_SOURCE alone; and a variable of C, which Swift 6 does not let be read.
extern char **environ;
static inline char **mediatoken_environment(void) { return environ; }

// O_PATH (open(2)), for _GNU_SOURCE alone too: a file that is open only to be looked at and to go on from.
static inline int mediatoken_o_path(void) { return __O_PATH; }

// adjtimex(2), without modes: 1 if the clock follows others, 0 if it does not, -1 if the system does not say.
static inline int mediatoken_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  return adjtimex(&state) < 0 ? -1 : !(state.status & STA_UNSYNC);
}

// struct ucred (unix(7)), which is declared for _GNU_SOURCE alone.
struct mediatoken_peer {
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// epoll(7), without the union in its events, which Swift takes for unsafe.
static inline int mediatoken_epoll_control(
    int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

// A descriptor that is ready, by the name that it was given.
struct mediatoken_ready {
  uint64_t token;
  uint32_t events;
};

// Writes at most `room` and at most 64 of those that are ready, and returns how many those are.
static inline int mediatoken_epoll_wait(int epoll, struct mediatoken_ready *ready, int room, int milliseconds) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, room < 64 ? room : 64, milliseconds);
  // A process that was stopped and goes on is told so before it is told what came in the meantime (signal(7)). Its caller looks at
  // the clock next, and would give up connections whose requests are there.
  if (count < 0 && errno == EINTR) count = epoll_wait(epoll, events, room < 64 ? room : 64, 0);
  for (int index = 0; index < count; index++)
    ready[index] = (struct mediatoken_ready){.token = events[index].data.u64, .events = events[index].events};
  return count < 0 ? 0 : count;
}

// getrandom(2): chance, as soon as the kernel has any.
static inline ssize_t mediatoken_random(void *bytes, size_t count) { return getrandom(bytes, count, 0); }

// A hint to the processor, which Swift has no word for: this cache line will be written soon.
static inline void mediatoken_prefetch(const void *address) { __builtin_prefetch(address, 1); }

// Waits for a lock of an open file, F_WRLCK, or gives it up, F_UNLCK (fcntl_locking(2)). fcntl is variadic, and
// F_OFD_SETLKW (38, Linux 3.15) is declared for _GNU_SOURCE alone. It does not meet the locks of flock(2).
static inline int mediatoken_lock_open_file(int descriptor, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
  return fcntl(descriptor, 38, &lock);
}

// Adds FS_NOCOW_FL to a file's flags (ioctl_iflags(2)), where the file system has it. ioctl is variadic.
static inline void mediatoken_write_in_place(int descriptor) {
  int flags = 0;
  if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) return;
  flags |= FS_NOCOW_FL;
  ioctl(descriptor, FS_IOC_SETFLAGS, &flags);
}

#endif
#endif
