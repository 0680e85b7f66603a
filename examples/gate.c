/*
 * Gates one playback: reads a token from standard input and says whether it may start.
 *
 *   cc -o gate gate.c $(pkg-config --cflags --libs mediatoken)
 *   ./gate KEYS REPLAY REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev] < token
 *
 * KEYS is a key file or a folder of them, REPLAY is shared:PATH or none:. Exit status: 0 play, 1 refused, 3 no verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <mediatoken.h>

static mediatoken_verifier *open_verifier(char **argv) {
  mediatoken_keys *keys = NULL;
  mediatoken_verifier *verifier = NULL;
  char why[512] = "";
  mediatoken_code code = mediatoken_keys_new(&keys);
  if (code == MEDIATOKEN_OK && argv[5] != NULL) {
    /* Adobe's key has 1024 bits: a person must have checked its fingerprint. "dev" is for trying this out. */
    code = strcmp(argv[5], "dev") == 0 ? mediatoken_keys_allow_development_key(keys)
                                       : mediatoken_keys_allow_rsa_1024(keys, argv[5], strlen(argv[5]));
  }
  if (code == MEDIATOKEN_OK) code = mediatoken_keys_add_path(keys, argv[1], strlen(argv[1]), why, sizeof why);
  if (code == MEDIATOKEN_OK)
    code = mediatoken_verifier_new(&verifier, keys, NULL, argv[2], strlen(argv[2]), why, sizeof why);
  if (code != MEDIATOKEN_OK) fprintf(stderr, "gate: %s: %s\n", mediatoken_code_name(code), why);
  mediatoken_keys_free(keys);
  return verifier;
}

/* What a playback server logs: never the token, never the session GUID. */
static void report(mediatoken_code code, const mediatoken_result *result) {
  const char *identity = mediatoken_result_identity(result, NULL);
  const char *reason = mediatoken_result_reason(result, NULL);
  const char *detail = mediatoken_result_detail(result, NULL);
  const char *action = mediatoken_result_action(result, NULL);
  int64_t expires = 0;
  printf("%s\n", mediatoken_code_name(code));
  if (identity != NULL) printf("token: %.16s\n", identity);
  if (reason != NULL) printf("reason: %s\n", reason);
  if (detail != NULL) printf("detail: %s\n", detail);
  if (action != NULL) printf("action: %s\n", action);
  if (code == MEDIATOKEN_VALID_TOKEN && mediatoken_result_expires_at_ms(result, &expires) == MEDIATOKEN_OK)
    printf("mvpd: %s\nexpires: %" PRId64 "\n", mediatoken_result_mvpd_id(result, NULL), expires);
}

int main(int argc, char **argv) {
  static char token[65537]; /* one byte more than a token may have, so that a longer one is refused */
  mediatoken_result *result = NULL;
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  mediatoken_verifier *verifier;
  mediatoken_code code;
  if (argc != 5 && argc != 6) {
    fprintf(stderr, "expected: gate KEYS REPLAY REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev] < token\n");
    return 2;
  }
  verifier = open_verifier(argv);
  if (verifier == NULL || mediatoken_result_new(&result) != MEDIATOKEN_OK) return 3;

  request.token.bytes = token;
  request.token.length = fread(token, 1, sizeof token, stdin);
  request.requestor.bytes = argv[3];
  request.requestor.length = strlen(argv[3]);
  request.resource.bytes = argv[4];
  request.resource.length = strlen(argv[4]);
  code = mediatoken_verify(verifier, &request, result);
  report(code, result);

  mediatoken_result_free(result);
  mediatoken_verifier_free(verifier);
  return code == MEDIATOKEN_VALID_TOKEN ? 0 : mediatoken_http_status(code) == 403 ? 1 : 3;
}
