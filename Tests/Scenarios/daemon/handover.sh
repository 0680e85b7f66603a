#!/usr/bin/env bash
# What the daemon exchanges used tokens for, checked by other people's code: see handover.py.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=$("$here/../../../tools/install-from-pypi" handover "$here/../../Fixtures/handover/requirements.txt") ||
  { echo "$programs"; exit 77; }
exec "$programs/python" -B "$here/handover.py"
