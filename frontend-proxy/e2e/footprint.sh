#!/usr/bin/env bash
# Starts both binaries on an empty folder and measures the time until both are healthy and their
# memory when idle. The result is the median of five starts. More than 60 MB in total is a failure.
# More than 300 ms is only reported, since the same binaries take longer on a busy machine. With
# FOOTPRINT_ENTITIES=n it also writes n datasets and reports the memory of the service with them,
# before and after a restart.
set -euo pipefail
cd "$(dirname "$0")/../.."
make -s build
exec python3 - "$PWD/bin" <<'PY'
import http.client, json, os, pathlib, socket, statistics, subprocess, sys, tempfile, time

BIN, MOST_MS, MOST_MB = pathlib.Path(sys.argv[1]), 300, 60


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % probe.getsockname()[1]


def healthy(address):
    connection = http.client.HTTPConnection(address, timeout=2)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def resident_mb(process):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"{process.args[0]} is gone")


def start(folder, log, name, **environment):
    return subprocess.Popen([BIN / name], env={"PATH": os.environ["PATH"], **environment}, cwd=folder, stdout=log, stderr=log)


def wait_for(waiting, processes, log, began):
    while waiting:
        waiting = {address for address in waiting if not healthy(address)}
        if time.monotonic() - began > 30 or any(p.poll() is not None for p in processes):
            raise SystemExit("not healthy:\n" + open(log.name).read())
        time.sleep(0.002)


def measure(folder):
    service, proxy = free_address(), free_address()
    data = pathlib.Path(folder, "data")
    began = time.monotonic()
    log = open(pathlib.Path(folder, "log"), "w")
    processes = [
        start(folder, log, "metadata-service", CARTULARY_LISTEN=service, CARTULARY_DATA_DIR=str(data)),
        start(
            folder,
            log,
            "frontend-proxy",
            CARTULARY_LISTEN=proxy,
            CARTULARY_UPSTREAM=f"http://{service}",
            CARTULARY_SYSTEM_SECRET_FILE=str(data / "secrets" / "system"),
            CARTULARY_SESSION_SECRET_FILE=str(data / "secrets" / "session"),
        ),
    ]
    try:
        wait_for({service, proxy}, processes, log, began)
        took = (time.monotonic() - began) * 1000
        time.sleep(2)
        return took, [resident_mb(p) for p in processes]
    finally:
        for p in processes:
            p.terminate()
        for p in processes:
            p.wait(timeout=30)


def fill(address, secret, entities):
    connection = http.client.HTTPConnection(address, timeout=60)
    headers = {"Authorization": "Basic __datahub_system:" + secret, "Content-Type": "application/json"}
    for first in range(0, entities, 500):
        batch = [
            {
                "urn": f"urn:li:dataset:(urn:li:dataPlatform:hive,shop.part{n % 100}.table{n},PROD)",
                "datasetProperties": {"value": {"name": f"table{n}", "description": f"The rows of part {n % 100}, table {n}"}},
                "ownership": {"value": {"owners": [{"owner": f"urn:li:corpuser:u{n % 50}", "type": "DATAOWNER"}]}},
                "globalTags": {"value": {"tags": [{"tag": f"urn:li:tag:t{n % 20}"}]}},
            }
            for n in range(first, min(first + 500, entities))
        ]
        connection.request("POST", "/openapi/v3/entity/dataset?async=false", json.dumps(batch), headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"writing datasets: {answer.status} {text[:300]}")
    connection.close()


def measure_full(folder, entities):
    """What the service holds with so many datasets of four aspects, after they were written and after a restart."""
    data, log, sizes = pathlib.Path(folder, "data"), open(pathlib.Path(folder, "log"), "w"), []
    for filled in (False, True):
        address, began = free_address(), time.monotonic()
        process = start(folder, log, "metadata-service", CARTULARY_LISTEN=address, CARTULARY_DATA_DIR=str(data))
        try:
            wait_for({address}, [process], log, began)
            if not filled:
                fill(address, (data / "secrets" / "system").read_text().strip(), entities)
            time.sleep(10)
            sizes.append(resident_mb(process))
        finally:
            process.terminate()
            process.wait(timeout=60)
    return sizes


# After linking, the page cache holds a binary in large pieces, so that more of it is mapped than
# used. Dropping it from the cache makes the kernel read it again, as after a boot.
for name in ("metadata-service", "frontend-proxy"):
    file = os.open(BIN / name, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)

runs = []
for _ in range(5):
    with tempfile.TemporaryDirectory() as folder:
        runs.append(measure(folder))
ready = statistics.median(took for took, _ in runs)
service, proxy = (statistics.median(sizes[i] for _, sizes in runs) for i in (0, 1))
print(f"footprint: both healthy after {ready:.0f} ms on an empty folder (goal {MOST_MS})" + (", MISSED" if ready > MOST_MS else ""))
print(f"footprint: idle at {service:.0f} MB and {proxy:.0f} MB, {service + proxy:.0f} MB together (at most {MOST_MB})")
if entities := int(os.environ.get("FOOTPRINT_ENTITIES") or 0):
    with tempfile.TemporaryDirectory() as folder:
        written, restarted = measure_full(folder, entities)
    print(f"footprint: with {entities} datasets idle at {written:.0f} MB after they were written, {restarted:.0f} MB after a restart")
sys.exit(service + proxy > MOST_MB)
PY
