// The comparison of a token's resource with an expected document or channel (<doc:ResourceDocuments>).

extension ResourceDocument {
  /// `INVALID_RESOURCE_ID` unless the resource is a document that is equal to this one.
  func check(_ resourceID: ExactText) throws(Refusal) {
    guard ResourceText.isDocument(resourceID.text.utf8Span.span) else {
      throw .because(.otherResource, .plainResource)
    }
    let found = try ResourceDocument(ofToken: resourceID)
    guard found == self else { throw .because(.otherResource, .difference(differences(from: found))) }
  }

  fileprivate init(ofToken resourceID: ExactText) throws(Refusal) {
    do throws(ResourceDocumentError) {
      try self.init(resourceID.text)
    } catch {
      throw error == .outOfMemory ? .undecided(.outOfMemory) : .because(.resourceNotADocument, .document(error))
    }
  }
}

extension ChannelID {
  /// `INVALID_RESOURCE_ID` unless the resource is this id, or a document whose channel has it as its title.
  func check(_ resourceID: ExactText) throws(Refusal) {
    guard ResourceText.isDocument(resourceID.text.utf8Span.span) else {
      guard resourceID == id else { throw .because(.otherResource) }
      return
    }
    guard try ResourceDocument(ofToken: resourceID).channelTitle == id else {
      throw .because(.otherResource, .difference(.channelTitle))
    }
  }
}

extension ExpectedResource {
  /// True if every token that passes by `other` passes by this one too: then this configuration allows a question for
  /// `other`. A fault if there is no memory to read a document.
  package func admits(_ other: ExpectedResource) throws(Fault) -> Bool {
    switch other {
    case .exactly(let text): try matches(text)
    case .sameDocument(let document):
      switch self {
      case .sameDocument(let own): document == own
      case .channel(let own): document.channelTitle == own.id
      case .anyResource: true
      case .exactly, .noMatch: false
      }
    case .channel, .anyResource: self == other || self == .anyResource
    case .noMatch: true
    }
  }
}
