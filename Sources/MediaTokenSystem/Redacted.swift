/// A value that no text may show: a viewer's GUID, a token, a password, bytes of a key, or what makes a request the same
/// request again. `print`, `dump`, `String(reflecting:)` and interpolation show its type and nothing else.
///
/// A public type can't adopt it, as its module keeps this one to itself: it writes `description` and `customMirror`.
/// A type that holds such a value shows no more than the value does.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  package var description: String { "\(Self.self), not shown" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
