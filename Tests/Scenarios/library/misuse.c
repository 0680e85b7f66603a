/*
 * Everything that a C program can do wrong without breaking C: each has its code, and no token is valid. Then one token's
 * whole result, and a child after fork.
 *
 *   misuse DEVELOPMENT_KEY FRESH_TABLE TOKEN_FILE    the token: of REF30 and TNT, with a session GUID of 32 digits
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mediatoken.h>

static int held, broken;
#define CLAIM(condition)                                                              \
  do {                                                                                \
    if (condition) held++;                                                            \
    else broken++, printf("FAILED: line %d: %s\n", __LINE__, #condition), fflush(stdout); \
  } while (0)
#define CODE(expected, call)                                                                                   \
  do {                                                                                                         \
    mediatoken_code found_ = (call);                                                                           \
    if (found_ == (expected)) held++;                                                                          \
    else broken++, printf("FAILED: line %d: %s: expected %s, found %s\n", __LINE__, #call,                     \
                          mediatoken_code_name(expected), mediatoken_code_name(found_)), fflush(stdout);       \
  } while (0)

static mediatoken_keys *keys;
static mediatoken_result *result;
static char token[65536];
static size_t token_length;

static mediatoken_text text(const char *bytes) {
  mediatoken_text text = {bytes, strlen(bytes)};
  return text;
}

static mediatoken_request good_request(void) {
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

/* No getter gives anything of a token. */
static void claim_nothing(const mediatoken_result *r, int line) {
  size_t length = 77;
  int64_t number = 77;
  int before = broken;
  CLAIM(mediatoken_result_requestor_id(r, &length) == NULL && length == 0);
  CLAIM(mediatoken_result_resource_id(r, NULL) == NULL);
  CLAIM(mediatoken_result_mvpd_id(r, NULL) == NULL);
  CLAIM(mediatoken_result_proxy_mvpd_id(r, NULL) == NULL);
  CLAIM(mediatoken_result_session_guid(r, NULL) == NULL);
  CLAIM(mediatoken_result_key_fingerprint(r, NULL) == NULL);
  CLAIM(mediatoken_result_issue_time_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  number = 77;
  CLAIM(mediatoken_result_ttl_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  number = 77;
  CLAIM(mediatoken_result_expires_at_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  CLAIM(mediatoken_result_use(r) == MEDIATOKEN_USE_NONE);
  CLAIM(mediatoken_result_unknown_field_count(r) == 0);
  CLAIM(mediatoken_result_unknown_field(r, 0, &length) == NULL && length == 0);
  if (broken != before) printf("  in the result of line %d\n", line);
}

/* The request is answered so, in the code, in the result, and with nothing to give. */
static void refused(mediatoken_code expected, const mediatoken_verifier *verifier, const mediatoken_request *request,
                    int line) {
  int before = broken;
  CODE(expected, mediatoken_verify(verifier, request, result));
  CODE(expected, mediatoken_result_code(result));
  CLAIM(mediatoken_result_detail(result, NULL) != NULL && *mediatoken_result_detail(result, NULL) != 0);
  claim_nothing(result, line);
  CODE(expected, mediatoken_verify(verifier, request, NULL));
  if (broken != before) printf("  in the request of line %d\n", line);
}
#define REFUSED(expected, verifier, request) refused(expected, verifier, request, __LINE__)

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
  CLAIM(mediatoken_keys_count(keys) == 1 && mediatoken_keys_count(NULL) == 0);
  CLAIM(mediatoken_keys_fingerprint(NULL, 0, NULL) == NULL && mediatoken_keys_bits(NULL, 0) == 0);
  CLAIM(mediatoken_keys_fingerprint(keys, 1, NULL) == NULL && mediatoken_keys_bits(keys, 1) == 0);
  CLAIM(mediatoken_keys_fingerprint(keys, (size_t)-1, NULL) == NULL && mediatoken_keys_warnings(keys, 99, NULL) == NULL);
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(NULL, keys, NULL, "none:", 5, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, NULL, NULL, "none:", 5, message, sizeof message));
  CLAIM(verifier == NULL);
  CLAIM(strlen(message) == sizeof message - 1); /* cut, and ended */
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, keys, NULL, NULL, 0, message, 1));
  CLAIM(message[0] == 0 && message[1] != 0);
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_new(&verifier, keys, NULL, "none:", 5, message, (size_t)-1));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_set_keys(NULL, keys, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_verifier_after_fork(NULL, NULL, 0));
  CODE(MEDIATOKEN_BAD_ARGUMENT, mediatoken_result_code(NULL));
  claim_nothing(NULL, __LINE__);
  CLAIM(mediatoken_result_reason(NULL, NULL) == NULL && mediatoken_result_detail(NULL, NULL) == NULL);
}

static void addresses(void) {
  static const char *const bad[] = {"none", "none:x", "shared:", "shared:x?capacity=0", "redis://x", "redis:dev@a:1,b:1",
                                    "redis:dev@user:password@a:1", "", ":", "shared:\xff"};
  mediatoken_verifier *verifier = NULL;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CODE(MEDIATOKEN_BAD_ARGUMENT, open_at(&verifier, NULL, bad[i]));
  CODE(MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, open_at(&verifier, NULL, "shared:/nonexistent/table"));
  CODE(MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, open_at(&verifier, NULL, "shared:/dev/null"));
  CLAIM(verifier == NULL);
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
  CLAIM(strstr(why, "at least one key") != NULL);
  CODE(MEDIATOKEN_OK, mediatoken_keys_add_path(set, path, strlen(path), why, sizeof why));
  CLAIM(why[0] == 0);
  CODE(MEDIATOKEN_OK, mediatoken_keys_add_path(set, path, strlen(path), why, sizeof why)); /* the same again is one */
  CLAIM(mediatoken_keys_count(set) == 1 && mediatoken_keys_bits(set, 0) == 2048);
  CLAIM(strstr(mediatoken_keys_warnings(set, 0, NULL), "development key") != NULL);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_verifier_new(&verifier, set, NULL, "none:", 5, why, sizeof why));
  CLAIM(strstr(why, "mediatoken_keys_allow_development_key") != NULL);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_keys_add_bytes(set, "nonsense", 8, "x", 1, why, sizeof why));
  CLAIM(strstr(why, "nonsense") != NULL);
  CODE(MEDIATOKEN_OK, mediatoken_keys_allow_development_key(set));
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_keys_add_path(set, path, strlen(path), NULL, 0));
  CLAIM(mediatoken_keys_count(set) == 0);
  CODE(MEDIATOKEN_KEYS_UNAVAILABLE, mediatoken_verifier_new(&verifier, set, NULL, "none:", 5, why, sizeof why));
  CLAIM(verifier == NULL);
  mediatoken_keys_free(set);
}

static void valid(const mediatoken_verifier *shared) {
  mediatoken_request request = good_request();
  int64_t issued = 0, ttl = 0, expires = 0;
  size_t length = 0;
  char identity[65];
  CODE(MEDIATOKEN_VALID_TOKEN, mediatoken_verify(shared, &request, result));
  CODE(MEDIATOKEN_VALID_TOKEN, mediatoken_result_code(result));
  CLAIM(mediatoken_result_reason(result, &length) == NULL && mediatoken_result_detail(result, NULL) == NULL);
  CLAIM(strcmp(mediatoken_result_requestor_id(result, &length), "REF30") == 0 && length == 5);
  CLAIM(mediatoken_result_requestor_id(result, NULL) == mediatoken_result_requestor_id(result, NULL));
  CLAIM(strcmp(mediatoken_result_resource_id(result, &length), "TNT") == 0 && length == 3);
  CLAIM(strcmp(mediatoken_result_mvpd_id(result, NULL), "Sample_MVPD") == 0);
  CLAIM(mediatoken_result_proxy_mvpd_id(result, &length) == NULL && length == 0);
  CLAIM(mediatoken_result_session_guid(result, &length) != NULL && length == 32);
  CLAIM(strlen(mediatoken_result_identity(result, &length)) == 64 && length == 64);
  CLAIM(strcmp(mediatoken_result_key_fingerprint(result, NULL), mediatoken_keys_fingerprint(keys, 0, NULL)) == 0);
  CODE(MEDIATOKEN_OK, mediatoken_result_issue_time_ms(result, &issued));
  CODE(MEDIATOKEN_OK, mediatoken_result_ttl_ms(result, &ttl));
  CODE(MEDIATOKEN_OK, mediatoken_result_expires_at_ms(result, &expires));
  CLAIM(ttl == 300000 && expires == issued + ttl && issued > 1700000000000);
  CLAIM(mediatoken_result_use(result) == MEDIATOKEN_USE_FIRST);
  CLAIM(mediatoken_result_unknown_field_count(result) == 0);
  strcpy(identity, mediatoken_result_identity(result, NULL));
  /* Texts of a result may be part of the next question with it. */
  request.requestor.bytes = mediatoken_result_requestor_id(result, &request.requestor.length);
  request.resource.bytes = mediatoken_result_resource_id(result, &request.resource.length);
  CODE(MEDIATOKEN_TOKEN_REPLAYED, mediatoken_verify(shared, &request, result));
  CLAIM(strcmp(mediatoken_result_reason(result, NULL), "already-used") == 0);
  CLAIM(strcmp(mediatoken_result_identity(result, NULL), identity) == 0);
  claim_nothing(result, __LINE__);
  /* Verified without a use, also after one: no verdict, and nothing of the token but its name. */
  request.flags = MEDIATOKEN_DO_NOT_SPEND;
  request.requestor = text("REF30");
  request.resource = text("TNT");
  CODE(MEDIATOKEN_NOT_SPENT, mediatoken_verify(shared, &request, result));
  CODE(MEDIATOKEN_NOT_SPENT, mediatoken_result_code(result));
  CLAIM(mediatoken_result_use(result) == MEDIATOKEN_USE_NOT_SPENT);
  CLAIM(strcmp(mediatoken_result_identity(result, NULL), identity) == 0);
  CLAIM(mediatoken_result_reason(result, NULL) == NULL && mediatoken_result_detail(result, NULL) == NULL);
  CLAIM(mediatoken_result_requestor_id(result, NULL) == NULL && mediatoken_result_mvpd_id(result, NULL) == NULL);
  CODE(MEDIATOKEN_NO_VALUE, mediatoken_result_expires_at_ms(result, &expires));
  request.resource = text("TBS");
  CODE(MEDIATOKEN_INVALID_RESOURCE_ID, mediatoken_verify(shared, &request, result));
  CLAIM(mediatoken_result_use(result) == MEDIATOKEN_USE_NONE);
  mediatoken_result_reset(result);
  CODE(MEDIATOKEN_UNDECIDED, mediatoken_result_code(result));
  CLAIM(mediatoken_result_detail(result, NULL) == NULL && mediatoken_result_identity(result, NULL) == NULL);
}

/* What a child of a process with a verifier may do. Returns its exit status. */
static int child(mediatoken_verifier *none, mediatoken_verifier *shared) {
  char why[512];
  mediatoken_request request = good_request();
  REFUSED(MEDIATOKEN_FORKED, none, &request);
  REFUSED(MEDIATOKEN_FORKED, shared, &request);
  CODE(MEDIATOKEN_FORKED, mediatoken_verifier_set_keys(shared, keys, why, sizeof why));
  CODE(MEDIATOKEN_OK, mediatoken_verifier_after_fork(none, why, sizeof why));
  CODE(MEDIATOKEN_OK, mediatoken_verifier_after_fork(shared, why, sizeof why));
  CODE(MEDIATOKEN_OK, mediatoken_verifier_after_fork(shared, why, sizeof why));
  CODE(MEDIATOKEN_VALID_TOKEN, mediatoken_verify(none, &request, result));
  CODE(MEDIATOKEN_TOKEN_REPLAYED, mediatoken_verify(shared, &request, result)); /* the parent used it */
  CODE(MEDIATOKEN_OK, mediatoken_verifier_set_keys(shared, keys, why, sizeof why));
  CODE(MEDIATOKEN_TOKEN_REPLAYED, mediatoken_verify(shared, &request, result));
  printf("child: %d held, %d broken\n", held, broken);
  fflush(stdout);
  mediatoken_verifier_free(shared);
  return broken != 0;
}

static void forks(mediatoken_verifier *none, mediatoken_verifier *shared) {
  int status = -1;
  mediatoken_request request = good_request();
  pid_t pid;
  fflush(stdout);
  pid = fork();
  if (pid == 0) _exit(child(none, shared));
  CLAIM(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CODE(MEDIATOKEN_OK, mediatoken_verifier_after_fork(shared, NULL, 0)); /* nothing to do here */
  CODE(MEDIATOKEN_TOKEN_REPLAYED, mediatoken_verify(shared, &request, result));
}

static void codes(void) {
  CLAIM(mediatoken_abi_version() == MEDIATOKEN_ABI_VERSION);
  CLAIM(strlen(mediatoken_version()) >= 5);
  for (int number = 0; number < 300; number++) {
    mediatoken_code code = (mediatoken_code)number;
    int known = number <= 9 || (number >= 64 && number <= 68) || (number >= 128 && number <= 133);
    CLAIM((strcmp(mediatoken_code_name(code), "UNKNOWN_CODE") != 0) == known);
    CLAIM(strlen(mediatoken_strerror(code)) > 10);
    CLAIM(mediatoken_http_status(code) == (number == 0 ? 200 : number <= 9 ? 403 : number == 133 ? 204 : 503));
  }
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
  claim_nothing(result, __LINE__);
  CODE(MEDIATOKEN_OK, open_at(&none, NULL, "none:"));
  CODE(MEDIATOKEN_OK, open_at(&shared, NULL, argv[2]));
  codes();
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
  return broken != 0 || held < 1000;
}
