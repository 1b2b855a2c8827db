"""Single requests in the exact format of the client, and the responses that it relies on."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from caller import VERSION, Caller, dataset, encoded, proposal

MIB = 1 << 20


@pytest.fixture(scope="module")
def direct(stack, token) -> Caller:
    return Caller(stack.service, token)


# --- connecting ---


def test_config_says_what_the_client_decides_by(stack):
    for address in (stack.gms, stack.service):
        config = Caller(address, None, mode="INGESTION").get("/config").json()
        assert config["noCode"] == "true"
        version = config["versions"]["acryldata/datahub"]
        assert version["version"] == "v1.8.0" and version["commit"]  # assertion notes require 1.7.0.1
        assert config["managedIngestion"]["defaultCliVersion"] == VERSION
        assert config["statefulIngestionCapable"] is True
        assert config["supportsImpactAnalysis"] is True
        assert config["patchCapable"] is True
        assert config["datahub"]["serverEnv"] == "core"
        assert config["telemetry"]["enabledCli"] is False


def test_telemetry_asks_for_an_id_that_is_not_there(caller):
    answer = caller.get("/aspects/urn%3Ali%3Atelemetry%3AclientId?aspect=telemetryClientId&version=0")
    assert answer.status_code == 404


@pytest.mark.parametrize("prefix", ["/api/gms", "/gms", ""])
def test_native_paths_answer_under_every_prefix(stack, token, prefix):
    for base in (stack.service,) if prefix == "" else (stack.service, stack.proxy):
        answer = Caller(base + prefix, token).get("/entitiesV2/urn%3Ali%3Acorpuser%3Adatahub")
        assert answer.status_code == 200 and "corpUserInfo" in answer.json()["aspects"], base + prefix


# --- proposals ---


def test_the_reports_of_a_run_are_stored(caller):
    run = "urn:li:dataHubExecutionRequest:e2e-2026_01_01-00_00_00-abc123"
    source = "urn:li:dataHubIngestionSource:cli-0123456789abcdef"
    task = {"task": "CLI Ingestion", "args": {"recipe": "{}"}, "source": {"type": "CLI_INGESTION_SOURCE", "ingestionSource": source}, "requestedAt": 1765000000000, "executorId": "__datahub_cli_"}
    single = caller.act("/aspects", "ingestProposal", proposal=proposal(run, "dataHubExecutionRequestInput", task), **{"async": "false"})
    assert single.status_code == 200 and single.json() == {"value": "success"}

    info = {"type": "file", "name": "[CLI] file", "config": {"recipe": "{}", "executorId": "__datahub_cli_", "version": VERSION}}
    report = "r" * 800_000
    result = {"status": "SUCCESS", "report": report, "startTimeMs": 1765000000000, "durationMs": 5, "structuredReport": {"type": "CLI_INGEST", "serializedValue": json.dumps({"a": [1]}), "contentType": "application/json"}}
    batch = caller.ingest(proposal(source, "dataHubIngestionSourceInfo", info), proposal(run, "dataHubExecutionRequestResult", result), asynchronous="true")
    assert batch.status_code == 200
    assert caller.aspect(run, "dataHubExecutionRequestResult")["report"] == report
    assert caller.aspect(source, "dataHubIngestionSourceInfo")["name"] == "[CLI] file"


@pytest.mark.parametrize("asynchronous", ["true", "false"])
def test_a_batch_is_readable_when_it_was_answered(caller, asynchronous):
    urn = dataset(f"traffic.batch.{asynchronous}")
    assert caller.ingest(proposal(urn, "status", {"removed": False}), asynchronous=asynchronous).status_code == 200
    assert caller.aspect(urn, "status") == {"removed": False}


def test_the_last_of_several_writes_in_a_batch_counts(caller):
    urn = dataset("traffic.last")
    batch = [proposal(urn, "datasetProperties", {"description": str(i)}) for i in range(5)]
    assert caller.ingest(*batch).status_code == 200
    assert caller.aspect(urn, "datasetProperties")["description"] == "4"


def test_repeated_writes_are_safe(caller):
    urn = dataset("traffic.repeat")
    for _ in range(3):
        assert caller.ingest(proposal(urn, "datasetProperties", {"description": "same"})).status_code == 200
    stored = caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"]["datasetProperties"]
    assert stored["systemMetadata"]["version"] == "1"


def test_optional_members_of_a_proposal_are_taken(caller):
    urn = dataset("traffic.optional")
    full = proposal(
        urn,
        "status",
        {"removed": False},
        change="CREATE",
        headers={"If-None-Match": "*"},
        auditHeader=None,
    )
    full["systemMetadata"] |= {"pipelineName": "p", "registryName": "r", "registryVersion": "0.0.0.0-dev", "properties": {"clientId": "acryl-datahub", "clientVersion": VERSION, "mine": "kept"}}
    for _ in range(2):
        assert caller.ingest(full).status_code == 200
    stored = caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"]["status"]
    assert stored["systemMetadata"]["pipelineName"] == "p"
    assert stored["systemMetadata"]["properties"]["mine"] == "kept"


def test_a_key_in_place_of_the_urn(caller):
    made = proposal("urn:li:tag:traffic-by-key", "tagProperties", {"name": "by key"})
    del made["entityUrn"]
    made["entityKeyAspect"] = {"value": json.dumps({"name": "traffic-by-key"}), "contentType": "application/json"}
    assert caller.ingest(made).status_code == 200
    assert caller.aspect("urn:li:tag:traffic-by-key", "tagProperties")["name"] == "by key"


def test_union_members_have_their_record_name(caller):
    urn = dataset("traffic.union", "kafka")
    schema = {
        "schemaName": "s",
        "platform": "urn:li:dataPlatform:kafka",
        "version": 0,
        "hash": "",
        "platformSchema": {"com.linkedin.schema.KafkaSchema": {"documentSchema": "{}"}},
        "fields": [{"fieldPath": "id", "nullable": False, "nativeDataType": "string", "recursive": False, "isPartOfKey": False, "type": {"type": {"com.linkedin.schema.StringType": {}}}}],
    }
    assert caller.ingest(proposal(urn, "schemaMetadata", schema)).status_code == 200
    assert caller.aspect(urn, "schemaMetadata")["platformSchema"] == schema["platformSchema"]
    envelope = caller.get(f"/aspects/{encoded(urn)}?aspect=schemaMetadata&version=0").json()
    assert list(envelope["aspect"]) == ["com.linkedin.schema.SchemaMetadata"]


@pytest.mark.parametrize("content", ["application/json", "application/json-patch+json"])
@pytest.mark.parametrize("shape", ["list", "object"])
def test_a_patch_comes_in_two_shapes_and_under_two_labels(caller, content, shape):
    urn = dataset(f"traffic.patch.{shape}.{content[-4:]}")
    operations = [{"op": "add", "path": "/tags/urn:li:tag:a~1b", "value": {"tag": "urn:li:tag:a/b"}}]
    body = operations if shape == "list" else {"patch": operations, "arrayPrimaryKeys": {"tags": ["tag"]}, "forceGenericPatch": False}
    for _ in range(2):
        answer = caller.ingest(proposal(urn, "globalTags", body, change="PATCH", contentType=content))
        assert answer.status_code == 200, answer.text
    assert [tag["tag"] for tag in caller.aspect(urn, "globalTags")["tags"]] == ["urn:li:tag:a/b"]


def test_the_single_call_undoes_escaped_letters(caller):
    urn = dataset("traffic.bücher.日本")
    escaped = re.sub(r"[^\x00-\x7f]", lambda m: f"\\u{ord(m.group()):04x}", urn)
    assert caller.act("/aspects", "ingestProposal", proposal=proposal(urn, "datasetProperties", {"description": "ü"}) | {"entityUrn": escaped}, **{"async": "false"}).status_code == 200
    assert caller.aspect(urn, "datasetProperties")["description"] == "ü"
    assert caller.ingest(proposal(urn, "status", {"removed": True})).status_code == 200
    assert caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"].keys() >= {"datasetProperties", "status"}


def test_put_has_a_slash_and_its_system_metadata_is_text(caller):
    urn = dataset("traffic.put")
    body = {"proposal": proposal(urn, "status", {"removed": False})}
    body["proposal"]["systemMetadata"] = json.dumps({"lastObserved": 0, "runId": "put-run", "lastRunId": "no-run-id-provided"})
    answer = caller.post("/aspects/?action=ingestProposal", data=json.dumps(body), allow_redirects=False)
    assert answer.status_code == 200, answer.text
    stored = caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"]["status"]
    assert stored["systemMetadata"]["runId"] == "put-run"
    del body["proposal"]["systemMetadata"]
    assert caller.post("/aspects/?action=ingestProposal", data=json.dumps(body)).status_code == 200


def test_a_soft_delete_writes_status(caller):
    urn = dataset("traffic.soft")
    assert caller.act("/aspects", "ingestProposal", proposal=proposal(urn, "status", {"removed": True}), **{"async": "false"}).status_code == 200
    assert caller.aspect(urn, "status") == {"removed": True}


def test_a_snapshot_is_stored_with_an_empty_answer(caller):
    urn = dataset("traffic.snapshot")
    snapshot = {"urn": urn, "aspects": [{"com.linkedin.common.Status": {"removed": False}}, {"com.linkedin.dataset.DatasetProperties": {"description": "s", "customProperties": {}, "tags": []}}]}
    answer = caller.act("/entities", "ingest", entity={"value": {"com.linkedin.metadata.snapshot.DatasetSnapshot": snapshot}}, systemMetadata={"lastObserved": 1765000000000, "runId": "snap"})
    assert answer.status_code == 200 and answer.content == b""
    assert caller.aspect(urn, "datasetProperties")["description"] == "s"


# --- refusals ---


BAD = {
    "a value of the wrong type": ("datasetProperties", {"description": 5}, (422,)),
    "a required member is missing": ("datasetProfile", {"rowCount": 1}, (422,)),
    "an aspect the entity has not": ("corpUserInfo", {"active": True}, (400, 422)),
    "an aspect nobody knows": ("noSuchAspect", {}, (400, 422)),
}


@pytest.mark.parametrize("asynchronous", ["true", "false"])
@pytest.mark.parametrize("case", BAD, ids=list(BAD))
def test_one_bad_item_fails_the_batch_and_nothing_is_written(caller, case, asynchronous):
    aspect, value, statuses = BAD[case]
    good = dataset(f"traffic.bad.{case.replace(' ', '_')}.{asynchronous}")
    answer = caller.ingest(proposal(good, "status", {"removed": False}), proposal(good, aspect, value), asynchronous=asynchronous)
    assert answer.status_code in statuses, answer.text
    body = answer.json()
    assert body["status"] == answer.status_code and aspect in body["message"]
    assert caller.aspect(good, "status") is None and caller.aspect(good, "datasetKey") is None


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"proposals": 5, "async": "true"}', b'{"proposals": [null]}', b'{"proposals": [{}]}', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "cut", "list", "number", "null", "no members", "no text", "deep"],
)
def test_bodies_that_are_no_batch_are_refused(caller, body):
    answer = caller.post("/aspects?action=ingestProposalBatch", data=body)
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["message"]


@pytest.mark.parametrize(
    "urn",
    ["urn:li:dataset:(urn:li:dataPlatform:hive,x", "urn:li:noSuchType:x", "dataset", "urn:li:dataset:x", dataset("x" * 600), dataset("a␟b")],
    ids=["unbalanced", "unknown type", "no urn", "parts missing", "too long", "separator"],
)
def test_urns_that_are_none_are_refused(caller, urn):
    written = caller.ingest({**proposal(dataset("x"), "status", {"removed": False}), "entityUrn": urn})
    assert written.status_code in (400, 422) and written.json()["message"]
    read = caller.get(f"/aspects/{encoded(urn)}?aspect=status&version=0")
    assert read.status_code in (400, 404)


def test_unknown_actions_and_methods_are_refused(caller):
    assert caller.act("/aspects", "noSuchAction").status_code == 400
    assert caller.post("/aspects", data="{}").status_code in (400, 404, 405)
    assert caller.put("/aspects?action=ingestProposal", data="{}").status_code in (400, 404, 405)


def test_members_nobody_knows_are_left_out_of_the_value(caller):
    urn = dataset("traffic.unknown.member")
    assert caller.ingest(proposal(urn, "datasetProperties", {"description": "d", "notAValidField": 1})).status_code == 200
    assert "notAValidField" not in caller.aspect(urn, "datasetProperties")


def test_a_condition_that_fails_is_refused(caller):
    urn = dataset("traffic.condition")
    assert caller.ingest(proposal(urn, "datasetProperties", {"description": "1"})).status_code == 200
    stale = proposal(urn, "datasetProperties", {"description": "2"}, headers={"If-Version-Match": "7"})
    assert caller.ingest(stale).status_code == 422
    fresh = proposal(urn, "datasetProperties", {"description": "2"}, headers={"If-Version-Match": "1"})
    assert caller.ingest(fresh).status_code == 200
    assert caller.aspect(urn, "datasetProperties")["description"] == "2"


# --- size and load ---


def test_a_proposal_of_fifteen_mebibytes(caller):
    urn = dataset("traffic.large")
    text = "x" * (15 * MIB)
    assert caller.ingest(proposal(urn, "datasetProperties", {"description": text}), asynchronous="true").status_code == 200
    assert len(caller.aspect(urn, "datasetProperties")["description"]) == len(text)


def test_a_body_beyond_the_limit_is_refused(caller, direct):
    body = b'{"proposals": [], "async": "' + b"x" * (65 * MIB) + b'"}'
    for to in (caller, direct):
        try:
            answer = to.post("/aspects?action=ingestProposalBatch", data=body)
        except requests.ConnectionError:
            continue  # the server did not read the rest of the body, which is acceptable
        assert answer.status_code == 413


def test_fifteen_connections_at_once(stack, token):
    def send(worker: int) -> list[int]:
        own = Caller(stack.gms, token, mode="INGESTION")
        batches = [[proposal(dataset(f"traffic.parallel.{worker}.{i}.{j}"), "status", {"removed": False}) for j in range(100)] for i in range(3)]
        return [own.ingest(*batch, asynchronous="true").status_code for batch in batches]

    with ThreadPoolExecutor(15) as pool:
        statuses = [status for answers in pool.map(send, range(15)) for status in answers]
    assert statuses == [200] * 45
    reader = Caller(stack.gms, token)
    assert reader.aspect(dataset("traffic.parallel.14.2.99"), "status") == {"removed": False}


# --- reads ---


def test_an_urn_with_slashes_is_one_segment(caller, direct):
    urn = "urn:li:dataset:(urn:li:dataPlatform:s3,a//b/../c%2Fd e,PROD)"
    assert caller.ingest(proposal(urn, "status", {"removed": False})).status_code == 200
    for to in (caller, direct):
        assert to.aspect(urn, "status") == {"removed": False}
        assert to.get(f"/entitiesV2/{encoded(urn)}").json()["urn"] == urn
        assert to.get(f"/openapi/v3/entity/dataset/{encoded(urn)}").json()["urn"] == urn


def test_lists_of_aspects_and_of_urns(caller):
    urns = [dataset(f"traffic.list.{i}") for i in range(2)]
    for urn in urns:
        assert caller.ingest(proposal(urn, "status", {"removed": False}), proposal(urn, "datasetProperties", {"description": "d"})).status_code == 200
    one = caller.get(f"/entitiesV2/{encoded(urns[0])}?aspects=List(status,datasetProperties)").json()
    assert one["aspects"].keys() >= {"status", "datasetProperties"}
    ids = ",".join(encoded(urn) for urn in urns)
    for aspects in ("&aspects=List(status)", ""):
        several = caller.get(f"/entitiesV2?ids=List({ids}){aspects}").json()
        assert several["results"].keys() == set(urns)
        assert all(r["aspects"]["status"]["value"] == {"removed": False} for r in several["results"].values())


def test_an_urn_without_data_has_at_most_its_key(caller):
    answer = caller.get(f"/entitiesV2/{encoded(dataset('traffic.absent'))}")
    assert answer.status_code == 200
    assert answer.json()["aspects"].keys() <= {"datasetKey"}
    assert caller.aspect(dataset("traffic.absent"), "datasetKey") is None


def test_time_series_are_filtered_and_limited(caller):
    urn = dataset("traffic.series")
    for i in range(4):
        assert caller.ingest(proposal(urn, "datasetProfile", {"timestampMillis": 1754000000000 + i, "rowCount": i})).status_code == 200
    rows = lambda **more: [v["rowCount"] for v in caller.series(urn, "datasetProfile", **more)]
    assert rows() == [3, 2, 1, 0]
    assert rows(limit=2, filter={}) == [3, 2]
    assert rows(latestValue=True) == [3]
    assert rows(startTimeMillis=1754000000001, endTimeMillis=1754000000002) == [2, 1]
    assert caller.series(dataset("traffic.series.none"), "datasetProfile", limit=1) == []


def test_the_checkpoint_of_a_pipeline(caller):
    job = "urn:li:dataJob:(urn:li:dataFlow:(datahub,e2e_pipeline,prod),stale_entity_removal)"
    by_name = {"or": [{"and": [{"field": "pipelineName", "values": ["e2e_pipeline"], "condition": "EQUAL"}]}]}
    assert caller.series(job, "datahubIngestionCheckpoint", limit=1, filter=by_name) == []
    checkpoint = {"timestampMillis": 1765000000000, "pipelineName": "e2e_pipeline", "platformInstanceId": "", "config": "", "state": {"formatVersion": "1.0", "serde": "utf-8", "payload": "{}"}, "runId": "run-1"}
    for aspect, value in (("status", {"removed": False}), ("datahubIngestionCheckpoint", checkpoint)):
        assert caller.act("/aspects", "ingestProposal", proposal=proposal(job, aspect, value), **{"async": "false"}).status_code == 200
    assert [c["runId"] for c in caller.series(job, "datahubIngestionCheckpoint", limit=1, filter=by_name)] == ["run-1"]
    other = {"or": [{"and": [{"field": "pipelineName", "values": ["another"], "condition": "EQUAL"}]}]}
    assert caller.series(job, "datahubIngestionCheckpoint", limit=1, filter=other) == []


def test_hard_delete(caller):
    urn = dataset("traffic.hard")
    assert caller.ingest(proposal(urn, "status", {"removed": False})).status_code == 200
    answer = caller.act("/entities", "delete", urn=urn)
    assert answer.status_code == 200 and answer.json()["value"]["rows"] >= 2
    assert caller.aspect(urn, "datasetKey") is None
    again = caller.act("/entities", "delete", urn=urn)
    assert again.status_code == 200 and again.json()["value"]["rows"] == 0


def test_the_registry_lists_entities_and_aspects(caller):
    answer = caller.get("/openapi/v1/registry/models/entity/specifications?start=0&count=200")
    assert answer.status_code == 200
    assert "dataset" in answer.text and "datasetProperties" in answer.text


# --- OpenAPI ---


@pytest.mark.parametrize("prefix", ["/api/gms", ""])
def test_open_api_writes(stack, token, caller, prefix):
    urn = dataset(f"traffic.v3.{len(prefix)}")
    to = Caller(stack.proxy + prefix, token)
    item = {"urn": urn, "datasetProperties": {"value": {"description": "v3"}, "systemMetadata": {"lastObserved": 1765000000000, "runId": "v3"}, "headers": {}}}
    status = {"urn": urn, "status": {"value": {"removed": False}, "headers": {"X-DataHub-Sync-Index-Update": "true"}}}
    written = to.post("/openapi/v3/entity/dataset?async=false", data=json.dumps([item, status]))
    assert written.status_code == 200, written.text
    assert {entry["urn"] for entry in written.json()} == {urn}
    assert caller.aspect(urn, "datasetProperties")["description"] == "v3"

    patch = [{"urn": urn, "globalTags": {"value": {"patch": [{"op": "add", "path": "/tags/urn:li:tag:t", "value": {"tag": "urn:li:tag:t"}}]}}}]
    patched = to.patch("/openapi/v3/entity/dataset?async=false", data=json.dumps(patch))
    assert patched.status_code == 200 and patched.json()
    assert caller.aspect(urn, "globalTags")["tags"][0]["tag"] == "urn:li:tag:t"

    assert to.head(f"/openapi/v3/entity/dataset/{encoded(urn)}").status_code == 204
    deleted = to.delete(f"/openapi/v3/entity/dataset/{urn}", data="[]")
    assert deleted.status_code == 200
    deleted.json()
    assert caller.aspect(urn, "datasetKey") is None


def test_an_asynchronous_write_is_traced(caller):
    urn = dataset("traffic.trace")
    item = {"urn": urn, "status": {"value": {"removed": False}}}
    written = caller.post("/openapi/v3/entity/dataset?async=true", data=json.dumps([item]))
    assert written.status_code == 202
    version, trace, span, flags = written.headers["traceparent"].split("-")
    assert (version, len(trace), len(span), len(flags)) == ("00", 32, 16, 2)
    answer = caller.post(f"/openapi/v1/trace/write/{trace}?onlyIncludeErrors=false&detailed=true", data=json.dumps({urn: ["status"]}))
    assert answer.status_code == 200, answer.text
    state = answer.json()[urn]
    assert state.keys() == {"status"}
    assert state["status"]["success"] is True
    assert state["status"]["primaryStorage"]["writeStatus"] == "ACTIVE_STATE"
    assert state["status"]["searchStorage"]["writeStatus"] != "PENDING"


def test_open_api_refuses_with_its_own_bodies(caller):
    urn = dataset("traffic.v3.refused")
    bad = [{"urn": urn, "datasetProperties": {"value": {"description": 5}}}]
    answer = caller.post("/openapi/v3/entity/dataset?async=false", data=json.dumps(bad))
    assert answer.status_code == 400 and answer.json()["error"] == "Validation Error"
    stale = [{"urn": urn, "status": {"value": {"removed": False}, "headers": {"If-Version-Match": "9"}}}]
    answer = caller.post("/openapi/v3/entity/dataset?async=false", data=json.dumps(stale))
    assert answer.status_code == 412 and answer.json()["error"] == "Precondition Error"
    assert caller.get(f"/openapi/v3/entity/dataset/{encoded(urn)}").status_code == 404
