import Glibc

/// All bytes of a file; ends the program if it cannot be read.
public func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fatalError("cannot open \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  guard fread(&bytes, 1, bytes.count, file) == bytes.count else { fatalError("cannot read \(path)") }
  return bytes
}
