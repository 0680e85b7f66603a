#!/usr/bin/env bash
# The scrape configuration and the alert rules of deploy/prometheus: sound, silent just before what they are for, and each with its
# runbook. That each fires within 20 minutes, by the daemon's own metrics, and ends, is checked where its runbook is walked: runbooks.py,
# fleet-runbooks.py, database-runbooks.py. That the daemon exports every metric that a rule names is dashboard.py's.
source "$(dirname "$0")/../lib/scenario.sh"
needs promtool
rules=$repository/deploy/prometheus
cp "$rules"/*.yml "$here"/*.test.yml "$work"
cd "$work" || exit 1

check "the scrape configuration is sound" promtool check config prometheus.yml
check "the alert rules are sound" promtool check rules mediatoken.rules.yml
check "no alert fires before its time" promtool test rules alerts.test.yml alerts-of-days.test.yml
# anchors: those of the article's headings, as every reader of Markdown makes them. Those of reasons are daemon-articles.py's.
article=$repository/Sources/MediaTokenService/MediaTokenService.docc/Runbooks.md
anchors() { sed -n 's/^##* //p' "$article" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-'; }
without=$(awk '/- alert: / { if (alert) print alert; alert = $3 } /^ *runbook_url: / { alert = "" } END { print alert }' mediatoken.rules.yml)
check "every alert has a runbook of its own" equals "$without" ""
for anchor in $(sed -n 's|^ *runbook_url: "file:///usr/share/doc/mediatokend/Runbooks.md#\(.*\)"$|\1|p' mediatoken.rules.yml |
  grep -v 'labels'); do
  check "the article Runbooks has a section $anchor" grep -qx -- "$anchor" <(anchors)
done
finish
