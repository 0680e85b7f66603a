// Takes the place of a network between hosts and a node, where the kernel has none to slow down: see BENCHMARKS.md, "fleet".
//
//   delaying-peer LISTEN TARGET MICROSECONDS
//
// Passes on what comes at the UNIX socket LISTEN to the UNIX socket TARGET, and back, each piece half of so many microseconds
// after it came; in order, and without limit to what is under way.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct piece {
  struct piece *next;
  uint64_t due;
  size_t length;
  char bytes[];
};

// One direction of a connection: what was read from here goes to `other`'s socket.
struct side {
  int socket;
  struct side *other;
  struct piece *first, **last;
  struct side *next_side;
};

static uint64_t delay;
static struct side *sides;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void stop(int signal) {
  (void)signal;
  _exit(0);
}

static int local(const char *path, int is_listening) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail(path);
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int status = is_listening ? bind(made, (struct sockaddr *)&address, sizeof address) || listen(made, 1024)
                            : connect(made, (struct sockaddr *)&address, sizeof address);
  if (status != 0) fail(path);
  return made;
}

static struct side *add(int poller, int socket) {
  struct side *side = calloc(1, sizeof *side);
  if (side == NULL || fcntl(socket, F_SETFL, O_NONBLOCK) != 0) fail("side");
  side->socket = socket;
  side->last = &side->first;
  side->next_side = sides;
  sides = side;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = side};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) != 0) fail("epoll_ctl");
  return side;
}

// Ends both directions; what is under way is lost, as on a network.
static void end(struct side *side) {
  for (int turn = 0; turn < 2; turn++, side = side->other) {
    close(side->socket);
    side->socket = -1;
  }
}

static void take(struct side *side) {
  static char buffer[65536];
  ssize_t count = read(side->socket, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    end(side);
    return;
  }
  struct piece *piece = malloc(sizeof *piece + (size_t)count);
  if (piece == NULL) fail("piece");
  *piece = (struct piece){.due = now() + delay, .length = (size_t)count};
  memcpy(piece->bytes, buffer, (size_t)count);
  *side->last = piece;
  side->last = &piece->next;
}

// Passes on what is due. When the next piece is, or 0.
static uint64_t hand_on(struct side *side) {
  while (side->first != NULL && side->socket >= 0) {
    struct piece *piece = side->first;
    if (piece->due > now()) return piece->due;
    // Little is under way at a time: a socket that takes not all of it is a fault of the measurement.
    if (write(side->other->socket, piece->bytes, piece->length) != (ssize_t)piece->length) {
      end(side);
      break;
    }
    side->first = piece->next;
    if (side->first == NULL) side->last = &side->first;
    free(piece);
  }
  return 0;
}

static void forget_ended(void) {
  for (struct side **place = &sides; *place != NULL;) {
    struct side *side = *place;
    if (side->socket >= 0) {
      place = &side->next_side;
      continue;
    }
    *place = side->next_side;
    for (struct piece *piece = side->first, *next; piece != NULL; piece = next) {
      next = piece->next;
      free(piece);
    }
    free(side);
  }
}

int main(int count, char **words) {
  if (count != 4) return 2;
  // The run may be killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Not later than it is due, for the sake of fewer wakings.
  prctl(PR_SET_TIMERSLACK, 1);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, stop);
  delay = strtoull(words[3], 0, 10) * 1000 / 2;
  int listener = local(words[1], 1), poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = NULL};
  if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, listener, &wanted) != 0) fail("epoll");
  uint64_t next = 0;
  while (1) {
    struct epoll_event ready[64];
    uint64_t time = now(), left = next > time ? next - time : 0;
    struct timespec wait = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
    int found = epoll_pwait2(poller, ready, 64, next == 0 ? NULL : &wait, NULL);
    for (int index = 0; index < found; index++) {
      struct side *side = ready[index].data.ptr;
      if (side != NULL) {
        if (side->socket >= 0) take(side);
        continue;
      }
      int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
      if (accepted < 0) continue;
      struct side *host = add(poller, accepted), *node = add(poller, local(words[2], 0));
      host->other = node;
      node->other = host;
    }
    next = 0;
    for (struct side *side = sides; side != NULL; side = side->next_side) {
      uint64_t due = hand_on(side);
      if (due != 0 && (next == 0 || due < next)) next = due;
    }
    forget_ended();
  }
}
