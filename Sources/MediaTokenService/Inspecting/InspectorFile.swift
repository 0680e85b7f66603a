/// A file of the inspector's page, which is in the program itself. Nothing is loaded from elsewhere.
struct InspectorFile: Sendable {
  let path: StaticString
  let contentType: StaticString
  /// As it is in `Sources/MediaTokenService/Inspector`.
  let bytes: [UInt8]

  static let all = [
    InspectorFile(path: "/", contentType: "text/html; charset=utf-8", bytes: PackageResources.page_html),
    InspectorFile(
      path: "/inspector.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.inspector_css),
    InspectorFile(
      path: "/inspector.js", contentType: "text/javascript; charset=utf-8", bytes: PackageResources.inspector_js),
  ]
}
