#!/usr/bin/env bash
# The scrape configuration and the alert rules of deploy/prometheus: sound, and every alert fires at what it is for and is
# silent before. Every metric that a rule names is one that the daemon exports.
source "$(dirname "$0")/../lib/scenario.sh"
needs promtool python3 redis-server psql
rules=$repository/deploy/prometheus
cp "$rules"/*.yml "$here"/*.test.yml "$work"
cd "$work" || exit 1

check "the scrape configuration is sound" promtool check config prometheus.yml
check "the alert rules are sound" promtool check rules mediatoken.rules.yml
check "every alert fires in time and not before" promtool test rules alerts.test.yml alerts-of-days.test.yml
check "every alert is tested" diff \
  <(sed -n 's/.*- alert: //p' mediatoken.rules.yml | sort) \
  <(grep -o 'alertname="MediaToken[A-Za-z]*"' alerts.test.yml | cut -d'"' -f2 | sort -u)

# anchors: those of the article's headings, as every reader of Markdown makes them.
article=$repository/Sources/MediaTokenService/MediaTokenService.docc/Operations.md
anchors() { sed -n 's/^##* //p' "$article" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-'; }
without=$(awk '/- alert: / { if (alert) print alert; alert = $3 } /^ *runbook_url: / { alert = "" } END { print alert }' mediatoken.rules.yml)
check "every alert has a runbook of its own" equals "$without" ""
reasons=$(sed -n 's/^  case \([a-z][A-Za-z]*\)\( = "\(.*\)"\)\{0,1\}$/\3 \1/p' \
  "$repository/Sources/MediaTokenService/Observing/UnreadyReason.swift" | awk '{ print $1 }')
check "the source has reasons not to be ready" test "$(wc -w <<<"$reasons")" -ge 10
for anchor in $(sed -n 's|^ *runbook_url: "file:///usr/share/doc/mediatokend/Operations.md#\(.*\)"$|\1|p' mediatoken.rules.yml |
  grep -v 'labels') $reasons; do
  check "the article Operations has a section $anchor" grep -qx -- "$anchor" <(anchors)
done

openssl req -x509 -newkey rsa:2048 -nodes -keyout private.pem -out key.pem -days 9 -subj /CN=issuer 2>/dev/null
# One daemon with a table, one whose fleet is a single Redis, and one on a database: each exports what the others have not.
redis-server --port 0 --unixsocket "$work/seat" --save "" --appendonly no >seat.log 2>&1 &
awaits 60 listens seat
serves() {
  printf '{"socket": {"path": "%s.sock"}, "keys": ["key.pem"], "tenants": [{"requestor": "REF30"}], "replay": {"address": "%s"}}' "$@" >"$1.json"
  "$MEDIATOKEND" --config "$1.json" 2>"$1.log" &
}
serves daemon "shared:replay.table?capacity=100"
serves fleet "redis:test@$work/seat"
awaits 60 listens daemon.sock
awaits 60 listens fleet.sock
scrape() {
  python3 - "$1" <<'PY'
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    connection.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
sys.stdout.write(answer.split(b"\r\n\r\n", 1)[1].decode())
PY
}
scrape daemon.sock >metrics
# Its daemon may listen before it has spoken with the seat, of which it then tells less.
is_told() { scrape fleet.sock >metrics-of-a-fleet && grep -q '^mediatoken_fleet_seat_vouches_from_seconds{' metrics-of-a-fleet; }
check "the metrics of a fleet tell of its seat" awaits 60 is_told
check "promtool takes the metrics of a table" promtool check metrics <metrics
check "promtool takes the metrics of a fleet" promtool check metrics <metrics-of-a-fleet
ask_database() { python3 -B "$here/database_daemon.py" >metrics-of-a-database; }
check "the metrics of a database can be had" ask_database
check "promtool takes the metrics of a database" promtool check metrics <metrics-of-a-database
check "a fleet without a database has no metrics of one" equals 0 "$(grep -c -e seat_attended -e grace_seconds metrics-of-a-fleet)"
check "a daemon without a fleet has no metrics of one" equals 0 "$(grep -c mediatoken_fleet metrics)"
for metric in $(grep -o 'mediatoken_[a-z_]*' mediatoken.rules.yml | sort -u); do
  check "the daemon exports $metric" grep -q "^$metric[{ ]" metrics metrics-of-a-fleet metrics-of-a-database
done
check "the metrics tell a certificate's date to the second" \
  grep -q "^mediatoken_key_not_after_timestamp_seconds{.*} $(date -d "$(openssl x509 -in key.pem -noout -enddate | cut -d= -f2)" +%s)$" metrics
finish
