// The floor of HTTP: libmicrohttpd alone, which accepts by itself, reads a request and answers what is always the same: see
// BENCHMARKS.md, "daemon".
//
//   bare-http SOCKET
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

// As long as an answer of mediatokend to such a token.
static const char answer[] =
  "{\"verdict\":\"VALID_TOKEN\",\"number\":0,\"identity\":\"0000000000000000000000000000000000000000000000000000000000000000\","
  "\"requestorID\":\"REF30\",\"resourceID\":\"TNT\",\"mvpdId\":\"Sample_MVPD\",\"sessionGUID\":"
  "\"0000000000000000000000000000000000000000\",\"issueTime\":\"2026-01-01T00:00:00.000Z\",\"ttl\":300000,\"expiresAt\":"
  "\"2026-01-01T00:05:00.000Z\",\"keyFingerprint\":\"0000000000000000000000000000000000000000000000000000000000000000\","
  "\"unknownFields\":[],\"use\":\"first\",\"retry\":false,\"requestID\":\"0000000000000000\"}\n";

// No bytes of mediatokend's heads are spared: 32 KiB, HTTPLimits.poolBytes.
enum { POOL_BYTES = 32 * 1024 };

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *body, size_t *body_bytes, void **request) {
  (void)context, (void)url, (void)method, (void)version, (void)body;
  if (*request == NULL) {
    *request = (void *)answer;
    return MHD_YES;
  }
  if (*body_bytes > 0) {
    *body_bytes = 0;
    return MHD_YES;
  }
  struct MHD_Response *response =
    MHD_create_response_from_buffer(sizeof answer - 1, (void *)answer, MHD_RESPMEM_PERSISTENT);
  if (response == NULL) return MHD_NO;
  enum MHD_Result queued = MHD_NO;
  if (MHD_add_response_header(response, "Content-Type", "application/json") == MHD_YES)
    queued = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return queued;
}

static int listening(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(descriptor, 512) != 0)
    return -1;
  return descriptor;
}

int main(int count, char **words) {
  if (count != 2) return 2;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  int descriptor = listening(words[1]);
  struct MHD_Daemon *daemon = descriptor < 0 ? NULL : MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, handle, NULL,
    MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_END);
  if (daemon == NULL) {
    perror(words[1]);
    return 1;
  }
  int signal;
  sigwait(&ends, &signal);
  MHD_stop_daemon(daemon);
  return 0;
}
