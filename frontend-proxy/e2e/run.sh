#!/bin/sh
# Runs the end-to-end tests with the stock Python client in a separate environment. Arguments are
# passed to pytest: frontend-proxy/e2e/run.sh -k auth
#
# Tests that need dbt are skipped unless it is installed:
# frontend-proxy/e2e/venv.sh dbt requirements-dbt.txt
#
#   CORPUS        a folder of recorded metadata files to ingest beside the sample company
#   SEARCH_TRIES  number of writes that the next search must find, default 2000
#   TOKEN_TRIES   number of requests with revoked tokens, default 10000
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

venv=$("$here/venv.sh" e2e requirements.txt)

# The packages of dbt conflict with those of the client.
dbt=$("$here/venv.sh" dbt requirements-dbt.txt there) || {
	dbt=
	echo "e2e: dbt is not installed: its events of OpenLineage are left out" >&2
}

# The client stores settings and caches in the home directory, which is therefore an empty one.
home=$(mktemp -d "${TMPDIR:-/tmp}/e2e.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP
if [ -z "${CORPUS:-}" ]; then
	echo "e2e: CORPUS is not set: only the sample company is ingested, the recorded files are left out" >&2
else
	CORPUS=$(cd "$CORPUS" && pwd) # a folder that is not there ends the run
fi

cd "$here"
env -i PATH="$venv/bin:$PATH" HOME="$home" LANG=C.UTF-8 TMPDIR="${TMPDIR:-/tmp}" \
	DATAHUB_TELEMETRY_ENABLED=false PYTHONDONTWRITEBYTECODE=1 \
	CORPUS="${CORPUS:-}" SEARCH_TRIES="${SEARCH_TRIES:-2000}" TOKEN_TRIES="${TOKEN_TRIES:-10000}" BIN="$top/bin" DEMO="$top/deploy/demo" DBT_VENV="$dbt" \
	"$venv/bin/python" -m pytest -p no:cacheprovider -q -rs --durations=5 "$@"
