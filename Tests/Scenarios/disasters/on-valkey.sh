#!/usr/bin/env bash
# The disasters of a fleet, on Valkey; options are those of disasters.py.
set -u -o pipefail
here=$(dirname "$0")
server=$("$here/install-valkey") || { echo "$server"; exit 77; }
MEDIATOKEN_NODE_SERVER=$server exec "$here/disasters.py" "$@"
