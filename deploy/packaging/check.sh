#!/usr/bin/env bash
# Installs the deb package of this machine's architecture into a temporary root folder, checks the
# installed files, starts the service as its user, and upgrades, removes and purges the package. It
# changes nothing outside of that folder and needs no network.
#
#   check.sh FOLDER      the folder with the packages made by dist.sh
set -euo pipefail
[ $# = 1 ] || { echo "usage: check.sh FOLDER" >&2; exit 2; }
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin

skip() { echo "!!! SKIPPED: installing the deb package: $1" >&2; exit 0; }
[ "$(id -u)" = 0 ] || skip "chroot needs root"
needed="sh getent groupadd useradd dpkg dpkg-deb dpkg-split tar rm rmdir diff ldconfig start-stop-daemon"
for tool in chroot $needed; do
	command -v "$tool" >/dev/null || skip "$tool is missing"
done
arch=$(dpkg --print-architecture)
package=$(find "$1" -name "cartulary_*_$arch.deb" -print -quit)
[ -n "$package" ] || skip "$1 holds no package for $arch"

work=$(mktemp -d)
service=
finish() {
	code=$?
	trap - EXIT
	if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; fi
	rm -rf "$work"
	exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP
fail() { echo "check.sh: $*" >&2; exit 1; }
say() { printf 'package: %s\n' "$*"; }

# The root folder holds the programs that dpkg and the package scripts need, with their libraries.
# dpkg runs inside it, because it looks up users and groups in the root in which it runs.
root=$work/root
mkdir -p "$root"/{etc,proc,dev,tmp,var/lib/dpkg/{info,updates,triggers,alternatives},var/log,run}
chmod 1777 "$root/tmp"
touch "$root/dev/null"
for program in $needed; do
	file=$(readlink -f "$(command -v "$program")")
	install -D "$file" "$root/usr/bin/$program"
	for library in $(ldd "$file" 2>/dev/null | grep -o '/[^ ]*'); do install -D "$library" "$root$library"; done
done
ln -s usr/bin "$root/bin"
ln -s usr/bin "$root/sbin"
mkdir -p "$root/usr/sbin" && touch "$root/usr/sbin/nologin"
echo "root:x:0:0:root:/root:/bin/sh" >"$root/etc/passwd"
echo "root:x:0:" >"$root/etc/group"
touch "$root/etc/shadow" "$root/etc/gshadow" "$root/var/lib/dpkg/available"
printf 'passwd: files\ngroup: files\nshadow: files\n' >"$root/etc/nsswitch.conf"
if [ -f /etc/login.defs ]; then cp /etc/login.defs "$root/etc/"; fi
cat >"$root/var/lib/dpkg/status" <<STATUS
Package: passwd
Status: install ok installed
Maintainer: none
Architecture: $arch
Version: 1
Description: provided by this root

STATUS
manage() { env -i PATH=/usr/bin:/usr/sbin DEBIAN_FRONTEND=noninteractive chroot "$root" dpkg "$@" >"$work/said" 2>&1 </dev/null || { cat "$work/said" >&2; fail "dpkg $*"; }; }
owner() { stat -c '%a %u' "$root$1"; }
there() { for path in "$@"; do [ -e "$root$path" ] || fail "$path does not exist"; done; }
gone() { for path in "$@"; do [ ! -e "$root$path" ] || fail "$path still exists"; done; }

say "installed"
cp "$package" "$root/tmp/package.deb"
manage --install /tmp/package.deb
there /usr/share/doc/cartulary/{LICENSE,README.md,CHANGELOG.md,operations.md,alerts.yaml,cartulary.json}
user=$(awk -F: '$1 == "cartulary" {print $3}' "$root/etc/passwd")
group=$(awk -F: '$1 == "cartulary" {print $3}' "$root/etc/group")
[ -n "$user" ] && [ -n "$group" ] || fail "the user or group cartulary does not exist"
release=$(dpkg-deb --field "$package" Version)
for program in metadata-service frontend-proxy; do
	there "/usr/bin/$program" "/usr/lib/systemd/system/cartulary-$program.service" "/usr/share/man/man1/$program.1.gz" \
		"/usr/share/bash-completion/completions/$program" "/usr/share/zsh/vendor-completions/_$program" "/usr/share/fish/vendor_completions.d/$program.fish"
	[ "$(owner "/usr/bin/$program")" = "755 0" ] || fail "/usr/bin/$program: mode and owner are $(owner "/usr/bin/$program")"
	config=/etc/cartulary/$program.yaml
	[ "$(stat -c '%a %u %g' "$root$config")" = "640 0 $group" ] || fail "$config: mode, owner and group are $(stat -c '%a %u %g' "$root$config")"
	version=$(chroot "$root" "/usr/bin/$program" --version)
	case $version in *"${release#0.0.0~} (commit "*) ;; *) fail "$program of the package $release reports the version $version" ;; esac
	if command -v man >/dev/null; then
		man --local-file "$root/usr/share/man/man1/$program.1.gz" 2>"$work/said" | grep -q "$program" || fail "the manual page of $program is invalid: $(cat "$work/said")"
	fi
	bash --norc -c ". '$root/usr/share/bash-completion/completions/$program' && complete -p $program" >/dev/null || fail "the bash completion of $program is invalid"
done

if command -v systemd-analyze >/dev/null; then
	say "units verified"
	systemd-analyze verify --root="$root" --man=no --recursive-errors=no "$root"/usr/lib/systemd/system/cartulary-*.service >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "the systemd units are invalid"; }
fi

say "started as user cartulary, with the configuration of the package"
mkdir -m 700 "$root/var/lib/cartulary"
chown "$user:$group" "$root/var/lib/cartulary"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
inside=(env -i "PATH=$PATH" "CARTULARY_LISTEN=127.0.0.1:$port" CARTULARY_DATA_DIR=/var/lib/cartulary chroot "--userspec=$user:$group" "$root")
"${inside[@]}" /usr/bin/metadata-service --config /etc/cartulary/metadata-service.yaml >"$work/log" 2>&1 &
service=$!
for _ in $(seq 150); do
	if "${inside[@]}" /usr/bin/metadata-service health >/dev/null 2>&1; then break; fi
	kill -0 "$service" 2>/dev/null || { cat "$work/log" >&2; fail "the service ended"; }
	sleep 0.1
done
"${inside[@]}" /usr/bin/metadata-service health || { cat "$work/log" >&2; fail "the service is not healthy"; }
kill "$service"
wait "$service" || { cat "$work/log" >&2; fail "the service did not stop cleanly"; }
service=
there /var/lib/cartulary/catalog.db

# again VERSION [TEXT] builds the package again with another version, and with a comment TEXT in the
# default configuration.
again() {
	rm -rf "$work/next"
	dpkg-deb --raw-extract "$package" "$work/next"
	sed -i "s/^Version: .*/Version: $1/" "$work/next/DEBIAN/control"
	if [ -n "${2:-}" ]; then echo "# $2" >>"$work/next/etc/cartulary/metadata-service.yaml"; fi
	dpkg-deb -Znone --build "$work/next" "$root/tmp/next.deb" >/dev/null
}
say "upgraded, with a changed configuration"
echo "# changed by the operator" >>"$root/etc/cartulary/metadata-service.yaml"
again 999
manage --install /tmp/next.deb
grep -q "changed by the operator" "$root/etc/cartulary/metadata-service.yaml" || fail "the upgrade replaced the configuration of the operator"
again 1000 "a new default"
manage --force-confdef --install /tmp/next.deb
grep -q "changed by the operator" "$root/etc/cartulary/metadata-service.yaml" || fail "a new default configuration replaced that of the operator"
grep -q "a new default" "$root/etc/cartulary/metadata-service.yaml.dpkg-dist" || fail "the new default configuration is missing"
there /var/lib/cartulary/catalog.db

say "removed: configuration and data stay"
manage --remove cartulary
gone /usr/bin/metadata-service /usr/lib/systemd/system/cartulary-metadata-service.service
there /etc/cartulary/metadata-service.yaml /var/lib/cartulary/catalog.db

say "purged: only the user stays"
manage --purge cartulary
gone /etc/cartulary /var/lib/cartulary /usr/share/doc/cartulary
grep -q ^cartulary: "$root/etc/passwd" || fail "the user was removed, so another user could get its number"
