// libmicrohttpd as Swift sees it, plus adapters for its variadic functions, which Swift cannot call.
#ifndef MEDIATOKEN_CLIBMICROHTTPD_SHIM_H
#define MEDIATOKEN_CLIBMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// Stands where libmicrohttpd keeps a client's address: it copies that and looks at nothing in it while there is no limit
// per address. So who the peer is travels with the connection.
struct mediatoken_peer_address {
  sa_family_t family;
  uint8_t is_process;
  int32_t pid;
  uint32_t uid;
  uint32_t gid;
};

// What a server is made of; `context` is handed to every callback.
struct mediatoken_server {
  MHD_AccessHandlerCallback handle;
  void *(*_Nullable begin)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback complete;
  MHD_NotifyConnectionCallback notify;
  MHD_LogCallback log;
  void *context;
  unsigned int connection_limit;
  unsigned int idle_seconds;
  size_t pool_bytes;
};

// One thread with its own epoll, no listening socket (connections are handed over), no Date field (RFC 9110, 6.6.1, lets
// a server without need for one leave it out), messages to `log` only.
static inline struct MHD_Daemon *mediatoken_start_daemon(const struct mediatoken_server *server) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_USE_SUPPRESS_DATE_NO_CLOCK
          | MHD_USE_ERROR_LOG,
      0, NULL, NULL, server->handle, server->context,
      // The logger comes first: options behind it may complain already.
      MHD_OPTION_EXTERNAL_LOGGER, server->log, server->context,
      MHD_OPTION_URI_LOG_CALLBACK, server->begin, server->context,
      MHD_OPTION_NOTIFY_COMPLETED, server->complete, server->context,
      MHD_OPTION_NOTIFY_CONNECTION, server->notify, server->context,
      MHD_OPTION_CONNECTION_LIMIT, server->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, server->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, server->pool_bytes,
      // All strictness is ours (HeadCheck.swift), which answers where the library's only closes.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_END);
}

// An eventfd in the worker's epoll; -1 if there is none to be had. The library passes over events without a pointer
// (0.9.75, MHD_epoll: "shutdown signal"), and an edge needs no reading.
static inline int mediatoken_make_waker(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  int waker = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (waker < 0) return -1;
  if (info != NULL && epoll_ctl(info->epoll_fd, EPOLL_CTL_ADD, waker, &event) == 0) return waker;
  close(waker);
  return -1;
}

// MHD_get_connection_info is variadic, and answers with a union.
static inline int mediatoken_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline struct mediatoken_peer_address mediatoken_peer_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  struct mediatoken_peer_address address = {0};
  if (info != NULL && info->client_addr != NULL) address = *(const struct mediatoken_peer_address *) info->client_addr;
  return address;
}

static inline enum MHD_Result mediatoken_add_connection(
    struct MHD_Daemon *daemon, int descriptor, const struct mediatoken_peer_address *address) {
  return MHD_add_connection(daemon, descriptor, (const struct sockaddr *) address, sizeof *address);
}

static inline void *mediatoken_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

// How many bytes the head of the request had, from the first one of the method to the last line feed; 0 if unknown.
static inline size_t mediatoken_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

#endif
