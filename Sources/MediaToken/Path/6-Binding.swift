/// Step 6: is the token meant for this requestor and this resource, and is the provider accepted?
///
/// In this order, and byte by byte: no case folding, no Unicode normalisation (<doc:TokenFormat>, "Binding").
package enum Binding {
  /// Refuses with `INVALID_REQUESTOR_ID`, `INVALID_RESOURCE_ID` or `MVPD_NOT_ALLOWED`.
  package static func check(
    _ fields: TokenFields, requestor: ExpectedRequestor, resource: ExpectedResource, mvpds: MVPDList
  ) throws(Refusal) {
    try requestor.check(fields.requestorID)
    try resource.check(fields.resourceID)
    if mvpds.admitsAll { return }
    if mvpds.denies(fields.mvpdID) { throw .because(.mvpdDenied, .field(.mvpdID)) }
    if let proxy = fields.proxyMVPDID, mvpds.denies(proxy) { throw .because(.mvpdDenied, .field(.proxyMVPDID)) }
    if !mvpds.lists(fields.mvpdID) { throw .because(.mvpdNotListed, .field(.mvpdID)) }
    if !mvpds.listsProxy(fields.proxyMVPDID) { throw .because(.proxyMVPDNotListed, .field(.proxyMVPDID)) }
  }
}

extension ExpectedRequestor {
  @inline(__always)
  fileprivate func check(_ requestorID: ExactText) throws(Refusal) {
    switch self {
    case .exactly(let expected): guard requestorID == expected else { throw .because(.otherRequestor) }
    case .anyRequestor: break
    case .noMatch: throw .because(.unservedRequestor)
    }
  }
}

extension ExpectedResource {
  /// Refuses with `INVALID_RESOURCE_ID`, or a fault if there is no memory to read a document.
  func check(_ resourceID: ExactText) throws(Refusal) {
    // The case of most tokens, kept apart so that it does not pay for the others.
    if case .exactly(let expected) = self {
      guard resourceID == expected else { throw .because(.otherResource) }
    } else {
      try checkOtherwise(resourceID)
    }
  }

  @inline(never)
  private func checkOtherwise(_ resourceID: ExactText) throws(Refusal) {
    switch self {
    case .sameDocument(let expected): try expected.check(resourceID)
    case .channel(let expected): try expected.check(resourceID)
    case .anyResource: break
    case .exactly, .noMatch: throw .because(.otherResource)
    }
  }

  /// True if this is what a token's `resourceID` must be, or a decision's resource. A fault if there is no memory to read a
  /// document: then nothing is known.
  package func matches(_ resourceID: ExactText) throws(Fault) -> Bool {
    do throws(Refusal) {
      try check(resourceID)
      return true
    } catch .undecided(let fault) {
      throw fault
    } catch {
      return false
    }
  }
}
