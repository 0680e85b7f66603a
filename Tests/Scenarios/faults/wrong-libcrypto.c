// Preloaded before libcrypto: EVP_PKEY_verify gives the answer that is in ANSWER, whatever it is asked.
#include <stdlib.h>

int EVP_PKEY_verify(void *context, const unsigned char *signature, size_t length, const unsigned char *digest, size_t size) {
  (void)context, (void)signature, (void)length, (void)digest, (void)size;
  return atoi(getenv("ANSWER"));
}
