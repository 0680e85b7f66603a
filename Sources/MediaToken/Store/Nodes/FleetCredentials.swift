internal import MediaTokenSystem

/// The users and passwords with which a process logs in to the nodes of its fleet.
package struct FleetCredentials: Sendable, Redacted {
  package struct Credential: Sendable, Redacted {
    package let user: String
    package let password: String
  }

  private var byNode: [Int: Credential] = [:]
  private var general: Credential?
  /// The log-in of a database: libpq's keywords and their values.
  private(set) var keywords: [String: String] = [:]

  private init() {}

  /// The code of their problems.
  package static let code = "credentials"

  /// For nodes that ask for no password.
  package static let none = FleetCredentials()

  /// Reads a file that only root and we may change, of mode 0640 at most: lines `NUMBER USER PASSWORD` for one node, or
  /// `* USER PASSWORD` for all that have no line of their own; for a database lines `KEYWORD VALUE`. Empty lines, and lines
  /// that begin with `#`, are skipped.
  package init(file path: String, of fleet: FleetAddress) throws(Problem) {
    let text = try TrustedFile.secret(path)
    switch fleet {
    case .redis(let fleet): try self.init(parsing: text, of: path, nodes: fleet.nodes.count)
    case .postgres: try self.init(parsingKeywords: text, of: path)
    }
  }

  /// An error has the number of the line and its fault; nothing of its text.
  package init(parsing text: [UInt8], of path: String, nodes: Int) throws(Problem) {
    try Self.forEachLine(of: text, path) { (words) throws(Problem) in
      guard words.count == 3, let user = Self.word(words[1]), let password = Self.word(words[2]) else {
        throw Problem(
          "not NUMBER USER PASSWORD or * USER PASSWORD, three words of printable ASCII with one space between them")
      }
      let credential = Credential(user: user, password: password)
      if words[0].elementsEqual("*".utf8) {
        guard general == nil else { throw Self.again }
        general = credential
        return
      }
      guard let node = (1...nodes).first(where: { words[0].elementsEqual($0.description.utf8) }) else {
        throw Problem("it begins neither with the number of a node, 1 to \(nodes), nor with *")
      }
      guard byNode.updateValue(credential, forKey: node) == nil else { throw Self.again }
    }
  }

  init(parsingKeywords text: [UInt8], of path: String) throws(Problem) {
    try Self.forEachLine(of: text, path) { (words) throws(Problem) in
      guard words.count == 2, let keyword = Self.word(words[0]), let value = Self.word(words[1]) else {
        throw Problem("not KEYWORD VALUE, two words of printable ASCII with one space between them")
      }
      guard ConnectionKeywords.accepts(keyword, value) else {
        throw Problem(
          "the keyword is not \(ConnectionKeywords.names), or cannot have this value", cure: "paths are absolute")
      }
      guard keywords.updateValue(value, forKey: keyword) == nil else { throw Self.again }
    }
  }

  private static var again: Problem { Problem("an earlier line is for the same node or keyword") }

  /// Calls `body` with the words of each line that is not skipped; its error names the line.
  private static func forEachLine(
    of text: [UInt8], _ path: String, _ body: ([ArraySlice<UInt8>]) throws(Problem) -> Void
  ) throws(Problem) {
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      do throws(Problem) {
        try body(words)
      } catch {
        throw error.about("line \(index + 1)").about(DisplayText.escaped(path))
      }
    }
  }

  /// Printable ASCII, which is typed the same everywhere.
  private static func word(_ bytes: ArraySlice<UInt8>) -> String? {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  package func credential(ofNode number: Int) -> Credential? { byNode[number] ?? general }
}
