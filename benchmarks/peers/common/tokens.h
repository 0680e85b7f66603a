// What contenders in C do with their tokens.
#pragma once

// Gives why a token is not valid, or NULL.
typedef const char *verify_token(void *verifier, const char *token);

// Verifies the tokens of a file, one per line, in turn and for as long as it is asked: see contender.h. The first that is not
// valid ends the program.
void contend_with_tokens(const char *path, verify_token *verify, void *verifier);
