"""Lineage, relationships and references, by plain requests and by the client."""

import pytest
from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig
from datahub.ingestion.graph.openapi import LineageDirection, RelatedEntity, RelationshipDirection

from caller import Caller, dataset, encoded, proposal
from conftest import Stack


def upstream_of(*tables: str) -> dict:
    return {"upstreams": [{"dataset": table, "type": "TRANSFORMED"} for table in tables]}


@pytest.fixture(scope="module")
def graph(stack: Stack, token: str) -> DataHubGraph:
    return DataHubGraph(DatahubClientConfig(server=stack.gms, token=token))


@pytest.fixture(scope="module")
def chain(caller: Caller) -> list[str]:
    """Three tables, each derived from the previous one."""
    tables = [dataset(f"chain.t{n}") for n in range(3)]
    batch = [proposal(table, "datasetProperties", {"name": f"e2elink {n}", "customProperties": {}, "tags": []}) for n, table in enumerate(tables)]
    batch += [proposal(tables[n], "upstreamLineage", upstream_of(tables[n - 1])) for n in (1, 2)]
    assert caller.ingest(*batch).status_code == 200
    return tables


def test_lineage_is_searched(caller: Caller, chain: list[str]):
    answer = caller.act("/entities", "searchAcrossLineage", urn=chain[0], direction="DOWNSTREAM", input="*", start=0, count=10)
    assert answer.status_code == 200, answer.text
    value = answer.json()["value"]
    assert {hit["entity"]: hit["degree"] for hit in value["entities"]} == {chain[1]: 1, chain[2]: 2}
    near = {"or": [{"and": [{"field": "degree", "values": ["1"]}]}]}
    answer = caller.act("/entities", "searchAcrossLineage", urn=chain[2], direction="UPSTREAM", input="e2elink", start=0, count=10, filter=near)
    assert [hit["entity"] for hit in answer.json()["value"]["entities"]] == [chain[1]]


def test_relationships_of_an_entity(caller: Caller, chain: list[str]):
    answer = caller.get(f"/relationships?urn={encoded(chain[0])}&types=List(DownstreamOf)&direction=INCOMING")
    assert answer.json() == {
        "start": 0, "count": 1, "total": 1, "relationships": [{"entity": chain[1], "type": "DownstreamOf"}],
    }


def test_related_entities_by_the_client(graph: DataHubGraph, caller: Caller, chain: list[str]):
    direction = RelationshipDirection
    incoming = list(graph.get_related_entities(chain[0], ["DownstreamOf"], direction.INCOMING))
    assert incoming == [RelatedEntity(urn=chain[1], relationship_type="DownstreamOf", via=None)]
    outgoing = list(graph.get_related_entities(chain[2], ["DownstreamOf"], direction.OUTGOING))
    assert [related.urn for related in outgoing] == [chain[1]]
    # More than one page: the client requests pages until one is empty.
    many = [dataset(f"chain.fan{n}") for n in range(450)]
    for start in range(0, len(many), 150):
        batch = [proposal(table, "upstreamLineage", upstream_of(chain[2])) for table in many[start : start + 150]]
        assert caller.ingest(*batch).status_code == 200
    fan = list(graph.get_related_entities(chain[2], ["DownstreamOf"], direction.INCOMING))
    assert sorted(related.urn for related in fan) == sorted(many)


def test_entities_are_scrolled_by_a_filter(caller: Caller, chain: list[str]):
    body = {"entities": ["dataset"], "filter": {"and": [{"criteria": [{"field": "name", "values": ["e2elink 1"], "condition": "EQUAL"}]}]}}
    answer = caller.post("/openapi/v3/entity/scroll?count=10", json=body)
    assert [entity["urn"] for entity in answer.json()["entities"]] == [chain[1]]
    answer = caller.post("/openapi/v3/lineage/scroll?direction=UPSTREAM", json={"urns": [chain[1]]})
    assert [(edge["upstream"], edge["downstream"]) for edge in answer.json()["results"]] == [(chain[0], chain[1])]


# The deleted entity, the aspect of a table that refers to it, and the value of the aspect.
REFERENCES = {
    "urn:li:tag:e2e-gone": ("globalTags", lambda urn: {"tags": [{"tag": urn}]}),
    "urn:li:corpuser:e2e-gone": ("ownership", lambda urn: owned_by(urn)),
    "urn:li:corpGroup:e2e-gone": ("ownership", lambda urn: owned_by(urn)),
    "urn:li:domain:e2e-gone": ("domains", lambda urn: {"domains": [urn]}),
    "urn:li:glossaryTerm:e2e-gone": (
        "glossaryTerms",
        lambda urn: {"terms": [{"urn": urn}], "auditStamp": {"time": 0, "actor": "urn:li:corpuser:unknown"}},
    ),
}


def owned_by(urn: str) -> dict:
    stamp = {"time": 0, "actor": "urn:li:corpuser:unknown"}
    return {"owners": [{"owner": urn, "type": "DATAOWNER"}], "lastModified": stamp}


def properties(urn: str) -> tuple[str, dict]:
    """A valid aspect for the entity type of the URN."""
    if urn.startswith("urn:li:domain:"):
        return "domainProperties", {"name": "gone"}
    return "status", {"removed": False}


@pytest.mark.parametrize("urn", REFERENCES)
def test_references_go_with_what_is_deleted(datahub, caller: Caller, urn: str):
    aspect, value = REFERENCES[urn]
    table = dataset("gone." + urn.split(":")[2])
    made = [proposal(urn, *properties(urn)), proposal(table, aspect, value(urn))]
    assert caller.ingest(*made).status_code == 200

    shown = datahub("delete", "references", "--urn", urn, "--dry-run")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert aspect in shown.stdout, shown.stdout
    assert urn in str(caller.aspect(table, aspect)), "a dry run changed something"

    gone = datahub("delete", "--urn", urn, "--hard", "--force")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert urn not in str(caller.aspect(table, aspect))
    left = caller.act("/entities", "deleteReferences", urn=urn, dryRun=True).json()["value"]
    assert left == {"total": 0, "relatedAspects": []}
    fields = {"globalTags": "tags", "ownership": "owners", "domains": "domains", "glossaryTerms": "glossaryTerms"}
    filtered = {"or": [{"and": [{"field": fields[aspect], "values": [urn]}]}]}
    answer = caller.act("/entities", "searchAcrossEntities", input="*", start=0, count=1, filter=filtered)
    assert answer.json()["value"]["numEntities"] == 0


def test_glossary_nodes_leave_their_terms(datahub, caller: Caller):
    node, term = "urn:li:glossaryNode:e2e-gone", "urn:li:glossaryTerm:e2e-below"
    made = [
        proposal(node, "glossaryNodeInfo", {"definition": "", "name": "gone"}),
        proposal(term, "glossaryTermInfo", {"definition": "", "termSource": "INTERNAL", "name": "below", "parentNode": node}),
    ]
    assert caller.ingest(*made).status_code == 200
    gone = datahub("delete", "--urn", node, "--hard", "--force")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert "parentNode" not in caller.aspect(term, "glossaryTermInfo")


def test_indices_are_restored_by_the_client(datahub, chain: list[str]):
    process = datahub("check", "restore-indices", "--urn", chain[0])
    assert process.returncode == 0, process.stdout + process.stderr


def test_the_client_scrolls(graph: DataHubGraph, chain: list[str]):
    seen, scroll = [], None
    while True:
        page = graph.scroll_entities(entity_names=["dataset"], query="e2elink", aspects=["datasetProperties"], count=2, scroll_id=scroll)
        seen += page.entities
        assert page.total_count == 3
        if not (scroll := page.scroll_id):
            break
    assert sorted(seen) == sorted(chain)

    edges = graph.scroll_relationships(relationship_types=["DownstreamOf"], destination_urns=[chain[0]], count=10)
    assert [(edge.source_urn, edge.destination_urn) for edge in edges.relationships] == [(chain[1], chain[0])]
    lineage = graph.scroll_lineage(urns=[chain[1]], direction=LineageDirection.UPSTREAM, count=100)
    assert [(edge.upstream_urn, edge.downstream_urn) for edge in lineage.relationships] == [(chain[0], chain[1])]
    assert graph.scroll_lineage(count=10).relationships
