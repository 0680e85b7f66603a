internal import MediaTokenSystem

/// Step 6: is the token meant for this requestor and this resource, and is the provider welcome?
///
/// In this order, and byte by byte: no case folding, no Unicode normalisation (<doc:TokenFormat>, "Binding").
package enum Binding {
  /// - Throws: `INVALID_REQUESTOR_ID`, `INVALID_RESOURCE_ID` or `MVPD_NOT_ALLOWED`.
  package static func check(
    _ fields: TokenFields, requestor: ExpectedRequestor, resource: ExpectedResource, mvpds: MVPDList
  ) throws(Refusal) {
    if case .exactly(let expected) = requestor, !fields.requestorID.hasSameBytes(as: expected) {
      throw .because(.otherRequestor)
    }
    if case .exactly(let expected) = resource, !fields.resourceID.hasSameBytes(as: expected) {
      throw .because(.otherResource)
    }
    if mvpds.admitsAll { return }
    if mvpds.denies(fields.mvpdID) { throw .because(.mvpdDenied, .field(.mvpdID)) }
    if let proxy = fields.proxyMVPDID, mvpds.denies(proxy) { throw .because(.mvpdDenied, .field(.proxyMVPDID)) }
    if !mvpds.lists(fields.mvpdID) { throw .because(.mvpdNotListed, .field(.mvpdID)) }
  }
}
