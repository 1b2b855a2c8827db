"""All ingested entities are found by name and by their filters, and new writes are found immediately."""

import concurrent.futures
import os
import threading
import uuid
from typing import Iterator

from caller import Caller, dataset, proposal
from conftest import Ingestion, Stack

# The members that contain the name of an entity, by aspect; the first one present counts.
NAMES = {
    "datasetProperties": "name",
    "editableDatasetProperties": "name",
    "chartInfo": "title",
    "dashboardInfo": "title",
    "dataFlowInfo": "name",
    "dataJobInfo": "name",
    "containerProperties": "name",
    "glossaryTermInfo": "name",
    "glossaryNodeInfo": "name",
    "domainProperties": "name",
    "tagProperties": "name",
    "dataProductProperties": "name",
    "applicationProperties": "name",
    "corpUserInfo": "displayName",
    "corpGroupInfo": "displayName",
    "businessAttributeInfo": "name",
    "mlModelGroupProperties": "name",
    "incidentInfo": "title",
}


def called(urn: str, aspects: dict) -> str | None:
    for aspect, member in NAMES.items():
        name = (aspects.get(aspect) or {}).get(member)
        if isinstance(name, str) and name.strip():
            return name
    if urn.startswith("urn:li:dataset:("):
        return urn.split(",")[1]
    return None


def carried(aspects: dict) -> Iterator[tuple[str, str]]:
    """The filters that match an entity: search field and value."""
    for tag in (aspects.get("globalTags") or {}).get("tags", []):
        yield "tags", tag["tag"]
    for owner in (aspects.get("ownership") or {}).get("owners", []):
        yield "owners", owner["owner"]
    for domain in (aspects.get("domains") or {}).get("domains", []):
        yield "domains", domain
    for term in (aspects.get("glossaryTerms") or {}).get("terms", []):
        yield "glossaryTerms", term["urn"]
    platform = (aspects.get("dataPlatformInstance") or {}).get("platform")
    if platform:
        yield "platform", platform


def visible(ingestion: Ingestion) -> Iterator[tuple[str, dict]]:
    for urn, aspects in ingestion.expected.by_urn().items():
        if not (aspects.get("status") or {}).get("removed"):
            yield urn, aspects


def found(caller: Caller, action: str, **parameters) -> dict:
    answer = caller.act("/entities", action, **parameters)
    assert answer.status_code == 200, f"{parameters}: {answer.status_code} {answer.text}"
    return answer.json()["value"]


QUICK = {"skipAggregates": True, "skipHighlighting": True}


def test_every_entity_is_found_by_its_name(ingestion: Ingestion, caller: Caller):
    names = {urn: name for urn, aspects in visible(ingestion) if (name := called(urn, aspects))}
    alike: dict[tuple[str, str], int] = {}
    for urn, name in names.items():
        key = (urn.split(":")[2], name.casefold())
        alike[key] = alike.get(key, 0) + 1
    missed = []
    for urn, name in names.items():
        kind = urn.split(":")[2]
        hits = found(caller, "search", entity=kind, input=name, start=0, count=5, searchFlags=QUICK)["entities"]
        urns = [hit["entity"] for hit in hits]
        # If more than five entities share a name, they cannot all be in the first five results;
        # then the first five must all have this name.
        if alike[kind, name.casefold()] > 5:
            if all(names.get(hit, "").casefold() == name.casefold() for hit in urns):
                continue
        if urn not in urns:
            missed.append(f"{name!r} does not find {urn} but {urns}")
    assert len(names) > 200
    assert not missed, f"{len(missed)} of {len(names)}:\n" + "\n".join(missed)


def test_every_entity_is_found_by_what_it_carries(ingestion: Ingestion, caller: Caller):
    asked, missed = 0, []
    for urn, aspects in visible(ingestion):
        for field, value in carried(aspects):
            both = [{"field": "urn", "values": [urn]}, {"field": field, "values": [value]}]
            page = found(
                caller, "searchAcrossEntities", entities=[urn.split(":")[2]], input="*", start=0, count=1,
                filter={"or": [{"and": both}]}, searchFlags={**QUICK, "filterNonLatestVersions": False},
            )
            asked += 1
            if page["numEntities"] != 1:
                missed.append(f"{field} {value} does not find {urn}")
    assert asked > 300
    assert not missed, f"{len(missed)} of {asked}:\n" + "\n".join(missed)


def test_totals_agree_with_the_store(ingestion: Ingestion, caller: Caller):
    wrong = []
    for kind in sorted({urn.split(":")[2] for urn in ingestion.expected.by_urn()}):
        listed = found(caller, "listUrns", entity=kind, start=0, count=1)["total"]
        flags = {**QUICK, "includeSoftDeleted": True, "filterNonLatestVersions": False}
        searched = found(caller, "search", entity=kind, input="*", start=0, count=0, searchFlags=flags)["numEntities"]
        counted = found(caller, "getTotalEntityCount", entity=kind)
        if not listed == searched == counted:
            wrong.append(f"{kind}: the store has {listed}, a search {searched}, the count {counted}")
    assert not wrong, "\n".join(wrong)


def test_a_write_is_in_the_next_search(stack: Stack, token: str):
    """SEARCH_TRIES is the number of tries, which eight writers share."""
    tries, writers = int(os.environ.get("SEARCH_TRIES", "2000")), 8
    missed, lock = [], threading.Lock()

    def write(writer: int) -> None:
        caller = Caller(stack.gms, token)
        for n in range(tries // writers):
            word = "fresh" + uuid.uuid4().hex
            urn = dataset(f"fresh.w{writer}.t{n % 50}")
            answer = caller.ingest(proposal(urn, "datasetProperties", {"name": word, "customProperties": {}, "tags": []}))
            assert answer.status_code == 200, answer.text
            page = found(caller, "search", entity="dataset", input=word, start=0, count=2, searchFlags=QUICK)
            if [hit["entity"] for hit in page["entities"]] != [urn]:
                with lock:
                    missed.append(f"{word} of {urn}")

    with concurrent.futures.ThreadPoolExecutor(writers) as pool:
        for done in [pool.submit(write, writer) for writer in range(writers)]:
            done.result()
    assert not missed, f"{len(missed)} of {tries}:\n" + "\n".join(missed[:20])
