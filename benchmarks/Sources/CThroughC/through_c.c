#include "through_c.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../Sources/CMediaToken/include/mediatoken.h"

struct through_c {
  __typeof__(&mediatoken_keys_new) keys_new;
  __typeof__(&mediatoken_keys_free) keys_free;
  __typeof__(&mediatoken_keys_allow_rsa_1024) keys_allow_rsa_1024;
  __typeof__(&mediatoken_keys_add_path) keys_add_path;
  __typeof__(&mediatoken_verifier_new) verifier_new;
  __typeof__(&mediatoken_verifier_free) verifier_free;
  __typeof__(&mediatoken_result_new) result_new;
  __typeof__(&mediatoken_result_code) result_code;
  __typeof__(&mediatoken_verify) verify;
  mediatoken_verifier *verifier;
  mediatoken_result *result;
};

struct through_c *through_c_open(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  struct through_c *c = calloc(1, sizeof *c);
  if (library == NULL || c == NULL) return NULL;
#define LOAD(name) c->name = (__typeof__(c->name))dlsym(library, "mediatoken_" #name); \
  if (c->name == NULL) return NULL
  LOAD(keys_new);
  LOAD(keys_free);
  LOAD(keys_allow_rsa_1024);
  LOAD(keys_add_path);
  LOAD(verifier_new);
  LOAD(verifier_free);
  LOAD(result_new);
  LOAD(result_code);
  LOAD(verify);
  return c;
}

int through_c_make(struct through_c *c, const char *key, const char *fingerprint, const char *replay) {
  mediatoken_keys *keys = NULL;
  char why[512] = "";
  mediatoken_code code = c->keys_new(&keys);
  if (code == MEDIATOKEN_OK) code = c->keys_allow_rsa_1024(keys, fingerprint, strlen(fingerprint));
  if (code == MEDIATOKEN_OK) code = c->keys_add_path(keys, key, strlen(key), why, sizeof why);
  if (code == MEDIATOKEN_OK)
    code = c->verifier_new(&c->verifier, keys, NULL, replay, strlen(replay), why, sizeof why);
  c->keys_free(keys);
  if (code != MEDIATOKEN_OK) fprintf(stderr, "%s\n", why);
  return code == MEDIATOKEN_OK && (c->result != NULL || c->result_new(&c->result) == MEDIATOKEN_OK);
}

void through_c_free_verifier(struct through_c *c) {
  c->verifier_free(c->verifier);
  c->verifier = NULL;
}

long through_c_verify(struct through_c *c, const unsigned char *token, size_t length, const char *requestor,
                      const char *resource, long long now_ms, long times) {
  long good = 0;
  for (long i = 0; i < times; i++) {
    mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
    request.token.bytes = (const char *)token;
    request.token.length = length;
    request.requestor.bytes = requestor;
    request.requestor.length = strlen(requestor);
    request.resource.bytes = resource;
    request.resource.length = strlen(resource);
    request.now_ms = now_ms;
    good += c->verify(c->verifier, &request, c->result) == MEDIATOKEN_VALID_TOKEN &&
            c->result_code(c->result) == MEDIATOKEN_VALID_TOKEN;
  }
  return good;
}
