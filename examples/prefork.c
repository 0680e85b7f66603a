/*
 * A playback server in the manner of nginx: the master reads keys and configuration, then forks workers, which share one
 * replay table. One token starts one playback, whichever worker is asked, and also when workers are killed.
 *
 *   cc -o prefork prefork.c $(pkg-config --cflags --libs mediatoken)
 *   ./prefork SOCKET WORKERS KEYS shared:TABLE REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev]
 *
 * One token per connection to the UNIX socket, ended by shutting down the sending side; the answer is a line: the code's
 * name and the worker's process id. A worker that ends is replaced. SIGTERM ends everything. No HTTP: this is about keys,
 * processes and the table.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mediatoken.h>

enum { MAX_WORKERS = 64 };

static volatile sig_atomic_t ending;
static void end(int signal) { (void)signal, ending = 1; }

/* ---- what every process does with the library ---- */

static mediatoken_verifier *open_verifier(const char *path, const char *replay, const char *consent) {
  mediatoken_keys *keys = NULL;
  mediatoken_verifier *verifier = NULL;
  char why[512] = "";
  mediatoken_code code = mediatoken_keys_new(&keys);
  if (code == MEDIATOKEN_OK && consent != NULL)
    code = strcmp(consent, "dev") == 0 ? mediatoken_keys_allow_development_key(keys)
                                       : mediatoken_keys_allow_rsa_1024(keys, consent, strlen(consent));
  if (code == MEDIATOKEN_OK) code = mediatoken_keys_add_path(keys, path, strlen(path), why, sizeof why);
  if (code == MEDIATOKEN_OK)
    code = mediatoken_verifier_new(&verifier, keys, NULL, replay, strlen(replay), why, sizeof why);
  if (code != MEDIATOKEN_OK) fprintf(stderr, "prefork: %s: %s\n", mediatoken_code_name(code), why);
  mediatoken_keys_free(keys);
  return verifier;
}

static mediatoken_code decide(const mediatoken_verifier *verifier, const char *token, size_t length, char **argv) {
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  request.token.bytes = token;
  request.token.length = length;
  request.requestor.bytes = argv[5];
  request.requestor.length = strlen(argv[5]);
  request.resource.bytes = argv[6];
  request.resource.length = strlen(argv[6]);
  return mediatoken_verify(verifier, &request, NULL);
}

/* ---- a worker ---- */

static size_t read_all(int connection, char *buffer, size_t size) {
  size_t length = 0;
  while (length < size) {
    ssize_t count = read(connection, buffer + length, size - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += (size_t)count;
  }
  return length;
}

static int work(int listener, mediatoken_verifier *verifier, char **argv) {
  static char token[65537];
  char why[512], answer[64];
  /* The table's lock is the master's: without this, every answer is FORKED. */
  if (mediatoken_verifier_after_fork(verifier, why, sizeof why) != MEDIATOKEN_OK) {
    fprintf(stderr, "prefork: worker: %s\n", why);
    return 1;
  }
  sigset_t none;
  sigemptyset(&none);
  while (!ending) {
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(listener, &ready);
    /* Signals come in here and nowhere else, so that none is missed and no request is cut off. */
    if (pselect(listener + 1, &ready, NULL, NULL, NULL, &none) < 0) continue;
    int connection = accept(listener, NULL, NULL);
    if (connection < 0) continue; /* another worker was faster */
    size_t length = read_all(connection, token, sizeof token);
    mediatoken_code code = decide(verifier, token, length, argv);
    int size = snprintf(answer, sizeof answer, "%s %ld\n", mediatoken_code_name(code), (long)getpid());
    /* If the viewer has gone the token stays used: a crash may lose one, never grant it twice. */
    if (size > 0 && send(connection, answer, (size_t)size, MSG_NOSIGNAL) < 0) errno = 0;
    close(connection);
  }
  mediatoken_verifier_free(verifier);
  return 0;
}

/* ---- the master ---- */

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (listener < 0 || strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  unlink(path);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0) return -1;
  /* All workers are woken, one gets the connection, and the others must not wait in accept(). */
  if (fcntl(listener, F_SETFL, O_NONBLOCK) != 0) return -1;
  return listener;
}

static pid_t start(int listener, mediatoken_verifier *verifier, char **argv) {
  pid_t worker = fork();
  if (worker == 0) _exit(work(listener, verifier, argv));
  if (worker < 0) perror("prefork: fork"), ending = 1;
  return worker;
}

/* Starts another worker for each one that ended. */
static void replace(pid_t *workers, int count, int listener, mediatoken_verifier *verifier, char **argv) {
  int status;
  pid_t gone;
  while ((gone = waitpid(-1, &status, WNOHANG)) > 0) {
    if (!WIFSIGNALED(status)) sleep(1); /* it could not begin: not in a tight circle */
    for (int i = 0; i < count; i++)
      if (workers[i] == gone) workers[i] = start(listener, verifier, argv);
  }
}

static void serve(int count, int listener, mediatoken_verifier *verifier, char **argv, const sigset_t *signals) {
  pid_t workers[MAX_WORKERS];
  for (int i = 0; i < count; i++) workers[i] = start(listener, verifier, argv);
  while (!ending) {
    int signal;
    if (sigwait(signals, &signal) != 0) break;
    if (signal == SIGCHLD) replace(workers, count, listener, verifier, argv);
    else ending = 1;
  }
  for (int i = 0; i < count; i++)
    if (workers[i] > 0) kill(workers[i], SIGTERM);
  while (wait(NULL) > 0) continue;
}

int main(int argc, char **argv) {
  struct sigaction action = {.sa_handler = end};
  sigset_t signals;
  int count = argc == 7 || argc == 8 ? atoi(argv[2]) : 0;
  if (count < 1 || count > MAX_WORKERS) {
    fprintf(stderr, "expected: prefork SOCKET WORKERS KEYS REPLAY REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev]\n");
    return 2;
  }
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  /* Mistakes in keys or table show here, before any viewer is served. */
  mediatoken_verifier *verifier = open_verifier(argv[3], argv[4], argv[7]);
  if (verifier == NULL) return 3;
  int listener = listen_at(argv[1]);
  if (listener < 0) {
    perror(argv[1]);
    return 3;
  }
  serve(count, listener, verifier, argv, &signals);
  unlink(argv[1]);
  mediatoken_verifier_free(verifier);
  return 0;
}
