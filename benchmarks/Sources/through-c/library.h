// The built libmediatoken.so.0 as a C program uses it.
#pragma once

#include "../../../Sources/CMediaToken/include/mediatoken.h"

struct library {
  __typeof__(&mediatoken_keys_new) keys_new;
  __typeof__(&mediatoken_keys_free) keys_free;
  __typeof__(&mediatoken_keys_allow_rsa_1024) keys_allow_rsa_1024;
  __typeof__(&mediatoken_keys_add_path) keys_add_path;
  __typeof__(&mediatoken_verifier_new) verifier_new;
  __typeof__(&mediatoken_verifier_free) verifier_free;
  __typeof__(&mediatoken_result_new) result_new;
  __typeof__(&mediatoken_result_code) result_code;
  __typeof__(&mediatoken_verify) verify;
};

// Opens the library; ends the program if it can't be.
struct library library_open(const char *path);
// Makes a verifier with this key, to which it consents, and this replay memory; ends the program if it can't be made.
mediatoken_verifier *library_verifier(const struct library *library, const char *key, const char *fingerprint,
                                      const char *replay);
