/* What the documents' blocks in C take from the program around them. */
#include <mediatoken.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern mediatoken_keys *keys;
extern char why[512];
extern mediatoken_verifier *verifier;
extern mediatoken_result *result;
extern const char *body;
extern size_t body_length;
extern const char *resource;
extern size_t resource_length;
void play(void);
void refuse(void);

/* The block itself. */
void block(void);
