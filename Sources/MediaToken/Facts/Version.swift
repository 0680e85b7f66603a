package enum Version {
  /// The newest release of `CHANGELOG.md`, by Semantic Versioning.
  package static let current = "0.2.0"
  /// The day of that release, which the manual pages have: year, month, day.
  package static let date = "2026-11-27"
}
