"""Step 5: the forms of ttl and issueTime, and the edges of a life."""

from datetime import datetime, timedelta, timezone

from .collection import EXPIRED, NOT_YET
from .tokens import NOW, body, token

HOUR = 3_600_000
FAR = 9_223_372_036_854_775_807


def add(v):
    _ttl(v)
    _issue_time_forms(v)
    _issue_time_edges(v)
    _edges(v)
    _order(v)


def at(milliseconds, **changes):
    """A token issued at an instant, written as epoch milliseconds."""
    return token(body(issueTime=f"{milliseconds:013}", **changes))


def _ttl(v):
    for text in ("1", "9", "10", "420000", "3600000", "3600001", "999999999999"):
        v.valid(f"ttl-{text}", "a decimal number of up to twelve digits (case 92)", at(NOW, ttl=text))
    for name, text in {
        "13-digits": "1000000000000", "13-nines": "9999999999999", "20-digits": "18446744073709551616", "2-63":
        "9223372036854775808", "40-digits": "1" + "0" * 40, "60000-digits": "1" * 60_000, "00": "00", "007": "007",
        "zero-first": "0420000", "minus": "-1", "minus-zero": "-0", "plus": "+5", "hex": "0x10", "exponent": "1e9",
        "fraction": "5.0", "nan": "nan", "inf": "inf", "word": "short", "comma": "420,000", "underscore": "420_000",
        "unit": "420000ms", "space-before": " 420000", "space-after": "420000 ", "lf-after": "420000\n", "tab-before":
        "\t420000", "space-inside": "420 000", "space": " ", "arabic": "\u0664\u0662\u0660\u0660\u0660\u0660",
        "full-width": "\uff14\uff12\uff10", "superscript": "42\u2070", "combining": "420000\u0301", "cr-reference":
        "420000&#13;", "two": "1 2",
    }.items():
        v.malformed(f"ttl-form-{name}", "ttl in any other form (cases 48, 92, 94)", "ttl-form", at(NOW, ttl=text))


GOOD = {
    "plain": "2026-11-20 12:00:00 +0000", "plain-west": "2026-11-20 04:00:00 -0800", "plain-east":
    "2026-11-20 17:30:00 +0530", "plain-minus-zero": "2026-11-20 12:00:00 -0000", "plain-other-day":
    "2026-11-21 02:00:00 +1400", "plain-1459": "2026-11-21 02:59:00 +1459", "plain-west-1459":
    "2026-11-19 21:01:00 -1459", "gmt": "2026/11/20 12:00:00 GMT +0000", "gmt-west": "2026/11/20 04:00:00 GMT -0800",
    "gmt-1459": "2026/11/21 02:59:00 GMT +1459", "iso-z": "2026-11-20T12:00:00Z", "iso-z-ms": "2026-11-20T12:00:00.000Z",
    "iso-offset": "2026-11-20T04:00:00-08:00", "iso-offset-ms": "2026-11-20T04:00:00.000-08:00", "iso-1459":
    "2026-11-21T02:59:00+14:59", "iso-minus-zero": "2026-11-20T12:00:00-00:00", "epoch": "1795176000000",
}

BAD = {
    "zone-missing": "2026-11-20 12:00:00", "zone-colon": "2026-11-20 12:00:00 +00:00", "zone-z": "2026-11-20 12:00:00 Z",
    "zone-z-joined": "2026-11-20 12:00:00Z", "zone-hours": "2026-11-20 12:00:00 +00", "zone-joined":
    "2026-11-20 12:00:00+0000", "zone-name": "2026-11-20 12:00:00 UTC", "zone-cst": "2026-11-20 06:00:00 CST",
    "zone-sign": "2026-11-20 12:00:00 0000", "zone-1500": "2026-11-20 12:00:00 +1500", "zone-west-1500":
    "2026-11-20 12:00:00 -1500", "zone-minutes-60": "2026-11-20 12:00:00 +0060", "zone-9999": "2026-11-20 12:00:00 +9999",
    "zone-five-digits": "2026-11-20 12:00:00 +00000", "zone-unicode-minus": "2026-11-20 12:00:00 \u22120000",
    "space-two": "2026-11-20  12:00:00 +0000", "space-before": " 2026-11-20 12:00:00 +0000", "space-after":
    "2026-11-20 12:00:00 +0000 ", "space-tab": "2026-11-20\t12:00:00 +0000", "space-nbsp":
    "2026-11-20\u00a012:00:00 +0000", "lf-after": "2026-11-20 12:00:00 +0000\n", "junk": "2026-11-20 12:00:00 +0000 x",
    "slashes": "2026/11/20 12:00:00 +0000", "mixed-separators": "2026-11/20 12:00:00 +0000", "dots":
    "2026.11.20 12:00:00 +0000", "gmt-dashes": "2026-11-20 12:00:00 GMT +0000", "gmt-alone":
    "2026/11/20 12:00:00 GMT", "gmt-utc": "2026/11/20 12:00:00 UTC +0000", "gmt-lower": "2026/11/20 12:00:00 gmt +0000",
    "gmt-joined": "2026/11/20 12:00:00 GMT+0000", "gmt-colon": "2026/11/20 12:00:00 GMT +00:00", "gmt-two-spaces":
    "2026/11/20 12:00:00 GMT  +0000", "gmt-1500": "2026/11/20 12:00:00 GMT +1500", "gmt-ms":
    "2026/11/20 12:00:00.000 GMT +0000", "iso-no-zone": "2026-11-20T12:00:00", "iso-lower-t": "2026-11-20t12:00:00Z",
    "iso-lower-z": "2026-11-20T12:00:00z", "iso-no-colon": "2026-11-20T12:00:00+0000", "iso-hours-only":
    "2026-11-20T12:00:00+00", "iso-space-zone": "2026-11-20T12:00:00 Z", "iso-fraction-0": "2026-11-20T12:00:00.Z",
    "iso-fraction-1": "2026-11-20T12:00:00.0Z", "iso-fraction-2": "2026-11-20T12:00:00.00Z", "iso-fraction-4":
    "2026-11-20T12:00:00.0000Z", "iso-fraction-9": "2026-11-20T12:00:00.000000000Z", "iso-fraction-comma":
    "2026-11-20T12:00:00,000Z", "iso-no-seconds": "2026-11-20T12:00Z", "iso-date-only": "2026-11-20", "iso-basic":
    "20261120T120000Z", "iso-week": "2026-W47-5T12:00:00Z", "iso-slashes": "2026/11/20T12:00:00Z", "iso-1500":
    "2026-11-20T12:00:00+15:00", "iso-minutes-60": "2026-11-20T12:00:00+00:60", "iso-z-and-offset":
    "2026-11-20T12:00:00Z+00:00", "iso-year-sign": "+2026-11-20T12:00:00Z", "iso-five-digit-year":
    "12026-11-20T12:00:00Z", "plain-ms": "2026-11-20 12:00:00.000 +0000", "date-month-0": "2026-00-20 12:00:00 +0000",
    "date-month-13": "2026-13-20 12:00:00 +0000", "date-day-0": "2026-11-00 12:00:00 +0000", "date-day-31":
    "2026-11-31 12:00:00 +0000", "date-day-32": "2026-12-32 12:00:00 +0000", "date-feb-29-2025":
    "2025-02-29 12:00:00 +0000", "date-feb-30": "2024-02-30 12:00:00 +0000", "date-feb-29-2100":
    "2100-02-29 12:00:00 +0000", "date-year-0": "0000-01-01 00:00:00 +0000", "date-year-1969":
    "1969-12-31 23:59:59 +0000", "date-year-1969-west": "1969-12-31 23:59:59 -1400", "date-two-digit-year":
    "26-11-20 12:00:00 +0000", "date-one-digit-month": "2026-1-20 12:00:00 +0000", "date-one-digit-day":
    "2026-11-2 12:00:00 +0000", "date-us": "11-20-2026 12:00:00 +0000", "time-hour-24": "2026-11-20 24:00:00 +0000",
    "time-minute-60": "2026-11-20 11:60:00 +0000", "time-second-60": "2026-11-20 11:59:60 +0000", "time-second-61":
    "2026-11-20 11:59:61 +0000", "time-one-digit": "2026-11-20 4:00:00 -0800", "time-no-seconds":
    "2026-11-20 12:00 +0000", "time-dashes": "2026-11-20 12-00-00 +0000", "time-am": "2026-11-20 12:00:00 PM +0000",
    "digits-10": "1795176000", "digits-12": "179517600000", "digits-14": "17951760000000", "digits-minus":
    "-1795176000000", "digits-minus-12": "-179517600000", "digits-plus": "+179517600000", "digits-fraction":
    "1795176000.000", "digits-space": "1795176000000 ", "digits-hex": "0x1a1f9d5a0c0", "digits-exponent":
    "1.795176e12345", "digits-letter": "179517600000O", "digits-arabic": "\u0661\u0667\u0669\u0665\u0661\u0667\u0666"
    "\u0660\u0660\u0660\u0660\u0660\u0660", "digits-full-width": "\uff12\uff10\uff12\uff16-11-20 12:00:00 +0000",
    "word": "now", "rfc-1123": "Fri, 20 Nov 2026 12:00:00 GMT", "long": "2" * 60_000, "space": " ", "cr":
    "2026-11-20 12:00:00 +0000&#13;", "nul-like": "2026-11-20 12:00:00 +000O",
}


def _issue_time_forms(v):
    for name, text in GOOD.items():
        # At the last millisecond of the life: an offset read wrongly shows.
        v.valid(f"issued-{name}", f"{text} is {NOW} (cases 97, 98, 99)", token(body(issueTime=text, ttl="1")), now=NOW)
    for name, text in BAD.items():
        v.malformed(f"issued-form-{name}", "issueTime in any other form (cases 48, 95, 98)", "issue-time-form",
                    token(body(issueTime=text)))


def _milliseconds(*fields, offset_minutes=0, millisecond=0):
    zone = timezone(timedelta(minutes=offset_minutes))
    span = datetime(*fields, tzinfo=zone) - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return int(span.total_seconds()) * 1000 + millisecond


def _issue_time_edges(v):
    for name, text, instant in (
        ("leap-2024", "2024-02-29 23:59:59 +0000", _milliseconds(2024, 2, 29, 23, 59, 59)),
        ("leap-2000", "2000-02-29 00:00:00 +0000", _milliseconds(2000, 2, 29)),
        ("after-leap", "2024-03-01 00:00:00 +0000", _milliseconds(2024, 3, 1)),
        ("not-leap-2100", "2100-02-28 23:59:59 +0000", _milliseconds(2100, 2, 28, 23, 59, 59)),
        ("after-not-leap-2100", "2100-03-01 00:00:00 +0000", _milliseconds(2100, 3, 1)),
        ("year-end", "2026-12-31 23:59:59 +0000", _milliseconds(2026, 12, 31, 23, 59, 59)),
        ("new-year-east", "2027-01-01 00:30:00 +0100", _milliseconds(2027, 1, 1, 0, 30, offset_minutes=60)),
        ("2038", "2038-01-19 03:14:08 +0000", 2_147_483_648_000), ("2106", "2106-02-07 06:28:16 +0000",
                                                                 4_294_967_296_000),
        ("milliseconds", "2026-11-20T12:00:00.999Z", NOW + 999), ("epoch-1", "0000000000001", 1),
        ("epoch-start", "1970-01-01 00:00:00 +0000", 0), ("epoch-13-zeros", "0" * 13, 0),
        ("before-epoch", "1970-01-01 00:00:00 +1400", -50_400_000), ("last", "9999-12-31T23:59:59.999Z",
                                                                   _milliseconds(9999, 12, 31, 23, 59, 59, millisecond=999)),
        ("13-nines", "9999999999999", 9_999_999_999_999),
        ("summer", "2026-07-01 05:00:00 -0700", _milliseconds(2026, 7, 1, 12)),
        ("repeated-hour-first", "2026-11-01 01:30:00 -0700", _milliseconds(2026, 11, 1, 8, 30)),
        ("repeated-hour-second", "2026-11-01 01:30:00 -0800", _milliseconds(2026, 11, 1, 9, 30)),
        ("skipped-hour", "2026-03-08 02:30:00 -0800", _milliseconds(2026, 3, 8, 10, 30)),
    ):
        received = token(body(issueTime=text, ttl="1"))
        v.valid(f"issued-at-{name}", f"the instant is {instant} (cases 97, 99)", received, now=instant,
                policy=[("future-tolerance", 0)])
        v.refused(f"issued-at-{name}-later", "one millisecond later the life of 1 ms is over", EXPIRED, "expired",
                  received, now=instant + 1)
        v.refused(f"issued-at-{name}-earlier", "one millisecond earlier it has not begun", NOT_YET, "issued-in-future",
                  received, now=instant - 1, policy=[("future-tolerance", 0)])
    for name, text in (("1970", "1970-01-01 00:00:00 +0000"), ("before-1970", "1970-01-01 00:00:00 +1459"),
                       ("zeros", "0" * 13)):
        v.refused(f"issued-long-ago-{name}", "only long ago (case 97)", EXPIRED, "expired", token(body(issueTime=text)))
    for name, text in (("9999", "9999-12-31 23:59:59 -1459"), ("13-nines", "9999999999999"), ("2038",
                       "2038-01-19 03:14:08 +0000")):
        v.refused(f"issued-far-ahead-{name}", "far in the future (case 97)", NOT_YET, "issued-in-future",
                  token(body(issueTime=text)))


def _edges(v):
    def edge(name, about, end, received, **policy):
        lines = [(setting.replace("_", "-"), value) for setting, value in policy.items()]
        v.valid(f"life-{name}-last", about + ": the last millisecond (case 96)", received, now=end - 1, policy=lines)
        for late in (0, 1):
            v.refused(f"life-{name}-over-{late}", about + f": {late} ms behind its end (case 96)", EXPIRED, "expired",
                      received, now=end + late, policy=lines)

    edge("ttl", "issue time and ttl", NOW + 420_000, at(NOW))
    edge("ttl-1", "a life of one millisecond", NOW + 1, at(NOW, ttl="1"))
    edge("tolerance", "an expiry tolerance of 5 s", NOW + 425_000, at(NOW), expiry_tolerance=5_000)
    edge("tolerance-1", "an expiry tolerance of 1 ms", NOW + 420_001, at(NOW), expiry_tolerance=1)
    edge("capped", "a ttl above the maximum (case 93)", NOW + HOUR, at(NOW, ttl="3600001"))
    edge("cap-exact", "a ttl at the maximum (case 93)", NOW + HOUR, at(NOW, ttl="3600000"))
    edge("cap-below", "a ttl below the maximum (case 93)", NOW + HOUR - 1, at(NOW, ttl="3599999"))
    edge("capped-12-digits", "the largest ttl (cases 93, 95)", NOW + HOUR, at(NOW, ttl="999999999999"))
    edge("max-ttl", "a maximum of one minute", NOW + 60_000, at(NOW), max_ttl=60_000)
    edge("max-ttl-1", "a maximum of one millisecond", NOW + 1, at(NOW), max_ttl=1)
    edge("max-ttl-day", "a maximum of a day does not lengthen a life", NOW + 420_000, at(NOW), max_ttl=86_400_000)
    edge("max-ttl-and-tolerance", "a maximum and a tolerance", NOW + 60_007, at(NOW), max_ttl=60_000, expiry_tolerance=7)
    edge("ttl-0-tolerance", "no life, but a tolerance", NOW + 1_000, at(NOW, ttl="0"), expiry_tolerance=1_000)
    # The allowance for clocks lets a token in before its issue time; its end stays where it was.
    edge("ttl-0-ahead", "no life: it ends at its issue time (case 92)", NOW, at(NOW, ttl="0"))
    v.refused("life-ttl-0", "ttl 0 is over at once (case 92)", EXPIRED, "expired", at(NOW, ttl="0"), now=NOW)
    for name, tolerance, policy in (("default", 60_000, []), ("zero", 0, [("future-tolerance", 0)]),
                                    ("five-minutes", 300_000, [("future-tolerance", 300_000)]),
                                    ("one", 1, [("future-tolerance", 1)])):
        for early, verdict in ((-1, "valid"), (0, "valid"), (1, "refused")):
            now = NOW - tolerance - early
            about = f"{tolerance} ms of future tolerance, missed by {early} (case 96)"
            if verdict == "valid":
                v.valid(f"life-ahead-{name}-{early}", about, at(NOW), now=now, policy=policy)
            else:
                v.refused(f"life-ahead-{name}-{early}", about, NOT_YET, "issued-in-future", at(NOW), now=now,
                          policy=policy)
    v.refused("life-seconds-as-ttl", "a ttl counted in seconds only shortens the life (case 95)", EXPIRED, "expired",
              at(NOW, ttl="420"), now=NOW + 421)
    for name, now, verdict, reason in (("latest", FAR, EXPIRED, "expired"), ("earliest", -FAR - 1, NOT_YET,
                                       "issued-in-future"), ("epoch", 0, NOT_YET, "issued-in-future")):
        v.refused(f"life-clock-{name}", "a clock at the end of its range: no overflow (case 94)", verdict, reason,
                  at(NOW, ttl="999999999999"), now=now)


def _order(v):
    v.malformed("life-form-before-clock-ttl", "an expired token with a broken ttl: forms are read before clocks",
                "ttl-form", at(NOW - HOUR, ttl="x"))
    v.malformed("life-form-before-clock-issued", "a life of 0 with a broken issue time", "issue-time-form",
                token(body(ttl="0", issueTime="x")))
    v.malformed("life-form-both", "both broken", None, token(body(ttl="x", issueTime="x")))
    v.malformed("life-form-ttl-ahead", "a broken ttl, issued in the future", "ttl-form", at(NOW + HOUR, ttl="x"))
    v.refused("life-before-binding", "expired, and for others", EXPIRED, "expired",
              at(NOW - HOUR, requestorID="OTHER", resourceID="OTHER"))
    v.refused("life-ahead-before-binding", "not yet valid, and for others", NOT_YET, "issued-in-future",
              at(NOW + HOUR, requestorID="OTHER", resourceID="OTHER"))
    v.refused("life-ahead-before-over", "ahead, and without life", NOT_YET, "issued-in-future", at(NOW + HOUR, ttl="0"))
