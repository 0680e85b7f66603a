struct InspectorRefusal: Hashable, Sendable {
  let status: UInt16
  /// For programs.
  let name: String
  /// For people.
  let detail: String

  /// `Host` is not the inspector's own address: a name that another site has made lead here.
  static let foreignHost = InspectorRefusal(
    status: 403, name: "foreign-host",
    detail:
      "the header Host is not the inspector's own address; open it by that, as localhost, 127.0.0.1 or [::1], with the port at which you reach it"
  )
  static let foreignSite = InspectorRefusal(
    status: 403, name: "foreign-site",
    detail: "another site asks, as Origin or Sec-Fetch-Site says; type the inspector's address")
  /// Everything that the other listeners serve, too.
  static let notFound = InspectorRefusal(
    status: 404, name: "not-found", detail: "the path is not /, /inspector.css, /inspector.js or /v1/explain")
  static let methodNotAllowed = InspectorRefusal(
    status: 405, name: "method-not-allowed",
    detail: "the path takes the methods in the header Allow, and not this one")
  /// A file has no query.
  static let query = InspectorRefusal(
    status: 400, name: "bad-parameter", detail: "there is a query, which the path does not take")
}
