#!/bin/bash
# Builds both images, starts docker-compose.yml with empty volumes, signs in, ingests the sample
# company, restarts, verifies that the data is still there, runs a source with the executor of the
# profile `ingestion`, and removes everything, also after a failure.
#
#   ENGINE   docker or podman                           (docker)
#   COMPOSE  docker compose or podman-compose           (docker compose)
#   READY    use binaries compiled on this machine for the images, and skip the executor
set -euo pipefail
cd "$(dirname "$0")/../.."

engine=${ENGINE:-docker}
read -ra compose <<<"${COMPOSE:-docker compose}"
export COMPOSE_PROJECT_NAME=cartulary-e2e-$$
export BIND=127.0.0.1
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export PORT
work=$(mktemp -d)
front=http://127.0.0.1:$PORT

finish() {
	code=$?
	trap - EXIT
	if [ "$code" != 0 ]; then project logs 2>&1 | grep -v "status\":200" | tail -40 >&2; fi
	project down -v >"$work/down.log" 2>&1 || cat "$work/down.log" >&2
	rm -rf "$work"
	exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

profile=()
project() { "${compose[@]}" "${profile[@]}" -p "$COMPOSE_PROJECT_NAME" "$@"; }

container() {
	"$engine" ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
		--filter "label=com.docker.compose.service=$1"
}

# await ACTION TEXT retries the command in its other arguments for a minute.
await() {
	local what=$1
	shift
	for _ in $(seq 120); do
		if "$@" >/dev/null 2>&1; then return; fi
		sleep 0.5
	done
	echo "compose: $what did not happen within a minute" >&2
	return 1
}

say() { printf 'compose: %s\n' "$*"; }

catalog() { curl -sS --fail -H "Authorization: Bearer $(cat "$work/token")" "$front/api/gms$1"; }

# entities lists the stored entities of some types, for comparison before and after the restart.
entities() {
	for type in dataset dashboard chart dataJob corpuser glossaryTerm tag; do
		printf '%s ' "$type"
		curl -sS --fail -H "Authorization: Bearer $(cat "$work/token")" -H 'Content-Type: application/json' \
			-d "{\"entity\":\"$type\",\"start\":0,\"count\":1000}" "$front/api/gms/entities?action=listUrns"
		echo
	done
}

say "build"
export VERSION=0.0.0-e2e COMMIT=0123456789abcdef0123456789abcdef01234567
flags="--network=host -q"
if [ -n "${READY:-}" ]; then
	# The folder replaces the build stage of the Dockerfiles.
	mkdir -p "$work/build/etc/ssl/certs" "$work/build/out/data/secrets"
	chmod -R 0700 "$work/build/out/data"
	cp /etc/ssl/certs/ca-certificates.crt "$work/build/etc/ssl/certs/"
	make build BIN="$work/build/out" VERSION="$VERSION" COMMIT="$COMMIT"
	flags="$flags --build-context build=$work/build"
fi
make images ENGINE="$engine" IMAGE_FLAGS="$flags" VERSION="$VERSION" COMMIT="$COMMIT"
for name in metadata-service frontend-proxy; do
	told=$("$engine" run --rm "cartulary/$name" --version)
	case $told in *"$VERSION (commit $COMMIT, "*) ;; *) say "the image $name tells the version $told" >&2; exit 1 ;; esac
done

say "up, from nothing"
project up -d
await "the proxy answering" curl -sS --fail "$front/health"
await "the service answering through the proxy" curl -sS --fail "$front/api/gms/config"

say "only the proxy is published"
published=$("$engine" port "$(container metadata-service)")
[ -z "$published" ] || { say "the metadata service is published: $published" >&2; exit 1; }

say "sign in with the password of the first start"
"$engine" cp "$(container metadata-service):/data/initial-admin-password" "$work/password"
python3 - "$work/password" >"$work/login" <<'PY'
import json, pathlib, sys
print(json.dumps({"username": "datahub", "password": pathlib.Path(sys.argv[1]).read_text().strip()}))
PY
curl -sS --fail -c "$work/cookies" -H 'Content-Type: application/json' -d @"$work/login" "$front/logIn"
grep -q PLAY_SESSION "$work/cookies"
curl -sS --fail -b "$work/cookies" "$front/api/gms/entitiesV2/urn%3Ali%3Acorpuser%3Adatahub" | grep -q corpUserInfo

say "ingest the sample company"
"$engine" exec "$(container metadata-service)" /metadata-service token create \
	--actor urn:li:corpuser:datahub --name compose --duration ONE_DAY >"$work/token"
CARTULARY_TOKEN=$(cat "$work/token") "$engine" run --rm --network=host -e CARTULARY_TOKEN -v "$PWD/deploy/demo:/demo:ro" \
	cartulary/metadata-service import --server "$front/api/gms" /demo
entities >"$work/before"
grep -q urn:li:dataset "$work/before"

say "restart, with new containers on the same volumes"
project down >/dev/null
project up -d
await "the service answering after the restart" catalog /config
await "the token being accepted after the restart" catalog /entitiesV2/urn%3Ali%3Acorpuser%3Adatahub
entities >"$work/after"
diff "$work/before" "$work/after"

say "healthy by their own health checks"
"$engine" exec "$(container metadata-service)" /metadata-service health
"$engine" exec "$(container frontend-proxy)" /frontend-proxy health
if [ -n "${READY:-}" ]; then
	say "passed, without the executor"
	exit 0
fi

say "run an ingestion source, by the executor of the profile ingestion"
"$engine" build --network=host -q -t cartulary/executor -f deploy/docker/executor.Dockerfile .
EXECUTOR_TOKEN=$(cat "$work/token")
export EXECUTOR_TOKEN
profile=(--profile ingestion)
project up -d
executor=$(container executor)
cat >"$work/orders.json" <<'JSON'
[{"entityType": "tag", "entityUrn": "urn:li:tag:compose", "changeType": "UPSERT", "aspectName": "tagProperties",
  "aspect": {"json": {"name": "By the executor"}}}]
JSON
echo 'source: {type: file, config: {path: "/var/lib/executor/${orders_file}"}}' >"$work/recipe.yml"
for file in orders.json recipe.yml; do "$engine" cp "$work/$file" "$executor:/var/lib/executor/$file"; done

# ask sends a GraphQL operation and prints a member of its data.
ask() {
	python3 - "$1" "$2" >"$work/operation" <<'PY'
import json, sys
print(json.dumps({"query": sys.argv[1], "variables": json.loads(sys.argv[2])}))
PY
	curl -sS --fail -H "Authorization: Bearer $(cat "$work/token")" -H 'Content-Type: application/json' -d @"$work/operation" "$front/api/graphql" >"$work/answer"
	python3 - "$3" "$work/answer" <<'PY'
import json, pathlib, sys
answer = json.loads(pathlib.Path(sys.argv[2]).read_text())
if answer.get("errors"):
    sys.exit(f"compose: {answer['errors']}")
found = answer["data"]
for name in sys.argv[1].split("."):
    found = (found or {}).get(name)
print(found or "")
PY
}
status() { ask 'query($u: String!) { executionRequest(urn: $u) { result { status } } }' "{\"u\": \"$run\"}" executionRequest.result.status; }
ended() { case $(status) in SUCCESS | FAILURE) ;; *) return 1 ;; esac }

ask 'mutation($i: CreateSecretInput!) { createSecret(input: $i) }' '{"i": {"name": "orders_file", "value": "orders.json"}}' createSecret >/dev/null
source=$("$engine" exec "$executor" datahub ingest deploy -n orders -c /var/lib/executor/recipe.yml --cli-version native 2>/dev/null | grep -o 'urn:li:dataHubIngestionSource:[^'"'"']*' | tail -1)
run=$(ask 'mutation($i: CreateIngestionExecutionRequestInput!) { createIngestionExecutionRequest(input: $i) }' "{\"i\": {\"ingestionSourceUrn\": \"$source\"}}" createIngestionExecutionRequest)
await "the executor running the source" ended || await "the executor running the source, on a busy machine" ended
ask 'query($u: String!) { executionRequest(urn: $u) { result { report } } }' "{\"u\": \"$run\"}" executionRequest.result.report >"$work/report"
[ "$(status)" = SUCCESS ] || { cat "$work/report" >&2; exit 1; }
grep -q "Pipeline finished successfully" "$work/report"
catalog /entitiesV2/urn%3Ali%3Atag%3Acompose | grep -q "By the executor"
"$engine" logs "$executor" >"$work/executor.log" 2>&1
if grep -qF -e "$EXECUTOR_TOKEN" -e orders.json "$work/executor.log" "$work/report"; then
	say "the log of the executor tells a secret" >&2
	exit 1
fi
say "passed"
