#!/usr/bin/env bash
# Builds the archives, packages, bills of materials and checksums of a release. The result is
# byte-identical for the same commit, version and Go release.
#
#   dist.sh FOLDER      output folder; files of an earlier run are removed first
#   VERSION, COMMIT     version and commit that the binaries report
#   PLATFORMS           platforms to build for, such as "linux/amd64 darwin/arm64"
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C TZ=UTC GOWORK=off CGO_ENABLED=0

[ $# = 1 ] || { echo "usage: dist.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=${VERSION:-dev} commit=${COMMIT:-unknown}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64}
programs="metadata-service frontend-proxy"
# The version of a package must begin with a digit. ~ sorts before the first release.
case $version in [0-9]*) package_version=$version ;; *) package_version="0.0.0~$version" ;; esac
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rm -f "$out"/cartulary[-_]* "$out"/*.cdx.json "$out"/SHA256SUMS
release=github.com/cartulary/cartulary/pkg/release
build() { # GOOS GOARCH PROGRAM FILE
	(cd "$3" && GOOS=$1 GOARCH=$2 GOFLAGS= go build -trimpath -buildvcs=false \
		-ldflags "-s -w -buildid= -X $release.version=$version -X $release.commit=$commit" -o "$4" .)
}
tool() { (cd deploy/packaging && GOFLAGS= go build -trimpath -buildvcs=false -o "$work/$1" "$2"); }
tool nfpm github.com/goreleaser/nfpm/v2/cmd/nfpm
tool sbom ./sbom

# Files that are the same for all platforms. The programs write most of them, with an empty
# environment: otherwise variables of this shell would appear in the texts as defaults.
common=$work/common
mkdir -p "$common"/{man,completion/bash,completion/zsh,completion/fish,config,systemd,doc}
for program in $programs; do
	build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$program" "$work/$program"
	say() { env -i SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$work/$program" "$@"; }
	say man "$common/man"
	say completion bash >"$common/completion/bash/$program"
	say completion zsh >"$common/completion/zsh/_$program"
	say completion fish >"$common/completion/fish/$program.fish"
	"$work/sbom" "$work/$program" "$version" >"$out/$program.cdx.json"
	cp "deploy/config/$program.yaml" "$common/config/"
	cp "deploy/systemd/cartulary-$program.service" "$common/systemd/"
done
gzip -9n "$common"/man/*.1
cp LICENSE README.md CHANGELOG.md SECURITY.md docs/operations.md deploy/prometheus/alerts.yaml deploy/prometheus/prometheus.yaml \
	deploy/grafana/cartulary.json "$common/doc/"

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/}
	name=cartulary-$version-$os-$arch
	stage=$work/$name
	mkdir -p "$stage/bin"
	for program in $programs; do build "$os" "$arch" "$program" "$stage/bin/$program"; done
	cp -r "$common"/* "$stage/"
	[ "$os" = linux ] || rm -r "$stage/systemd"
	chmod -R u=rwX,go=rX "$stage"
	find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -cf - "$name" |
		gzip -9n >"$out/$name.tar.gz"
	[ "$os" = linux ] || continue
	# sed replaces the variables, because the packager replaces them only in some fields.
	sed -e "s#\${STAGE}#$stage#; s#\${HERE}#$PWD/deploy/packaging#; s#\${ARCH}#$arch#; s#\${VERSION}#$package_version#" \
		-e "s#\${MTIME}#$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)#" deploy/packaging/nfpm.yaml >"$work/nfpm.yaml"
	for kind in deb rpm; do
		"$work/nfpm" package --config "$work/nfpm.yaml" --packager "$kind" --target "$out/cartulary_${package_version}_$arch.$kind" >"$work/said" ||
			{ cat "$work/said" >&2; exit 1; }
	done
done
(cd "$out" && sha256sum cartulary[-_]* ./*.cdx.json | sed 's# \./# #' >SHA256SUMS)
ls -l "$out"
