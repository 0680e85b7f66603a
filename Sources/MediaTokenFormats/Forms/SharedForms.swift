package import MediaToken
internal import MediaTokenSystem

extension Form<String> {
  /// The path of a file or folder.
  package static var path: Form { text(.path) { (path) throws(Problem) in try checkedPath(path) } }
}

extension Form<ExactText> {
  /// A name that is compared byte by byte.
  package static func name(_ kind: TextKind) -> Form { text(kind) { ExactText($0) } }
}

extension Form<ExpectedResource> {
  /// The very text.
  package static var exactResource: Form { text(.resource) { .exactly(ExactText($0)) } }

  /// A Media RSS document.
  package static var resourceDocument: Form { text(.resourceDocument, as: .document) }

  /// The id of a channel.
  package static var resourceChannel: Form { text(.channel, as: .channel) }

  private static func text(_ kind: TextKind, as form: ResourceForm) -> Form {
    Form(.text(kind)) { (given) throws(Problem) in
      let text = ExactText(try given.text(kind))
      return try rethrow(ExpectedResource(text, as: form)) { (error: ResourceDocumentError) in
        error.fault == nil ? given.isNot("\(kind.what): \(error)") : Problem(given.name, "\(error)")
      }
    }
  }
}

extension Form<ReplayAddress> {
  /// What remembers used tokens.
  package static var replayAddress: Form {
    Form(.text(.replayAddress)) { (given) throws(Problem) in
      let text = try given.text(.replayAddress)
      let address = try rethrow(ReplayAddress(text), as: given.error)
      // Messages name the file.
      if case .shared(let path, _) = address, Given.isToken(path.text) {
        throw given.error("a token is in the place of PATH in \(given.name)")
      }
      return address
    }
  }
}

/// A path that the system can be asked for.
package func checkedPath(_ path: String) throws(Problem) -> String {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw Problem("the path is empty or has a NUL character")
  }
  return path
}
