#!/usr/bin/env bash
# Every runbook of the article Operations, walked: each alert's state is brought about with the real daemon under a real systemd,
# as the Debian packages install it; what the article says is typed as it is written; and the alert's rule, fed with the daemon's
# own metrics from before, between and after, is silent, fires, and ends.
command -v promtool >/dev/null || { echo "promtool is missing"; exit 77; }
# A dozen walks, each with a restart or two and a table that is new for some seconds.
export LIMIT_SECONDS=1200
source "$(dirname "$0")/systemd/booted.sh"
cp "$scenarios/claim.py" "$scenarios"/systemd/{alerts,installed,runbooks}.py "$repository/deploy/mediatokend.sample.json" "$put"
echo 'dpkg -i /put/packages/mediatoken{,d}_*.deb >/put/install.txt 2>&1; exec python3 /put/runbooks.py' >"$put/inside.sh"
boot runbooks.sh
