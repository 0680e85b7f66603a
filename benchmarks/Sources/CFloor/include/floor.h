// What a verification cannot go below; in C, so that nothing of ours is in it.
#ifndef MEDIATOKEN_FLOOR_H
#define MEDIATOKEN_FLOOR_H

// A bare RSASSA-PKCS1-v1_5 verification: reused context, prefetched digest, digest already computed.
struct floor;
// The floor of a raw token's signature and signed bytes; NULL if it is not a token, or if the key did not sign it.
struct floor *floor_of_token(const char *public_key_path, const char *token);
// Verifies `times` times; returns how many succeeded.
long floor_verify(struct floor *floor, long times);
void floor_free(struct floor *floor);

#endif
