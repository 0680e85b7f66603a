/// The word that the user may have meant to type.
package enum Spelling {
  /// The word that begins with `typed`, or the one that differs in the fewest bytes, two at most.
  package static func nearest(to typed: [UInt8], among words: [String]) -> String? {
    if typed.count >= 2, let longer = words.first(where: { $0.utf8.starts(with: typed) }) { return longer }
    let ranked = words.map { ($0, distance(typed, Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= 2, best.1 < typed.count else { return nil }
    return best.0
  }

  /// The number of bytes to change, add or take away to make one of the other (Levenshtein).
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    // A text this long is not a typing error, and may be a token.
    guard one.count <= 32 else { return one.count }
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let substituted = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
