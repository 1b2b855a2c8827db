"""Replaces generated texts of schemathesis with URNs of the sample company.

Generated texts are hardly ever URNs, so handlers would rarely be reached. Every second
value is replaced. The choice depends on the value, so runs with the same seed are equal.
"""

import collections
import json
import os
import pathlib
import zlib

import schemathesis

PER_TYPE = 25


def read_samples(folder: pathlib.Path) -> dict[str, list[str]]:
    """URNs of the sample company by entity type in lower case."""
    found = collections.defaultdict(dict)
    for file in sorted(folder.glob("*.json")):
        for item in json.loads(file.read_text()):
            urn = item.get("entityUrn", "")
            if urn.count(":") >= 3:
                found[urn.split(":")[2].lower()][urn] = None
    return {kind: list(urns)[:PER_TYPE] for kind, urns in found.items()}


SAMPLES = read_samples(pathlib.Path(os.environ["DEMO"]))
ANY = [urn for urns in SAMPLES.values() for urn in urns]


def replace(value: object, kind: str) -> object:
    choice = zlib.crc32(repr(value).encode())
    if choice % 2:
        return value
    known = SAMPLES.get(kind, ANY)
    return known[choice // 2 % len(known)]


def kind_of(path: str, parameters: dict) -> str:
    """The entity type of an operation: a parameter, or a part of its path."""
    named = parameters.get("type") or parameters.get("entityType")
    if isinstance(named, str):
        return named.lower()
    parts = path.split("/")
    return parts[parts.index("entity") + 1].lower() if "entity" in parts else ""


def is_urn(name: str) -> bool:
    return name == "urn" or name.endswith("Urn")


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    kind = kind_of(context.operation.path, path_parameters or {})
    return {
        name: replace(value, kind) if is_urn(name) else value
        for name, value in (path_parameters or {}).items()
    }


@schemathesis.hook
def map_query(context, query):
    return {
        name: replace(value, "") if is_urn(name) else value for name, value in (query or {}).items()
    }


@schemathesis.hook
def map_body(context, body):
    kind = kind_of(context.operation.path, {})
    for item in body if isinstance(body, list) else [body]:
        if isinstance(item, dict):
            for name in filter(is_urn, list(item)):
                item[name] = replace(item[name], kind)
    return body
