// The installed libmediatoken.so.0 as a C program uses it.
#ifndef MEDIATOKEN_THROUGH_C_H
#define MEDIATOKEN_THROUGH_C_H

#include <stddef.h>

struct through_c;

// Opens the library; NULL if it can't be.
struct through_c *through_c_open(const char *library);
// Makes a verifier in place of the one before; false if it can't be, and says why on standard error.
int through_c_make(struct through_c *c, const char *key, const char *fingerprint, const char *replay);
// Frees the verifier.
void through_c_free_verifier(struct through_c *c);
// Verifies `times` times at this time; returns how many were valid.
long through_c_verify(struct through_c *c, const unsigned char *token, size_t length, const char *requestor,
                      const char *resource, long long now_ms, long times);

#endif
