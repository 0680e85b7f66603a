import MediaTokenFormats
import Testing

@Suite("JSON writer")
struct WriterTests {
  private static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func commasComeByThemselves() {
    let text = Self.text { writer in
      writer.object { object in
        object.member("a", "x")
        object.member("b", 5)
        object.member("c", true)
        object.name("d")
        object.null()
        object.member("e", ["p", "q"])
        object.name("f")
        object.array { array in
          array.object { _ in }
          array.array { _ in }
          array.object { $0.member("g", false) }
        }
        object.member("h", [])
      }
      writer.endLine()
      writer.object { _ in }
    }
    #expect(
      text == #"{"a":"x","b":5,"c":true,"d":null,"e":["p","q"],"f":[{},[],{"g":false}],"h":[]}"# + "\n{}")
  }

  @Test func textsThatEndLikeStructureAreNotMistakenForIt() {
    #expect(Self.text { $0.member("a{", ["[", "{", ":", "\n", ","]) } == ##""a{":["[","{",":","\n",","]"##)
  }

  @Test func numbersAreExact() {
    for number in [0, 1, -1, 9, 10, 1_795_176_000_000, Int64.max, .min] {
      #expect(Self.text { $0.number(number) } == String(number))
    }
  }

  /// Everything that could end a string or steer a terminal; everything else as it is.
  @Test func thousandthsHaveThreeDecimals() {
    for (number, text) in [
      (0, "0.000"), (7, "0.007"), (70, "0.070"), (999, "0.999"), (1000, "1.000"), (1_234_567, "1234.567"),
    ] {
      #expect(Self.text { $0.object { $0.member("a", thousandths: UInt64(number)) } } == "{\"a\":\(text)}")
    }
    #expect(Self.text { $0.object { $0.member("a", thousandths: .max) } } == "{\"a\":18446744073709551.615}")
  }

  @Test func controlCharactersAreEscaped() {
    #expect(
      Self.text { $0.string("\"\\/\u{8}\t\n\r\u{1B}[31m\u{0}\u{1F}") }
        == #""\"\\/\u0008\t\n\r\u001b[31m\u0000\u001f""#)
    #expect(
      Self.text { $0.string("\u{7F}\u{80}\u{9F}\u{A0}é\u{1F600}") } == "\"\\u007f\\u0080\\u009f\u{A0}é\u{1F600}\"")
  }

  /// U+202E turns the writing direction, U+2028 ends a line for many, U+FEFF and U+E0041 cannot be seen.
  @Test func whatCannotBeSeenIsEscaped() {
    #expect(
      Self.text { $0.string("a\u{202E}b\u{2028}\u{2029}\u{200B}\u{FEFF}\u{AD}\u{2066}") }
        == #""a\u202eb\u2028\u2029\u200b\ufeff\u00ad\u2066""#)
    #expect(Self.text { $0.string("\u{E0041}\u{F0000}") } == #""\udb40\udc41\udb80\udc00""#)
  }

  @Test func everyScalarSurvivesTheReader() throws {
    for start in stride(from: 1, to: 0x110000, by: 512) {
      var text = ""
      for value in start..<start + 512 {
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let json = Self.text { writer in writer.object { $0.member("a", text) } }
      let object = try FlatJSONObject(parsing: json.utf8Span.span, members: ["a"])
      let read = object.string("a") ?? ""
      #expect(Array(read.utf8) == Array(text.utf8))
    }
  }

  @Test func writingGoesOnAfterWhatIsThere() {
    var writer = JSONWriter(appendingTo: Array("x\n".utf8))
    writer.object { _ in }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "x\n{}")
  }
}
