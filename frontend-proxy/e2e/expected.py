"""The expected contents of the catalog after ingestion of files, computed only from the files.

The client's own classes read the files, so the result equals the content that the client
sends. A small model of upserts, patches and time series then computes the expected state.
"""

import json
import pathlib
from typing import Any, Iterator

from datahub.emitter.mcp_builder import mcps_from_mce
from datahub.emitter.serialization_helper import pre_json_transform
from datahub.ingestion.source.file import read_metadata_file
from datahub.metadata.schema_classes import MetadataChangeEventClass

TIME_SERIES = {
    "assertionRunEvent",
    "chartUsageStatistics",
    "dashboardUsageStatistics",
    "dataProcessInstanceRunEvent",
    "datahubIngestionCheckpoint",
    "datahubIngestionRunSummary",
    "datasetProfile",
    "datasetUsageStatistics",
    "documentUsageStatistics",
    "operation",
    "queryUsageStatistics",
}

# The members that identify array elements in a patch. The list is empty if the elements are
# strings, which identify themselves.
PATCH_KEYS = {
    "charts": [],
    "upstreams": ["dataset"],
    "datasetEdges": ["destinationUrn"],
    "chartEdges": ["destinationUrn"],
    "dashboards": ["destinationUrn"],
    "inputDatasetEdges": ["destinationUrn"],
    "outputDatasetEdges": ["destinationUrn"],
    "inputDatajobEdges": ["destinationUrn"],
    "tags": ["tag"],
    "terms": ["urn"],
    "owners": ["owner", "type"],
    "assets": ["destinationUrn"],
    "editableSchemaFieldInfo": ["fieldPath"],
}

# Members that the server sets regardless of the sent value, by aspect and path.
SERVER_OWNED = {
    ("ownership", "ownerTypes"),
    ("domains", "domainAssociations"),
    ("assertionInfo", "entityUrn"),
    ("assertionInfo", "fieldAssertion.fieldPath"),
    ("versionProperties", "isLatest"),
    ("glossaryTerms", "auditStamp"),
}

Key = tuple[str, str]


def proposals(path: pathlib.Path) -> Iterator[tuple[str, str, str, Any]]:
    """The (urn, aspect, change type, value) that the client derives from a file, in order."""
    for item in read_metadata_file(path):
        parts = mcps_from_mce(item) if isinstance(item, MetadataChangeEventClass) else [item]
        for part in parts:
            plain = part.make_mcp() if hasattr(part, "make_mcp") else part
            value = json.loads(plain.aspect.value)
            yield plain.entityUrn, plain.aspectName, plain.changeType, pre_json_transform(value)


class Expected:
    def __init__(self) -> None:
        self.latest: dict[Key, Any] = {}
        self.series: dict[Key, dict[str, Any]] = {}
        self.patched: set[Key] = set()

    def add_file(self, path: pathlib.Path) -> None:
        for urn, aspect, change, value in proposals(path):
            key = (urn, aspect)
            if aspect in TIME_SERIES:
                self.series.setdefault(key, {})[document_id(value)] = value
            elif change == "PATCH":
                self.patched.add(key)
                self.latest[key] = patch(self.latest.get(key, {}), value)
            else:
                self.patched.discard(key)
                self.latest[key] = value

    def by_urn(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for (urn, aspect), value in self.latest.items():
            found.setdefault(urn, {})[aspect] = value
        return found


def document_id(value: dict) -> str:
    """The identity of a document in a time series. A later document replaces an earlier one with the same id."""
    members = ("timestampMillis", "eventGranularity", "messageId", "partitionSpec")
    return json.dumps([value.get(name) for name in members], sort_keys=True)


def patch(base: Any, operations: Any) -> Any:
    result = json.loads(json.dumps(base))
    keys = PATCH_KEYS | (operations.get("arrayPrimaryKeys", {}) if isinstance(operations, dict) else {})
    for operation in operations["patch"] if isinstance(operations, dict) else operations:
        path = [s.replace("~1", "/").replace("~0", "~") for s in operation["path"].split("/")[1:]]
        assert operation["op"] in ("add", "remove"), f"the model knows no {operation['op']}"
        _change(result, operation["op"], path, operation.get("value"), keys)
    return result


def _change(target: dict, operation: str, path: list[str], value: Any, keys: dict[str, list[str]]) -> None:
    name, *rest = path
    if not rest:
        target.pop(name, None)
        if operation == "add":
            target[name] = value
    elif name == "fineGrainedLineages":
        _add_lineage(target.setdefault(name, []), *rest, value)
    elif name in keys:
        _change_element(target.setdefault(name, []), keys[name], operation, rest, value, keys)
    else:
        _change(target.setdefault(name, {}), operation, rest, value, keys)


def _change_element(elements: list, fields: list[str], operation: str, path: list[str], value: Any, keys: dict[str, list[str]]) -> None:
    names, rest = path[: len(fields) or 1], path[len(fields) or 1 :]
    found = next((e for e in elements if ([_member(e, f) for f in fields] if fields else [e]) == names), None)
    if rest:
        if found is None:
            found = dict(zip(fields, names))
            elements.append(found)
        _change(found, operation, rest, value, keys)
        return
    if found is not None:
        elements.remove(found)
    if operation == "add":
        elements.append(value)


def _member(element: dict, path: str) -> str:
    """The member at a path of names; an empty string if it is absent."""
    value: Any = element
    for name in path.split("\u241f"):
        value = (value or {}).get(name)
    return value or ""


def _add_lineage(groups: list, operation: str, downstream: str, query: str, upstream: str, value: Any) -> None:
    """Adds an edge to the groups of an aspect. The path names one edge; each group has one downstream."""
    names = {"transformOperation": operation, "query": query}
    group = {"upstreamType": "FIELD_SET", "downstreamType": "FIELD", "downstreams": [downstream]}
    group |= {name: text for name, text in names.items() if text != "NONE"}
    found = next((g for g in groups if all(g.get(name) == group.get(name) for name in ("downstreams", *names))), None)
    if found is None:
        found = group | {"upstreams": []}
        groups.append(found)
    if upstream not in found["upstreams"]:
        found["upstreams"].append(upstream)
    found["confidenceScore"] = min(found.get("confidenceScore", 1.0), value["confidenceScore"])


def differences(aspect: str, sent: Any, found: Any, loose: bool = False) -> list[str]:
    """The differences between found and sent, except for members that the server sets. With loose,
    further members and another order of arrays are allowed, for patched aspects."""
    return list(_differ(aspect, "", sent, found, loose))


def _differ(aspect: str, at: str, sent: Any, found: Any, loose: bool) -> Iterator[str]:
    if isinstance(sent, dict) and isinstance(found, dict):
        for name in sent.keys() | found.keys():
            here = f"{at}.{name}" if at else name
            if (aspect, here) in SERVER_OWNED:
                continue
            if name not in found:
                yield f"{here} is missing"
            elif name not in sent:
                if not loose:
                    yield f"{here} was added: {found[name]!r}"
            else:
                yield from _differ(aspect, here, sent[name], found[name], loose)
    elif isinstance(sent, list) and isinstance(found, list):
        if len(sent) != len(found):
            yield f"{at} has {len(found)} elements, sent {len(sent)}"
        elif loose:
            for element in sent:
                if all(list(_differ(aspect, at, element, other, loose)) for other in found):
                    yield f"{at} lacks {element!r}"
        else:
            for i, (one, other) in enumerate(zip(sent, found)):
                yield from _differ(aspect, f"{at}[{i}]", one, other, loose)
    elif sent != found or isinstance(sent, bool) != isinstance(found, bool):
        yield f"{at} is {found!r}, sent {sent!r}"
