#!/usr/bin/env -S python3 -B
"""What README shows is true: the tour and the daemon that is tried print it, except for what is new in every run, and its blocks in
Swift and C are compiled as they are printed, and run. A block of README or of the tour's article that nothing here runs or compares
is an error.

MEDIATOKEN_BUILT is the folder in which Tests/run has built all modules; default: .build/debug.
"""
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

import compiled
import printed
from pages import Page, README
from scenario import ROOT, check, finish

readme = Page(README)
article = Page(ROOT / "Sources/mediatoken/mediatoken.docc/Tour.md")
printed.two_commands(readme)
printed.tour(readme, article)
printed.trial(readme)
compiled.c_is_run(readme)
compiled.swift_is_run(readme)
# documents.py makes a package of it.
readme.block("In Swift", 2)
for page in (readme, article):
    check(f"every block of {page.name} is run or compared", list(page) and not page.wrong(), page.wrong())
finish()
