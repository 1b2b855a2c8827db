#!/bin/sh
# Sends the sample company to the catalog that `make run` started, with its times
# moved so that the newest of them is now.
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

# Otherwise done once a day: searches and the start then know what is used most.
bin/metadata-service ops compute-features --data-dir "$data" >/dev/null
