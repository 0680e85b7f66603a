/*
 * Verifies a token from several threads at one verifier, which gets other keys meanwhile: for ThreadSanitizer.
 *
 *   threads STORE DEVELOPMENT_KEY TOKEN_FILE    the token: of REF30 and TNT
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <mediatoken.h>

#include "token_file.h"

static mediatoken_verifier *verifier;
static mediatoken_request request;
static int granted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *verify(void *unused) {
  mediatoken_result *result = NULL;
  if (mediatoken_result_new(&result) != MEDIATOKEN_OK) exit(1);
  for (int round = 0; round < 50; round++) {
    int status = mediatoken_verify(verifier, &request, result);
    if (status != MEDIATOKEN_VALID_TOKEN && status != MEDIATOKEN_TOKEN_REPLAYED) exit(1);
    pthread_mutex_lock(&lock);
    granted += status == MEDIATOKEN_VALID_TOKEN;
    pthread_mutex_unlock(&lock);
    if (mediatoken_result_identity(result, NULL) == NULL) exit(1);
  }
  mediatoken_result_free(result);
  return unused;
}

static mediatoken_keys *gather(const char *path) {
  mediatoken_keys *keys = NULL;
  if (mediatoken_keys_new(&keys) != MEDIATOKEN_OK || mediatoken_keys_allow_development_key(keys) != MEDIATOKEN_OK ||
      mediatoken_keys_add_path(keys, path, strlen(path), NULL, 0) != MEDIATOKEN_OK)
    exit(1);
  return keys;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  if (argc != 4) return 2;
  request = request_for_token_in(argv[3]);
  mediatoken_keys *keys = gather(argv[2]);
  if (mediatoken_verifier_new(&verifier, keys, NULL, argv[1], strlen(argv[1]), NULL, 0) != MEDIATOKEN_OK) return 1;
  mediatoken_keys_free(keys);
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, verify, NULL)) return 1;
  for (int i = 0; i < 10; i++) {
    keys = gather(argv[2]);
    if (mediatoken_verifier_set_keys(verifier, keys, NULL, 0) != MEDIATOKEN_OK) return 1;
    mediatoken_keys_free(keys);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  mediatoken_verifier_free(verifier);
  return granted == 1 ? 0 : 1;
}
