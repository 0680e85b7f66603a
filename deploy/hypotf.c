// The static Swift runtime refers to hypotf, and nothing calls it. glibc's has version GLIBC_2.35 for what it does to errno,
// and would be the one symbol that keeps what is built here from systems with glibc 2.34. This one stays inside.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  // Squares of floats are exact in doubles, and neither they nor their sum overflow or vanish.
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
