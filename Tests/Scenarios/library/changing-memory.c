/*
 * What was verified is what is read: one thread writes to a token's bytes while another one has them verified. Whatever the
 * library makes of a moment's bytes, a valid result must be about the token that was signed.
 *
 *   changing-memory KEY TOKEN_FILE    a raw token of the resource TNT and a life of 300000 ms
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <mediatoken.h>

/* So many of each are waited for, while the token lives: then both threads did run at once, or by turns. */
enum { ENOUGH = 5000 };

static char token[65536];
static volatile char *resource, *ttl;
static atomic_int done;

/* Turns TNT and 300000 into TBS and 900000, and back. */
static void *write_on(void *unused) {
  (void)unused;
  while (!atomic_load(&done)) {
    resource[1] = 'B', resource[2] = 'S', ttl[0] = '9';
    resource[1] = 'N', resource[2] = 'T', ttl[0] = '3';
  }
  return NULL;
}

int main(int argc, char **argv) {
  mediatoken_keys *keys = NULL;
  mediatoken_verifier *verifier = NULL;
  mediatoken_result *result = NULL;
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  unsigned long valid = 0, refused = 0, broken = 0;
  pthread_t writer;
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (file == NULL) return 2;
  request.token.bytes = token;
  request.token.length = fread(token, 1, sizeof token - 1, file);
  fclose(file);
  resource = strstr(token, "<resourceID>TNT<");
  ttl = strstr(token, "<ttl>300000<");
  if (resource == NULL || ttl == NULL) return 2;
  resource += strlen("<resourceID>"), ttl += strlen("<ttl>");
  request.requestor.bytes = "REF30", request.requestor.length = 5;
  request.flags = MEDIATOKEN_ANY_RESOURCE;

  if (mediatoken_keys_new(&keys) != MEDIATOKEN_OK || mediatoken_keys_allow_development_key(keys) != MEDIATOKEN_OK ||
      mediatoken_keys_add_path(keys, argv[1], strlen(argv[1]), NULL, 0) != MEDIATOKEN_OK ||
      mediatoken_verifier_new(&verifier, keys, NULL, "none:", 5, NULL, 0) != MEDIATOKEN_OK ||
      mediatoken_result_new(&result) != MEDIATOKEN_OK || pthread_create(&writer, NULL, write_on, NULL) != 0)
    return 2;
  while ((valid < ENOUGH || refused < ENOUGH) && broken < 10) {
    int64_t life = 0;
    mediatoken_code code = mediatoken_verify(verifier, &request, result);
    if (code == MEDIATOKEN_TOKEN_EXPIRED) break;
    if (code != MEDIATOKEN_VALID_TOKEN) {
      refused++;
      continue;
    }
    valid++;
    mediatoken_result_ttl_ms(result, &life);
    if (strcmp(mediatoken_result_resource_id(result, NULL), "TNT") == 0 && life == 300000) continue;
    broken++;
    printf("FAILED: after %lu verifications: valid with %s and %" PRId64 " ms, signed were TNT and 300000 ms\n",
           valid + refused, mediatoken_result_resource_id(result, NULL), life);
  }
  atomic_store(&done, 1);
  pthread_join(writer, NULL);
  printf("%lu valid, %lu refused, %lu valid with what was never signed\n", valid, refused, broken);
  mediatoken_result_free(result);
  mediatoken_verifier_free(verifier);
  mediatoken_keys_free(keys);
  return broken != 0 || valid < ENOUGH || refused < ENOUGH;
}
