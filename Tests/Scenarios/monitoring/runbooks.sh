#!/usr/bin/env bash
# Walks through every runbook of the article Runbooks: provokes the state of each alert with the real daemon under a real systemd,
# as the Debian packages install it; types what the article says; and checks that the rule of the alert, fed with the daemon's own
# metrics from before, between and after, is silent, fires, and ends.
source "$(dirname "$0")/../lib/scenario.sh"
source "$scenarios/lib/booted.sh"
needs promtool
if ! is_inside; then
  cp "$repository/deploy/mediatokend.sample.json" "$put"
  boot
fi

dpkg -i /put/packages/mediatoken{,d}_*.deb >"$work/install.txt" 2>&1
exec python3 -B "$here/runbooks.py"
