// hiredis as Swift sees it: commands are formatted and replies are read with it, and nothing else; its connections
// (redisContext) are not used. What differs between its versions is here alone.
#ifndef MEDIATOKEN_CLIBHIREDIS_SHIM_H
#define MEDIATOKEN_CLIBHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

// hiredis 1.0 and later read RESP3, which no command here asks for. What has no function of its own they take for read, and
// tell no one; a function that makes nothing ends the stream.
#if HIREDIS_MAJOR >= 1
static inline void *mediatoken_hiredis_no_double(const redisReadTask *task, double value, char *text, size_t length) {
  (void)task, (void)value, (void)text, (void)length;
  return NULL;
}

static inline void *mediatoken_hiredis_no_bool(const redisReadTask *task, int value) {
  (void)task, (void)value;
  return NULL;
}
#endif

static inline void mediatoken_hiredis_refuse_resp3(redisReplyObjectFunctions *functions) {
#if HIREDIS_MAJOR >= 1
  functions->createDouble = mediatoken_hiredis_no_double;
  functions->createBool = mediatoken_hiredis_no_bool;
#else
  (void)functions;  // 0.14 ends the stream by itself
#endif
}

#endif
