/*
 * Verifies a token so often, for a tool that counts what is allocated and not freed: every verification with all its
 * texts, a refusal, and every hundredth time a reload.
 *
 *   leak TIMES DEVELOPMENT_KEY TOKEN_FILE    the token: of REF30 and TNT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mediatoken.h>

#include "token_file.h"

static mediatoken_keys *gather(const char *path) {
  mediatoken_keys *keys = NULL;
  if (mediatoken_keys_new(&keys) != MEDIATOKEN_OK || mediatoken_keys_allow_development_key(keys) != MEDIATOKEN_OK ||
      mediatoken_keys_add_path(keys, path, strlen(path), NULL, 0) != MEDIATOKEN_OK ||
      mediatoken_keys_warnings(keys, 0, NULL) == NULL)
    exit(1);
  return keys;
}

static void read_all(const mediatoken_result *result, int valid) {
  const char *texts[] = {mediatoken_result_requestor_id(result, NULL), mediatoken_result_resource_id(result, NULL),
                         mediatoken_result_mvpd_id(result, NULL), mediatoken_result_session_guid(result, NULL),
                         mediatoken_result_key_fingerprint(result, NULL)};
  if (mediatoken_result_identity(result, NULL) == NULL) exit(1);
  if ((mediatoken_result_detail(result, NULL) == NULL) != valid) exit(1);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if ((texts[i] != NULL) != valid) exit(1);
}

int main(int argc, char **argv) {
  mediatoken_verifier *verifier = NULL;
  mediatoken_result *result = NULL;
  mediatoken_keys *keys;
  if (argc != 4) return 2;
  mediatoken_request request = request_for_token_in(argv[3]);
  keys = gather(argv[2]);
  if (mediatoken_verifier_new(&verifier, keys, NULL, "none:", 5, NULL, 0) != MEDIATOKEN_OK) return 1;
  mediatoken_keys_free(keys);
  if (mediatoken_result_new(&result) != MEDIATOKEN_OK) return 1;
  for (int round = 0; round < atoi(argv[1]); round++) {
    request.resource.bytes = "TNT", request.resource.length = 3;
    if (mediatoken_verify(verifier, &request, result) != MEDIATOKEN_VALID_TOKEN) return 1;
    read_all(result, 1);
    request.resource.bytes = "another resource with a long name", request.resource.length = 33;
    if (mediatoken_verify(verifier, &request, result) != MEDIATOKEN_INVALID_RESOURCE_ID) return 1;
    read_all(result, 0);
    if (round % 100 == 99) {
      keys = gather(argv[2]);
      if (mediatoken_verifier_set_keys(verifier, keys, NULL, 0) != MEDIATOKEN_OK) return 1;
      mediatoken_keys_free(keys);
    }
  }
  mediatoken_result_free(result);
  mediatoken_verifier_free(verifier);
  return 0;
}
