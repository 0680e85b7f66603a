// A public key as cjose takes it.
#pragma once

#include <cjose/cjose.h>

// The key in a PEM file; ends the program if it is not one, or cjose does not take it.
cjose_jwk_t *key_of(const char *path);
