"""Files ingested by `datahub ingest` with its default sink are read back unchanged."""

import ast
import json
import os
import pathlib
from urllib.parse import unquote

import pytest

from caller import Caller, encoded, proposal
from conftest import Ingestion
from expected import TIME_SERIES, differences, proposals
from stack import Stack


def test_ingest_takes_the_file_without_failure_or_warning(ingestion: Ingestion, file):
    process = ingestion.processes[file]
    assert process.returncode == 0, process.stdout + process.stderr
    report = sink_report(process.stdout)
    assert report["failures"] == []
    assert report["warnings"] == []
    assert report["total_records_written"] > 0


def sink_report(output: str) -> dict:
    """The last sink report that the client printed, which is the final one."""
    text = output.rpartition("Sink (datahub-rest) report:\n")[2]
    return ast.literal_eval(text[: text.index("\n\n")])


def test_something_was_ingested(ingestion: Ingestion):
    assert len(ingestion.expected.latest) > 300


def test_every_aspect_is_read_back_from_aspects(ingestion: Ingestion, caller: Caller):
    wrong = []
    for (urn, aspect), sent in ingestion.expected.latest.items():
        found = caller.aspect(urn, aspect)
        wrong += compare(ingestion, urn, aspect, sent, found)
    assert not wrong, "\n".join(wrong)


def test_every_entity_is_read_back_from_entities_v2(ingestion: Ingestion, caller: Caller):
    wrong = []
    for urn, aspects in ingestion.expected.by_urn().items():
        answer = caller.get(f"/entitiesV2/{encoded(urn)}?aspects=List({','.join(aspects)})")
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["urn"] == urn
        for aspect, sent in aspects.items():
            envelope = body["aspects"].get(aspect, {})
            wrong += compare(ingestion, urn, aspect, sent, envelope.get("value"))
            if envelope:
                assert (envelope["name"], envelope["version"], envelope["type"]) == (aspect, 0, "VERSIONED")
    assert not wrong, "\n".join(wrong)


def test_every_entity_is_read_back_from_open_api(ingestion: Ingestion, caller: Caller):
    wrong = []
    for urn, aspects in ingestion.expected.by_urn().items():
        kind = urn.split(":")[2]
        answer = caller.get(f"/openapi/v3/entity/{kind}/{encoded(urn)}")
        assert answer.status_code == 200, f"{urn}: {answer.status_code} {answer.text}"
        body = answer.json()
        for aspect, sent in aspects.items():
            wrong += compare(ingestion, urn, aspect, sent, body.get(aspect, {}).get("value"))
    assert not wrong, "\n".join(wrong)


def test_every_document_of_a_time_series_is_read_back(ingestion: Ingestion, caller: Caller):
    wrong = []
    for (urn, aspect), documents in ingestion.expected.series.items():
        found = caller.series(urn, aspect, limit=10_000)
        newest_first = [value["timestampMillis"] for value in found]
        assert newest_first == sorted(newest_first, reverse=True)
        left = list(found)
        for sent in documents.values():
            match = next((value for value in left if not differences(aspect, sent, value)), None)
            if match is None:
                wrong.append(f"{urn} {aspect}: no document like {sent}")
            else:
                left.remove(match)
        wrong += [f"{urn} {aspect}: not sent: {value}" for value in left]
    assert not wrong, "\n".join(wrong)


def test_entities_v2_shows_no_time_series(ingestion: Ingestion, caller: Caller):
    urns = sorted({urn for urn, _ in ingestion.expected.series})
    assert urns
    for urn in urns[:20]:
        aspects = caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"]
        assert not TIME_SERIES & aspects.keys()


def test_ingesting_a_file_once_more_makes_no_new_versions(ingestion: Ingestion, caller: Caller, datahub):
    file, recipe = next(iter(ingestion.recipes.items()))
    urns = sorted({urn for urn, _, _, _ in proposals(file)})
    counters = []
    for _ in range(2):
        again = datahub("ingest", "-c", recipe)
        assert again.returncode == 0, again.stdout + again.stderr
        counters.append({urn: versions(caller, urn) for urn in urns})
    assert counters[0] == counters[1]


def versions(caller: Caller, urn: str) -> dict[str, str]:
    aspects = caller.get(f"/entitiesV2/{encoded(urn)}").json()["aspects"]
    return {name: a.get("systemMetadata", {}).get("version") for name, a in aspects.items()}


def compare(ingestion: Ingestion, urn: str, aspect: str, sent, found) -> list[str]:
    if found is None:
        return [f"{urn} {aspect}: not found"]
    if aspect.endswith("Key"):
        # Key aspects match the URN, regardless of their content in the file.
        return [f"{urn} {aspect}: {part} is not in the URN" for part in found.values() if str(part) not in unquote(urn)]
    loose = (urn, aspect) in ingestion.expected.patched
    return [f"{urn} {aspect}: {text}" for text in differences(aspect, sent, found, loose)]


@pytest.fixture
def demo() -> pathlib.Path:
    folder = os.environ.get("DEMO")
    if not folder:
        pytest.skip("DEMO is not set")
    return pathlib.Path(folder)


def recipe_of(folder: pathlib.Path, stack: Stack, token: str, file: pathlib.Path) -> pathlib.Path:
    path = folder / f"{file.stem}-by-somebody.yml"
    path.write_text(
        f"source: {{type: file, config: {{path: '{file}'}}}}\n"
        f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}'}}}}\n"
    )
    return path


def test_a_user_who_may_edit_metadata_ingests_and_reports_the_pipeline(stack, caller: Caller, datahub, demo, tmp_path):
    """Reporting a pipeline requires no privilege. The assets, users and groups that it writes do,
    and the report states that."""
    user = "urn:li:corpuser:e2e-pipeline"
    assert caller.ingest(proposal(user, "corpUserInfo", {"active": True})).status_code == 200
    token = stack.create_token("pipeline", user)

    process = datahub("ingest", "-c", recipe_of(tmp_path, stack, token, demo / "10-postgres.json"))
    assert process.returncode == 1
    assert "EDIT_ENTITY" in process.stdout + process.stderr
    granted = caller.post("/api/graphql", data=json.dumps({"query": "mutation($i: PolicyUpdateInput!) { createPolicy(input: $i) }", "variables": {"i": {
        "type": "METADATA", "name": "pipelines", "state": "ACTIVE", "privileges": ["EDIT_ENTITY", "CREATE_ENTITY"],
        "actors": {"users": [user], "allUsers": False, "allGroups": False, "resourceOwners": False},
    }}}))
    assert "errors" not in granted.json(), granted.text

    process = datahub("ingest", "-c", recipe_of(tmp_path, stack, token, demo / "10-postgres.json"))
    assert process.returncode == 0, process.stdout + process.stderr
    report = sink_report(process.stdout)
    assert report["failures"] == [] and report["warnings"] == []
    assert "Failed to" not in process.stderr, process.stderr
    found = caller.post(
        "/openapi/v3/entity/scroll?count=1000",
        data=json.dumps({"entities": ["dataHubExecutionRequest"], "aspects": ["dataHubExecutionRequestKey", "dataHubExecutionRequestInput", "dataHubExecutionRequestResult"]}),
    )
    assert found.status_code == 200, found.text
    runs = [e for e in found.json()["entities"] if e.get("dataHubExecutionRequestInput") and "10-postgres.json" in str(e)]
    mine = [e["dataHubExecutionRequestResult"]["value"]["status"] for e in runs if "dataHubExecutionRequestResult" in e and created_by(caller, e["urn"]) == user]
    assert "SUCCESS" in mine

    process = datahub("ingest", "-c", recipe_of(tmp_path, stack, token, demo / "01-people.json"))
    assert process.returncode == 1
    assert "MANAGE_USERS_AND_GROUPS" in process.stdout + process.stderr


def created_by(caller: Caller, urn: str) -> str:
    """The actor that wrote the key aspect of an entity."""
    answer = caller.get(f"/entitiesV2/{encoded(urn)}?aspects=List(dataHubExecutionRequestKey)")
    assert answer.status_code == 200, answer.text
    return answer.json()["aspects"]["dataHubExecutionRequestKey"]["created"]["actor"]
