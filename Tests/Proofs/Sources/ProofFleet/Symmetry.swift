extension State {
  /// Nodes that differ in nothing but their numbers change places, so that of all such states one is searched.
  mutating func sortNodes(_ count: Int) {
    var keys = InlineArray<5, UInt64>(repeating: 0)
    for node in 0..<count { keys[node] = key(node) }
    // Where each node of before is now.
    var places = InlineArray<5, UInt8>(repeating: 0)
    for node in 0..<count { places[node] = UInt8(node) }
    var isSorted = true
    for right in stride(from: 1, to: count, by: 1) {
      var node = right
      while node > 0, keys[node - 1] > keys[node] {
        keys.swapAt(node - 1, node)
        places.swapAt(node - 1, node)
        processes.swapAt(node - 1, node)
        for claim in claims.indices {
          claims[claim].answers.swapAt(node - 1, node)
          claims[claim].late.swapAt(node - 1, node)
        }
        for host in heard.indices { heard[host].swapAt(node - 1, node) }
        isSorted = false
        node -= 1
      }
    }
    guard !isSorted else { return }
    var numbers = InlineArray<6, UInt8>(repeating: 0)
    for place in 0..<count { numbers[Int(places[place]) + 1] = UInt8(place + 1) }
    for node in 0..<count {
      processes[node].data.node = numbers[Int(processes[node].data.node)]
      processes[node].copy.node = numbers[Int(processes[node].copy.node)]
    }
  }

  /// Everything of a node, with its number as far as it is its own.
  private func key(_ node: Int) -> UInt64 {
    let process = processes[node]
    var key = process.data.key(node) &* 0x9E37_79B9_7F4A_7C15 &+ process.copy.key(node)
    key =
      key &* 0xD6E8_FEB8_6659_FD93 &+ (process.hasCopy ? 1 : 0) &+ (process.isAsSeen ? 2 : 0) &+ 4
      &* UInt64(process.lostIn)
    for claim in claims.indices {
      key = key &* 257 &+ UInt64(claims[claim].answers[node]) &+ 16 &* UInt64(claims[claim].late[node])
    }
    for host in heard.indices {
      let heard = heard[host][node]
      key = key &* 257 &+ UInt64(heard.ofEpoch) &+ UInt64(heard.ofLostEpochs) << 16 &+ UInt64(heard.epoch) << 32
    }
    return key ^ key >> 29
  }
}

extension NodeData {
  fileprivate func key(_ place: Int) -> UInt64 {
    func bit(_ flag: Bool, _ place: UInt64) -> UInt64 { flag ? 1 << place : 0 }
    return UInt64(from) | UInt64(high) << 8 | UInt64(ballot) << 16 | UInt64(fleet) << 24 | bit(hasEpoch, 32)
      | bit(epochIsOfNow, 33) | bit(hasBucket, 34) | bit(bucketIsOfNow, 35) | bit(node == UInt8(place + 1), 36)
  }
}
