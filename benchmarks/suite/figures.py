"""How figures are written: three significant digits, the same everywhere."""

import math
import re

SPACE = "\N{NO-BREAK SPACE}"
# Units from the smallest up, each a thousand of the one before.
TIMES, NANOSECONDS, PER_SECOND = ["×"], ["ns", "µs", "ms", "s"], ["/s", "k/s", "M/s"]
# What is counted and not measured.
CALLS, BYTES = [""], ["bytes"]
KIBIBYTES, MEBIBYTES = ["KiB"], ["MiB"]


def number(value):
    """Three significant digits, thousands separated."""
    if value == 0:
        return "0"
    # Twice, because 9.996 is 10.0 and not 10.00.
    for _ in range(2):
        digits = 2 - math.floor(math.log10(abs(value)))
        value = round(value, digits)
    return f"{value:,.{max(digits, 0)}f}"


def scale(value, units):
    """The unit that a value is written in, and how many of the smallest it is."""
    power = 0
    while power + 1 < len(units) and abs(value) >= 999.5 * 1000 ** power:
        power += 1
    return units[power], 1000 ** power


def written(value, units):
    unit, size = scale(value, units)
    return f"{number(value / size)}{SPACE}{unit}".rstrip(SPACE)


def spread(found, units):
    """A median with its spread, as `suite.contender.spread` gives them, in one unit."""
    unit, size = scale(found["median"], units)
    median, low, high = (number(found[name] / size) for name in ("median", "low", "high"))
    return f"{median}{SPACE}{unit} ({low}–{high})"


def exactly(value, units):
    """What was chosen or counted: no zeros behind it."""
    return re.sub(r"\.0+(?!\d)|(\.\d*[1-9])0+(?!\d)", r"\1", written(value, units))


def percent(share):
    return f"{number(100 * share)}{SPACE}%"


def count(whole):
    """A number of things, which is not rounded."""
    return f"{whole:,}"
