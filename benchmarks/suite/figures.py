"""How figures are written: three significant digits, the same everywhere."""

import math

SPACE = "\N{NO-BREAK SPACE}"


def number(value):
    """Three significant digits, thousands separated."""
    if value == 0:
        return "0"
    # Twice, because 9.996 is 10.0 and not 10.00.
    for _ in range(2):
        digits = 2 - math.floor(math.log10(abs(value)))
        value = round(value, digits)
    return f"{value:,.{max(digits, 0)}f}"


def scaled(value, units):
    """`units`: from the smallest up, each a thousand of the one before."""
    for unit in units:
        if abs(value) < 999.5 or unit == units[-1]:
            return f"{number(value)}{SPACE}{unit}"
        value /= 1000


def time(nanoseconds):
    return scaled(nanoseconds, ["ns", "µs", "ms", "s"])


def rate(per_second):
    return scaled(per_second, ["/s", "k/s", "M/s"])


def times(ratio):
    return f"{number(ratio)}{SPACE}×"


def percent(share):
    return f"{number(100 * share)}{SPACE}%"


def spread(found, written):
    """A median with its spread, as `suite.contender.spread` gives them."""
    return f"{written(found['median'])} ({number_in(found['low'], written)}–{number_in(found['high'], written)})"


def number_in(value, written):
    """Without the unit, where that is only a sign behind a ratio; other units may differ within a spread."""
    return number(value) if written is times else written(value)


def count(whole):
    """A number of things, which is not rounded."""
    return f"{whole:,}"
