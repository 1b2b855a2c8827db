# Image that runs ingestion sources: the unmodified actions framework with its executor, in the client release that the
# catalog supports. Build it from the top folder with
#   docker build -f deploy/docker/executor.Dockerfile -t cartulary/executor .
# PLUGINS lists the source plugins for recipes of version `native`, as in --build-arg PLUGINS=postgres,dbt. The packages of
# other versions are installed when a run first needs them.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY deploy/docker/executor.txt /etc/cartulary/
ARG PLUGINS=
# The pinned versions also apply to plugins.
RUN python3 -m venv /opt/executor \
	&& /opt/executor/bin/pip install --no-cache-dir --disable-pip-version-check -r /etc/cartulary/executor.txt \
	&& if [ -n "$PLUGINS" ]; then /opt/executor/bin/pip install --no-cache-dir --disable-pip-version-check -c /etc/cartulary/executor.txt "acryl-datahub[$PLUGINS]"; fi \
	&& install -d -o 10001 -g 10001 -m 0700 /var/lib/executor
COPY deploy/docker/executor.yml /etc/cartulary/
# Runs, the packages that they install, and logs are in /var/lib/executor, which should be a volume; nothing else is
# written. The executor creates its folders below /tmp, so /tmp links there.
RUN rm -rf /tmp && ln -s /var/lib/executor /tmp
ENV PATH=/opt/executor/bin:$PATH HOME=/var/lib/executor/home UV_CACHE_DIR=/var/lib/executor/uv PYTHONUNBUFFERED=1 DATAHUB_TELEMETRY_ENABLED=false
USER 10001:10001
VOLUME /var/lib/executor
# The executor cannot work without a token, so the entry point reports a missing one in one line.
ENTRYPOINT ["/bin/sh", "-c", ": \"${DATAHUB_GMS_TOKEN:?create an access token for the executor and set EXECUTOR_TOKEN=... in .env}\" && mkdir -p \"$HOME\" && exec datahub-actions actions -c /etc/cartulary/executor.yml"]
