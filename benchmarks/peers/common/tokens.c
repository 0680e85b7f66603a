#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>

#include "contender.h"
#include "files.h"

struct turn {
  verify_token *verify;
  void *verifier;
  struct lines tokens;
  size_t index;
};

static void take_turns(long count, void *context) {
  struct turn *turn = context;
  for (; count > 0; count--) {
    const char *why = turn->verify(turn->verifier, turn->tokens.line[turn->index]);
    if (why != NULL) {
      fprintf(stderr, "token %zu is not valid: %s\n", turn->index, why);
      exit(1);
    }
    turn->index = (turn->index + 1) % turn->tokens.count;
  }
}

void contend_with_tokens(const char *path, verify_token *verify, void *verifier) {
  struct turn turn = {verify, verifier, lines_of(path), 0};
  contend(take_turns, &turn);
}
