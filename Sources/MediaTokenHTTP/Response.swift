internal import MediaTokenSystem

/// An answer being written. One such value serves one request after another and keeps its memory.
package struct Response: Sendable, Redacted {
  /// The status code. Starts as 503: a handler that forgets to set it admits no viewer.
  package var status: UInt16 = 503
  /// Only sent where there is a body.
  package var contentType: StaticString = "application/json"
  /// Fields other than `Content-Type`, `Content-Length` and `Connection`, each as the line that is sent.
  package private(set) var fields: [UInt8] = []
  /// True if a client would read every field as it was meant. If not, there is no answer.
  private(set) var isReadable = true
  package var body: [UInt8] = []
  package var endsConnection = false

  package init() {}

  /// The memory is kept, except what only a large body needed.
  mutating func reset() {
    status = 503
    contentType = "application/json"
    if fields.capacity > HTTPLimits.keptBytes { fields = [] } else { fields.removeAll(keepingCapacity: true) }
    isReadable = true
    if body.capacity > HTTPLimits.keptBytes { body = [] } else { body.removeAll(keepingCapacity: true) }
    endsConnection = false
  }

  /// `value` appends the value: one byte or more, no control characters.
  package mutating func addField(_ name: StaticString, _ value: (inout [UInt8]) -> Void) {
    fields.append(name)
    fields.append(": ")
    let start = fields.count
    value(&fields)
    isReadable = isReadable && start < fields.count && fields.span.extracting(start...).isFieldValue
    fields.append("\r\n")
  }

  package mutating func addField(_ name: StaticString, _ value: String) {
    addField(name) { $0.append(copying: value.utf8Span.span) }
  }
}
