/*
 * Everything that a C program can do wrong without breaking C: each has its code, and no token is valid. Then what
 * comes of a token, and a child after fork, which are misuse_results.c's.
 *
 *   misuse DEVELOPMENT_KEY FRESH_TABLE TOKEN_FILE    the token: of REF30 and TNT, for an hour, with a session GUID of 32 digits
 */
#include "misuse.h"

int held, broken;
mediatoken_keys *keys;
mediatoken_result *result;
static char token[65536];
static size_t token_length;

mediatoken_text text(const char *bytes) {
  mediatoken_text text = {bytes, strlen(bytes)};
  return text;
}

mediatoken_request good_request(void) {
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  request.token.bytes = token;
  request.token.length = token_length;
  request.requestor = text("REF30");
  request.resource = text("TNT");
  return request;
}

static mediatoken_code open_at(mediatoken_verifier **verifier, const mediatoken_policy *policy, const char *address) {
  return mediatoken_verifier_new(verifier, keys, policy, address, strlen(address), NULL, 0);
}

static void nulls(void) {
  char message[8] = "before!";
  mediatoken_verifier *verifier = (mediatoken_verifier *)message;
  mediatoken_keys_free(NULL);
  mediatoken_verifier_free(NULL);
  mediatoken_result_free(NULL);
  mediatoken_result_reset(NULL);
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_new(NULL));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_result_new(NULL));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_path(NULL, "x", 1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_path(keys, NULL, 1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_path(keys, "x", 0, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_path(keys, "x", 1, NULL, 5));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_path(keys, "x", (size_t)-1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_bytes(NULL, "n", 1, "x", 1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_bytes(keys, NULL, 0, "x", 1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_bytes(keys, "n", 1, NULL, 1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_add_bytes(keys, "n", 1, "x", (size_t)-1, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_allow_rsa_1024(keys, "abc", 3));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_allow_rsa_1024(keys, "any", 3));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_allow_rsa_1024(NULL, "abc", 3));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_keys_allow_development_key(NULL));
  CHECK(mediatoken_keys_count(keys) == 1 && mediatoken_keys_count(NULL) == 0);
  CHECK(mediatoken_keys_fingerprint(NULL, 0, NULL) == NULL && mediatoken_keys_bits(NULL, 0) == 0);
  CHECK(mediatoken_keys_fingerprint(keys, 1, NULL) == NULL && mediatoken_keys_bits(keys, 1) == 0);
  CHECK(mediatoken_keys_fingerprint(keys, (size_t)-1, NULL) == NULL && mediatoken_keys_warnings(keys, 99, NULL) == NULL);
  for (int bits = 0; bits < 4; bits++) {
    size_t index = SIZE_MAX >> bits;
    CHECK(mediatoken_keys_fingerprint(keys, index, NULL) == NULL && mediatoken_keys_warnings(keys, index, NULL) == NULL);
    CHECK(mediatoken_keys_bits(keys, index) == 0);
  }
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(NULL, keys, NULL, "none:", 5, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, NULL, NULL, "none:", 5, message, sizeof message));
  CHECK(verifier == NULL);
  CHECK(strlen(message) == sizeof message - 1); /* cut, and ended */
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, keys, NULL, NULL, 0, message, 1));
  CHECK(message[0] == 0 && message[1] != 0);
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, keys, NULL, "none:", 5, message, (size_t)-1));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_set_keys(NULL, keys, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_after_fork(NULL, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_result_code(NULL));
  check_nothing(NULL, __LINE__);
  CHECK(mediatoken_result_reason(NULL, NULL) == NULL && mediatoken_result_detail(NULL, NULL) == NULL);
  CHECK(mediatoken_result_action(NULL, NULL) == NULL && mediatoken_result_adobe_code(NULL, NULL) == NULL);
}

static void addresses(void) {
  static const char *const bad[] = {"none", "none:x", "shared:", "shared:x?capacity=0", "redis://x", "redis:dev@a:1,b:1",
                                    "redis:dev@user:password@a:1", "", ":", "shared:\xff"};
  mediatoken_verifier *verifier = NULL;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CODE(MEDIATOKEN_BAD_ARGUMENT, open_at(&verifier, NULL, bad[i]));
  CODE(MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, open_at(&verifier, NULL, "shared:/nonexistent/table"));
  CODE(MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, open_at(&verifier, NULL, "shared:/dev/null"));
  CHECK(verifier == NULL);
}

static void policies(void) {
  mediatoken_verifier *verifier = NULL;
  struct { mediatoken_policy policy; char more[32]; } newer = {MEDIATOKEN_POLICY_INIT, {0}};
  mediatoken_policy policy = MEDIATOKEN_POLICY_INIT;
  mediatoken_text names[2];
  names[0] = text("Sample_MVPD");
  names[1].bytes = NULL, names[1].length = 3;
#define POLICY(expected, change)                          \
  do {                                                    \
    mediatoken_policy policy = MEDIATOKEN_POLICY_INIT;    \
    change;                                               \
    CODE(expected, open_at(&verifier, &policy, "none:")); \
    mediatoken_verifier_free(verifier);                   \
  } while (0)
  POLICY(MEDIATOKEN_BAD_SIZE, policy.size = 0);
  POLICY(MEDIATOKEN_BAD_SIZE, policy.size = sizeof policy - 1);
  POLICY(MEDIATOKEN_BAD_SIZE, policy.size = 72);
  /* A program that was compiled before there were fleets; after its struct there may be anything. */
  POLICY(MEDIATOKEN_OK, (policy.size = 80, policy.fleet_deadline_ms = 7, policy.local_table.length = 7));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, (policy.size = 80, policy.max_ttl_ms = 0));
  /* And one from before there were lists of proxies. */
  POLICY(MEDIATOKEN_OK, (policy.size = 120, policy.proxy_mvpds = 7, policy.allowed_proxy_mvpd_count = 7));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.proxy_mvpds = 2);
  POLICY(MEDIATOKEN_OK, policy.proxy_mvpds = MEDIATOKEN_MVPDS_LISTED);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, (policy.allowed_proxy_mvpds = names, policy.allowed_proxy_mvpd_count = 1));
  POLICY(MEDIATOKEN_BAD_SIZE, policy.size = 4097);
  POLICY(MEDIATOKEN_BAD_SIZE, policy.size = (size_t)-1);
  POLICY(MEDIATOKEN_OK, policy.max_ttl_ms = 1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.max_ttl_ms = 0);
  POLICY(MEDIATOKEN_OK, policy.max_ttl_ms = 86400000);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.max_ttl_ms = 86400001);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.future_tolerance_ms = -1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.expiry_tolerance_ms = 86400001);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.retry_window_ms = -1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.retry_window_ms = 1000); /* with none: */
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.unknown_fields = 2);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.mvpds = 2);
  POLICY(MEDIATOKEN_OK, policy.mvpds = MEDIATOKEN_MVPDS_LISTED);
  POLICY(MEDIATOKEN_OK, (policy.denied_mvpds = names, policy.denied_mvpd_count = 1));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, (policy.allowed_mvpds = names, policy.allowed_mvpd_count = 1));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.denied_mvpd_count = 1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, (policy.denied_mvpds = names, policy.denied_mvpd_count = 2));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, (policy.denied_mvpds = names, policy.denied_mvpd_count = (size_t)-1));
  /* What only a fleet has. */
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_deadline_ms = 50);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_deadline_ms = 4);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_deadline_ms = -1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_grace_seconds = 45);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_grace_seconds = 4);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_credentials = text("x"));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.fleet_credentials.length = 1);
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.local_table = text("x"));
  POLICY(MEDIATOKEN_BAD_ARGUMENT, policy.local_table = text("\xff"));
  newer.policy.size = sizeof newer;
  CODE(MEDIATOKEN_OK, open_at(&verifier, &newer.policy, "none:"));
  mediatoken_verifier_free(verifier);
  newer.more[31] = 1;
  CODE(MEDIATOKEN_BAD_SIZE, open_at(&verifier, &newer.policy, "none:"));
  (void)policy;
}

static void requests(const mediatoken_verifier *none, const mediatoken_verifier *shared) {
  struct { mediatoken_request request; char more[8]; } newer = {MEDIATOKEN_REQUEST_INIT, {0}};
#define REQUEST(expected, verifier, change)       \
  do {                                            \
    mediatoken_request request = good_request();  \
    change;                                       \
    REFUSED(expected, verifier, &request);        \
  } while (0)
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, NULL, (void)request);
  REFUSED(MEDIATOKEN_BAD_ARGUMENT, none, NULL);
  REQUEST(MEDIATOKEN_BAD_SIZE, none, request.size = 0);
  REQUEST(MEDIATOKEN_BAD_SIZE, none, request.size--);
  REQUEST(MEDIATOKEN_BAD_SIZE, none, request.size = (size_t)-1);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.flags = 8);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.requestor.bytes = NULL);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.requestor.length = 0);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.requestor.length = (size_t)-1);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.requestor = text("REF\xff"));
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.resource.bytes = NULL);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.resource.length = 0);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.flags = MEDIATOKEN_ANY_REQUESTOR);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.flags = MEDIATOKEN_ANY_RESOURCE);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.token.bytes = NULL);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.token.length = (size_t)-1);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.request_id = text("1")); /* without a retry window */
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, none, request.caller_uid = 1);
  REQUEST(MEDIATOKEN_BAD_ARGUMENT, shared, request.now_ms = 1795176000000); /* the kernel's clock alone */
  REQUEST(MEDIATOKEN_INVALID_TOKEN_FORMAT, none, request.token.length = 0);
  REQUEST(MEDIATOKEN_INVALID_TOKEN_FORMAT, none, (request.token.bytes = NULL, request.token.length = 0));
  REQUEST(MEDIATOKEN_INVALID_SIGNATURE, none, request.token.length -= 20);
  REQUEST(MEDIATOKEN_INVALID_REQUESTOR_ID, none, request.requestor.length--);
  REQUEST(MEDIATOKEN_INVALID_RESOURCE_ID, none, request.resource = text("TNT "));
  REQUEST(MEDIATOKEN_TOKEN_EXPIRED, none, request.now_ms = 4102444800000);
  REQUEST(MEDIATOKEN_TOKEN_NOT_YET_VALID, none, request.now_ms = 1);
  newer.request = good_request();
  newer.request.size = sizeof newer;
  CODE(MEDIATOKEN_VALID_TOKEN, mediatoken_verify(none, &newer.request, NULL));
  newer.more[0] = 1;
  REFUSED(MEDIATOKEN_BAD_SIZE, none, &newer.request);
}

/* Keys that are wrong spoil the set, whatever follows. */
static void key_sets(const char *path) {
  char why[512];
  mediatoken_keys *set = NULL;
  mediatoken_verifier *verifier = NULL;
  CODE(MEDIATOKEN_OK, mediatoken_keys_new(&set));
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_verifier_new(&verifier, set, NULL, "none:", 5, why, sizeof why));
  CHECK(strstr(why, "no key file or folder is named") != NULL);
  CODE(MEDIATOKEN_OK, mediatoken_keys_add_path(set, path, strlen(path), why, sizeof why));
  CHECK(why[0] == 0);
  CODE(MEDIATOKEN_OK, mediatoken_keys_add_path(set, path, strlen(path), why, sizeof why)); /* the same again is one */
  CHECK(mediatoken_keys_count(set) == 1 && mediatoken_keys_bits(set, 0) == 2048);
  CHECK(strstr(mediatoken_keys_warnings(set, 0, NULL), "development key") != NULL);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_verifier_new(&verifier, set, NULL, "none:", 5, why, sizeof why));
  CHECK(strstr(why, "mediatoken_keys_allow_development_key") != NULL);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_keys_add_bytes(set, "nonsense", 8, "x", 1, why, sizeof why));
  CHECK(strstr(why, "nonsense") != NULL);
  CODE(MEDIATOKEN_OK, mediatoken_keys_allow_development_key(set));
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_keys_add_path(set, path, strlen(path), NULL, 0));
  CHECK(mediatoken_keys_count(set) == 0);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_verifier_new(&verifier, set, NULL, "none:", 5, why, sizeof why));
  CHECK(verifier == NULL);
  mediatoken_keys_free(set);
}

int main(int argc, char **argv) {
  mediatoken_verifier *none = NULL, *shared = NULL;
  FILE *file = argc == 4 ? fopen(argv[3], "rb") : NULL;
  if (file == NULL) return 2;
  token_length = fread(token, 1, sizeof token, file);
  fclose(file);
  CODE(MEDIATOKEN_OK, mediatoken_keys_new(&keys));
  CODE(MEDIATOKEN_OK, mediatoken_keys_allow_development_key(keys));
  CODE(MEDIATOKEN_OK, mediatoken_keys_add_path(keys, argv[1], strlen(argv[1]), NULL, 0));
  CODE(MEDIATOKEN_OK, mediatoken_result_new(&result));
  CODE(MEDIATOKEN_UNDECIDED, mediatoken_result_code(result));
  check_nothing(result, __LINE__);
  CODE(MEDIATOKEN_OK, open_at(&none, NULL, "none:"));
  CODE(MEDIATOKEN_OK, open_at(&shared, NULL, argv[2]));
  CHECK(mediatoken_abi_version() == MEDIATOKEN_ABI_VERSION && strlen(mediatoken_version()) >= 5);
  nulls();
  addresses();
  policies();
  key_sets(argv[1]);
  requests(none, shared);
  valid(shared);
  forks(none, shared);
  mediatoken_verifier_free(shared);
  mediatoken_verifier_free(none);
  mediatoken_keys_free(keys);
  mediatoken_result_free(result);
  printf("%d held, %d broken\n", held, broken);
  return broken != 0 || held < 500;
}
