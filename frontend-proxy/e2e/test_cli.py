"""The command-line client against the proxy."""

import json
import subprocess
import time

import pytest
from datahub.sdk import DataHubClient

from caller import Caller, dataset, proposal
from datahub_command import COMMAND


@pytest.fixture(scope="module")
def aspect_file(tmp_path_factory: pytest.TempPathFactory):
    def write(value) -> str:
        path = tmp_path_factory.mktemp("aspect") / "aspect.json"
        path.write_text(json.dumps(value))
        return str(path)

    return write


def succeeds(process) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_the_installed_command_answers_as_the_fork_does(datahub):
    installed = subprocess.run([COMMAND, "version"], capture_output=True, text=True, timeout=120)
    assert succeeds(installed) == succeeds(datahub("version"))


def test_put_get_and_exists(datahub, aspect_file):
    urn = dataset("cli.put")
    file = aspect_file({"description": "put by hand", "customProperties": {}, "tags": []})
    succeeds(datahub("put", "aspect", "--urn", urn, "-a", "datasetProperties", "-d", file))

    shown = json.loads(succeeds(datahub("get", "--urn", urn, "-a", "datasetProperties")))
    assert shown["datasetProperties"]["description"] == "put by hand"
    whole = json.loads(succeeds(datahub("get", "--urn", urn)))
    assert whole["datasetKey"]["name"] == "cli.put"
    assert "true" in succeeds(datahub("exists", "--urn", urn)).lower()
    assert "false" in succeeds(datahub("exists", "--urn", dataset("cli.nowhere"))).lower()


def test_get_with_details(datahub, caller: Caller):
    urn = dataset("cli.details")
    assert caller.ingest(proposal(urn, "status", {"removed": False})).status_code == 200
    shown = json.loads(succeeds(datahub("get", "--urn", urn, "--details")))
    assert shown["status"]["value"] == {"removed": False}
    assert shown["status"]["systemMetadata"]["runId"].startswith("e2e-")


def test_get_of_a_time_series_shows_the_newest_document(datahub, caller: Caller):
    urn = dataset("cli.profile")
    for time, rows in ((1754000000000, 1), (1754000060000, 2)):
        value = {"timestampMillis": time, "rowCount": rows}
        assert caller.ingest(proposal(urn, "datasetProfile", value)).status_code == 200
    shown = json.loads(succeeds(datahub("get", "--urn", urn, "-a", "datasetProfile")))
    assert shown["datasetProfile"]["rowCount"] == 2


def test_put_with_a_run_id(datahub, aspect_file, caller: Caller):
    urn = dataset("cli.run")
    file = aspect_file({"removed": False})
    succeeds(datahub("put", "aspect", "--urn", urn, "-a", "status", "-d", file, "--run-id", "put-by-hand"))
    rows = caller.act("/runs", "describe", runId="put-by-hand", start=0, count=10).json()["value"]
    assert "status" in {row["aspectName"] for row in rows}


def test_put_platform(datahub, caller: Caller):
    succeeds(
        datahub("put", "platform", "--name", "longtail", "--display_name", "Long Tail", "--logo", "https://example.org/l.png")
    )
    info = caller.aspect("urn:li:dataPlatform:longtail", "dataPlatformInfo")
    assert info and info["displayName"] == "Long Tail"


def test_soft_delete_keeps_the_entity(datahub, caller: Caller):
    urn = dataset("cli.soft")
    assert caller.ingest(proposal(urn, "datasetProperties", {"description": "kept"})).status_code == 200
    succeeds(datahub("delete", "--urn", urn, "--soft", "-f"))
    assert caller.aspect(urn, "status") == {"removed": True}
    assert caller.aspect(urn, "datasetProperties")["description"] == "kept"


def test_hard_delete_leaves_nothing(datahub, caller: Caller):
    urn = dataset("cli.hard")
    assert caller.ingest(proposal(urn, "status", {"removed": False})).status_code == 200
    succeeds(datahub("delete", "--urn", urn, "--hard", "-f"))
    assert caller.aspect(urn, "status") is None
    assert caller.aspect(urn, "datasetKey") is None


def test_a_run_is_listed_shown_and_rolled_back(datahub, stack, token, caller: Caller, tmp_path):
    urns = [dataset(f"cli.rollback.{i}") for i in range(3)]
    records = [
        {"entityType": "dataset", "entityUrn": urn, "changeType": "UPSERT", "aspectName": aspect, "aspect": {"json": value}}
        for urn in urns
        for aspect, value in (("status", {"removed": False}), ("datasetProperties", {"description": "for a while"}))
    ]
    (tmp_path / "data.json").write_text(json.dumps(records))
    (tmp_path / "recipe.yml").write_text(
        f"run_id: e2e-rollback\n"
        f"source: {{type: file, config: {{path: '{tmp_path / 'data.json'}'}}}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}'}}}}\n"
    )
    succeeds(datahub("ingest", "-c", tmp_path / "recipe.yml"))
    assert caller.aspect(urns[0], "datasetProperties")["description"] == "for a while"

    assert "e2e-rollback" in succeeds(datahub("ingest", "list-runs"))
    shown = succeeds(datahub("ingest", "show", "--run-id", "e2e-rollback"))
    assert all(urn in shown for urn in urns)

    succeeds(datahub("ingest", "rollback", "--run-id", "e2e-rollback", "--dry-run"))
    assert caller.aspect(urns[0], "datasetProperties") is not None
    succeeds(datahub("ingest", "rollback", "--run-id", "e2e-rollback", "-f"))
    for urn in urns:
        assert caller.aspect(urn, "datasetProperties") is None
        assert caller.aspect(urn, "status") in (None, {"removed": True})


def test_ingest_with_a_bad_token_fails_and_says_why(datahub, stack, tmp_path):
    (tmp_path / "data.json").write_text(
        json.dumps(
            [{"entityType": "tag", "entityUrn": "urn:li:tag:x", "changeType": "UPSERT", "aspectName": "status", "aspect": {"json": {"removed": False}}}]
        )
    )
    (tmp_path / "recipe.yml").write_text(
        f"source: {{type: file, config: {{path: '{tmp_path / 'data.json'}'}}}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: 'no-token'}}}}\n"
    )
    process = datahub("ingest", "-c", tmp_path / "recipe.yml")
    assert process.returncode != 0
    assert "401" in process.stdout + process.stderr


@pytest.mark.parametrize("mode", ["SYNC", "ASYNC"])
def test_sink_modes_that_send_one_record_at_a_time(datahub, stack, token, caller: Caller, tmp_path, mode):
    urn = dataset(f"cli.sink.{mode.lower()}")
    snapshot = "com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot"
    records = [
        {"proposedSnapshot": {snapshot: {"urn": urn, "aspects": [{"com.linkedin.pegasus2avro.common.Status": {"removed": False}}]}}},
        {"entityType": "dataset", "entityUrn": urn, "changeType": "UPSERT", "aspectName": "datasetProperties", "aspect": {"json": {"description": mode}}},
    ]
    (tmp_path / "data.json").write_text(json.dumps(records))
    (tmp_path / "recipe.yml").write_text(
        f"source: {{type: file, config: {{path: '{tmp_path / 'data.json'}'}}}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}', mode: {mode}}}}}\n"
    )
    succeeds(datahub("ingest", "-c", tmp_path / "recipe.yml"))
    assert caller.aspect(urn, "status") == {"removed": False}
    assert caller.aspect(urn, "datasetProperties")["description"] == mode


def test_ingest_through_open_api(datahub, stack, token, caller: Caller, tmp_path):
    urn = dataset("cli.sink.openapi")
    (tmp_path / "data.json").write_text(
        json.dumps(
            [{"entityType": "dataset", "entityUrn": urn, "changeType": "UPSERT", "aspectName": "datasetProperties", "aspect": {"json": {"description": "v3"}}}]
        )
    )
    (tmp_path / "recipe.yml").write_text(
        f"source: {{type: file, config: {{path: '{tmp_path / 'data.json'}'}}}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}', endpoint: OPENAPI}}}}\n"
    )
    succeeds(datahub("ingest", "-c", tmp_path / "recipe.yml"))
    assert caller.aspect(urn, "datasetProperties")["description"] == "v3"


def test_the_garbage_collection_truncates_time_series(datahub, stack, token, caller: Caller, tmp_path):
    urn = dataset("cli.gc")
    now = int(time.time() * 1000)
    operation = {"operationType": "INSERT", "lastUpdatedTimestamp": now}
    for at in (1_500_000_000_000, 1_500_000_000_001, now):
        assert caller.ingest(proposal(urn, "operation", {"timestampMillis": at, **operation})).status_code == 200
    (tmp_path / "recipe.yml").write_text(
        "source:\n"
        "  type: datahub-gc\n"
        "  config:\n"
        "    cleanup_expired_tokens: false\n"
        "    truncate_indices: true\n"
        "    truncate_index_older_than_days: 30\n"
        "    dataprocess_cleanup: {enabled: false}\n"
        "    soft_deleted_entities_cleanup: {enabled: false}\n"
        "    execution_request_cleanup: {enabled: false}\n"
        "    query_cleanup: {enabled: false}\n"
        f"datahub_api: {{server: '{stack.gms}', token: '{token}'}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}'}}}}\n"
    )
    out = succeeds(datahub("ingest", "-c", tmp_path / "recipe.yml"))
    assert "While trying to truncate indices" not in out
    path = "/openapi/operations/tasks?kind=truncateTimeseriesAspect"
    deadline = time.time() + 30
    while caller.get(path + "&state=queued,running").json()["total"]:
        assert time.time() < deadline, "the truncations do not end"
    done = caller.get(path).json()["tasks"]
    assert len(done) == 5 and {task["state"] for task in done} == {"succeeded"}
    assert [document["timestampMillis"] for document in caller.series(urn, "operation")] == [now]


def test_lineage_of_a_column(datahub, caller: Caller, stack, token):
    """The client compares results by table; their paths contain the columns."""
    source, copied, report = (dataset(f"cli.column.{name}") for name in ("source", "copied", "report"))

    def column(table: str, path: str) -> str:
        return f"urn:li:schemaField:({table},{path})"

    def derived(table: str, of: str, *columns: tuple[str, str]) -> dict:
        stamp = {"time": 0, "actor": "urn:li:corpuser:datahub"}
        value = {
            "upstreams": [{"dataset": of, "type": "TRANSFORMED", "auditStamp": stamp}],
            "fineGrainedLineages": [
                {
                    "upstreamType": "FIELD_SET",
                    "upstreams": [column(of, a)],
                    "downstreamType": "FIELD",
                    "downstreams": [column(table, b)],
                    "confidenceScore": 1.0,
                }
                for a, b in columns
            ],
        }
        return proposal(table, "upstreamLineage", value)

    tables = [proposal(table, "status", {"removed": False}) for table in (source, copied, report)]
    steps = [
        derived(copied, source, ("total", "total"), ("id", "id")),
        derived(report, copied, ("total", "sum"), ("total", "average")),
    ]
    assert caller.ingest(*tables, *steps).status_code == 200

    command = ["lineage", "--urn", source, "--column", "total", "--direction", "downstream", "--hops", "2"]
    listed = json.loads(succeeds(datahub(*command, "--format", "json")))
    found = {row["urn"]: row for row in listed["results"]}
    assert found.keys() == {copied, report}, listed
    assert [found[copied]["hops"], found[report]["hops"]] == [1, 2]

    client = DataHubClient(server=stack.gms, token=token)
    rows = client.lineage.get_lineage(source_urn=source, source_column="total", direction="downstream", max_hops=2)
    reached = {step.urn for row in rows for step in row.paths or [] if row.urn == report}
    ways = [column(copied, "total"), column(report, "sum"), column(report, "average")]
    assert reached == {column(source, "total"), *ways}

    ends = ["--from", source, "--from-column", "total", "--to", report, "--to-column", "sum"]
    assert "Path found (2 hops)" in succeeds(datahub("lineage", "path", *ends))
    elsewhere = ["--from", source, "--from-column", "id", "--to", report, "--to-column", "sum"]
    assert "No path found" in succeeds(datahub("lineage", "path", *elsewhere))
