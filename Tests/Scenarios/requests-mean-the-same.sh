#!/usr/bin/env bash
# A request that the daemon's reader accepts means the same to other readers of HTTP.
#
#   requests-mean-the-same.sh [--long]
exec "$(dirname "$0")/../HTTPWitness/run" "$@"
