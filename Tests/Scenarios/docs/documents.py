#!/usr/bin/env -S python3 -B
"""What the articles show is true: the fleet prints what is shown, except for what is new in every run, and the fleet's articles show
what their commands compute. Their blocks in Swift and C, and README's, compile as they are printed, for a stranger who uses the
library. What README prints and what its blocks do is readme.py's.
"""
import sys

sys.path[1:1] = [sys.path[0] + "/../lib", sys.path[0] + "/documents"]

import compiled
import printed
from pages import Page, README
from scenario import ROOT, finish

deployment = Page(ROOT / "Sources/MediaToken/MediaToken.docc/Deployment.md")
for number in (1, 2):
    printed.fleet(deployment, number)
printed.computed()
compiled.c()
compiled.swift(Page(README))
compiled.server_is_run()
finish()
