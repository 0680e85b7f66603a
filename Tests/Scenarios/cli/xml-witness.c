// Preloaded before libxml2: appends every byte that the program hands to libxml2 to the file named by XML_WITNESS, and
// passes the call on. Declared by hand, so that it builds without libxml2's headers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void witness(const char *bytes, long size) {
  if (bytes == NULL || size <= 0) return;
  int file = open(getenv("XML_WITNESS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  // What cannot be recorded must not pass unseen.
  if (file < 0 || write(file, bytes, size) != size || close(file) != 0) abort();
}

// Shows that the witness was there, in a run that hands libxml2 nothing.
__attribute__((constructor)) static void announce(void) {
  const char *path = getenv("XML_WITNESS_PRESENT");
  if (path == NULL) return;
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || close(file) != 0) abort();
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int xmlParseChunk(void *parser, const char *chunk, int size, int terminate) {
  NEXT(xmlParseChunk);
  witness(chunk, size);
  return next(parser, chunk, size, terminate);
}

void *xmlCreatePushParserCtxt(void *sax, void *data, const char *chunk, int size, const char *name) {
  NEXT(xmlCreatePushParserCtxt);
  witness(chunk, size);
  return next(sax, data, chunk, size, name);
}

int xmlCtxtResetPush(void *parser, const char *chunk, int size, const char *name, const char *encoding) {
  NEXT(xmlCtxtResetPush);
  witness(chunk, size);
  return next(parser, chunk, size, name, encoding);
}

// The other doors of libxml2 through which bytes in memory can go. The scenario checks that the program uses none that
// is not named here.
void *xmlParseMemory(const char *bytes, int size) {
  NEXT(xmlParseMemory);
  witness(bytes, size);
  return next(bytes, size);
}

void *xmlReadMemory(const char *bytes, int size, const char *url, const char *encoding, int options) {
  NEXT(xmlReadMemory);
  witness(bytes, size);
  return next(bytes, size, url, encoding, options);
}

void *xmlCreateMemoryParserCtxt(const char *bytes, int size) {
  NEXT(xmlCreateMemoryParserCtxt);
  witness(bytes, size);
  return next(bytes, size);
}

void *xmlParserInputBufferCreateMem(const char *bytes, int size, int encoding) {
  NEXT(xmlParserInputBufferCreateMem);
  witness(bytes, size);
  return next(bytes, size, encoding);
}
