internal import MediaTokenSystem

enum DocumentElement: Sendable {
  case rss, channel, title, item, guid, rating

  /// The name is without its prefix. `isMedia`: it is in the namespace of Media RSS, or may be as it has a prefix; all else
  /// is in none.
  init?(_ name: Span<UInt8>, isMedia: Bool) {
    if isMedia {
      guard name.isExactly("rating") else { return nil }
      self = .rating
    } else if name.isExactly("rss") {
      self = .rss
    } else if name.isExactly("channel") {
      self = .channel
    } else if name.isExactly("title") {
      self = .title
    } else if name.isExactly("item") {
      self = .item
    } else if name.isExactly("guid") {
      self = .guid
    } else {
      return nil
    }
  }

  /// True if it may be in this element; with nil, if it may be the root.
  func mayBe(in parent: DocumentElement?) -> Bool {
    switch (self, parent) {
    case (.rss, nil), (.channel, .rss), (.title, .channel), (.item, .channel), (.rating, .channel), (.title, .item),
      (.guid, .item), (.rating, .item):
      true
    default: false
    }
  }

  /// True if it holds text, and no element.
  var holdsText: Bool {
    switch self {
    case .title, .guid, .rating: true
    case .rss, .channel, .item: false
    }
  }
}
