#!/bin/sh
# Runs schemathesis against the OpenAPI documents of a service with the sample company. Responses
# with status 5xx or an undocumented status are failures, and so is a service that does not shut
# down cleanly.
#
#   FUZZ_EXAMPLES  generated requests per operation, default 5; more are generated for each
#                  parameter and its limits
#   FUZZ_TYPES     entity types of the third API version, as a regular expression. Every type
#                  has the same operations for each aspect, so a few types suffice
#   FUZZ_PHASES    phases of schemathesis, default coverage,fuzzing
#   FUZZ_SECONDS   repeats the requests of each document for this time; once by default
#   FUZZ_DOCUMENTS names of the documents, as a regular expression; default all
#   FUZZ_SEED      seed of the generated requests, default 1
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

venv=$("$here/venv.sh" fuzz requirements-fuzz.txt)

# schemathesis stores its findings in the working directory, which is therefore an empty one.
home=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP

cd "$home"
env -i PATH="$venv/bin:$PATH" HOME="$home" LANG=C.UTF-8 TMPDIR="${TMPDIR:-/tmp}" PYTHONDONTWRITEBYTECODE=1 \
	PYTHONPATH="$here" BIN="$top/bin" DEMO="$top/deploy/demo" \
	FUZZ_EXAMPLES="${FUZZ_EXAMPLES:-5}" FUZZ_TYPES="${FUZZ_TYPES:-tag|versionset|scroll}" FUZZ_SEED="${FUZZ_SEED:-1}" \
	FUZZ_PHASES="${FUZZ_PHASES:-coverage,fuzzing}" FUZZ_SECONDS="${FUZZ_SECONDS:-0}" FUZZ_DOCUMENTS="${FUZZ_DOCUMENTS:-.*}" \
	"$venv/bin/python" -m fuzz_openapi
