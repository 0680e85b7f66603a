// The floor: the bare RSA verification that no verifier can avoid: see BENCHMARKS.md, "library".
//
//   floor KEY TOKENS     the first token of the file, which is raw, and the key that signed it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contender.h"
#include "floor.h"

static void verify(long count, void *floor) {
  if (floor_verify(floor, count) != count) {
    fputs("floor: a signature is not good\n", stderr);
    exit(1);
  }
}

int main(int count, char **words) {
  if (count != 3) return 2;
  struct floor *floor = floor_of_token(words[1], first_line_of(words[2]));
  if (floor == NULL) {
    fputs("floor: the key did not sign the token\n", stderr);
    return 1;
  }
  contend(verify, floor);
  floor_free(floor);
  return 0;
}
