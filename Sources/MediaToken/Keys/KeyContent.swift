internal import MediaTokenSystem

/// The keys of a file, whose form is told by its content and not by its name.
enum KeyContent {
  /// In the file's order; nothing in the file may be left over.
  static func forEachKey(
    in file: [UInt8], _ origin: KeyOrigin, keystorePassword: String?, _ body: (FoundKey) throws(Problem) -> Void
  ) throws(Problem) {
    guard file.contains(where: { !PEMBlock.isWhiteSpace($0) }) else {
      throw Problem.empty.about("\(origin)")
    }
    let bytes = file.span
    if bytes.bigEndianWord(at: 0) == JavaKeystore.magic {
      try forEachKey(inKeystore: file, origin, keystorePassword, body)
    } else if bytes[0] == DERShape.sequenceTag {
      try body(derKey(bytes, origin))
    } else if PEMBlock.isPresumed(in: bytes) {
      try forEachKey(inPEM: file, origin, body)
    } else if let form = otherForm(bytes) {
      throw Problem.otherForm(form, origin).about("\(origin)")
    } else {
      throw Problem.unknownForm.about("\(origin)")
    }
  }

  private static func derKey(_ bytes: Span<UInt8>, _ origin: KeyOrigin) throws(Problem) -> FoundKey {
    switch DERShape(bytes) {
    case .publicKey: try publicKey(bytes, origin)
    case .certificate: try certificate(bytes, origin)
    case .other(let form): throw Problem.otherForm(form, origin).about("\(origin)")
    case .unknown: throw Problem.unknownForm.about("\(origin)")
    }
  }

  private static func forEachKey(
    inPEM file: [UInt8], _ origin: KeyOrigin, _ body: (FoundKey) throws(Problem) -> Void
  ) throws(Problem) {
    for block in try PEMBlock.blocks(of: file, origin) {
      let place = origin.at(.line(block.line))
      let der = try place.blamed { () throws(Problem) in
        try PEMDecoder.der(ofBlock: file.span.extracting(block.range))
      }
      switch block.label {
      case .publicKey: try body(publicKey(der.span, place))
      case .certificate: try body(certificate(der.span, place))
      }
    }
  }

  private static func forEachKey(
    inKeystore file: [UInt8], _ origin: KeyOrigin, _ password: String?, _ body: (FoundKey) throws(Problem) -> Void
  ) throws(Problem) {
    let keystore = try origin.blamed { () throws(Problem) in
      try JavaKeystore(parsing: file.span, password: password)
    }
    guard !keystore.certificates.isEmpty else {
      throw Problem.noTrustedCertificate(origin, privateKeys: keystore.privateKeys).about("\(origin)")
    }
    for entry in keystore.certificates {
      try body(certificate(file.span.extracting(entry.range), origin.at(.alias(entry.alias))))
    }
  }

  private static func publicKey(_ der: Span<UInt8>, _ origin: KeyOrigin) throws(Problem) -> FoundKey {
    try origin.blamed { () throws(Problem) in
      FoundKey(key: try RSAPublicKey.decoding(publicKey: der), certificate: nil, origin: origin)
    }
  }

  private static func certificate(_ der: Span<UInt8>, _ origin: KeyOrigin) throws(Problem) -> FoundKey {
    try origin.blamed { () throws(Problem) in
      let (key, facts) = try RSAPublicKey.decoding(certificate: der)
      return FoundKey(key: key, certificate: facts, origin: origin)
    }
  }

  private static func otherForm(_ bytes: Span<UInt8>) -> OtherKeyForm? {
    // JCEKS: the magic number of com.sun.crypto.provider.JceKeyStore.
    if bytes.bigEndianWord(at: 0) == 0xCECE_CECE { return .jceks }
    // BKS has no magic number: a version, then the length of a salt, which is 20 bytes.
    if let version = bytes.bigEndianWord(at: 0), (1...2).contains(version), bytes.bigEndianWord(at: 4) == 20 {
      return .bks
    }
    // A byte order mark, or every second byte zero as in ASCII.
    if let first = bytes.bigEndianWord(at: 0),
      [0x2D00_2D00, 0x002D_002D].contains(first) || [0xFFFE, 0xFEFF].contains(first >> 16)
    {
      return .utf16PEM
    }
    if bytes.begins(with: "ssh-rsa ") { return .openSSH }
    // DER of a few hundred bytes begins with 30 82 or 30 81, and PEM with its hyphens.
    let isBegun = bytes.begins(with: "MII") || bytes.begins(with: "MIG") || bytes.begins(with: "LS0tLS1CRUdJTi")
    return isBegun
      && bytes.indices.allSatisfy {
        PEMBlock.isBase64(bytes[$0]) || PEMBlock.isWhiteSpace(bytes[$0]) || bytes[$0] == UInt8(ascii: "=")
      }
      ? .bareBase64 : nil
  }
}

extension Problem {
  static var empty: Problem { Problem("the file is empty") }
  static var unknownForm: Problem { Problem("the file is not PEM, DER or a JKS keystore, or it is damaged") }
}

extension Span<UInt8> {
  /// The first byte is the highest; nil if not all four are there.
  func bigEndianWord(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return (offset..<offset + 4).reduce(0) { word, index in word << 8 | UInt32(self[index]) }
  }
}
