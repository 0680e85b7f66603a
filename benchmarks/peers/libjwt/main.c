// A contender: RS256 tokens verified by libjwt: see BENCHMARKS.md, "peers".
//
//   libjwt KEY TOKENS     JSON web tokens, one a line, for the audience REF30 and the resource TNT
#include <jwt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contender.h"
#include "files.h"

struct verifier {
  unsigned char *key;
  int key_length;
  struct lines tokens;
  size_t index;
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

static void verify(long count, void *context) {
  struct verifier *verifier = context;
  for (; count > 0; count--) {
    jwt_t *jwt = NULL;
    // The key as text: this version has no other way to give it.
    const char *why = jwt_decode(&jwt, verifier->tokens.line[verifier->index], verifier->key, verifier->key_length) == 0
      ? check(jwt) : "the signature is not good";
    jwt_free(jwt);
    if (why != NULL) {
      fprintf(stderr, "token %zu is not valid: %s\n", verifier->index, why);
      exit(1);
    }
    verifier->index = (verifier->index + 1) % verifier->tokens.count;
  }
}

int main(int count, char **words) {
  if (count != 3) return 2;
  size_t length;
  struct verifier verifier = {.key = (unsigned char *)contents_of(words[1], &length), .tokens = lines_of(words[2])};
  verifier.key_length = (int)length;
  contend(verify, &verifier);
  return 0;
}
