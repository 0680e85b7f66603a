/// Every text that is one small step from a given one.
struct Neighbours: Sendable {
  let text: [UInt8]

  /// What is done at one position.
  enum Step: String, CaseIterable, Sendable {
    case substitute, delete, insert, duplicate, swap, truncate, behead
  }

  /// What is inserted: white space, all that means something in a token's spellings or in XML, and some that does not.
  static let inserted = Array(" \t\r\n\0+-/_=%<>&;A0]".utf8) + [0x0B, 0x7F, 0x80, 0xC2, 0xFF]

  /// Calls `body` with each neighbour that differs from the text by `step` at `position`.
  func forEach(_ step: Step, at position: Int, _ body: ([UInt8]) throws -> Void) rethrows {
    var neighbour = text
    switch step {
    case .substitute:
      guard position < text.count else { return }
      for byte in UInt8.min...UInt8.max where byte != text[position] {
        neighbour[position] = byte
        try body(neighbour)
      }
    case .delete:
      guard position < text.count else { return }
      neighbour.remove(at: position)
      try body(neighbour)
    case .insert:
      neighbour.insert(0, at: position)
      for byte in Self.inserted {
        neighbour[position] = byte
        try body(neighbour)
      }
    case .duplicate:
      guard position < text.count else { return }
      neighbour.insert(text[position], at: position)
      try body(neighbour)
    case .swap:
      guard position + 1 < text.count, text[position] != text[position + 1] else { return }
      neighbour.swapAt(position, position + 1)
      try body(neighbour)
    case .truncate:
      guard position < text.count else { return }
      try body(Array(text[..<position]))
    case .behead:
      guard position > 0 else { return }
      try body(Array(text[position...]))
    }
  }
}
