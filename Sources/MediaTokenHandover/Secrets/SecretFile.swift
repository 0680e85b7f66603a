package import MediaToken
internal import MediaTokenSystem

/// A file with one secret of ours: its mode may be 0640 at most, and only root and we may change it. The bytes that were read are
/// overwritten when the secret is made of them.
package struct SecretFile: Sendable {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// Makes a secret of the file's bytes.
  ///
  /// - Parameters:
  ///   - unreadable: makes the caller's error if the file can't be read, or if others may read or change it.
  ///   - make: must keep no copy of the bytes, and no part of them.
  package func secret<Secret, Failure: Error>(
    unreadable: (KeyError) -> Failure, _ make: ([UInt8]) throws(Failure) -> Secret
  ) throws(Failure) -> Secret {
    var text = try rethrow(TrustedFile.secret(path), as: unreadable)
    defer { text.overwrite() }
    return try make(text)
  }

  /// The key of an HMAC: one line of hexadecimal digits, 128 at most.
  ///
  /// 32 bytes are what SHA-256 gives (RFC 2104, section 3); more than its block of 64 would be hashed first, and add nothing.
  ///
  /// - Parameter least: how many digits there must be.
  package func keyedHash(least: Int = 64) throws(SecretFileError) -> KeyedHash {
    try secret(unreadable: SecretFileError.file) { text throws(SecretFileError) in
      var key = try bytes(ofDigits: text, least: least)
      defer { key.overwrite() }
      return try rethrow(KeyedHash(key: key.span), as: SecretFileError.fault)
    }
  }

  // A separate function: while a slice is alive, `overwrite` would change a copy.
  private func bytes(ofDigits text: [UInt8], least: Int) throws(SecretFileError) -> [UInt8] {
    guard var line = text.onlyLine else { throw .notHexadecimal(path, least: least, found: nil) }
    // What Windows writes: no digit.
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard line.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil }) else {
      throw .notHexadecimal(path, least: least, found: nil)
    }
    guard (least...128).contains(line.count), line.count.isMultiple(of: 2) else {
      throw .notHexadecimal(path, least: least, found: line.count)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count / 2)
    var high: UInt8?
    for digit in line {
      guard let value = Hexadecimal.value(ofDigit: digit) else {
        throw .notHexadecimal(path, least: least, found: nil)
      }
      if let half = high.take() { bytes.append(half << 4 | value) } else { high = value }
    }
    return bytes
  }
}

extension [UInt8] {
  /// The line, if there is just one; the line feed at its end may be missing.
  var onlyLine: ArraySlice<UInt8>? {
    let line = last == UInt8(ascii: "\n") ? dropLast() : self[...]
    return line.contains(UInt8(ascii: "\n")) ? nil : line
  }
}

/// Why a file holds no key of an HMAC. It never carries a key.
package enum SecretFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It can't be read, or others may read or change it.
  case file(KeyError)
  /// The file at this path is not one line of so many hexadecimal digits at least and 128 at most, two for each byte; how many it
  /// has, if it has nothing else.
  case notHexadecimal(String, least: Int, found: Int?)
  /// Memory ran out, or OpenSSL failed.
  case fault(Fault)

  /// What such a file does not hold, and how to make one that does.
  static func notHexadecimal(least: Int, found: Int?) -> String {
    let digits = "\(least) to 128 hexadecimal digits, two for each byte"
    let cure = "make one with: openssl rand -hex 32"
    guard let found else {
      return "not one line of \(digits): there is something else in it, or more than one line; \(cure)"
    }
    return
      "expected one line of \(digits), found \(found) digits; \(cure), and give it to all that check or make the same "
      + "codes, such as the CDN"
  }

  /// What is wrong, and the cure.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .notHexadecimal(let path, let least, let found):
      "\(DisplayText.escaped(path)): \(Self.notHexadecimal(least: least, found: found))"
    case .fault(let fault): "OpenSSL failed (\(fault.answer.wireName))"
    }
  }
}
