/*
 * A program that maps files of its own and has its own mind about SIGBUS. What happens in the library's mapping is a fault, which
 * the program does not notice; what happens in its own is its own, as if there were no library. Each case is a process.
 *
 *   bus-errors DEVELOPMENT_KEY TOKEN_FILE TABLE    tables TABLE.0 to TABLE.9, all fresh; the token: of REF30 and TNT
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/check.h"
#include "token_file.h"

static int held, broken, cases;
static char **arguments;
/* A page of a file that is empty: to read it is SIGBUS. */
static volatile char *ours;
/* How often the program's handler was called, and whether the library's faults were as they should; children count for their parent. */
static volatile int *calls, *good;
static sigjmp_buf back;
static struct sigaction before;

static void come_back(int number) { (void)number, ++*calls, siglongjmp(back, 1); }
static void come_back_from(int number, siginfo_t *what, void *context) {
  (void)number, (void)context;
  if (what->si_addr != (void *)ours) _exit(9);
  come_back(number);
}
static void count_only(int number) { (void)number, ++*calls; }
static void pass_on(int number, siginfo_t *what, void *context) {
  if (what->si_addr == (void *)ours) come_back(number);
  before.sa_sigaction(number, what, context);
}
static void leave(int number) { (void)number, ++*calls, _exit(7); }

static void install(void (*plain)(int), void (*full)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = {.sa_flags = flags};
  if (full != NULL) action.sa_sigaction = full, action.sa_flags |= SA_SIGINFO;
  else action.sa_handler = plain;
  if (sigaction(SIGBUS, &action, &before) != 0) _exit(8);
}

/* Whether a fault of our own came to our handler, and that one came back from it. */
static int recovers(void) {
  int calls_before = *calls;
  if (sigsetjmp(back, 1) == 0) return ours[0], 0;
  return *calls == calls_before + 1;
}

static mediatoken_verifier *verifier;
static char table[4096];

static void open_table(void) {
  mediatoken_keys *keys = NULL;
  char address[sizeof table + 8];
  snprintf(address, sizeof address, "shared:%s", table);
  if (mediatoken_keys_new(&keys) != MEDIATOKEN_OK || mediatoken_keys_allow_development_key(keys) != MEDIATOKEN_OK ||
      mediatoken_keys_add_path(keys, arguments[1], strlen(arguments[1]), NULL, 0) != MEDIATOKEN_OK ||
      mediatoken_verifier_new(&verifier, keys, NULL, address, strlen(address), NULL, 0) != MEDIATOKEN_OK)
    _exit(6);
}

/* Whether a token is valid and then, in a file that was cut short, a fault for good. */
static int faults(void) {
  mediatoken_request request = request_for_token_in(arguments[2]);
  int calls_before = *calls;
  if (mediatoken_verify(verifier, &request, NULL) != MEDIATOKEN_VALID_TOKEN || truncate(table, 4096) != 0) return 0;
  for (int round = 0; round < 3; round++)
    if (mediatoken_verify(verifier, &request, NULL) != MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE) return 0;
  return *good = *calls == calls_before;
}

static void full_handler(void) {
  install(NULL, come_back_from, SA_ONSTACK);
  open_table();
  _exit(recovers() && faults() && recovers() ? 0 : 1);
}
static void plain_handler(void) {
  install(come_back, NULL, 0);
  open_table();
  _exit(recovers() && faults() && recovers() ? 0 : 1);
}
static void default_action(void) {
  open_table();
  if (faults()) _exit(ours[0]);
}
static void default_action_sent(void) {
  open_table();
  if (faults()) kill(getpid(), SIGBUS), _exit(0);
}
static void ignored(void) {
  install(SIG_IGN, NULL, 0);
  open_table();
  kill(getpid(), SIGBUS);
  if (faults()) _exit(ours[0]);
}
static void once_only(void) {
  install(count_only, NULL, SA_RESETHAND);
  open_table();
  if (faults()) _exit(ours[0]);
}
static void later_and_passes_on(void) {
  open_table();
  install(NULL, pass_on, 0);
  _exit(recovers() && faults() && recovers() ? 0 : 1);
}
static void later_and_keeps_it(void) {
  open_table();
  install(leave, NULL, 0);
  faults();
}

/* What became of a process that runs the case: its exit status, or minus the signal that ended it. */
static int ends(void (*body)(void)) {
  int status = 0;
  *calls = *good = 0;
  snprintf(table, sizeof table, "%s.%d", arguments[3], cases++);
  pid_t child = fork();
  if (child == 0) body(), _exit(5);
  if (waitpid(child, &status, 0) != child) return 99;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  arguments = argv;
  FILE *empty = tmpfile();
  ours = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(empty), 0);
  calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (ours == MAP_FAILED || calls == MAP_FAILED) return 2;
  good = calls + 1;

  CHECK(ends(full_handler) == 0);
  CHECK(ends(plain_handler) == 0);
  CHECK(ends(default_action) == -SIGBUS && *good);
  CHECK(ends(default_action_sent) == -SIGBUS && *good);
  CHECK(ends(ignored) == -SIGBUS && *good);
  CHECK(ends(once_only) == -SIGBUS && *good && *calls == 1);
  CHECK(ends(later_and_passes_on) == 0);
  /* It has what it asked for: the fault of the library's mapping, too. */
  CHECK(ends(later_and_keeps_it) == 7 && *calls == 1);
  printf("%d held, %d broken\n", held, broken);
  return broken != 0;
}
