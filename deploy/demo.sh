#!/bin/sh
# Imports the sample company into the catalog that `make run` started. All times are shifted so that
# the newest one is now.
set -eu
cd "$(dirname "$0")/.."

data=${DATA_DIR:-data}
token=$(mktemp)
trap 'rm -f "$token"' EXIT
trap 'exit 1' INT TERM HUP

CARTULARY_DATA_DIR=$data bin/metadata-service token create \
	--actor urn:li:corpuser:datahub --name demo --duration ONE_DAY >"$token"
bin/metadata-service import --server "http://${PROXY_LISTEN:-127.0.0.1:9002}/api/gms" \
	--token-file "$token" --shift-to-now deploy/demo

# The service computes usage once a day. Searches and the home page need it now.
bin/metadata-service ops compute-features --data-dir "$data" >/dev/null
