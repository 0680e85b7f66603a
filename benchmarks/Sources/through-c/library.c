#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct library library_open(const char *path) {
  void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  struct library library;
#define LOAD(name) \
  library.name = file == NULL ? NULL : (__typeof__(library.name))dlsym(file, "mediatoken_" #name); \
  if (library.name == NULL) { \
    fprintf(stderr, "%s\n", dlerror()); \
    exit(1); \
  }
  LOAD(keys_new)
  LOAD(keys_free)
  LOAD(keys_allow_rsa_1024)
  LOAD(keys_add_path)
  LOAD(verifier_new)
  LOAD(verifier_free)
  LOAD(result_new)
  LOAD(result_code)
  LOAD(verify)
  return library;
}

mediatoken_verifier *library_verifier(const struct library *library, const char *key, const char *fingerprint,
                                      const char *replay) {
  mediatoken_keys *keys = NULL;
  mediatoken_verifier *verifier = NULL;
  char why[512] = "the library could not be used";
  mediatoken_code code = library->keys_new(&keys);
  if (code == MEDIATOKEN_OK) code = library->keys_allow_rsa_1024(keys, fingerprint, strlen(fingerprint));
  if (code == MEDIATOKEN_OK) code = library->keys_add_path(keys, key, strlen(key), why, sizeof why);
  if (code == MEDIATOKEN_OK)
    code = library->verifier_new(&verifier, keys, NULL, replay, strlen(replay), why, sizeof why);
  library->keys_free(keys);
  if (code != MEDIATOKEN_OK) {
    fprintf(stderr, "%s\n", why);
    exit(1);
  }
  return verifier;
}
