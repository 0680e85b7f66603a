import Testing

/// What declarations say is set in articles as it is meant.
@Suite struct MarkdownTableTests {
  @Test(arguments: [
    ("with --batch, each of many", "with `--batch`, each of many"),
    ("a_b, or none:, which (like redis:) ends", "`a_b`, or `none:`, which (like `redis:`) ends"),
    ("what it opens: all in /live/", "what it opens: all in `/live/`"),
    ("X-Original-URI of ::1; proxyMvpdId.", "`X-Original-URI` of `::1`; `proxyMvpdId`."),
    ("a * b [c] <d> | `e`", #"a \* b \[c\] \<d\> \| \`e\`"#),
    ("MVPDs of an RSA key", "MVPDs of an RSA key"),
  ])
  func wordsThatAreTypedAreCode(text: String, markdown: String) {
    #expect(MarkdownTable.prose(text) == markdown)
  }

  @Test(
    arguments: [
      (0, "0"), (-100, "-100"), (999, "999"), (1000, "1,000"), (-65_536, "-65,536"), (86_400_000, "86,400,000"),
    ] as [(Int64, String)])
  func numbersHaveCommas(number: Int64, text: String) { #expect(MarkdownTable.number(number) == text) }

  @Test func tableIsWrittenBetweenItsCommentsAndNowhereElse() throws {
    let table = MarkdownTable(["A", "B"], [["`a|b`", ""]])
    let places = "before\n<!-- t: written by tools/reference -->\nold\n<!-- end of t -->\nafter\n"
    let article = try GeneratedFile(article: "x.md", places, tables: ["t": table])
    #expect(
      article.text == """
        before
        <!-- t: written by tools/reference -->

        | A | B |
        |---|---|
        | `a|b` | |

        <!-- end of t -->
        after

        """)
    #expect(try GeneratedFile(article: "x.md", article.text, tables: ["t": table]).text == article.text)
    for wrong in ["", "<!-- end of t -->\n<!-- t: written by tools/reference -->\n", places + places] {
      #expect(throws: GeneratedFile.MissingPlace.self) {
        try GeneratedFile(article: "x.md", wrong, tables: ["t": table])
      }
    }
  }
}
