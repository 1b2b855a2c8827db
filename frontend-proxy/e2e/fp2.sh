#!/usr/bin/env bash
# Starts both binaries on an empty folder and measures how long it takes until both are
# healthy, and how much memory they hold when nothing happens. The median of five starts
# counts. More than 60 MB together fails; more than 300 ms is said aloud and does not,
# since the same binaries take longer on a machine that is busy.
set -euo pipefail
cd "$(dirname "$0")/../.."
make -s build
exec python3 - "$PWD/bin" <<'PY'
import http.client, os, pathlib, socket, statistics, subprocess, sys, tempfile, time

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


def measure(folder):
    service, proxy = free_address(), free_address()
    data = pathlib.Path(folder, "data")
    began = time.monotonic()
    log = open(pathlib.Path(folder, "log"), "w")

    def start(name, **environment):
        return subprocess.Popen([BIN / name], env={"PATH": os.environ["PATH"], **environment}, cwd=folder, stdout=log, stderr=log)

    processes = [
        start("metadata-service", CARTULARY_LISTEN=service, CARTULARY_DATA_DIR=str(data)),
        start(
            "frontend-proxy",
            CARTULARY_LISTEN=proxy,
            CARTULARY_UPSTREAM=f"http://{service}",
            CARTULARY_SYSTEM_SECRET_FILE=str(data / "secrets" / "system"),
            CARTULARY_SESSION_SECRET_FILE=str(data / "secrets" / "session"),
        ),
    ]
    try:
        waiting = {service, proxy}
        while waiting:
            waiting = {address for address in waiting if not healthy(address)}
            if time.monotonic() - began > 30 or any(p.poll() is not None for p in processes):
                raise SystemExit("not healthy:\n" + open(log.name).read())
            time.sleep(0.002)
        took = (time.monotonic() - began) * 1000
        time.sleep(2)
        return took, [resident_mb(p) for p in processes]
    finally:
        for p in processes:
            p.terminate()
        for p in processes:
            p.wait(timeout=30)


# A program that was just linked stands in the page cache in large pieces, of which more is
# mapped than is used. It is read anew, as after a boot.
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
print(f"footprint: idle at {service:.2f} MB and {proxy:.2f} MB, {service + proxy:.2f} MB together (at most {MOST_MB})")
sys.exit(service + proxy > MOST_MB)
PY
