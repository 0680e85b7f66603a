extension State {
  /// Seats that differ in nothing but their numbers change places, so that of all such states one is searched.
  mutating func sortSeats(_ count: Int) {
    var keys = InlineArray<5, UInt64>(repeating: 0)
    for seat in 0..<count { keys[seat] = key(seat) }
    // Where each seat of before is now.
    var places = InlineArray<5, UInt8>(repeating: 0)
    for seat in 0..<count { places[seat] = UInt8(seat) }
    var isSorted = true
    for right in stride(from: 1, to: count, by: 1) {
      var seat = right
      while seat > 0, keys[seat - 1] > keys[seat] {
        keys.swapAt(seat - 1, seat)
        places.swapAt(seat - 1, seat)
        processes.swapAt(seat - 1, seat)
        for claim in claims.indices {
          claims[claim].answers.swapAt(seat - 1, seat)
          claims[claim].late.swapAt(seat - 1, seat)
        }
        for host in heard.indices { heard[host].swapAt(seat - 1, seat) }
        isSorted = false
        seat -= 1
      }
    }
    guard !isSorted else { return }
    var numbers = InlineArray<6, UInt8>(repeating: 0)
    for place in 0..<count { numbers[Int(places[place]) + 1] = UInt8(place + 1) }
    for seat in 0..<count {
      processes[seat].data.seat = numbers[Int(processes[seat].data.seat)]
      processes[seat].copy.seat = numbers[Int(processes[seat].copy.seat)]
    }
  }

  /// Everything of a seat, with its number as far as it is its own.
  private func key(_ seat: Int) -> UInt64 {
    let process = processes[seat]
    var key = process.data.key(seat) &* 0x9E37_79B9_7F4A_7C15 &+ process.copy.key(seat)
    key =
      key &* 0xD6E8_FEB8_6659_FD93 &+ (process.hasCopy ? 1 : 0) &+ (process.isAsSeen ? 2 : 0) &+ 4
      &* UInt64(process.lostIn)
    for claim in claims.indices {
      key = key &* 257 &+ UInt64(claims[claim].answers[seat]) &+ 16 &* UInt64(claims[claim].late[seat])
    }
    for host in heard.indices {
      let heard = heard[host][seat]
      key = key &* 257 &+ UInt64(heard.ofEpoch) &+ UInt64(heard.ofLostEpochs) << 16 &+ UInt64(heard.epoch) << 32
    }
    return key ^ key >> 29
  }
}

extension SeatData {
  fileprivate func key(_ place: Int) -> UInt64 {
    func bit(_ flag: Bool, _ place: UInt64) -> UInt64 { flag ? 1 << place : 0 }
    return UInt64(from) | UInt64(high) << 8 | UInt64(ballot) << 16 | UInt64(fleet) << 24 | bit(hasEpoch, 32)
      | bit(epochIsOfNow, 33) | bit(hasBucket, 34) | bit(bucketIsOfNow, 35) | bit(seat == UInt8(place + 1), 36)
  }
}
