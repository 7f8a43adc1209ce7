# Images of Platen: redis, api and worker.
#
#   docker build --target api .              built from source, needs GO_IMAGE
#   docker build --target api-prebuilt .     takes bin/api, which `make build` leaves; needs no Go image
#
# The classic builder runs every stage above its target. Hence the order: what needs GO_IMAGE stands below all that does
# not. And hence the patterns: bin/ap[i] is bin/api, but where bin/ is empty it is no error for the targets below.
ARG GO_IMAGE=golang:1.26-bookworm
ARG BASE_IMAGE=debian:bookworm-slim

# Redis from Debian's package, for hosts that cannot fetch the official image. Its settings are the command line's.
FROM ${BASE_IMAGE} AS redis
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o redis -g redis /data
USER redis
WORKDIR /data
VOLUME /data
EXPOSE 6379
HEALTHCHECK --interval=5s --timeout=3s --retries=10 CMD redis-cli ping | grep -q PONG
CMD ["redis-server", "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"]

# What both services share: an unprivileged user, the folder of the blobs, and curl for the health check.
FROM ${BASE_IMAGE} AS base
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ca-certificates curl tini \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 platen \
    && useradd --uid 10001 --gid platen --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin platen \
    && install -d -o platen -g platen /var/lib/platen/blobs
ENV PATH=/opt/platen:$PATH PLATEN_BLOB_DIR=/var/lib/platen/blobs
VOLUME /var/lib/platen/blobs
ENTRYPOINT ["tini", "--"]

FROM base AS api-base
ENV PLATEN_ADDR=:8080
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=5 CMD curl -fsS http://127.0.0.1:8080/readyz
CMD ["api"]

FROM api-base AS api-prebuilt
COPY LICENSE bin/ap[i] bin/plate[n] /opt/platen/
USER platen

# Only the worker has a browser. tini, as process 1, reaps what a killed browser leaves.
FROM base AS worker-base
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
       chromium-headless-shell fonts-liberation fonts-dejavu-core fonts-noto-core \
    && rm -rf /var/lib/apt/lists/*
# What is compiled once outlives the process, and nobody else can write there.
RUN install -d -m 0700 -o platen -g platen /var/cache/platen
ENV PLATEN_WORKER_ADDR=:8081 PLATEN_CACHE_DIR=/var/cache/platen HOME=/tmp
VOLUME /var/cache/platen
EXPOSE 8081
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=5 CMD curl -fsS http://127.0.0.1:8081/readyz
CMD ["worker"]

FROM worker-base AS worker-prebuilt
COPY LICENSE bin/worke[r] /opt/platen/
USER platen

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The tag leaves out what Google's storage would need to be called by gRPC: 20 MB of each program.
RUN CGO_ENABLED=0 go build -trimpath -tags disable_grpc_modules -o /out/ ./cmd/...

FROM api-base AS api
COPY --from=build /src/LICENSE /out/api /out/platen /opt/platen/
USER platen

FROM worker-base AS worker
COPY --from=build /src/LICENSE /out/worker /opt/platen/
USER platen
