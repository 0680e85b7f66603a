// What a verification cannot go below; in C, so that nothing of ours is in it.
#ifndef MEDIATOKEN_FLOOR_H
#define MEDIATOKEN_FLOOR_H

#include <stddef.h>
#include <stdint.h>

// A bare RSASSA-PKCS1-v1_5 verification: reused context, prefetched digest, digest already computed.
struct floor;
// NULL if the key or the signature is not good.
struct floor *floor_new(const char *public_key_path, const uint8_t *signature, size_t signature_length,
                        const uint8_t *message, size_t message_length);
// The same for the signature and the signed bytes of a raw token. NULL too if it is not one.
struct floor *floor_of_token(const char *public_key_path, const char *token);
// Verifies `times` times; returns how many succeeded.
long floor_verify(struct floor *floor, long times);
void floor_free(struct floor *floor);

#endif
