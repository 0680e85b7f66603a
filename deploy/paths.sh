# Sourced by install and uninstall: where things go, and what can be chosen in the environment.
#
#   PREFIX=/usr/local     programs, and the files that systemd reads
#   SYSCONFDIR=/etc       configuration and keys, in mediatoken/
#   STATEDIR=/var/lib     the replay table, in mediatoken/
#   RUNDIR=/run           the socket, in mediatokend/
#   DESTDIR=              what is put in front of each when files are written, for packages; the programs do not look there
PREFIX=${PREFIX:-/usr/local}
SYSCONFDIR=${SYSCONFDIR:-/etc}
STATEDIR=${STATEDIR:-/var/lib}
RUNDIR=${RUNDIR:-/run}
DESTDIR=${DESTDIR:-}

for place in "$PREFIX" "$SYSCONFDIR" "$STATEDIR" "$RUNDIR" ${DESTDIR:+"$DESTDIR"}; do
  # They are written into JSON and units as they are.
  [[ $place =~ ^/[A-Za-z0-9._/+-]*$ ]] || {
    echo "${0##*/}: expected an absolute path of letters, digits and . _ - + /, found $place" >&2
    exit 2
  }
done

PROGRAMS=(bin/mediatoken sbin/mediatokend)
# The units know /var/lib and /run only by the names that systemd has for them.
UNITS=(
  systemd/mediatokend.service:lib/systemd/system/mediatokend.service
  systemd/mediatokend.socket:lib/systemd/system/mediatokend.socket
  systemd/mediatokend-metrics.socket:lib/systemd/system/mediatokend-metrics.socket
  systemd/mediatokend.sysusers.conf:lib/sysusers.d/mediatokend.conf
  systemd/mediatokend.tmpfiles.conf:lib/tmpfiles.d/mediatokend.conf
)
SAMPLE=share/doc/mediatoken/mediatokend.sample.json
# What is linked into the programs is passed on only with its licences: ours, and those of the rest.
LICENCES=(../LICENSE:share/doc/mediatoken/LICENSE ../debian/copyright:share/doc/mediatoken/copyright)
# What programs read: the settings' JSON Schema and the OpenAPI documents of the endpoints and of the inspector.
DESCRIPTIONS=(mediatokend.schema.json:share/mediatoken/mediatokend.schema.json
  ../Sources/MediaTokenService/openapi.yaml:share/mediatoken/openapi.yaml
  ../Sources/MediaTokenService/inspector.yaml:share/mediatoken/inspector.yaml)
# What helps at a terminal: FILE:PLACE, as for units. mediatoken.3 comes with the library.
HELP=()
for page in "$deploy"/../manual/*.[158]; do
  HELP+=("../manual/${page##*/}:share/man/man${page##*.}/${page##*/}")
done
# Debian's zsh looks for what packages bring in one folder, and for what an administrator installs in another.
[[ $PREFIX == /usr ]] && zsh=share/zsh/vendor-completions || zsh=share/zsh/site-functions
for program in mediatoken mediatokend; do
  HELP+=("completions/$program.bash:share/bash-completion/completions/$program" "completions/_$program:$zsh/_$program"
    "completions/$program.fish:share/fish/vendor_completions.d/$program.fish")
done
CONFIGURATION=$SYSCONFDIR/mediatoken/mediatokend.json

has_units() { [[ $STATEDIR == /var/lib && $RUNDIR == /run ]]; }

# adapted FILE: the file with our paths in place of the usual ones.
adapted() {
  sed -e "s|/usr/sbin/mediatokend|$PREFIX/sbin/mediatokend|g" -e "s|/etc/mediatoken|$SYSCONFDIR/mediatoken|g" \
    -e "s|/usr/share/mediatoken|$PREFIX/share/mediatoken|g" -e "s|/var/lib/mediatoken|$STATEDIR/mediatoken|g" -e "s|/run/mediatokend|$RUNDIR/mediatokend|g" "$1"
}
