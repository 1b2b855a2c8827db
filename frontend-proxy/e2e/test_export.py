"""Export of a catalog to a file, and lossless import of it by the stock client and by `import`."""

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Callable, Iterator

import pytest
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.metadata.schema_classes import GenericAspectClass, MetadataChangeProposalClass

from caller import Caller, dataset, proposal
from conftest import files
from expected import TIME_SERIES, Key
from stack import Stack

REGISTRY = pathlib.Path(__file__).parents[2] / "metadata-service/internal/model/registry"

# Types that are not exported: secrets, and entities that concern a single installation.
NOT_EXPORTED = {
    "dataHubAccessToken", "inviteToken", "dataHubSecret", "dataHubConnection",
    "dataHubUpgrade", "telemetry", "dataHubExecutionRequest",
}  # fmt: skip

# A run of the stock client creates an ingestion source for itself.
OF_THE_CLIENT = {"dataHubIngestionSource"}

PROPERTY = "urn:li:structuredProperty:e2e.export.kept"
RETIRED = "urn:li:structuredProperty:e2e.export.retired"
STAGE = "urn:li:lifecycleStageType:e2e-export-approved"
FIRST_STAGE = "urn:li:lifecycleStageType:e2e-export-draft"
SECRET = "e2e-export-secret-9f2c1"


def special() -> list[dict]:
    """Entities that fail to import if order, format or selection is wrong."""
    table = dataset("e2e.export.table")
    stamp = {"time": 1754000000000, "actor": "urn:li:corpuser:datahub"}
    definition = {
        "valueType": "urn:li:dataType:datahub.string",
        "entityTypes": ["urn:li:entityType:datahub.dataset"],
        "cardinality": "SINGLE",
    }
    stage = {"entityTypes": ["dataset"], "settings": {"hideInSearch": False}, "created": stamp, "lastModified": stamp}
    return [
        proposal(PROPERTY, "propertyDefinition", definition | {"qualifiedName": "e2e.export.kept"}),
        proposal(RETIRED, "propertyDefinition", definition | {"qualifiedName": "e2e.export.retired"}),
        proposal(FIRST_STAGE, "lifecycleStageTypeInfo", stage | {"name": "Draft"}),
        proposal(STAGE, "lifecycleStageTypeInfo", stage | {"name": "Approved", "transitionPolicy": {"allowedPreviousStages": [FIRST_STAGE]}}),
        proposal(table, "structuredProperties", {"properties": [{"propertyUrn": p, "values": [{"string": "v"}]} for p in (PROPERTY, RETIRED)]}),
        proposal(table, "status", {"removed": False, "lifecycleStage": FIRST_STAGE}),
        proposal(table, "status", {"removed": False, "lifecycleStage": STAGE}),
        proposal(RETIRED, "status", {"removed": True}),
        proposal(table, "subTypes", {"typeNames": ["caf\u00e9 \u2028 \U0001f600 <b>&\u0000", ""]}),
        proposal(table, "embed", {}),
        proposal(dataset("e2e.export.removed"), "status", {"removed": True}),
        *(proposal(table, "datasetProfile", {"timestampMillis": 1754000000000 + n, "rowCount": 9007199254740993 + n}) for n in range(300)),
        *(
            proposal(
                f"urn:li:incident:e2e-export-{n}",
                "incidentInfo",
                {"type": "OPERATIONAL", "entities": [table], "status": {"state": "ACTIVE", "lastUpdated": stamp}, "created": stamp},
            )
            for n in (3, 1, 2)
        ),
        proposal("urn:li:dataProduct:e2e-export", "dataProductProperties", {"name": "p", "assets": [{"destinationUrn": table}]}),
    ]


class Installation:
    """A separate catalog with its token and caller."""

    def __init__(self, folder: pathlib.Path):
        # Metadata tests are not evaluated, because each installation would have its own runs and
        # results.
        self.stack = Stack(folder, settings={"CARTULARY_TESTS_ON_CHANGE": "false", "CARTULARY_TESTS_EVERY": "0s"})
        self.stack.start()
        self.token = self.stack.create_token("e2e")
        self.caller = Caller(self.stack.gms, self.token)

    def ingest(self, path: pathlib.Path) -> None:
        """Ingests a file with the stock client, in file order."""
        recipe = self.stack.folder / f"{path.stem}.yml"
        recipe.write_text(
            f"source: {{type: file, config: {{path: '{path}'}}}}\n"
            f"sink: {{type: datahub-rest, config: {{server: '{self.stack.gms}', token: '{self.token}', max_threads: 1}}}}\n"
        )
        done = subprocess.run(
            [pathlib.Path(sys.executable).parent / "datahub", "ingest", "-c", str(recipe)],
            env={**os.environ, "DATAHUB_GMS_URL": self.stack.gms, "DATAHUB_GMS_TOKEN": self.token},
            cwd=self.stack.folder, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-3000:]

    def contents(self) -> dict[Key, Any]:
        """Every aspect of every entity, and the documents of every time series, as returned by the API."""
        found: dict[Key, Any] = {}
        sizes = json.loads(self.caller.act("/operations", "getIndexSizes").json()["value"])["indexSizes"]
        for entity in json.loads((REGISTRY / "entities.json").read_text()):
            kind = entity["name"]
            if kind in NOT_EXPORTED | OF_THE_CLIENT:
                continue
            for urn, aspects in self._pages(f"/openapi/v3/entity/{kind}?count=1000&includeSoftDelete=true&query=*", "entities", entity_of):
                found |= {(urn, name): value for name, value in aspects.items()}
            filled = {s["aspectName"].lower() for s in sizes if s["entityName"].lower() == kind.lower()}
            for name in sorted(name for name in TIME_SERIES if name.lower() in filled):
                for urn, value in self._pages(f"/openapi/v2/timeseries/{kind}/{name}?count=1000", "results", lambda d: (d["urn"], d["event"])):
                    found.setdefault((urn, name), []).append(value)
        return found

    def _pages(self, path: str, member: str, read: Callable[[dict], tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
        scroll = ""
        while True:
            answer = self.caller.get(path + scroll)
            assert answer.status_code == 200, f"{path}: {answer.text}"
            yield from map(read, answer.json()[member])
            if not answer.json().get("scrollId"):
                return
            scroll = f"&scrollId={answer.json()['scrollId']}"


def entity_of(found: dict) -> tuple[str, dict[str, Any]]:
    return found["urn"], {name: a["value"] for name, a in found.items() if name != "urn" and name not in TIME_SERIES}


@pytest.fixture(scope="module")
def installations(tmp_path_factory: pytest.TempPathFactory):
    opened = []

    def begin(name: str) -> Installation:
        opened.append(Installation(tmp_path_factory.mktemp(name)))
        return opened[-1]

    yield begin
    for installation in opened:
        installation.stack.stop()


@pytest.fixture(scope="module")
def source(installations) -> Installation:
    made = installations("source")
    # A single file in the order of the files: referenced entities come first.
    recorded = [item for path in files("DEMO") + files("CORPUS") for item in json.loads(path.read_text())]
    merged = made.stack.folder / "recorded.json"
    merged.write_text(json.dumps(recorded))
    assert recorded
    made.ingest(merged)
    for change in special():
        answer = made.caller.ingest(change)
        assert answer.status_code == 200, f"{change['entityUrn']} {change['aspectName']}: {answer.text}"
    made.caller.post(
        "/api/graphql",
        data=json.dumps({"query": f'mutation {{ createSecret(input: {{name: "e2e-export", value: "{SECRET}"}}) }}'}),
    ).raise_for_status()
    return made


@pytest.fixture(scope="module")
def exported(source: Installation, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("exported") / "catalog.json"
    assert source.stack.command("export", "--out", str(path)) == ""
    return path


@pytest.fixture(scope="module")
def expected(source: Installation) -> dict:
    return source.contents()


def test_the_file_is_a_list_of_proposals_without_secrets(source: Installation, exported: pathlib.Path, expected: dict):
    text = exported.read_text()
    assert SECRET not in text and source.token not in text
    items = json.loads(text)
    assert len(items) > len(expected)
    assert {item["changeType"] for item in items} == {"UPSERT"}
    assert not NOT_EXPORTED & {item["entityType"] for item in items}
    assert not {"corpUserCredentials", "dataHubSecretValue"} & {item["aspectName"] for item in items}


def as_client(contents: dict[Key, Any]) -> dict[Key, Any]:
    """The values as the client's classes write them, with known default values filled in."""

    def written(urn: str, aspect: str, value: Any) -> Any:
        generic = GenericAspectClass(value=json.dumps(value).encode(), contentType="application/json")
        sent = MetadataChangeProposalClass(
            entityType=urn.split(":")[2], entityUrn=urn, changeType="UPSERT", aspectName=aspect, aspect=generic
        )
        known = MetadataChangeProposalWrapper.try_from_mcpc(sent)
        return json.loads(known.make_mcp().aspect.value) if known else value

    return {
        (urn, aspect): [written(urn, aspect, v) for v in value] if aspect in TIME_SERIES else written(urn, aspect, value)
        for (urn, aspect), value in contents.items()
    }


def compare(expected: dict[Key, Any], found: dict[Key, Any]) -> None:
    wrong = [
        f"{key}: {json.dumps(expected.get(key))[:400]} became {json.dumps(found.get(key))[:400]}"
        for key in sorted(expected.keys() | found.keys())
        if key in expected.keys() ^ found.keys() or expected[key] != found[key]
    ]
    assert not wrong, f"{len(wrong)} of {len(expected)} differ:\n" + "\n".join(wrong[:40])


def test_the_stock_client_brings_everything_into_an_empty_catalog(installations, exported, expected):
    other = installations("by-client")
    other.ingest(exported)
    compare(as_client(expected), as_client(other.contents()))


def test_import_brings_everything_into_an_empty_catalog(installations, exported, expected):
    other = installations("by-import")
    other.stack.command("import", "--server", other.stack.gms, "--token", other.token, str(exported))
    compare(expected, other.contents())
