/// 64 bits of a state's bytes. Of n states two share one with a probability of n² · 2⁻⁶⁵: 10⁻⁵ for twenty million.
func fingerprint<State: BitwiseCopyable>(of state: State) -> UInt64 {
  var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
  var index: UInt64 = 0
  unsafe withUnsafeBytes(of: state) { bytes in
    var offset = 0
    while offset < bytes.count {
      var word: UInt64 = 0
      if offset + 8 <= bytes.count {
        word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      } else {
        for last in offset..<bytes.count { word = unsafe word << 8 | UInt64(bytes[last]) }
      }
      index &+= 1
      let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      hash = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15 &* index
      offset += 8
    }
  }
  return hash
}
