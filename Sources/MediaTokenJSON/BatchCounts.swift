/// What the lines of a batch came to.
package struct BatchCounts: Sendable {
  package var valid = 0
  package var refused = 0
  package var malformed = 0
  package var undecided = 0
  package var blank = 0

  package init() {}

  /// All lines, blank ones too.
  package var lines: Int { valid + refused + malformed + undecided + blank }

  /// One sentence about all lines.
  package var summary: String {
    "\(lines) \(lines == 1 ? "line" : "lines"): \(valid) valid, \(refused) refused, \(malformed) malformed, \(undecided) undecided, "
      + "\(blank) blank"
  }

  package static func += (total: inout BatchCounts, more: BatchCounts) {
    total.valid += more.valid
    total.refused += more.refused
    total.malformed += more.malformed
    total.undecided += more.undecided
    total.blank += more.blank
  }
}
