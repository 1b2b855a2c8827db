"""Asks both binaries for far too much, and prints what that costs.

Each abuse runs against a service that holds a catalog of its own, while a
bystander keeps asking small questions. For each it prints the time, the peak of
the memory that the service has allocated, and the bystander's latency as a ratio to the one
before anything began. It fails when the service or the proxy ends, answers with
a defect, holds what was left half-sent, or takes more memory than CEILING_MB
beside the catalog.

    abuse.py BIN [--brief]

Python's own library is all it needs.
"""

import argparse
import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CEILING_MB = 300
# What may come of an abuse: an answer, a refusal that says why, or to come again.
FINE = {200, 400, 401, 404, 408, 413, 503, "ExecutionAborted"}
HEADERS = {"Content-Type": "application/json"}


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % probe.getsockname()[1]


class Stack:
    """Both binaries on a folder of their own."""

    def __init__(self, binaries, folder, **settings):
        self.folder, self.service, self.proxy = pathlib.Path(folder), free_address(), free_address()
        self.data = self.folder / "data"
        self.log = open(self.folder / "log", "w")
        environment = {"PATH": os.environ["PATH"], "CARTULARY_LOG_LEVEL": "warn"}
        self.processes = [
            subprocess.Popen(
                [binaries / "metadata-service"], cwd=folder, stdout=self.log, stderr=self.log,
                env={**environment, "CARTULARY_LISTEN": self.service, "CARTULARY_DATA_DIR": str(self.data), **settings},
            ),
            subprocess.Popen(
                [binaries / "frontend-proxy"], cwd=folder, stdout=self.log, stderr=self.log,
                env={
                    **environment, "CARTULARY_LISTEN": self.proxy, "CARTULARY_UPSTREAM": f"http://{self.service}",
                    "CARTULARY_SYSTEM_SECRET_FILE": str(self.data / "secrets" / "system"),
                    "CARTULARY_SESSION_SECRET_FILE": str(self.data / "secrets" / "session"),
                    **{name: value for name, value in settings.items() if name.startswith("CARTULARY_HTTP_")},
                },
            ),
        ]
        for address in (self.service, self.proxy):
            self.await_health(address)
        token = subprocess.run(
            [binaries / "metadata-service", "token", "create", "--actor", "urn:li:corpuser:datahub", "--name", "abuse-%d" % time.time_ns(), "--duration", "ONE_DAY"],
            env={**environment, "CARTULARY_DATA_DIR": str(self.data)}, capture_output=True, text=True, check=True,
        )
        self.headers = {**HEADERS, "Authorization": "Bearer " + token.stdout.strip()}

    def await_health(self, address):
        for _ in range(600):
            try:
                if request(address, "GET", "/health", {}, timeout=2)[0] == 200:
                    return
            except OSError:
                pass
            self.alive()
            time.sleep(0.05)
        raise SystemExit("not healthy:\n" + self.tail())

    def alive(self):
        for process in self.processes:
            if process.poll() is not None:
                raise SystemExit(f"{process.args[0].name} has ended with {process.returncode}:\n" + self.tail())

    def tail(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()[-3000:]

    def memory_mb(self):
        """What the service has allocated. Pages of its files that are mapped do not count: they can go at any time."""
        for line in open(f"/proc/{self.processes[0].pid}/status"):
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
        self.alive()
        raise SystemExit("the service is gone")

    def close(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=60)


def request(address, method, path, headers, body=None, timeout=150):
    """Gives status, headers and body; the status is 0 when the connection broke."""
    connection = http.client.HTTPConnection(address, timeout=timeout)
    try:
        try:
            connection.request(method, path, body=body, headers=headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before all of it was sent; the answer may be there
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    except (ConnectionError, http.client.HTTPException):
        return 0, {}, b""
    finally:
        connection.close()


# The catalog: datasets with descriptions, owners and lineage.

def dataset(i):
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders_{i},PROD)"


def fill(stack, size):
    words = ["order", "customer", "invoice", "daily", "revenue", "return", "shipment", "cost", "margin", "region"]
    pick = random.Random(7)
    for first in range(0, size, 250):
        batch = []
        for i in range(first, min(first + 250, size)):
            upstreams = [{"dataset": dataset(pick.randrange(i)), "type": "TRANSFORMED"} for _ in range(min(i, 4))]
            batch.append({
                "urn": dataset(i),
                "datasetProperties": {"value": {"name": f"orders_{i}", "description": " ".join(pick.choices(words, k=60))}},
                "ownership": {"value": {"owners": [{"owner": f"urn:li:corpuser:user{i % 40}", "type": "DATAOWNER"}]}},
                "globalTags": {"value": {"tags": [{"tag": f"urn:li:tag:t{i % 50}"}]}},
                **({"upstreamLineage": {"value": {"upstreams": upstreams}}} if upstreams else {}),
            })
        status, _, answer = request(stack.service, "POST", "/openapi/v3/entity/dataset?async=false", stack.headers, json.dumps(batch))
        if status not in (200, 202):
            raise SystemExit(f"the catalog could not be filled: {status} {answer[:500]}")


class Bystander(threading.Thread):
    """Reads one entity again and again, and notes how long each takes."""

    def __init__(self, stack):
        super().__init__(daemon=True)
        self.stack, self.times, self.statuses, self.done = stack, [], collections.Counter(), threading.Event()
        self.peak = 0

    def run(self):
        path = "/aspects/" + "urn%3Ali%3AdataPlatform%3Ahive" + "?aspect=dataPlatformInfo&version=0"
        while not self.done.is_set():
            began = time.monotonic()
            status, _, _ = request(self.stack.service, "GET", path, self.stack.headers)
            self.times.append(time.monotonic() - began)
            self.statuses[status] += 1
            self.done.wait(0.01)

    def watch(self):
        while not self.done.is_set():
            self.peak = max(self.peak, self.stack.memory_mb())
            self.done.wait(0.01)

    def __enter__(self):
        self.start()
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()

    def quantile(self, q):
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


class Report:
    """Measures abuses, each on binaries that have just started."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder, self.failures, self.idle = binaries, folder, [], None

    def measure(self, name, abuse, ceiling=CEILING_MB, **settings):
        stack = Stack(self.binaries, self.folder, **settings)
        try:
            self.run(stack, name, abuse, ceiling)
        finally:
            stack.close()

    def run(self, stack, name, abuse, ceiling):
        before = stack.memory_mb()
        with Bystander(stack) as bystander:
            began = time.monotonic()
            answers = abuse(stack)
            took = time.monotonic() - began
        stack.alive()
        if self.idle is None:
            self.idle = bystander.quantile(0.5), bystander.quantile(0.99)
        p50, p99 = (bystander.quantile(q) / idle for q, idle in zip((0.5, 0.99), self.idle))
        more = bystander.peak - before
        print(f"{name:50} {took:7.2f} s  peak {bystander.peak:5.0f} MB ({more:+5.0f})  bystander p50 x{p50:<6.1f} p99 x{p99:<6.1f} {dict(answers)}", flush=True)
        for status in answers:
            if status not in FINE:
                self.failures.append(f"{name}: answered {status}")
        if set(bystander.statuses) != {200}:
            self.failures.append(f"{name}: the bystander got {dict(bystander.statuses)}")
        if more > ceiling:
            self.failures.append(f"{name}: {more:.0f} MB more than before, at most {ceiling}")


def together(n, one):
    """Runs one n times at once and counts what they give."""
    with concurrent.futures.ThreadPoolExecutor(n) as pool:
        return collections.Counter(pool.map(one, range(n)))


def graphql(stack, body, address=None, **options):
    status, headers, answer = request(address or stack.service, "POST", "/api/graphql", stack.headers, body, **options)
    if status == 503 and "Retry-After" not in headers:
        return "503 without Retry-After"
    if status != 200:
        return status
    answer = json.loads(answer)
    if not answer.get("errors"):
        return 200
    error = answer["errors"][0]
    return error["extensions"].get("code", error["extensions"].get("classification"))


def variables(n, address):
    """14 MiB of a variable that the document does not declare."""
    body = b'{"query": "{ me { corpUser { urn } } }", "variables": {"x": [' + b",".join([b'{"a":[1]}'] * 1_460_000) + b"]}}"
    return lambda stack: together(n, lambda _: graphql(stack, body, address(stack)))


def declared(n):
    """2 MiB of small values where a list of texts is declared."""
    body = b'{"query": "query($u: [String!]!) { entities(urns: $u) { urn } }", "variables": {"u": [' + b",".join([b"0"] * 1_000_000) + b"]}}"
    return lambda stack: together(n, lambda _: graphql(stack, body))


NESTED = """a%d: searchAcrossEntities(input: {types: [DATASET], query: "*", count: 10000}) { searchResults { entity { urn
  ... on Dataset { name properties { description } lineage(input: {direction: DOWNSTREAM, count: 1000}) { relationships { entity { urn ... on Dataset { properties { description } } } } } } } } } """


def aliases(n, times):
    """Pages in pages, under many names."""
    body = json.dumps({"query": "{" + "".join(NESTED % i for i in range(times)) + "}"})
    return lambda stack: together(n, lambda _: graphql(stack, body))


DETAILS = """{ searchAcrossEntities(input: {types: [DATASET], query: "*", count: 10000}) { searchResults { entity { urn ... on Dataset {
  name properties { name description } ownership { owners { owner { ... on CorpUser { urn username } } type } } tags { tags { tag { urn } } } } } } } }"""


def details(n):
    """A whole catalog on one page."""
    body = json.dumps({"query": DETAILS})
    return lambda stack: together(n, lambda _: graphql(stack, body))


def walks(n):
    """Lineage of everything, to the end."""
    body = json.dumps({"query": "{" + " ".join(
        f'a{i}: searchAcrossLineage(input: {{urn: "{dataset(i)}", direction: DOWNSTREAM, query: "*", count: 1000}}) {{ total searchResults {{ entity {{ urn }} }} }}'
        for i in range(20)) + "}"})
    return lambda stack: together(n, lambda _: graphql(stack, body))


def alternatives(n):
    """A million ways to meet a filter."""
    many = [{"and": [{"field": "customProperties", "values": [f"a{i}"]}]} for i in range(5000)]
    view = {"query": "mutation($i: CreateViewInput!) { createView(input: $i) { urn } }", "variables": {"i": {
        "viewType": "PERSONAL", "name": "many", "definition": {"entityTypes": [], "filter": {"operator": "OR", "filters": [
            {"field": "customProperties", "values": [f"b{i}"]} for i in range(200)]}}}}}

    def run(stack):
        status, _, answer = request(stack.service, "POST", "/api/graphql", stack.headers, json.dumps(view))
        created = json.loads(answer)
        if created.get("errors"):
            raise SystemExit(f"the view could not be made: {answer[:500]}")
        urn = created["data"]["createView"]["urn"]
        body = json.dumps({"query": "query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total } }",
                           "variables": {"i": {"query": "*", "viewUrn": urn, "orFilters": many}}})
        return together(n, lambda _: graphql(stack, body))

    return run


def half_sent(each):
    """Bodies that stop half-way, at every door, with credentials and without."""
    batch = "/aspects?action=ingestProposalBatch"
    doors = [
        ("service", "/api/graphql"), ("service", batch), ("service", "/openapi/v3/entity/tag"), ("service", "/auth/verifyNativeUserCredentials"), ("service", "/nothing"),
        ("proxy", "/logIn"), ("proxy", "/api/graphql"), ("proxy", "/api/gms" + batch), ("proxy", "/nothing"),
    ]

    def one(stack, i):
        side, path = doors[i % len(doors)]
        address = getattr(stack, side)
        host, port = address.split(":")
        lines = [f"POST {path} HTTP/1.1", f"Host: {address}", "Content-Type: application/json", "Content-Length: 1000"]
        if i // len(doors) % 2:
            lines.append("Authorization: " + stack.headers["Authorization"])
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n" + '{"query": "').encode())
            answer = b""
            try:
                while piece := connection.recv(1 << 16):
                    answer += piece
            except TimeoutError:
                return "still open"
            except ConnectionError:
                pass
            return int(answer.split()[1]) if answer.startswith(b"HTTP/") else "closed without an answer"

    def run(stack):
        before = [len(os.listdir(f"/proc/{p.pid}/fd")) for p in stack.processes]
        answers = together(each * len(doors), lambda i: one(stack, i))
        for process, least in zip(stack.processes, before):
            for _ in range(100):
                if len(os.listdir(f"/proc/{process.pid}/fd")) <= least + 8:
                    break
                time.sleep(0.1)
            else:
                answers[f"{process.args[0].name} holds connections"] += 1
        return answers

    return run


def at_once(*abuses):
    """Several abuses side by side."""
    def run(stack):
        with concurrent.futures.ThreadPoolExecutor(len(abuses)) as pool:
            return sum(pool.map(lambda abuse: abuse(stack), abuses), collections.Counter())

    return run


def ingestion(n, megabytes):
    """Large batches at the same time."""
    item = {"tagProperties": {"value": {"name": "big", "description": "x" * 8000}}}
    body = json.dumps([{**item, "urn": f"urn:li:tag:big{i}"} for i in range(megabytes * 120)])

    def one(stack):
        status, headers, _ = request(stack.service, "POST", "/openapi/v3/entity/tag?async=false", stack.headers, body)
        return "503 without Retry-After" if status == 503 and "Retry-After" not in headers else status

    return lambda stack: together(n, lambda _: one(stack))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("--brief", action="store_true", help="a small catalog, for a quick look")
    arguments = parser.parse_args()
    size = 2000 if arguments.brief else 10_000
    with tempfile.TemporaryDirectory() as folder:
        report = Report(arguments.binaries.resolve(), folder)
        stack = Stack(report.binaries, folder)
        fill(stack, size)
        stack.close()
        print(f"a catalog of {size} datasets; memory is what the service has allocated, and what that is more than before")
        report.measure("nothing", lambda _: time.sleep(3) or {})
        report.measure("an undeclared variable of 14 MiB", variables(1, lambda s: s.service))
        report.measure("8 of them at once", variables(8, lambda s: s.service))
        report.measure("8 of them at once, by the proxy", variables(8, lambda s: s.proxy))
        report.measure("8 declared variables of 2 MiB at once", declared(8))
        report.measure("30 searches of 10,000 with lineage of 1,000 each", aliases(1, 30))
        report.measure("4 of them at once", aliases(4, 30))
        report.measure("a page of 10,000 with details", details(1))
        report.measure("4 of them at once", details(4))
        report.measure("20 walks through all lineage, 4 times at once", walks(4))
        report.measure("filters with a million alternatives", alternatives(1))
        report.measure("4 of them at once", alternatives(4))
        report.measure("half-sent bodies, %d at each of 9 doors" % (4 if arguments.brief else 20), half_sent(4 if arguments.brief else 20), CARTULARY_HTTP_BODY_STALL="2s")
        # These write all 80 MB of what they hold, so they may take more.
        report.measure("8 batches of 10 MB at once", ingestion(8, 10), ceiling=CEILING_MB + 80)
        # Far too little memory: what does not fit is refused, and nothing ends.
        report.measure("pages and batches within 120 MB", at_once(details(4), ingestion(4, 10)), CARTULARY_MEMORY_LIMIT=str(120 << 20))
    for failure in report.failures:
        print("FAILED:", failure)
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
