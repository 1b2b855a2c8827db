# Image with only the metadata service. Build it from the top folder with
#   docker build -f deploy/docker/metadata-service.Dockerfile --build-arg VERSION=1.2.3 --build-arg COMMIT=$(git rev-parse HEAD) .
# or both images with `make images`, which sets these arguments.
FROM node:20-bookworm-slim AS web
WORKDIR /src/frontend-proxy/web
COPY frontend-proxy/web/package.json frontend-proxy/web/package-lock.json frontend-proxy/web/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend-proxy/web ./
RUN npm run build

FROM golang:1.26-bookworm AS build
ENV CGO_ENABLED=0 GOWORK=off GOFLAGS=-trimpath
WORKDIR /src/metadata-service
COPY pkg/go.mod pkg/go.sum /src/pkg/
COPY metadata-service/go.mod metadata-service/go.sum ./
RUN go mod download
COPY pkg /src/pkg
COPY --from=web /src/pkg/explorer/dist /src/pkg/explorer/dist
COPY metadata-service ./
ARG VERSION=dev COMMIT=unknown
RUN go build -ldflags "-s -w -X github.com/cartulary/cartulary/pkg/release.version=$VERSION -X github.com/cartulary/cartulary/pkg/release.commit=$COMMIT" -o /out/metadata-service . && mkdir -m 0700 -p /out/data /out/data/secrets

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
# A new volume that is mounted here gets this owner.
COPY --from=build --chown=10001:10001 /out/data /data
COPY --from=build /out/metadata-service /metadata-service
ENV CARTULARY_LISTEN=0.0.0.0:8080 CARTULARY_DATA_DIR=/data
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/metadata-service", "health"]
ENTRYPOINT ["/metadata-service"]
