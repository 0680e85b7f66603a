#!/usr/bin/env bash
# The disasters of a fleet whose hosts are daemons; options are those of disasters.py.
exec "$(dirname "$0")/disasters.py" --daemons "$@"
