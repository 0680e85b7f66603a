#include "key.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what) {
  fprintf(stderr, "cjose: %s\n", what);
  exit(1);
}

// The bytes of a key's number, for as long as the program runs.
static uint8_t *bytes_of(const EVP_PKEY *key, const char *name, size_t *length) {
  BIGNUM *number = NULL;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) fail("the key is not an RSA key");
  uint8_t *bytes = malloc((size_t)BN_num_bytes(number));
  if (bytes == NULL) fail("memory");
  *length = (size_t)BN_bn2bin(number, bytes);
  BN_free(number);
  return bytes;
}

cjose_jwk_t *key_of(const char *path) {
  FILE *file = fopen(path, "r");
  EVP_PKEY *key = file == NULL ? NULL : PEM_read_PUBKEY(file, NULL, NULL, NULL);
  if (key == NULL) fail("the key cannot be read");
  fclose(file);
  cjose_jwk_rsa_keyspec numbers = {0};
  numbers.n = bytes_of(key, OSSL_PKEY_PARAM_RSA_N, &numbers.nlen);
  numbers.e = bytes_of(key, OSSL_PKEY_PARAM_RSA_E, &numbers.elen);
  EVP_PKEY_free(key);
  cjose_err error;
  cjose_jwk_t *made = cjose_jwk_create_RSA_spec(&numbers, &error);
  if (made == NULL) fail(error.message);
  return made;
}
