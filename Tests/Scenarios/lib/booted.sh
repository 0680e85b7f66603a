# Sourced after scenario.sh by scenarios that need a real systemd: it boots in namespaces of its own, on an overlay of this
# machine's root, and leaves nothing on the machine.
#
# Outside, a scenario puts what it needs into $put, which is /put inside. The packages are in /put/packages, and all
# scenarios in /put/Scenarios. `boot` then runs the same scenario once more, inside, and ends with what came of it.
is_inside() { [[ ${INSIDE:-} == yes ]]; }
if is_inside; then
  put=/put
  return
fi

: "${MEDIATOKEN_PACKAGES:?expected the folder of the packages in MEDIATOKEN_PACKAGES}"
[[ $(id -u) -eq 0 ]] || skip "only root can make namespaces to boot systemd in"
needs unshare runuser useradd curl python3 dpkg /lib/systemd/systemd
compgen -G "$MEDIATOKEN_PACKAGES/mediatokend_*.deb" >/dev/null || skip "there are no packages in $MEDIATOKEN_PACKAGES"
put=$work/put
mkdir -p "$work/root" "$work/upper" "$put/packages"
apart=(unshare --mount bash "$scenarios/lib/apart.sh" "$work")
"${apart[@]}" try >"$work/try.txt" 2>&1 || skip "no namespaces to boot systemd in: $(tail -n 1 "$work/try.txt")"
cp "$MEDIATOKEN_PACKAGES"/*.deb "$put/packages"
cp -r "$scenarios" "$put/Scenarios"
# A key to sign with, and the one to trust.
"$MEDIATOKEN" keys generate --out "$put" --name ours >/dev/null

boot() {
  local status=0
  "${apart[@]}" boot "$scenario" >"$work/console.txt" 2>&1 || status=$?
  grep -v '^Powering off' "$put/out.txt" 2>/dev/null || true
  finished=yes
  # The last line counts the checks, and only a scenario that came to its end writes it.
  grep -qE "^${scenario%.*}\.(sh|py): [1-9][0-9]* checks hold, 0 do not\$" "$put/out.txt" 2>/dev/null && exit 0
  tail -n 20 "$work/console.txt"
  echo "$scenario: failed; systemd ended with $status"
  exit 1
}
