"""Places of a Swift file that can be wrong in one way, and the switch that makes each of them wrong while a program runs."""

import re
from dataclasses import dataclass

# What an operator becomes: (the other operator, its precedence, the constraint on its operands, what it returns).
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_LOGIC = {"&&": "||", "||": "&&"}
_SUMS = {"+": "-", "-": "+"}
_OPERATOR = re.compile(r"(?<= )(&&|\|\||==|!=|<=|>=|<|>|\+|-)(?= )")
_WORD = re.compile(r"(?<![\w.#@])(true|false)(?!\w)")
_NUMBER = re.compile(r"(?<![\w.$#\"])(\d{1,5})(?![\w.])")
_STATEMENT = re.compile(r"^(\s+)((?:self\.)?[a-z][\w.]*(?:\[[^\]]*\])?(?:\(.*\)| [-+|]?= [^{]+))$")
_NEVER_DELETED = re.compile(r"^\s*(return|throw|case|let|var|if|guard|for|while|init|super|self\.init|try|await|defer|precondition)\b")


@dataclass(frozen=True)
class Place:
  """One thing to make wrong: in a file, on a line (from 0), from one column to another, what kind of thing, and its text."""

  file: str
  line: int
  start: int
  end: int
  kind: str
  text: str

  def __str__(self):
    return f"{self.file}:{self.line + 1}:{self.start + 1} {self.text}"


def masked(text):
  """The text with its comments and strings as spaces of the same length, so that nothing is found in them."""
  blank = lambda found: re.sub(r"[^\n]", " ", found.group())
  text = re.sub(r'"""[\s\S]*?"""', blank, text)
  text = re.sub(r'"(?:\\.|[^"\\\n])*"', blank, text)
  return re.sub(r"//[^\n]*|/\*[\s\S]*?\*/", blank, text)


def places(file, text):
  """All places of one file."""
  for number, line in enumerate(masked(text).split("\n")):
    if re.match(r"\s*(case (?![.l(])|import|#|@|(public |private |internal |static )*(func|init|infix|subscript)\b)", line):
      continue
    for found in _OPERATOR.finditer(line):
      if not line[: found.start()].strip() or re.search(r"(<|->|where) *$", line[: found.start()]):
        continue
      yield Place(file, number, *found.span(), found.group(), found.group())
    for found in _WORD.finditer(line):
      yield Place(file, number, *found.span(), found.group(), found.group())
    for found in _NUMBER.finditer(line):
      yield Place(file, number, *found.span(), "number", found.group())
    found = _STATEMENT.match(line)
    balanced = found and all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}"))
    if balanced and not _NEVER_DELETED.match(line):
      yield Place(file, number, *found.span(2), "statement", found.group(2))


def operator_name(operator, number):
  """The name of the switch of one operator: the operator, then the number in arrows (U+2190 to U+21FF are operators)."""
  return operator + "".join(chr(0x2190 + digit) for digit in divmod(number, 100))


def switched(text, chosen):
  """The text with a switch at each place; `chosen` is a dictionary of numbers to places, all of this file."""
  lines = text.split("\n")
  # From the right to the left, so that columns stay true; a statement last, because it surrounds the others of its line.
  order = sorted(chosen.items(), key=lambda pair: (pair[1].kind != "statement", pair[1].start), reverse=True)
  grown = {}
  for number, place in order:
    line = lines[place.line]
    end = place.end + (grown.get(place.line, 0) if place.kind == "statement" else 0)
    old = line[place.start : end]
    if place.kind == "statement":
      new = f"if Mutant.number != {number} {{ {old} }}"
    elif place.kind == "number":
      new = f"Mutant.either({number}, {old}, {int(old) + 1})"
    elif place.kind in ("true", "false"):
      new = f"Mutant.either({number}, {old}, {'false' if old == 'true' else 'true'})"
    else:
      new = operator_name(old, number)
    lines[place.line] = line[: place.start] + new + line[end:]
    grown[place.line] = grown.get(place.line, 0) + len(new) - len(old)
  return "\n".join(lines)


def declarations(chosen):
  """The Swift file of a module that has the switches: which mutant is on, and the operators of its places."""
  lines = [
    "import Glibc",
    "enum Mutant {",
    '  static let number: Int = unsafe getenv("MUTANT").map { unsafe Int(atoi($0)) } ?? -1',
    "  @inline(never) static func either<T>(_ mutant: Int, _ right: T, _ wrong: T) -> T { number == mutant ? wrong : right }",
    "}",
  ]
  for number, place in chosen.items():
    old, name = place.kind, operator_name(place.kind, number)
    if old in _COMPARISONS:
      wrong, kind = _COMPARISONS[old], "Equatable" if old in ("==", "!=") else "Comparable"
      lines += [f"infix operator {name}: ComparisonPrecedence"]
      lines += [f"func {name}<T: {kind}>(a: T, b: T) -> Bool {{ Mutant.number == {number} ? a {wrong} b : a {old} b }}"]
      if kind == "Equatable":
        nothing = "_OptionalNilComparisonType"
        lines += [
          f"func {name}<T>(a: T?, b: {nothing}) -> Bool {{ Mutant.number == {number} ? a {wrong} nil : a {old} nil }}"
        ]
    elif old in _LOGIC:
      precedence = "LogicalConjunctionPrecedence" if old == "&&" else "LogicalDisjunctionPrecedence"
      lines += [f"infix operator {name}: {precedence}"]
      lines += [
        f"func {name}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{"
        f" Mutant.number == {number} ? try a {_LOGIC[old]} b() : try a {old} b() }}"
      ]
    elif old in _SUMS:
      lines += [f"infix operator {name}: AdditionPrecedence"]
      lines += [
        f"func {name}<T: AdditiveArithmetic>(a: T, b: T) -> T {{ Mutant.number == {number} ? a {_SUMS[old]} b : a {old} b }}"
      ]
  return "\n".join(lines) + "\n"
