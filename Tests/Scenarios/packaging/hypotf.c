// deploy/hypotf.c, compiled under the name `ours`, gives the bits that glibc's hypotf gives: for special numbers and for a million
// others.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

float ours(float x, float y);

static int differ(float x, float y) {
  float one = ours(x, y), other = hypotf(x, y);
  if (memcmp(&one, &other, sizeof one) == 0 || (isnan(one) && isnan(other))) return 0;
  printf("hypotf(%a, %a): %a is not %a\n", x, y, one, other);
  return 1;
}

int main(void) {
  const float special[] = {0, -0.0f, 1, -3, 4, INFINITY, -INFINITY, NAN, 1e-45f, 1.2e-38f, 3.4e38f};
  const int count = sizeof special / sizeof *special;
  for (int i = 0; i < count * count; i++)
    if (differ(special[i / count], special[i % count])) return 1;
  uint64_t state = 88172645463325252;
  for (int i = 0; i < 1000000; i++) {
    // Marsaglia's xorshift: every exponent and every sign.
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    float pair[2];
    memcpy(pair, &state, sizeof pair);
    if (differ(pair[0], pair[1])) return 1;
  }
  return 0;
}
