"""How figures are written: three significant digits, the same everywhere."""

import re
from decimal import Decimal

SPACE = "\N{NO-BREAK SPACE}"
# Units from the smallest up, each a thousand of the one before.
TIMES, NANOSECONDS, PER_SECOND = ["×"], ["ns", "µs", "ms", "s"], ["/s", "k/s", "M/s"]
KIBIBYTES, MEBIBYTES = ["KiB"], ["MiB"]
# What is counted and not measured.
CALLS, BYTES = [""], ["bytes"]
DISK = ["bytes", "kB", "MB", "GB"]


def number(value):
    """Three significant digits, thousands separated."""
    return f"{Decimal(f'{value:#.3g}'):,f}" if value else "0"


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
    """A median with its spread, the tenth and the ninetieth of a hundred, in one unit."""
    unit, size = scale(found["median"], units)
    median, low, high = (number(found[name] / size) for name in ("median", "low", "high"))
    return f"{median}{SPACE}{unit} ({low}–{high})"


def exactly(value, units):
    """What was chosen or counted: without zeros at its end."""
    return re.sub(r"\.0+(?!\d)|(\.\d*[1-9])0+(?!\d)", r"\1", written(value, units))


def percent(share):
    return f"{number(100 * share)}{SPACE}%"


def count(whole):
    """A number of things, which is not rounded."""
    return f"{whole:,}"
