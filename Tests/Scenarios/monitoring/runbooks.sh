#!/usr/bin/env bash
# Every runbook of the article Operations, walked: each alert's state is brought about with the real daemon under a real systemd,
# as the Debian packages install it; what the article says is typed as it is written; and the alert's rule, fed with the daemon's
# own metrics from before, between and after, is silent, fires, and ends.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"
needs promtool
# A dozen walks, each with a restart or two and a table that is new for some seconds.
export LIMIT_SECONDS=1200
if ! is_inside; then
  cp "$repository/deploy/mediatokend.sample.json" "$put"
  boot
fi

dpkg -i /put/packages/mediatoken{,d}_*.deb >"$work/install.txt" 2>&1
exec python3 -B "$here/runbooks.py"
