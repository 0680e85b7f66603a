public import MediaToken
internal import MediaTokenSystem

/// The reason why a credential can't be minted. It never carries a key or anything of a token.
public enum HandoverError: Error, Sendable, Hashable {
  // The terms
  /// A path that ``HandoverTerms`` does not accept.
  case path
  /// A life that is not one of ``HandoverTerms/lives``.
  case life(found: Int)
  /// A key's name with characters other than letters, digits, `.`, `_` and `-`.
  case keyID
  /// Not the name of a host.
  case host
  /// The format needs this.
  case missing(Part, HandoverFormat)
  /// The format has no place for this.
  case needless(Part, HandoverFormat)

  // The key
  /// The fault of the key's file at this path.
  case key(String, KeyProblem)

  // The minting
  /// No memory says that the token was not used before: the caller chose one that remembers nothing.
  case notEnforced
  /// An instant before 1970.
  case clock
  /// Memory ran out, or OpenSSL failed.
  case fault(Refusal.Fault)

  /// The parts that only some formats have a place for.
  public enum Part: String, Sendable, Hashable {
    case keyID = "key id"
    case host
  }

  /// The faults of a key's file.
  public enum KeyProblem: Sendable, Hashable {
    /// It can't be read, or others may read or change it.
    case file(String)
    /// Not one line of so many hexadecimal digits at least and 128 at most, two for each byte. `found` is their number, if
    /// there is nothing else.
    case notHexadecimal(least: Int, found: Int?)
    /// A secret of nginx's with a carriage return, which nginx would take for a part of it.
    case carriageReturn
    /// Not one line of 32 to 128 letters, digits, `_` and `-`.
    case notSecret
    /// Not one private key as PEM in PKCS#8, without a pass phrase.
    case notPKCS8
    /// Not an RSA key of 2048 bits.
    case notRSA2048
    /// Not an elliptic curve's key on P-256.
    case notP256
    /// Its numbers do not match each other.
    case damaged
  }
}

extension HandoverError: CustomStringConvertible {
  /// The fault, and the cure.
  public var description: String {
    switch self {
    case .path:
      "not a path that begins and ends with /, of names of letters, digits, ., _ and - (at most \(HandoverTerms.longestPath) bytes); write for example /live/tnt/"
    case .life(let found):
      "expected a life of \(HandoverTerms.lives.lowerBound) to \(HandoverTerms.lives.upperBound) seconds, found \(found)"
    case .keyID:
      "not a key id of 1 to \(HandoverTerms.longestKeyID) letters, digits, ., _ and -"
    case .host: "not the name of a host; write it without *, port and scheme, for example cdn.example.com"
    case .missing(let part, let format): "\(format.rawValue) needs a \(part.rawValue); give one"
    case .needless(let part, let format): "\(format.rawValue) has no place for a \(part.rawValue); leave it out"
    case .key(_, .file(let sentence)): sentence
    case .key(let path, let problem): "\(DisplayText.escaped(path)): \(problem)"
    case .notEnforced:
      "no replay memory says that the token was not used before, so nothing is handed over; verify it with one"
    case .clock: "the instant is before 1970"
    case .fault(let fault): "OpenSSL failed (\(fault.answer.wireName))"
    }
  }
}

extension HandoverError.KeyProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let sentence): sentence
    case .notHexadecimal(let least, nil):
      "not one line of \(least) to 128 hexadecimal digits, two for each byte: there is something else in it, or more than "
        + "one line; make one with: openssl rand -hex 32"
    case .notHexadecimal(let least, let found?):
      "expected one line of \(least) to 128 hexadecimal digits, two for each byte, found \(found) digits; make one with: "
        + "openssl rand -hex 32, and give it to all that check or make the same codes, such as the CDN"
    case .carriageReturn:
      "the line ends with CR LF, as Windows writes it, and nginx would take the CR for a part of the secret; run on this file "
        + "and on nginx's own: sed -i 's/\\r//g' FILE"
    case .notSecret:
      "not one line of 32 to 128 letters, digits, _ and -; make one with: openssl rand -hex 32"
    case .notPKCS8:
      "not one private key as PEM, BEGIN PRIVATE KEY, without a pass phrase; convert another form with: "
        + "openssl pkcs8 -topk8 -nocrypt -in KEY -out KEY.pem"
    case .notRSA2048:
      "not an RSA key of 2048 bits; make one with: "
        + "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out KEY.pem"
    case .notP256:
      "not an elliptic curve's key on P-256; make one with: "
        + "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out KEY.pem"
    case .damaged: "the numbers of the key do not match each other; the file is damaged"
    }
  }
}
