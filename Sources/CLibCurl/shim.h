// libcurl's easy interface as Swift sees it, plus adapters for its variadic functions, which Swift cannot call. It is not linked but
// loaded when it is needed, by one command alone: it brings thirty more libraries.
#ifndef MEDIATOKEN_CLIBCURL_SHIM_H
#define MEDIATOKEN_CLIBCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK  // Its macros have the functions' names.
#include <curl/curl.h>
#include <dlfcn.h>

// What of it is called, with the types that its own header gives.
#define MEDIATOKEN_CURL_FUNCTIONS(each) \
  each(curl_easy_cleanup) each(curl_easy_getinfo) each(curl_easy_init) each(curl_easy_perform) each(curl_easy_setopt) \
  each(curl_easy_strerror) each(curl_global_init) each(curl_slist_append) each(curl_slist_free_all)

struct mediatoken_curl {
#define MEDIATOKEN_CURL_FIELD(name) __typeof__(&name) name;
  MEDIATOKEN_CURL_FUNCTIONS(MEDIATOKEN_CURL_FIELD)
#undef MEDIATOKEN_CURL_FIELD
};

// Loads libcurl for good, whatever name its builder gave the version of its symbols. Returns NULL, or what the loader says.
static inline const char *mediatoken_curl_load(struct mediatoken_curl *functions) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define MEDIATOKEN_CURL_FIND(name) \
  if ((functions->name = (__typeof__(&name))dlsym(library, #name)) == NULL) return dlerror();
  MEDIATOKEN_CURL_FUNCTIONS(MEDIATOKEN_CURL_FIND)
#undef MEDIATOKEN_CURL_FIND
  return NULL;
}

// curl_easy_setopt and curl_easy_getinfo are variadic; each adapter passes one type of argument.
static inline CURLcode mediatoken_curl_set_long(
  const struct mediatoken_curl *curl, CURL *handle, CURLoption option, long value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode mediatoken_curl_set_text(
  const struct mediatoken_curl *curl, CURL *handle, CURLoption option, const char *value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode mediatoken_curl_set_bytes(
  const struct mediatoken_curl *curl, CURL *handle, const void *bytes, long count) {
  CURLcode code = curl->curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
  return code == CURLE_OK ? curl->curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

static inline CURLcode mediatoken_curl_set_headers(
  const struct mediatoken_curl *curl, CURL *handle, struct curl_slist *headers) {
  return curl->curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode mediatoken_curl_set_writer(
  const struct mediatoken_curl *curl, CURL *handle, curl_write_callback writer, void *argument) {
  CURLcode code = curl->curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return code == CURLE_OK ? curl->curl_easy_setopt(handle, CURLOPT_WRITEDATA, argument) : code;
}

static inline CURLcode mediatoken_curl_get_long(
  const struct mediatoken_curl *curl, CURL *handle, CURLINFO info, long *value) {
  return curl->curl_easy_getinfo(handle, info, value);
}

static inline CURLcode mediatoken_curl_get_text(
  const struct mediatoken_curl *curl, CURL *handle, CURLINFO info, char **value) {
  return curl->curl_easy_getinfo(handle, info, value);
}

#endif
