# What runs ingestion sources: the stock actions framework with its executor, in the release of the client that the
# catalog speaks. Build from the top folder with
#   docker build -f deploy/docker/executor.Dockerfile -t cartulary/executor .
# PLUGINS names what recipes of version `native` may ingest from, as in --build-arg PLUGINS=postgres,dbt; the packages of
# other versions are installed when a run first needs them.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY deploy/docker/executor.txt /etc/cartulary/
ARG PLUGINS=
# The pins hold for plugins, too.
RUN python3 -m venv /opt/executor \
	&& /opt/executor/bin/pip install --no-cache-dir --disable-pip-version-check -r /etc/cartulary/executor.txt \
	&& if [ -n "$PLUGINS" ]; then /opt/executor/bin/pip install --no-cache-dir --disable-pip-version-check -c /etc/cartulary/executor.txt "acryl-datahub[$PLUGINS]"; fi \
	&& install -d -o 10001 -g 10001 -m 0700 /var/lib/executor
COPY deploy/docker/executor.yml /etc/cartulary/
# Nothing is kept in the image's own files: runs, packages that they install and logs lie in /var/lib/executor, which is best a volume.
# The executor has its folders below /tmp.
RUN rm -rf /tmp && ln -s /var/lib/executor /tmp
ENV PATH=/opt/executor/bin:$PATH HOME=/var/lib/executor/home UV_CACHE_DIR=/var/lib/executor/uv PYTHONUNBUFFERED=1 DATAHUB_TELEMETRY_ENABLED=false
USER 10001:10001
VOLUME /var/lib/executor
# Nothing works without a token, so its absence is told in one line.
ENTRYPOINT ["/bin/sh", "-c", ": \"${DATAHUB_GMS_TOKEN:?make an access token for the executor and put EXECUTOR_TOKEN=... into .env}\" && mkdir -p \"$HOME\" && exec datahub-actions actions -c /etc/cartulary/executor.yml"]
