// A contender: RS256 tokens verified by cjose: see BENCHMARKS.md, "peers".
//
//   cjose KEY TOKENS     JSON web tokens, one per line, for the audience REF30 and the resource TNT
#include <cjose/cjose.h>
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "key.h"
#include "tokens.h"

static int is(const json_t *claims, const char *claim, const char *wanted) {
  const char *found = json_string_value(json_object_get(claims, claim));
  return found != NULL && strcmp(found, wanted) == 0;
}

// Gives why the claims are refused, or NULL.
static const char *check(const json_t *claims) {
  const json_t *issued = json_object_get(claims, "iat"), *expires = json_object_get(claims, "exp");
  if (!json_is_string(json_object_get(claims, "sessionGUID")) || !json_is_string(json_object_get(claims, "mvpdId")) ||
      !json_is_integer(issued) || !json_is_integer(expires))
    return "a claim is missing";
  time_t now = time(NULL);
  if (now < json_integer_value(issued) - 60) return "it is not valid yet";
  if (now >= json_integer_value(expires)) return "it has expired";
  if (!is(claims, "aud", "REF30")) return "it is for another audience";
  return is(claims, "resourceID", "TNT") ? NULL : "it is for another resource";
}

static const char *check_signed(cjose_jws_t *token, const cjose_jwk_t *key) {
  // It takes the algorithm from the token; which ones are good is ours to say.
  const char *algorithm = cjose_header_get(cjose_jws_get_protected(token), CJOSE_HDR_ALG, NULL);
  if (algorithm == NULL || strcmp(algorithm, CJOSE_HDR_ALG_RS256) != 0) return "it is not RS256";
  if (!cjose_jws_verify(token, key, NULL)) return "the signature is not good";
  uint8_t *payload;
  size_t length;
  if (!cjose_jws_get_plaintext(token, &payload, &length, NULL)) return "it has no claims";
  json_t *claims = json_loadb((const char *)payload, length, 0, NULL);
  const char *why = check(claims);
  json_decref(claims);
  return why;
}

static const char *verify(void *key, const char *text) {
  cjose_jws_t *token = cjose_jws_import(text, strlen(text), NULL);
  const char *why = token == NULL ? "it is not a token" : check_signed(token, key);
  cjose_jws_release(token);
  return why;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  contend_with_tokens(words[2], verify, key_of(words[1]));
  return 0;
}
