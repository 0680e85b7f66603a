# Part of fresh-machine.sh: what is claimed of the shipped files, inside of the system that was booted for it.
export LC_ALL=C DEBIAN_FRONTEND=noninteractive HOME=/root
held=0 broken=0
source /put/claim.sh
scenario=fresh-machine.sh
mkdir /run/scenario
cd /run/scenario || exit 1
cp /put/packages/*.deb .
examples=/usr/share/doc/mediatokend/examples
for folder in live/tnt trailers; do mkdir -p "/srv/media/$folder" && cp /put/hls/* "/srv/media/$folder"; done
rm -f /etc/nginx/sites-enabled/default

equals() { [[ $1 == "$2" ]] || { echo "  expected '$2', found '$1'"; return 1; }; }
# block FILE HEADING: the lines of the first code block after a heading.
block() { awk -v heading="$2" '$0 == heading { seen = 1 } seen && /^```/ { if (inside++) exit; next } inside' "$1"; }
token() { mediatoken issue --key /root/trial.private.pem --requestor REF30 --resource TNT --form base64; }
get() { curl -s -o body -w '%{http_code}' --max-time 30 -H "X-Media-Token: $1" "http://127.0.0.1:8080$2"; }
is_stream() { cmp -s body /put/hls/index.m3u8; }
# plays: the stream, once with one token.
plays() {
  local one segment
  one=$(token)
  equals "$(get "$one" /live/tnt/index.m3u8)" 200 && is_stream || return 1
  for segment in $(grep -v '^#' body); do
    equals "$(get "" "/live/tnt/$segment")" 200 && cmp -s body "/put/hls/$segment" || return 1
  done
  equals "$(get "$one" /live/tnt/index.m3u8)" 403 && equals "$(get "" /live/tnt/index.m3u8)" 401
}
answers() { for _ in $(seq 100); do [[ $(get "" /trailers/index.m3u8) == 200 ]] && return; sleep 0.1; done; return 1; }

prints() { bash -o pipefail -c "$2" </dev/null >"$1" 2>"$1.err"; }

# --- README's five commands ---

block /put/README.md "### Five commands" >commands
claim "README has five commands" equals "$(grep -c . commands)" 5
number=0
while IFS= read -r command; do
  number=$((number + 1))
  claim "command $number ends well" prints "out.$number" "$command"
done <commands
claim "the fifth prints the stream" cmp out.5 /put/hls/index.m3u8
[[ $broken -eq 0 ]] || { tail -n 20 out.*; journalctl --no-pager -n 30; }
claim "the stream plays, once with one token" plays
claim "the checks that the article names find nothing wrong: nginx" nginx -t -q
claim "and the daemon" mediatokend --check-config --config /etc/mediatoken/mediatokend.json
# What README shows after them: each command prints what is under it.
TOKEN=$(token)
export TOKEN
awk '/^```console$/ { seen = 1; next } seen && /^```/ { exit } seen' <(sed -n '/^### Five commands$/,$p' /put/README.md) >shown
while IFS= read -r line; do
  echo "$line"
  [[ $line != '$ '* ]] || bash -c "${line#\$ }" </dev/null
done < <(grep '^\$ ' shown) >printed
claim "and README's console prints what it shows" diff shown printed
claim "which is something" test "$(grep -c '^\$ ' shown)" -ge 6
# The heart of nginx's configuration, as README shows it, is in what is shipped.
squeezed() { sed 's/#.*//; s/^ *//; s/ *$//' "$1" | grep .; }
awk '/^```nginx$/ { seen = 1; next } seen && /^```/ { exit } seen' /put/README.md >heart
claim "README's lines of nginx's configuration are the shipped file's" \
  equals "$(grep -vxFf <(squeezed $examples/nginx/mediatoken.conf) <(squeezed heart))" ""
claim "which are some" test "$(squeezed heart | wc -l)" -ge 10
claim "the question that the article Proxies has for the night is answered" prints asked \
  "$(grep '^runuser -u www-data' /put/Proxies.md) || true"
claim "as it says" equals "$(head -n 1 asked)" INVALID_TOKEN_FORMAT
claim "the daemon is the unit's" equals "$(systemctl is-active mediatokend.service mediatokend.socket | sort -u)" active
claim "the socket is its group's" equals "$(stat -c '%U %G %a' /run/mediatokend/mediatokend.sock)" "mediatokend mediatokend 660"
claim "the configurations are those that are shipped" \
  sh -c "cmp $examples/nginx/mediatokend.json /etc/mediatoken/mediatokend.json && diff -r $examples/nginx /put/deploy/nginx"

# --- each shipped configuration, with its own proxy ---

# with PROXY FILE=PLACE...: puts its files into their places and starts both.
with() {
  local proxy=$1 file
  shift
  cp "$examples/$proxy/mediatokend.json" /etc/mediatoken/ || return 1
  for file; do cp "$examples/$proxy/${file%%=*}" "${file#*=}" || return 1; done
  systemctl restart mediatokend
}
systemctl stop nginx
claim "HAProxy's files, unchanged" with haproxy haproxy.cfg=/etc/haproxy/ mediatoken.lua=/etc/haproxy/
# HAProxy serves no files.
(cd /srv/media && exec python3 -m http.server --bind 127.0.0.1 8081 >/dev/null 2>&1) &
claim "its check finds nothing wrong" haproxy -c -q -f /etc/haproxy/haproxy.cfg
claim "Debian's unit starts it" systemctl restart haproxy
claim "it answers" answers
claim "the stream plays behind HAProxy" plays
claim "only its supervisor is root" equals \
  "$(for pid in $(pidof haproxy); do stat -c '%U:%G' "/proc/$pid"; done | sort | tr '\n' ' ')" "haproxy:mediatokend root:root "
systemctl stop haproxy
kill $!
claim "Caddy's files, unchanged" with caddy Caddyfile=/etc/caddy/
claim "and its user is let in" usermod -aG mediatokend caddy
claim "its check finds nothing wrong" eval 'caddy validate --config /etc/caddy/Caddyfile 2>validated'
claim "Debian's unit starts it" systemctl restart caddy
claim "it answers" answers
claim "the stream plays behind Caddy" plays
systemctl stop caddy
claim "Envoy's part for the daemon, unchanged" with envoy
claim "the daemon is ready with it" equals \
  "$(curl -sS --unix-socket /run/mediatokend/mediatokend.sock http://localhost/readyz)" '{"status":"ready"}'
echo "$scenario: $held claims hold, $broken do not"
