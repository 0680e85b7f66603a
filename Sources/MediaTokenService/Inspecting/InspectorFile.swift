/// The page of the inspector: three files that are in the program itself. Nothing is loaded from elsewhere.
enum InspectorFile: Int, CaseIterable, Sendable {
  case page, style, script

  /// Where it is.
  var path: StaticString {
    switch self {
    case .page: "/"
    case .style: "/inspector.css"
    case .script: "/inspector.js"
    }
  }

  /// What `Content-Type` says.
  var contentType: StaticString {
    switch self {
    case .page: "text/html; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    case .script: "text/javascript; charset=utf-8"
    }
  }

  /// As it is in `Sources/MediaTokenService/Inspector`.
  var bytes: [UInt8] {
    switch self {
    case .page: PackageResources.page_html
    case .style: PackageResources.inspector_css
    case .script: PackageResources.inspector_js
    }
  }
}
