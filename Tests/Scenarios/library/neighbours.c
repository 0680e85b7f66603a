/*
 * A process that uses OpenSSL and libxml2 for itself, with settings that the library must neither feel nor change.
 *
 *   neighbours DEVELOPMENT_KEY TOKEN_FILE    the token: of REF30 and TNT
 */
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include <mediatoken.h>

#include "../lib/check.h"
#include "token_file.h"

static int held, broken, xml_errors;

static void count_error(void *context, const char *format, ...) { (void)context, (void)format, xml_errors++; }

/* A document that this process parses in its own way. */
static int parses(void) {
  static const char text[] = "<!DOCTYPE a [<!ENTITY e 'text'>]><a>&e;</a>";
  xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "ours", NULL, XML_PARSE_NOENT | XML_PARSE_NONET);
  xmlChar *content = document == NULL ? NULL : xmlNodeGetContent(xmlDocGetRootElement(document));
  int good = content != NULL && strcmp((char *)content, "text") == 0;
  xmlFree(content);
  xmlFreeDoc(document);
  return good;
}

int main(int argc, char **argv) {
  mediatoken_keys *keys = NULL;
  mediatoken_verifier *verifier = NULL;
  if (argc != 3) return 2;
  mediatoken_request request = request_for_token_in(argv[2]);
  const mediatoken_text token = request.token;

  /* Ours before the library is first called. */
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, count_error);
  xmlKeepBlanksDefault(0);
  xmlLineNumbersDefault(1);
  CHECK(parses());
  /* No algorithm of the default context is left, which a library that used it would feel. */
  CHECK(EVP_set_default_properties(NULL, "fips=yes") == 1);
  CHECK(EVP_MD_fetch(NULL, "SHA256", NULL) == NULL);
  ERR_clear_error();
  ERR_raise(ERR_LIB_USER, 42);
  unsigned long error = ERR_peek_last_error();

  CHECK(mediatoken_keys_new(&keys) == MEDIATOKEN_OK);
  CHECK(mediatoken_keys_allow_development_key(keys) == MEDIATOKEN_OK);
  CHECK(mediatoken_keys_add_bytes(keys, "bad", 3, "-----BEGIN PUBLIC KEY-----\n", 27, NULL, 0) != MEDIATOKEN_OK);
  mediatoken_keys_free(keys);
  CHECK(mediatoken_keys_new(&keys) == MEDIATOKEN_OK);
  CHECK(mediatoken_keys_allow_development_key(keys) == MEDIATOKEN_OK);
  CHECK(mediatoken_keys_add_path(keys, argv[1], strlen(argv[1]), NULL, 0) == MEDIATOKEN_OK);
  CHECK(mediatoken_verifier_new(&verifier, keys, NULL, "none:", 5, NULL, 0) == MEDIATOKEN_OK);
  for (int round = 0; round < 100; round++) {
    CHECK(mediatoken_verify(verifier, &request, NULL) == MEDIATOKEN_VALID_TOKEN);
    request.token.bytes = "<signatureInfo>AAAA<signatureInfo><a>&e;";
    request.token.length = 40;
    CHECK(mediatoken_verify(verifier, &request, NULL) == MEDIATOKEN_INVALID_SIGNATURE);
    request.token = token;
    CHECK(parses());
  }
  mediatoken_verifier_free(verifier);
  mediatoken_keys_free(keys);

  CHECK(ERR_peek_last_error() == error && ERR_get_error() == error && ERR_get_error() == 0);
  CHECK(EVP_MD_fetch(NULL, "SHA256", NULL) == NULL);
  CHECK(xml_errors == 0);
  CHECK(xmlKeepBlanksDefault(1) == 0 && xmlLineNumbersDefault(0) == 1);
  CHECK(parses());
  printf("%d held, %d broken\n", held, broken);
  return broken != 0 || held < 300;
}
