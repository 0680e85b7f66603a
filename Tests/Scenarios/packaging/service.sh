# Sourced inside the machine by scenarios of a daemon that is installed as packages and runs under systemd.
socket=/run/mediatokend/mediatokend.sock
configuration=/etc/mediatoken/mediatokend.json
table=/var/lib/mediatoken/replay.table

is() { equals "$(systemctl show --value -p "$1" mediatokend)" "$2"; }
pid() { systemctl show --value -p MainPID mediatokend; }
# journal_has PATTERN [OPTION...]: waits until the daemon's journal has a line with it, which may be written after what it tells of.
journal_has() { awaits 60 has_line "$@" || { journalctl --no-pager -o cat -u mediatokend -n 20 "${@:2}"; return 1; }; }
has_line() { grep -qE -- "$1" <(journalctl --no-pager -o cat -u mediatokend "${@:2}"); }
get() { curl -sS --max-time 60 --unix-socket "$socket" "http://localhost$1"; }
query() { answers "$1" "$2" query --socket "$socket" --timeout 60000 --requestor REF30 --resource TNT - <token; }

# asks_meanwhile: asks one question after another in the background, until `stops_asking`. How many there were is in $asked
# then, and how many found no answer in $failed.
#
# A question that curl could not send (55), and that took it a second or more, is not counted: a daemon that ends waits no longer
# for a connection to ask, and the caller knows that nothing was asked.
asks_meanwhile() {
  rm -f enough
  : >answers
  (
    asked=0 failed=0
    while [[ ! -e enough ]]; do
      status=0
      seconds=$(curl -s -o /dev/null -w '%{time_total}' --max-time 60 --unix-socket "$socket" http://localhost/livez) || status=$?
      [[ $status -ne 55 || ${seconds%.*} -lt 1 ]] || continue
      [[ $status -eq 0 ]] || failed=$((failed + 1))
      asked=$((asked + 1))
      printf . >>answers
    done
    echo "$asked $failed" >asked.txt
  ) &
  asker=$!
}
# has_asked COUNT: so many questions have ended.
has_asked() { [[ $(stat -c %s answers) -ge $1 ]]; }
stops_asking() {
  touch enough
  wait "$asker"
  read -r asked failed <asked.txt
}
