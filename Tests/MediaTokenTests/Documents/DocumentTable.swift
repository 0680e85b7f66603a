import Foundation

@testable import MediaToken

/// The rows of `Tests/Vectors/documents.json`, which an independent model made.
struct DocumentCase: Decodable, Sendable {
  let name: String
  let kind: Kind
  let expected: String
  let resource: String
  /// The reason of the refusal; nil: the resource is the expected one.
  let reason: String?

  enum Kind: String, Decodable, Sendable { case document, channel }

  /// What the row expects of a token.
  func expectation() throws -> ExpectedResource {
    switch kind {
    case .document: try .sameDocument(as: expected)
    case .channel: try .channel(expected)
    }
  }

  /// A table that is missing ends the tests: to skip it would be to pass it.
  static let all: [DocumentCase] = {
    let file = URL(filePath: #filePath).appending(path: "../../../Vectors/documents.json").standardizedFileURL
    do {
      return try JSONDecoder().decode([DocumentCase].self, from: Data(contentsOf: file))
    } catch {
      fatalError("Tests/Vectors/documents.json: \(error)")
    }
  }()

  /// Texts that are meant as documents, and that the model refuses.
  static let broken = all.filter { $0.reason == Reason.resourceNotADocument.rawValue && $0.kind == .document }
}

/// Why a text is not a document; nil if it is one.
func documentError(_ text: String, locks: FieldLocks = .both) -> ResourceDocumentError? {
  do throws(ResourceDocumentError) {
    _ = try ResourceDocument(parsing: text.utf8Span.span, locks: locks)
    return nil
  } catch {
    return error
  }
}
