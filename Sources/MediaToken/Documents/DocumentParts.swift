/// Parts of a resource document in which two documents differ. It can't carry their contents.
public struct DocumentParts: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let channelTitle = DocumentParts(rawValue: 1)
  /// The ratings that belong to the channel itself.
  public static let channelRatings = DocumentParts(rawValue: 2)
  public static let itemCount = DocumentParts(rawValue: 4)
  public static let itemTitles = DocumentParts(rawValue: 8)
  /// The guids, or their `isPermaLink`.
  public static let itemGUIDs = DocumentParts(rawValue: 16)
  /// The ratings in items, or their `scheme`.
  public static let itemRatings = DocumentParts(rawValue: 32)
  /// Titles, guids and ratings are the same, but not which of them are in one item.
  public static let grouping = DocumentParts(rawValue: 64)

  /// Their names, for people.
  public var names: [String] {
    let all: [(DocumentParts, String)] = [
      (.channelTitle, "channel title"), (.channelRatings, "channel media:rating"), (.itemCount, "number of items"),
      (.itemTitles, "item title"), (.itemGUIDs, "item guid"), (.itemRatings, "item media:rating"),
      (.grouping, "which title, guid and media:rating are in one item"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

extension ResourceDocument {
  /// None if the documents are equal.
  func differences(from other: ResourceDocument) -> DocumentParts {
    var parts: DocumentParts = []
    if channelTitle != other.channelTitle { parts.insert(.channelTitle) }
    if channelRatings != other.channelRatings { parts.insert(.channelRatings) }
    if items == other.items { return parts }
    let before = parts
    if items.count != other.items.count { parts.insert(.itemCount) }
    if items.map(\.title) != other.items.map(\.title) { parts.insert(.itemTitles) }
    if items.map(\.guid) != other.items.map(\.guid) { parts.insert(.itemGUIDs) }
    if items.joining(\.ratings) != other.items.joining(\.ratings) { parts.insert(.itemRatings) }
    if parts == before { parts.insert(.grouping) }
    return parts
  }
}
