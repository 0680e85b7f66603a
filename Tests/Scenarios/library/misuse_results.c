/* What comes of a token: nothing if it is refused, all of it if it is valid, and what a child after fork may do. */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "misuse.h"

void check_nothing(const mediatoken_result *r, int line) {
  size_t length = 77;
  int64_t number = 77;
  int before = broken;
  CHECK(mediatoken_result_requestor_id(r, &length) == NULL && length == 0);
  CHECK(mediatoken_result_resource_id(r, NULL) == NULL);
  CHECK(mediatoken_result_mvpd_id(r, NULL) == NULL);
  CHECK(mediatoken_result_proxy_mvpd_id(r, NULL) == NULL);
  CHECK(mediatoken_result_session_guid(r, NULL) == NULL);
  CHECK(mediatoken_result_key_fingerprint(r, NULL) == NULL);
  CHECK(mediatoken_result_issue_time_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  number = 77;
  CHECK(mediatoken_result_ttl_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  number = 77;
  CHECK(mediatoken_result_expires_at_ms(r, &number) != MEDIATOKEN_OK && number == 0);
  CHECK(mediatoken_result_use(r) == MEDIATOKEN_USE_NONE);
  CHECK(mediatoken_result_unknown_field_count(r) == 0);
  CHECK(mediatoken_result_unknown_field(r, 0, &length) == NULL && length == 0);
  if (broken != before) printf("  in the result of line %d\n", line);
}

void refused(mediatoken_code expected, const mediatoken_verifier *verifier, const mediatoken_request *request,
             int line) {
  int before = broken;
  CODE(expected, mediatoken_verify(verifier, request, result));
  CODE(expected, mediatoken_result_code(result));
  CHECK(mediatoken_result_detail(result, NULL) != NULL && *mediatoken_result_detail(result, NULL) != 0);
  check_nothing(result, line);
  CODE(expected, mediatoken_verify(verifier, request, NULL));
  if (broken != before) printf("  in the request of line %d\n", line);
}

/* What comes of a use. Nodes that this machine let answer too late are asked again, which goes on with the same use. Without a
   pause all tries could be over before there is a connection. */
static mediatoken_code decided(const mediatoken_verifier *verifier, const mediatoken_request *request) {
  mediatoken_code code = MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE;
  const struct timespec pause = {0, 200000000};
  for (int i = 0; i < 100 && code == MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE; i++) {
    if (i > 0) nanosleep(&pause, NULL);
    code = mediatoken_verify(verifier, request, result);
  }
  return code;
}

void valid(const mediatoken_verifier *shared) {
  mediatoken_request request = good_request();
  int64_t issued = 0, ttl = 0, expires = 0;
  size_t length = 0;
  char identity[65];
  CODE(MEDIATOKEN_VALID_TOKEN, decided(shared, &request));
  CODE(MEDIATOKEN_VALID_TOKEN, mediatoken_result_code(result));
  CHECK(mediatoken_result_reason(result, &length) == NULL && mediatoken_result_detail(result, NULL) == NULL);
  CHECK(strcmp(mediatoken_result_action(result, &length), "none") == 0 && length == 4);
  CHECK(strcmp(mediatoken_result_adobe_code(result, &length), "VALID_TOKEN") == 0 && length == 11);
  CHECK(strcmp(mediatoken_result_requestor_id(result, &length), "REF30") == 0 && length == 5);
  CHECK(mediatoken_result_requestor_id(result, NULL) == mediatoken_result_requestor_id(result, NULL));
  CHECK(strcmp(mediatoken_result_resource_id(result, &length), "TNT") == 0 && length == 3);
  CHECK(strcmp(mediatoken_result_mvpd_id(result, NULL), "Sample_MVPD") == 0);
  CHECK(mediatoken_result_proxy_mvpd_id(result, &length) == NULL && length == 0);
  CHECK(mediatoken_result_session_guid(result, &length) != NULL && length == 32);
  CHECK(strlen(mediatoken_result_identity(result, &length)) == 64 && length == 64);
  CHECK(strcmp(mediatoken_result_key_fingerprint(result, NULL), mediatoken_keys_fingerprint(keys, 0, NULL)) == 0);
  CODE(MEDIATOKEN_OK, mediatoken_result_issue_time_ms(result, &issued));
  CODE(MEDIATOKEN_OK, mediatoken_result_ttl_ms(result, &ttl));
  CODE(MEDIATOKEN_OK, mediatoken_result_expires_at_ms(result, &expires));
  CHECK(ttl == 3600000 && expires == issued + ttl && issued > 1700000000000);
  CHECK(mediatoken_result_use(result) == MEDIATOKEN_USE_FIRST);
  CHECK(mediatoken_result_unknown_field_count(result) == 0);
  strcpy(identity, mediatoken_result_identity(result, NULL));
  /* Texts of a result may be part of the next question with it. */
  request.requestor.bytes = mediatoken_result_requestor_id(result, &request.requestor.length);
  request.resource.bytes = mediatoken_result_resource_id(result, &request.resource.length);
  CODE(MEDIATOKEN_TOKEN_REPLAYED, decided(shared, &request));
  CHECK(strcmp(mediatoken_result_reason(result, NULL), "already-used") == 0);
  CHECK(strcmp(mediatoken_result_action(result, NULL), "new-token") == 0);
  CHECK(strcmp(mediatoken_result_adobe_code(result, NULL), "TOKEN_EXPIRED") == 0);
  CHECK(strcmp(mediatoken_result_identity(result, NULL), identity) == 0);
  check_nothing(result, __LINE__);
  mediatoken_result_reset(result);
  CODE(MEDIATOKEN_UNDECIDED, mediatoken_result_code(result));
  CHECK(mediatoken_result_detail(result, NULL) == NULL && mediatoken_result_identity(result, NULL) == NULL);
  CHECK(mediatoken_result_action(result, NULL) == NULL && mediatoken_result_adobe_code(result, NULL) == NULL);
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
  CODE(MEDIATOKEN_TOKEN_REPLAYED, decided(shared, &request)); /* the parent used it */
  CODE(MEDIATOKEN_OK, mediatoken_verifier_set_keys(shared, keys, why, sizeof why));
  CODE(MEDIATOKEN_TOKEN_REPLAYED, decided(shared, &request));
  printf("child: %d held, %d broken\n", held, broken);
  fflush(stdout);
  mediatoken_verifier_free(shared);
  return broken != 0;
}

void forks(mediatoken_verifier *none, mediatoken_verifier *shared) {
  int status = -1;
  mediatoken_request request = good_request();
  pid_t pid;
  fflush(stdout);
  pid = fork();
  if (pid == 0) _exit(child(none, shared));
  CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CODE(MEDIATOKEN_OK, mediatoken_verifier_after_fork(shared, NULL, 0)); /* nothing to do here */
  CODE(MEDIATOKEN_TOKEN_REPLAYED, decided(shared, &request));
}
