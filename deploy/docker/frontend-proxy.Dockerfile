# Image with only the frontend proxy. Build it from the top folder with
#   docker build -f deploy/docker/frontend-proxy.Dockerfile --build-arg VERSION=1.2.3 --build-arg COMMIT=$(git rev-parse HEAD) .
# or both images with `make images`, which sets these arguments.
FROM node:20-bookworm-slim AS web
WORKDIR /src/frontend-proxy/web
COPY frontend-proxy/web/package.json frontend-proxy/web/package-lock.json frontend-proxy/web/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend-proxy/web ./
RUN npm run build

FROM golang:1.26-bookworm AS build
ENV CGO_ENABLED=0 GOWORK=off GOFLAGS=-trimpath
WORKDIR /src/frontend-proxy
COPY pkg/go.mod pkg/go.sum /src/pkg/
COPY frontend-proxy/go.mod frontend-proxy/go.sum ./
RUN go mod download
COPY pkg /src/pkg
COPY --from=web /src/pkg/explorer/dist /src/pkg/explorer/dist
COPY frontend-proxy ./
ARG VERSION=dev COMMIT=unknown
RUN go build -ldflags "-s -w -X github.com/cartulary/cartulary/pkg/release.version=$VERSION -X github.com/cartulary/cartulary/pkg/release.commit=$COMMIT" -o /out/frontend-proxy .

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/frontend-proxy /frontend-proxy
ENV CARTULARY_LISTEN=0.0.0.0:9002
# The user of the metadata service: only this user can read the secrets.
USER 10001:10001
EXPOSE 9002
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/frontend-proxy", "health"]
ENTRYPOINT ["/frontend-proxy"]
