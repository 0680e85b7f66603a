#!/usr/bin/env -S python3 -B
"""What README and the articles show is true.

The tour, the daemon that is tried and the fleet print what is shown, except for what is new in every run; the fleet's articles show what
their commands compute. Blocks in Swift and C compile, as they are printed, for a stranger who uses the library, and README's are
run. A block of README or of the tour's article that nothing here runs or compares is an error.
"""
import os
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

import compiled
import printed
from pages import Page, README
from scenario import ROOT, check, finish

if not os.environ.get("MEDIATOKEN_LIBRARY"):
    sys.exit("expected the folder in which the library is installed (DESTDIR) in MEDIATOKEN_LIBRARY")

readme = Page(README)
article = Page(ROOT / "Sources/mediatoken/mediatoken.docc/Tour.md")
printed.two_commands(readme)
printed.tour(readme, article)
printed.trial(readme)
printed.fleet(Page(ROOT / "Sources/MediaTokenFleet/MediaTokenFleet.docc/Deployment.md"))
printed.consoles()
compiled.c(readme)
compiled.swift(readme)
for page in (readme, article):
    check(f"every block of {page.name} is run or compared", list(page) and not page.wrong(), page.wrong())
finish()
