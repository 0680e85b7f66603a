/// A fleet as operators write it after `redis:`: its name, and where its seats are, in an order that all hosts share.
///
/// `FLEET@SEAT,SEAT,…`, nothing escaped. The name has 1 to 32 of `a`–`z`, `0`–`9` and `-`. A seat is `HOST:PORT`,
/// `[IPv6]:PORT` or the absolute path of a UNIX socket.
package struct FleetAddress: Sendable, Hashable {
  /// Fleets of different names share nothing.
  package let name: String
  /// One, or three to seven. Two would be no better than one: both would have to agree, so the loss of either stops them.
  package let seats: [SeatAddress]

  /// How many votes decide: more than half. Two such majorities share a seat.
  package var votesNeeded: Int { seats.count / 2 + 1 }

  /// How many seats a fleet may have.
  static let seatCounts = [1, 3, 4, 5, 6, 7]

  /// Reads an address.
  ///
  /// - Throws: ``FleetError/address(_:)`` for everything else.
  package init(_ text: String) throws(FleetError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = String(parts[0]), Self.isName(name) else { throw .address(.name) }
    self.name = name
    var seats: [SeatAddress] = []
    for part in parts[1].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let number = seats.count + 1
      guard let seat = SeatAddress(String(part) ?? "", number: number) else { throw .address(.seat(number)) }
      if let earlier = seats.firstIndex(where: { $0.leadsToSamePlace(as: seat) }) {
        throw .address(.sameSeat(earlier + 1, number))
      }
      seats.append(seat)
    }
    guard Self.seatCounts.contains(seats.count) else { throw .address(.count(seats.count)) }
    self.seats = seats
  }

  private static func isName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}

extension FleetAddress: CustomStringConvertible {
  /// The fleet as it is written, after `redis:`.
  package var description: String { "\(name)@\(seats.map(\.text.text).joined(separator: ","))" }
}

/// Where one seat is.
package struct SeatAddress: Sendable, Hashable {
  /// As it is written; all hosts of a fleet must write it the same way.
  package let text: ExactText
  /// The same, read.
  package let place: Place

  package enum Place: Sendable, Hashable {
    /// A host name or an address without brackets, in lower case, and a port.
    case network(host: String, port: UInt16)
    /// The absolute path of a UNIX socket.
    case local(path: String)
  }

  /// - Returns: nil if the text is not the address of a seat.
  fileprivate init?(_ text: String, number: Int) {
    self.text = ExactText(text)
    if text.utf8.first == UInt8(ascii: "/") {
      // What a `sockaddr_un` holds besides its last zero (unix(7)).
      guard text.utf8.count <= 107, !text.utf8.contains(0), !text.utf8.contains(UInt8(ascii: "?")) else {
        return nil
      }
      place = .local(path: text)
      return
    }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
      let port = Self.port(text.utf8[text.utf8.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.utf8.contains(UInt8(ascii: ":")), host.utf8.allSatisfy(Self.isInVersion6) else { return nil }
    } else {
      guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isInName) else { return nil }
    }
    place = .network(host: host.lowercased(), port: port)
  }

  /// Whether both are the same place, as far as their spelling shows it.
  fileprivate func leadsToSamePlace(as other: SeatAddress) -> Bool { place == other.place }

  /// 1 to 65535, without sign or leading zero.
  private static func port(_ digits: Substring.UTF8View) -> UInt16? {
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(digits).flatMap { UInt16($0) }
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isInVersion6(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension SeatAddress: CustomStringConvertible {
  package var description: String { text.text }
}

extension FleetAddress {
  /// What is wrong with a text that should be an address. It repeats nothing of the text: a password may be in it.
  package enum Problem: Sendable, Hashable {
    /// There is no name before an `@`, or not one that a fleet can have.
    case name
    /// This seat, counted from 1, is not written as one.
    case seat(Int)
    /// Two seats have the same address.
    case sameSeat(Int, Int)
    /// A number of seats that no fleet has.
    case count(Int)
  }
}

extension FleetAddress.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .name:
      "the fleet's name is not 1 to 32 lower-case letters, digits and hyphens; write redis:FLEET@SEAT,SEAT,SEAT"
    case .seat(let number):
      "seat \(number) is not an address; write HOST:PORT, [IPv6]:PORT or the absolute path of a UNIX socket, and put users and passwords into the credentials file"
    case .sameSeat(let one, let other):
      "seats \(one) and \(other) have the same address; each seat is a process of its own, so give one of them another address"
    case .count(let count):
      "a fleet cannot have \(count) seats; name 1, 3, 4, 5, 6 or 7 (4 or 5 are recommended)"
    }
  }
}
