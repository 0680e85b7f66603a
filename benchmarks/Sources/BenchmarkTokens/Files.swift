import Glibc
import MediaToken

/// All bytes of a file; ends the program if it cannot be read.
package func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fail("cannot open \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  guard fread(&bytes, 1, bytes.count, file) == bytes.count else { fail("cannot read \(path)") }
  return bytes
}

/// The tokens of a file, one per line; ends the program if it is empty.
package func tokens(in path: String) -> [[UInt8]] {
  let tokens = contents(of: path).split(separator: UInt8(ascii: "\n")).map(Array.init)
  guard !tokens.isEmpty else { fail("expected tokens in \(path), found none") }
  return tokens
}

/// The keys of a file or folder, with consent to all that are old.
package func trustedKeys(at path: String) throws -> TrustedKeys {
  try TrustedKeys(readingFiles: [path], consent: .any)
}
