/// The version of the command line, the daemon, and everything built with them.
package enum Version {
  package static let current = "0.1.0"
  /// The day on which it became what it is, for manual pages: year, month, day.
  package static let date = "2026-11-23"
}
