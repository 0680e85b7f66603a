// libmicrohttpd alone, which accepts by itself, reads each request and answers what is always the same: see BENCHMARKS.md,
// "other servers".
//
//   libmicrohttpd SOCKET BODY
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "serving.h"

static enum MHD_Result handle(void *body, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *piece, size_t *piece_bytes, void **request) {
  (void)url, (void)method, (void)version, (void)piece;
  if (*request == NULL) {
    *request = body;
    return MHD_YES;
  }
  if (*piece_bytes > 0) {
    *piece_bytes = 0;
    return MHD_YES;
  }
  struct MHD_Response *response = MHD_create_response_from_buffer(strlen(body), body, MHD_RESPMEM_PERSISTENT);
  if (response == NULL) return MHD_NO;
  enum MHD_Result queued = MHD_NO;
  if (MHD_add_response_header(response, "Content-Type", "application/json") == MHD_YES)
    queued = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return queued;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  struct MHD_Daemon *daemon = MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, handle, words[2],
    MHD_OPTION_LISTEN_SOCKET, serve_on(words[1]), MHD_OPTION_END);
  if (daemon == NULL) {
    perror("libmicrohttpd");
    return 1;
  }
  int signal;
  sigwait(&ends, &signal);
  MHD_stop_daemon(daemon);
  return 0;
}
