// Preloaded before libcrypto. EVP_PKEY_verify gives the answer that is in ANSWER, whatever it is asked; or libcrypto's own, and
// with it an error that no version is known to queue ("other"), or no error at all ("none").
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

int EVP_PKEY_verify(EVP_PKEY_CTX *context, const unsigned char *signature, size_t length, const unsigned char *digest, size_t size) {
  const char *answer = getenv("ANSWER");
  if (strcmp(answer, "other") != 0 && strcmp(answer, "none") != 0) return atoi(answer);
  int (*verify)(EVP_PKEY_CTX *, const unsigned char *, size_t, const unsigned char *, size_t) = dlsym(RTLD_NEXT, "EVP_PKEY_verify");
  if (verify == NULL) abort();
  int result = verify(context, signature, length, digest, size);
  if (result != 0) return result;
  if (answer[0] == 'n') ERR_clear_error();
  else ERR_raise(ERR_LIB_EVP, 999);
  return result;
}
