import Glibc

/// Prints a line, and at once, also into a file: a proof that hangs has said how far it came.
public func say(_ line: String) {
  print(line)
  fflush(nil)
}
