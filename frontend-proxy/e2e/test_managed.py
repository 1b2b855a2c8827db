"""Ingestion sources run by the stock executor, and events consumed by the stock actions framework."""

import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

from caller import Caller, dataset, proposal
from stack import Stack

WAIT_SECONDS = 60
SECRET = "managed_e2e_token"
ORDERS = dataset("managed.orders")

ACTIONS = pathlib.Path(sys.executable).parent / "datahub-actions"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("datahub_actions") is None or shutil.which("uv") is None,
    reason="managed ingestion: acryl-datahub-actions and uv are not both here, see requirements.txt",
)

# A user-defined action, loaded from a file by the actions framework. It records the events that it
# receives.
RECORDER = """
import json, pathlib
from datahub_actions.action.action import Action

class Recorder(Action):
    def __init__(self, path):
        self.path = pathlib.Path(path)

    @classmethod
    def create(cls, config, ctx):
        return cls(config["path"])

    def act(self, event):
        with self.path.open("a") as lines:
            lines.write(json.dumps([event.event_type, json.loads(event.event.as_json())]) + "\\n")

    def close(self):
        pass
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory):
    """A separate catalog, because the tests restart it."""
    running = Stack(tmp_path_factory.mktemp("managed"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def key(own: Stack) -> str:
    return own.create_token("managed")


@pytest.fixture(scope="module")
def user(own: Stack, key: str) -> Caller:
    return Caller(own.gms, key)


@contextlib.contextmanager
def following(folder: pathlib.Path, own: Stack, key: str, pipeline: str):
    """Runs the actions framework with a pipeline, terminates it with SIGTERM and requires exit code 0."""
    (folder / "recorder.py").write_text(RECORDER)
    (folder / "pipeline.yml").write_text(f"{pipeline}\ndatahub: {{server: '{own.gms}', token: '{key}'}}\n")
    with (folder / "actions.log").open("a") as log:
        process = subprocess.Popen(
            [ACTIONS, "actions", "-c", "pipeline.yml"], cwd=folder, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": str(folder)}
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            code = process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert code == 0, (folder / "actions.log").read_text()


def wait_for(read, accepted, shown=lambda: ""):
    """Polls read until its value is accepted, and returns the value."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        value = read()
        if accepted(value):
            return value
        assert time.monotonic() < end, f"{value}\n{shown()}"
        time.sleep(0.2)


def ask(user: Caller, query: str, **variables) -> dict:
    answer = user.post("/api/graphql", data=json.dumps({"query": query, "variables": variables})).json()
    assert not answer.get("errors"), answer
    return answer["data"]


def begin(user: Caller, name: str, recipe: dict) -> tuple[str, str]:
    """Creates a source, requests a run of it, and returns both URNs."""
    source = ask(
        user,
        "mutation($i: UpdateIngestionSourceInput!) { createIngestionSource(input: $i) }",
        i={"name": name, "type": "file", "config": {"recipe": json.dumps(recipe), "executorId": "default", "version": "native"}},
    )["createIngestionSource"]
    run = ask(
        user,
        "mutation($i: CreateIngestionExecutionRequestInput!) { createIngestionExecutionRequest(input: $i) }",
        i={"ingestionSourceUrn": source},
    )["createIngestionExecutionRequest"]
    return source, run


def result(user: Caller, run: str) -> dict:
    found = ask(user, "query($u: String!) { executionRequest(urn: $u) { result { status report structuredReport { type } } } }", u=run)
    return found["executionRequest"]["result"] or {}


def test_sources_run_on_demand_and_are_cancelled(own: Stack, key: str, user: Caller, tmp_path: pathlib.Path) -> None:
    ask(user, "mutation($i: CreateSecretInput!) { createSecret(input: $i) }", i={"name": SECRET, "value": key})
    sink = {"type": "datahub-rest", "config": {"server": own.gms, "token": f"${{{SECRET}}}"}}
    file = tmp_path / "orders.json"
    file.write_text(json.dumps([{**proposal(ORDERS, "datasetProperties", None), "aspect": {"json": {"description": "run by an executor"}}}]))
    pipe = tmp_path / "never.json"
    os.mkfifo(pipe)  # without a writer, readers block
    pipeline = (
        "name: executor\n"
        "source: {type: datahub-cloud, config: {topics: MetadataChangeLog_Versioned_v1, lookback_days: 1}}\n"
        "action: {type: executor, config: {executor_id: default}}"
    )
    log = tmp_path / "actions.log"

    _, finished = begin(user, "orders", {"source": {"type": "file", "config": {"path": str(file)}}, "sink": sink})
    assert result(user, finished) == {}  # no executor is running yet
    with following(tmp_path, own, key, pipeline):
        done = wait_for(lambda: result(user, finished), lambda r: r.get("status") not in (None, "PENDING", "RUNNING"), log.read_text)
        assert done["status"] == "SUCCESS", done
        assert "Pipeline finished successfully" in done["report"]
        assert done["structuredReport"]["type"] == "RUN_INGEST"
        assert user.aspect(ORDERS, "datasetProperties")["description"] == "run by an executor"
        assert user.get("/config").json()["managedIngestion"]["followed"] is True

        source, endless = begin(user, "endless", {"source": {"type": "file", "config": {"path": str(pipe)}}, "sink": sink})
        wait_for(lambda: result(user, endless), lambda r: r.get("status") == "RUNNING", log.read_text)
        ask(
            user,
            "mutation($i: CancelIngestionExecutionRequestInput!) { cancelIngestionExecutionRequest(input: $i) }",
            i={"ingestionSourceUrn": source, "executionRequestUrn": endless},
        )
        wait_for(lambda: result(user, endless), lambda r: r.get("status") == "CANCELLED", log.read_text)

    for written in (log.read_text(), own.logs(), done["report"]):
        assert key not in written


def test_events_arrive_in_order_and_once(own: Stack, key: str, user: Caller, tmp_path: pathlib.Path) -> None:
    lines = tmp_path / "events"
    log = tmp_path / "actions.log"
    kinds = ("EntityChangeEvent_v1", "RelationshipChangeEvent_v1", "MetadataChangeLogEvent_v1")
    topics = ("PlatformEvent_v1", "MetadataChangeLog_Versioned_v1")
    pipeline = (
        "name: recorder\n"
        f"source: {{type: datahub-cloud, config: {{topics: [{', '.join(topics)}], lookback_days: 1, infinite_retry: true}}}}\n"
        f"action: {{type: 'recorder:Recorder', config: {{path: '{lines}'}}}}"
    )

    def tag(number: int) -> None:
        tags = [{"tag": f"urn:li:tag:managed-{n}"} for n in range(number + 1)]
        user.ingest(proposal(ORDERS, "globalTags", {"tags": tags})).raise_for_status()

    def recorded(kind: str, urn: str) -> list[dict]:
        events = map(json.loads, lines.read_text().splitlines() if lines.exists() else ())
        return [event for name, event in events if name == kind and event.get("entityUrn", event.get("sourceUrn")) == urn]

    def arrived(kind: str) -> list[int]:
        """The numbers of the tags in events of a kind, in order of arrival."""
        numbers = []
        for event in recorded(kind, ORDERS):
            if event.get("category") == "TAG":
                numbers.append(int(event["modifier"].rpartition("-")[2]))
            elif event.get("relationshipType") == "TaggedWith":
                assert event["operation"] == "ADD" and event["auditStamp"]["actor"], event
                numbers.append(int(event["destinationUrn"].rpartition("-")[2]))
            elif event.get("aspectName") == "globalTags":
                numbers.append(len(json.loads(event["aspect"]["value"])["tags"]) - 1)
        return numbers

    def all_arrive(count: int) -> None:
        for kind in kinds:
            found = wait_for(lambda: arrived(kind), lambda found: len(found) >= count, log.read_text)
            assert found == list(range(count)), kind

    def polled_again(name: str) -> None:
        """Waits for a later poll: the framework commits the offset up to the poll before the last one."""
        marker = f"urn:li:tag:managed-poll-{name}"
        user.ingest(proposal(marker, "tagProperties", {"name": name})).raise_for_status()
        wait_for(lambda: recorded("MetadataChangeLogEvent_v1", marker), bool, log.read_text)

    tag(0)
    tag(1)
    with following(tmp_path, own, key, pipeline):
        all_arrive(2)
        tag(2)
        all_arrive(3)
        polled_again("first")
    tag(3)  # while the client is down
    with following(tmp_path, own, key, pipeline):
        all_arrive(4)
        own.stop()
        own.start()
        tag(4)
        tag(5)
        all_arrive(6)
        polled_again("second")
    tag(6)
    own.stop()  # both are down
    own.start()
    with following(tmp_path, own, key, pipeline):
        all_arrive(7)
        polled_again("third")
    all_arrive(7)  # and no further events
