// A contender: RS256 tokens verified by libjwt: see BENCHMARKS.md, "peers".
//
//   libjwt KEY TOKENS     JSON web tokens, one per line, for the audience REF30 and the resource TNT
#include <jwt.h>
#include <string.h>
#include <time.h>

#include "files.h"
#include "tokens.h"

struct key {
  char *text;
  size_t length;
};

static int is(jwt_t *jwt, const char *claim, const char *wanted) {
  const char *found = jwt_get_grant(jwt, claim);
  return found != NULL && strcmp(found, wanted) == 0;
}

// libjwt 1.10 compares no claim by itself. Gives why the token is refused, or NULL.
static const char *check(jwt_t *jwt) {
  if (jwt_get_alg(jwt) != JWT_ALG_RS256) return "it is not RS256";
  if (jwt_get_grant(jwt, "sessionGUID") == NULL || jwt_get_grant(jwt, "mvpdId") == NULL) return "a claim is missing";
  time_t now = time(NULL);
  if (now < jwt_get_grant_int(jwt, "iat") - 60) return "it is not valid yet";
  if (now >= jwt_get_grant_int(jwt, "exp")) return "it has expired";
  if (!is(jwt, "aud", "REF30")) return "it is for another audience";
  return is(jwt, "resourceID", "TNT") ? NULL : "it is for another resource";
}

static const char *verify(void *verifier, const char *token) {
  const struct key *key = verifier;
  jwt_t *jwt = NULL;
  // The key as text: this version has no other way to give it.
  const char *why = jwt_decode(&jwt, token, (unsigned char *)key->text, (int)key->length) == 0
    ? check(jwt) : "the signature is not good";
  jwt_free(jwt);
  return why;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  struct key key;
  key.text = contents_of(words[1], &key.length);
  contend_with_tokens(words[2], verify, &key);
  return 0;
}
