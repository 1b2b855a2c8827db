"""Sends excessive requests to both binaries and prints their cost.

Each abuse runs against a service with a catalog of its own, while a bystander sends
small requests continuously. For each abuse it prints the time, the peak of the memory
allocated by the service, and the bystander's response time relative to an idle service.
It fails if the service or the proxy ends, responds with a defect, keeps connections of
incomplete requests, or allocates more than CEILING_MB beside the catalog. Abuses that
must cost almost nothing also fail if the bystander's slowest requests take longer than
SLOWDOWN times. For these the reference is the time before and after the abuse.

    abuse.py BIN [--brief]

It needs only the standard library.
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
import string
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

CEILING_MB = 300
# SLOWDOWN limits the 99th percentile of a bystander's response times, relative to the usual time,
# during abuses that are refused or answered at once. Times below QUICK seconds count as QUICK:
# scheduling alone causes them when this process has one processor less.
SLOWDOWN, QUICK = 5, 0.004
# The acceptable results of an abuse: a response, a refusal with a reason, or a request to retry.
FINE = {200, 400, 401, 403, 404, 408, 413, 422, 503, "ExecutionAborted", "DataFetchingException"}
HEADERS = {"Content-Type": "application/json"}


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % probe.getsockname()[1]


class Stack:
    """Both binaries with a data folder of their own."""

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
        self.binaries, self.environment = binaries, {**environment, "CARTULARY_DATA_DIR": str(self.data)}
        self.headers = self.headers_of("urn:li:corpuser:datahub")

    def headers_of(self, user):
        """The headers of an existing user."""
        token = subprocess.run(
            [self.binaries / "metadata-service", "token", "create", "--actor", user, "--name", "abuse-%d" % time.time_ns(), "--duration", "ONE_DAY"],
            env=self.environment, capture_output=True, text=True, check=True,
        )
        return {**HEADERS, "Authorization": "Bearer " + token.stdout.strip()}

    def headers_without_rights(self):
        """Creates a user without a role and returns the user's headers."""
        user = "urn:li:corpuser:nobody"
        body = json.dumps([{"urn": user, "corpUserInfo": {"value": {"active": True}}}])
        status, _, answer = request(self.service, "POST", "/openapi/v3/entity/corpuser?async=false", self.headers, body)
        if status not in (200, 202):
            raise SystemExit(f"the user could not be made: {status} {answer[:500]}")
        return self.headers_of(user)

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
        """The memory allocated by the service. Memory-mapped file pages are excluded, because the
        system can reclaim them at any time."""
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
    """Returns status, headers and body. The status is 0 if the connection broke."""
    connection = http.client.HTTPConnection(address, timeout=timeout)
    try:
        try:
            connection.request(method, path, body=body, headers=headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before the body was sent; the response may have arrived
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    except (ConnectionError, http.client.HTTPException):
        return 0, {}, b""
    finally:
        connection.close()


# The catalog: datasets with descriptions, owners and lineage. The first one has several schema
# versions.

def dataset(i):
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders_{i},PROD)"


def fill(stack, size):
    words = ["order", "customer", "invoice", "daily", "revenue", "return", "shipment", "cost", "margin", "region"]
    pick = random.Random(7)
    rare = ["".join(pick.choices(string.ascii_lowercase, k=pick.randint(4, 10))) for _ in range(size)]
    for first in range(0, size, 250):
        batch = []
        for i in range(first, min(first + 250, size)):
            upstreams = [{"dataset": dataset(pick.randrange(i)), "type": "TRANSFORMED"} for _ in range(min(i, 4))]
            batch.append({
                "urn": dataset(i),
                "datasetProperties": {"value": {"name": f"orders_{i}", "description": " ".join(pick.choices(words, k=60) + pick.choices(rare, k=20))}},
                "ownership": {"value": {"owners": [{"owner": f"urn:li:corpuser:user{i % 40}", "type": "DATAOWNER"}]}},
                "globalTags": {"value": {"tags": [{"tag": f"urn:li:tag:t{i % 50}"}]}},
                **({"upstreamLineage": {"value": {"upstreams": upstreams}}} if upstreams else {}),
            })
        status, _, answer = request(stack.service, "POST", "/openapi/v3/entity/dataset?async=false", stack.headers, json.dumps(batch))
        if status not in (200, 202):
            raise SystemExit(f"the catalog could not be filled: {status} {answer[:500]}")


    for version in range(20):
        fields = [{"fieldPath": f"f{i}", "nativeDataType": "int", "description": f"version {version if i % 10 == version % 10 else 0}",
                   "type": {"type": {"com.linkedin.schema.NumberType": {}}}} for i in range(400)]
        schema = {"schemaName": "s", "platform": "urn:li:dataPlatform:hive", "version": 0, "hash": "", "fields": fields,
                  "platformSchema": {"com.linkedin.schema.OtherSchema": {"rawSchema": ""}}}
        body = json.dumps([{"urn": dataset(0), "schemaMetadata": {"value": schema}}])
        status, _, answer = request(stack.service, "POST", "/openapi/v3/entity/dataset?async=false", stack.headers, body)
        if status not in (200, 202):
            raise SystemExit(f"the schema could not be written: {status} {answer[:500]}")


class Bystander(threading.Thread):
    """A thread that reads one entity repeatedly and records the response times."""

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

    def quantile(self, q, times=None):
        ordered = sorted(self.times if times is None else times)
        return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


class Report:
    """Measures abuses. Each runs against newly started binaries."""

    def __init__(self, binaries, folder):
        self.binaries, self.folder, self.failures, self.idle = binaries, folder, [], None

    def measure(self, name, abuse, ceiling=CEILING_MB, prepare=None, quick=False, beside=0, **settings):
        """Runs an abuse and returns the time of the bystander's slowest requests. The function prepare
        runs before and returns further arguments for the abuse. For a quick abuse, this time must be
        at most SLOWDOWN times the time before and after, or SLOWDOWN times beside, in seconds. A quick
        abuse has up to three attempts, because other load on the machine affects the result."""
        for attempt in range(3 if quick else 1):
            stack = Stack(self.binaries, self.folder, **settings)
            try:
                given = prepare(stack) if prepare else []
                took, usual = self.run(stack, name, lambda stack: abuse(stack, *given), ceiling, quick)
            finally:
                stack.close()
            most = SLOWDOWN * max(usual, beside, QUICK)
            if took <= most:
                break
        if quick and took > most:
            self.failures.append(f"{name}: the bystander's slowest requests take {took * 1000:.1f} ms, at most {most * 1000:.1f}")
        return took

    def run(self, stack, name, abuse, ceiling, quick):
        before = stack.memory_mb()
        with Bystander(stack) as bystander:
            time.sleep(1.5 if quick else 0)
            first, began = len(bystander.times), time.monotonic()
            answers = abuse(stack)
            last, took = len(bystander.times), time.monotonic() - began
            time.sleep(1.5 if quick else 0)
        stack.alive()
        if self.idle is None:
            self.idle = bystander.quantile(0.5), bystander.quantile(0.99)
        meanwhile, others = bystander.times[first:last] or bystander.times, bystander.times[:first] + bystander.times[last:]
        usual = [bystander.quantile(q, others) for q in (0.5, 0.99)] if quick else self.idle
        slower = [bystander.quantile(q, meanwhile) / idle for q, idle in zip((0.5, 0.99), usual)]
        more = bystander.peak - before
        print(f"{name:50} {took:7.2f} s  peak {bystander.peak:5.0f} MB ({more:+5.0f})  bystander p50 x{slower[0]:<6.1f} p99 x{slower[1]:<6.1f} {dict(answers)}", flush=True)
        for status in answers:
            if status not in FINE:
                self.failures.append(f"{name}: answered {status}")
        if set(bystander.statuses) != {200}:
            self.failures.append(f"{name}: the bystander got {dict(bystander.statuses)}")
        if more > ceiling:
            self.failures.append(f"{name}: {more:.0f} MB more than before, at most {ceiling}")
        return bystander.quantile(0.99, meanwhile), usual[1]


def together(n, one):
    """Calls one n times concurrently and counts the results."""
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
    """A request with 14 MiB of an undeclared variable."""
    body = b'{"query": "{ me { corpUser { urn } } }", "variables": {"x": [' + b",".join([b'{"a":[1]}'] * 1_460_000) + b"]}}"
    return lambda stack: together(n, lambda _: graphql(stack, body, address(stack)))


def declared(n):
    """A request with 2 MiB of small values for a variable of type list of strings."""
    body = b'{"query": "query($u: [String!]!) { entities(urns: $u) { urn } }", "variables": {"u": [' + b",".join([b"0"] * 1_000_000) + b"]}}"
    return lambda stack: together(n, lambda _: graphql(stack, body))


NESTED = """a%d: searchAcrossEntities(input: {types: [DATASET], query: "*", count: 10000}) { searchResults { entity { urn
  ... on Dataset { name properties { description } lineage(input: {direction: DOWNSTREAM, count: 1000}) { relationships { entity { urn ... on Dataset { properties { description } } } } } } } } } """


def aliases(n, times):
    """Nested pages under many aliases."""
    body = json.dumps({"query": "{" + "".join(NESTED % i for i in range(times)) + "}"})
    return lambda stack: together(n, lambda _: graphql(stack, body))


DETAILS = """{ searchAcrossEntities(input: {types: [DATASET], query: "*", count: 10000}) { searchResults { entity { urn ... on Dataset {
  name properties { name description } ownership { owners { owner { ... on CorpUser { urn username } } type } } tags { tags { tag { urn } } } } } } } }"""


def details(n):
    """The details of the whole catalog on one page."""
    body = json.dumps({"query": DETAILS})
    return lambda stack: together(n, lambda _: graphql(stack, body))


def walks(n):
    """Transitive lineage of many datasets."""
    body = json.dumps({"query": "{" + " ".join(
        f'a{i}: searchAcrossLineage(input: {{urn: "{dataset(i)}", direction: DOWNSTREAM, query: "*", count: 1000}}) {{ total searchResults {{ entity {{ urn }} }} }}'
        for i in range(20)) + "}"})
    return lambda stack: together(n, lambda _: graphql(stack, body))


def alternatives(n):
    """A filter with a million alternatives."""
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
    """Incomplete bodies at many endpoints, with and without credentials."""
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
    """Several abuses concurrently."""
    def run(stack):
        with concurrent.futures.ThreadPoolExecutor(len(abuses)) as pool:
            return sum(pool.map(lambda abuse: abuse(stack), abuses), collections.Counter())

    return run


def ingestion(n, megabytes):
    """Large batches concurrently."""
    item = {"tagProperties": {"value": {"name": "big", "description": "x" * 8000}}}
    body = json.dumps([{**item, "urn": f"urn:li:tag:big{i}"} for i in range(megabytes * 120)])

    def one(stack):
        status, headers, _ = request(stack.service, "POST", "/openapi/v3/entity/tag?async=false", stack.headers, body)
        return "503 without Retry-After" if status == 503 and "Retry-After" not in headers else status

    return lambda stack: together(n, lambda _: one(stack))


# Abuses that are refused at once or cost almost nothing. Each is repeated with pauses, so that
# there are enough bystander requests to compute the 99th percentile.

def again(abuse, times=10, pause=0.3):
    def run(stack, *given):
        answers = collections.Counter()
        for _ in range(times):
            answers += abuse(stack, *given)
            time.sleep(pause)
        return answers

    return run


def test_info(definition):
    return {"name": "n", "category": "c", "definition": {"type": "JSON", "json": definition}}


def expressions(values):
    """A definition of a metadata test whose regular expressions compile to gigabytes."""
    rules = {"property": "urn", "operator": "regex", "values": ["(.{1,1000})" * 88] * values}
    return json.dumps({"on": {"types": ["dataset"]}, "rules": rules})


def keys(n, form):
    """A YAML definition with n keys."""
    return "".join(form % i if "%" in form else form for i in range(n))


def definition(text, n=1):
    """A definition sent to all endpoints that accept one, by a user without privileges and by one with all."""
    value = json.dumps(test_info(text))
    proposal = {"entityType": "test", "entityUrn": "urn:li:test:abuse", "changeType": "UPSERT", "aspectName": "testInfo",
                "aspect": {"contentType": "application/json", "value": value}}
    patch = {"patch": [{"op": "add", "path": "/definition", "value": {"type": "JSON", "json": text}}], "forceGenericPatch": True}
    graphql_bodies = [
        {"query": "query($d: String!) { validateTest(definition: $d) { valid problems { message } } }", "variables": {"d": text}},
        {"query": "mutation($d: String!) { createTest(input: {name: \"n\", category: \"c\", definition: {json: $d}}) }", "variables": {"d": text}},
    ]
    bodies = [
        ("/aspects?action=ingestProposal", {"proposal": proposal}),
        ("/openapi/v3/entity/test?async=false", [{"urn": "urn:li:test:abuse", "testInfo": {"value": test_info(text)}}]),
        ("/aspects?action=ingestProposal", {"proposal": {**proposal, "changeType": "PATCH", "aspect": {"contentType": "application/json", "value": json.dumps(patch)}}}),
    ] + [("/api/graphql", body) for body in graphql_bodies]
    sent = [(path, json.dumps(body)) for path, body in bodies]

    def one(stack, headers, path, body):
        status, _, answer = request(stack.service, "POST", path, headers, body)
        return status if path != "/api/graphql" or status != 200 else answer_of(answer)

    def run(stack, without):
        answers = collections.Counter()
        for headers in (without, stack.headers):
            for path, body in sent:
                answers += together(n, lambda _: one(stack, headers, path, body))
        return answers

    return run


def answer_of(answer):
    """The outcome of a GraphQL response: 200, or the code or classification of its first error."""
    errors = json.loads(answer).get("errors")
    return 200 if not errors else errors[0]["extensions"].get("code", errors[0]["extensions"].get("classification"))


def letters(first, kinds, n):
    return "".join(chr(first + i * 37 % kinds) for i in range(n))


SCRIPTS = {
    "Han": letters(0x4E00, 20_000, 5000), "Hangul": letters(0xAC00, 11_000, 5000), "Thai": letters(0xE01, 46, 5000),
    "several scripts": "aé漢ก한" * 1200, "parts of words": "漢,한." * 1900, "ligatures": "ﷺ" * 5000,
}
FIND = "query($i: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $i) { total } }"


def searches(text, n):
    """A text without spaces in a search, a completion, a filter and the advanced syntax."""
    bodies = [
        {"query": FIND, "variables": {"i": {"query": text}}},
        {"query": FIND, "variables": {"i": {"query": "/q name:" + text}}},
        {"query": "query($i: AutoCompleteMultipleInput!) { autoCompleteForMultiple(input: $i) { query } }", "variables": {"i": {"query": text}}},
        {"query": FIND, "variables": {"i": {"query": "*", "orFilters": [{"and": [{"field": "name", "condition": "CONTAIN", "values": [text]}]}]}}},
    ]
    sent = [json.dumps(body) for body in bodies]
    return lambda stack: sum((together(n, lambda _: graphql(stack, body)) for body in sent), collections.Counter())


def filters():
    """A million filter values at each endpoint, or as many as the endpoint accepts."""
    values = "[" + ",".join(['"a"'] * 1_000_000) + "]"
    fewer, fewest = ("[" + ",".join(['"a"'] * n) + "]" for n in (480_000, 250_000))
    many = ",".join(['{"field":"x","values":[' + ",".join(['"a"'] * 100) + "]}"] * 10_000)
    sent = [
        ("/entities?action=searchAcrossEntities", '{"entities":[],"input":"*","filter":{"or":[{"and":[%s]}]}}' % many),
        ("/entities?action=searchAcrossEntities", '{"entities":[],"input":"*","filter":{"criteria":[{"field":"x","values":%s}]}}' % values),
        ("/openapi/v3/entity/scroll", '{"entities":["dataset"],"filter":{"and":[{"criteria":[%s]}]}}' % many),
        ("/openapi/v3/relationship/scroll", '{"edgeFilter":{"and":[{"criteria":[{"field":"x","values":%s}]}]}}' % values),
        ("/api/graphql", '{"query":"%s","variables":{"i":{"query":"*","orFilters":[{"and":[{"field":"x","values":%s}]}]}}}' % (FIND, fewer)),
        ("/mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"filters":[{"field":"x","values":%s}]}}}' % fewest),
    ]

    def run(stack):
        headers = {**stack.headers, "Accept": "application/json, text/event-stream"}
        return collections.Counter(request(stack.service, "POST", path, headers, body)[0] for path, body in sent)

    return run


# Requests on sixteen connections with many small items, or with many requests for one large item.

def posts(path, body, n=16):
    """Sends the same body n times concurrently, with the headers of the administrator or of a given user."""
    return lambda stack, *user: together(n, lambda _: request(stack.service, "POST", path, user[0] if user else stack.headers, body)[0])


TAGS = [f"urn:li:tag:batch{i}" for i in range(10_000)]
REFUSED_BATCHES = {
    "Rest.li": ("/aspects?action=ingestProposalBatch", {"proposals": [{
        "entityType": "tag", "entityUrn": tag, "changeType": "UPSERT", "aspectName": "tagProperties",
        "aspect": {"contentType": "application/json", "value": '{"name":"n","description":"d"}'}} for tag in TAGS]}),
    "OpenAPI v1": ("/openapi/entities/v1/", [{"entityType": "tag", "entityUrn": tag, "aspect": {"__type": "TagProperties", "name": "n", "description": "d"}} for tag in TAGS]),
    "OpenAPI v2": ("/openapi/v2/entity/tag?async=false", [{"urn": tag, "aspects": {"tagProperties": {"value": {"name": "n", "description": "d"}}}} for tag in TAGS]),
    "OpenAPI v3": ("/openapi/v3/entity/tag?async=false", [{"urn": tag, "tagProperties": {"value": {"name": "n", "description": "d"}}} for tag in TAGS]),
}
LARGE = "urn:li:tag:large"
REPEATED = {
    "refused": [{"urn": LARGE}] * 10_000,
    "230 MB": [{"urn": LARGE}] * 600,
    "old versions": [{"urn": LARGE + "-once", "tagProperties": {"headers": {"If-Version-Match": "1"}}}] * 10_000,
}


def large_tags(stack):
    """Creates a tag with 380 kB, and one whose first version had 380 kB."""
    for name, description in (("large", "x" * 380_000), ("large-once", "x" * 380_000), ("large-once", "")):
        body = json.dumps([{"urn": "urn:li:tag:" + name, "tagProperties": {"value": {"name": name, "description": description}}}])
        status, _, answer = request(stack.service, "POST", "/openapi/v3/entity/tag?async=false", stack.headers, body)
        if status not in (200, 202):
            raise SystemExit(f"the tag could not be made: {status} {answer[:500]}")
    return []


def small_values():
    """Bodies of 1 MB with minimal values, for endpoints that decode them."""
    lists = "[" + ",".join(["[]"] * 333_000) + "]"
    numbers = "[" + ",".join("1" * 500_000) + "]"
    patch = json.dumps({"proposal": {"entityType": "tag", "entityUrn": "urn:li:tag:small", "changeType": "PATCH", "aspectName": "tagProperties", "aspect": {
        "contentType": "application/json", "value": '{"patch":%s,"forceGenericPatch":true}' % lists}}})
    value = '[{"urn":"urn:li:tag:small","tagProperties":{"value":{"name":"n","unknown":%s}}}]'
    return {
        "a list of proposals": ("/openapi/entities/v1/", lists), "numbers in a value": ("/openapi/v3/entity/tag?async=false", value % numbers),
        "lists in a value": ("/openapi/v3/entity/tag?async=false", value % lists), "a patch": ("/aspects?action=ingestProposal", patch),
    }


def small_and_many(report):
    nobody = lambda stack: [stack.headers_without_rights()]
    for name, (path, body) in REFUSED_BATCHES.items():
        report.measure(f"16 batches of 10,000 without a right, {name}", again(posts(path, json.dumps(body)), 3), prepare=nobody)
    for name, body in REPEATED.items():
        report.measure(f"16 requests for one tag many times, {name}", posts("/openapi/v3/entity/tag/batchGet", json.dumps(body)), prepare=large_tags)
    for name, (path, body) in small_values().items():
        report.measure(f"16 bodies of 1 MB, {name}", again(posts(path, body), 3))


def refused_at_once(report, brief):
    """Abuses that must cost almost nothing, in memory and in response times of other requests."""
    def measure(name, abuse, **more):
        return report.measure(name, again(abuse, 5 if brief else 10), quick=True, **more)

    nobody = {"prepare": lambda stack: [stack.headers_without_rights()]}
    measure("regular expressions, 40 of them", definition(expressions(40)), **nobody)
    measure("regular expressions, 400 of them", definition(expressions(400)), **nobody)
    measure("YAML of 40,000 keys", definition(keys(40_000, "key_%d: 1\n")), **nobody)
    measure("YAML of 90,000 equal keys", definition(keys(90_000, "a: 1\n")), **nobody)
    for script, text in SCRIPTS.items():
        measure(f"searches for 5,000 letters, {script}", searches(text, 1))
    # Sixteen concurrent requests have an effect whatever their content, so the reference is sixteen
    # ordinary ones.
    ordinary = report.measure("16 searches for a word at once", again(searches("orders", 16)))
    measure("16 searches for 5,000 letters at once, Han", searches(SCRIPTS["Han"], 16), beside=ordinary)
    measure("filters of a million values", filters())


# Reads that take much processor time and little memory, sent by a user without privileges.
BEGINNINGS = " ".join(letter + "*" for letter in string.ascii_lowercase)
SCHEMA = "__schema { types { name fields { name args { name type { name ofType { name } } } type { name ofType { name ofType { name } } } } inputFields { name } enumValues { name } } }"
COSTLY_READS = {
    "timelines": [("query", 'getTimeline(input: {urn: "%s"}) { changeTransactions { timestampMillis changes { urn description } } }' % dataset(0))],
    "versions of a schema, 8 in each": [("query", 'getSchemaVersionList(input: {datasetUrn: "%s"}) { semanticVersionList { semanticVersion } }' % dataset(0))] * 8,
    "timelines by REST": [("path", "/openapi/v2/timeline/v1/%s?categories=TECHNICAL_SCHEMA" % urllib.parse.quote(dataset(0), safe=""))],
    "searches for 26 beginnings": [("query", 'searchAcrossEntities(input: {query: "%s"}) { total }' % BEGINNINGS)],
    "searches for 26 beginnings, 8 in each": [("query", 'searchAcrossEntities(input: {query: "%s"}) { total }' % BEGINNINGS)] * 8,
    "searches for 26 beginnings by tools": [("tool", BEGINNINGS)],
    "195 facets": [("query", 'aggregateAcrossEntities(input: {query: "*", facets: %s}) { facets { field } }' % json.dumps(["owners", "tags", "name", "description", "urn"] * 39))],
    "comparisons with 26 values": [("query", 'searchAcrossEntities(input: {query: "*", orFilters: [{and: [{field: "description", condition: CONTAIN, values: %s}]}]}) { total }')],
    "walks along lineage": [("query", 'searchAcrossLineage(input: {urn: "%s", direction: DOWNSTREAM, query: "*"}) { total }' % dataset(1))],
    "questions about the schema": [("query", SCHEMA)],
    "questions about the schema and a user": [("query", SCHEMA), ("query", "me { corpUser { urn } }")],
}

# The time in seconds until 16 concurrent requests are queued: each is parsed and authorized, and
# runs for 2 ms on one of two processors before it waits for its turn. Without turns the slowest
# bystander requests took 200 to 1,900 ms.
UNTIL_THEY_WAIT = 0.02


def costly(reads, n=16):
    """One of COSTLY_READS on n concurrent connections. Each request has a unique text."""
    def one(stack, headers, i):
        kind, text = reads[0]
        if kind == "path":
            return request(stack.service, "GET", text, headers)[0]
        if kind == "tool":
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"query": text}}}
            return request(stack.service, "POST", "/mcp", {**headers, "Accept": "application/json, text/event-stream"}, json.dumps(call))[0]
        values = json.dumps([f"{letter}{i}{time.time_ns()}" for letter in string.ascii_lowercase])
        fields = " ".join(f"a{at}: {read % values if '%s' in read else read}" if not read.startswith("__") else read for at, (_, read) in enumerate(reads))
        status, _, answer = request(stack.service, "POST", "/api/graphql", headers, json.dumps({"query": "query Q%d { %s }" % (time.time_ns(), fields)}))
        return status if status != 200 else answer_of(answer)

    return lambda stack, headers: together(n, lambda i: one(stack, headers, i))


def taken_in_turns(report, brief):
    """Costly reads of one user must not delay requests of others."""
    nobody = {"prepare": lambda stack: [stack.headers_without_rights()]}
    light = [("path", "/openapi/v3/entity/dataset/" + urllib.parse.quote(dataset(0), safe=""))]
    times = 3 if brief else 10
    report.measure("16 reads of an entity at once", again(costly(light), times), **nobody)
    for name, reads in COSTLY_READS.items():
        report.measure(f"16 {name} at once", again(costly(reads), times), quick=True, beside=UNTIL_THEY_WAIT, **nobody)


# Aspects with lists of any length: the URN, the value around the elements, and one element.
LONG_LISTS = {
    "globalTags": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"tags":[%s]}', '{"tag":"urn:li:tag:t%d"}'),
    "glossaryTerms": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"auditStamp":{"time":1,"actor":"urn:li:corpuser:x"},"terms":[%s]}', '{"urn":"urn:li:glossaryTerm:t%d"}'),
    "domains": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"domains":[%s]}', '"urn:li:domain:d%d"'),
    "forms": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"incompleteForms":[%s],"completedForms":[]}', '{"urn":"urn:li:form:f%d","incompletePrompts":[],"completedPrompts":[]}'),
    "ownership": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"owners":[%s]}', '{"owner":"urn:li:corpuser:u%d","type":"DATAOWNER"}'),
    "upstreamLineage": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"upstreams":[%s]}', '{"dataset":"urn:li:dataset:(urn:li:dataPlatform:hive,u%d,PROD)","type":"TRANSFORMED"}'),
    "editableSchemaMetadata": ("urn:li:dataset:(urn:li:dataPlatform:hive,long,PROD)", '{"editableSchemaFieldInfo":[%s]}', '{"fieldPath":"f%d","globalTags":{"tags":[{"tag":"urn:li:tag:t%d"}]}}'),
    "dataProductProperties": ("urn:li:dataProduct:long", '{"name":"long","assets":[%s]}', '{"destinationUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,a%d,PROD)"}'),
    "groupMembership": ("urn:li:corpuser:long", '{"groups":[%s]}', '"urn:li:corpGroup:g%d"'),
    "roleMembership": ("urn:li:corpuser:long", '{"roles":["urn:li:dataHubRole:Reader"%s]}', ',"urn:li:dataHubRole:Reader"'),
}
SHORT, LONG = 4_000, 64_000
# The maximum ratio of the time per element of a long list to that of a short list.
MAX_GROWTH = 4


def long_lists(report):
    """The cost of writing long lists must be proportional to their length, because such writes block all other writes."""
    stack = Stack(report.binaries, report.folder)

    def element_cost(aspect, n):
        """The time per element of writing the list to a new entity and replacing half of it."""
        urn, around, element = LONG_LISTS[aspect]
        urn = urn.replace("long", f"long_{aspect}_{time.monotonic_ns()}")
        took = 0
        for first in (0, n // 2):
            elements = [element.replace("%d", str(i)) for i in range(first, first + n)]
            value = around % ("".join(elements) if element.startswith(",") else ",".join(elements))
            proposal = {"entityType": urn.split(":")[2], "entityUrn": urn, "changeType": "UPSERT", "aspectName": aspect, "aspect": {"contentType": "application/json", "value": value}}
            began = time.monotonic()
            status, _, answer = request(stack.service, "POST", "/aspects?action=ingestProposal", stack.headers, json.dumps({"proposal": proposal}))
            took += time.monotonic() - began
            if status != 200:
                raise SystemExit(f"{aspect} with {n} elements: {status} {answer[:500]}")
        return took / n

    try:
        for aspect in LONG_LISTS:
            for attempt in range(3):  # other load on the machine affects the measurement
                growth = element_cost(aspect, LONG) / element_cost(aspect, SHORT)
                if growth <= MAX_GROWTH:
                    break
            print(f"an element of {LONG} in {aspect:30} x{growth:.1f} what one of {SHORT} takes", flush=True)
            if growth > MAX_GROWTH:
                report.failures.append(f"{aspect}: an element of a long list takes {growth:.1f} times what one of a short list takes, at most {MAX_GROWTH}")
    finally:
        stack.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("--brief", action="store_true", help="a small catalog, for a quick look")
    arguments = parser.parse_args()
    sys.setswitchinterval(0.0002)  # the bystander should wait for the service, not for other threads of this process
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
        # These requests write all 80 MB that they hold, so their limit is higher.
        report.measure("8 batches of 10 MB at once", ingestion(8, 10), ceiling=CEILING_MB + 80)
        # Far too little memory: requests that do not fit are refused, and no process ends.
        report.measure("pages and batches within 120 MB", at_once(details(4), ingestion(4, 10)), CARTULARY_MEMORY_LIMIT=str(120 << 20))
        small_and_many(report)
        refused_at_once(report, arguments.brief)
        taken_in_turns(report, arguments.brief)
        long_lists(report)
    for failure in report.failures:
        print("FAILED:", failure)
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
