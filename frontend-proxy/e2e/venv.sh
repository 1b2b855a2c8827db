#!/bin/sh
# Prints the folder of a Python environment with the packages that a requirements file pins. It
# creates the environment once, in .cache: frontend-proxy/e2e/venv.sh e2e requirements.txt
# With "there" as the third argument it creates nothing and fails if the environment does not exist.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/.cache

pin=$(cksum <"$here/$2" | tr -c '0-9\n' -)
venv=$cache/$1-$pin
if [ "${3:-}" = there ]; then
	[ -e "$venv/complete" ] || exit 1
elif [ ! -e "$venv/complete" ]; then
	rm -rf "$venv"
	mkdir -p "$cache"
	python3 -m venv "$venv" >&2
	"$venv/bin/pip" install -q --disable-pip-version-check --cache-dir "$cache/pip" -r "$here/$2" >&2
	touch "$venv/complete"
fi
echo "$venv"
