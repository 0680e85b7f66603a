/* The request of a test whose command line names a token's file. */
#ifndef TOKEN_FILE_H
#define TOKEN_FILE_H
#include <mediatoken.h>
#include <stdio.h>
#include <stdlib.h>

/* For the token of this file, REF30 and TNT. Ends the program with 2 if the file can't be read. */
static mediatoken_request request_for_token_in(const char *path) {
  static char token[65536];
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  FILE *file = fopen(path, "rb");
  if (file == NULL) exit(2);
  request.token.length = fread(token, 1, sizeof token, file);
  fclose(file);
  request.token.bytes = token;
  request.requestor.bytes = "REF30", request.requestor.length = 5;
  request.resource.bytes = "TNT", request.resource.length = 3;
  return request;
}
#endif
