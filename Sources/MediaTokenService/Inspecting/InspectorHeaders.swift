internal import MediaTokenHTTP

/// The rules for a browser in every answer of the inspector: nothing is kept, nothing comes from elsewhere, and no
/// other page may use or show it.
enum InspectorHeaders {
  static let all: [(name: StaticString, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  static func append(to response: inout Response) {
    for (name, value) in all { response.addField(name, value) }
  }
}
