#!/usr/bin/env bash
# The control: under the same disasters the usual answer, SET NX PX by majority, grants tokens twice, and disasters.py finds it.
exec "$(dirname "$0")/disasters.py" --control "$@"
