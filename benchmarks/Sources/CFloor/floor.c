#include "floor.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct floor {
  EVP_PKEY *key;
  EVP_MD *sha256;
  EVP_PKEY_CTX *context;
  uint8_t digest[32];
  size_t signature_length;
  uint8_t signature[512];
};

static int floor_prepare(struct floor *f, const char *path, const uint8_t *message, size_t length) {
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  f->key = PEM_read_PUBKEY(file, NULL, NULL, NULL);
  fclose(file);
  f->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
  if (f->key == NULL || f->sha256 == NULL) return 0;
  f->context = EVP_PKEY_CTX_new(f->key, NULL);
  return f->context != NULL && EVP_Digest(message, length, f->digest, NULL, f->sha256, NULL) == 1 &&
         EVP_PKEY_verify_init(f->context) == 1 &&
         EVP_PKEY_CTX_set_rsa_padding(f->context, RSA_PKCS1_PADDING) == 1 &&
         EVP_PKEY_CTX_set_signature_md(f->context, f->sha256) == 1;
}

static struct floor *floor_new(const char *path, const uint8_t *signature, size_t signature_length,
                               const uint8_t *message, size_t message_length) {
  struct floor *f = calloc(1, sizeof *f);
  if (f == NULL || signature_length > sizeof f->signature) return NULL;
  memcpy(f->signature, signature, signature_length);
  f->signature_length = signature_length;
  if (!floor_prepare(f, path, message, message_length) || floor_verify(f, 1) != 1) {
    floor_free(f);
    return NULL;
  }
  return f;
}

long floor_verify(struct floor *f, long times) {
  long good = 0;
  for (long i = 0; i < times; i++)
    good += EVP_PKEY_verify(f->context, f->signature, f->signature_length, f->digest, sizeof f->digest) == 1;
  return good;
}

void floor_free(struct floor *f) {
  EVP_PKEY_CTX_free(f->context);
  EVP_MD_free(f->sha256);
  EVP_PKEY_free(f->key);
  free(f);
}

struct floor *floor_of_token(const char *path, const char *token) {
  // The same marker comes before the signature and after it.
  const char *marker = "<signatureInfo>", *start = token + strlen(marker);
  const char *end = strncmp(token, marker, strlen(marker)) == 0 ? strstr(start, marker) : NULL;
  if (end == NULL || end - start > 1024) return NULL;
  uint8_t signature[1024];
  int length = EVP_DecodeBlock(signature, (const uint8_t *)start, (int)(end - start));
  for (const char *byte = end - 1; *byte == '='; byte--) length--;
  const char *message = end + strlen(marker);
  return length < 0 ? NULL : floor_new(path, signature, (size_t)length, (const uint8_t *)message, strlen(message));
}
