"""Requests in the format of the Python client, without the client."""

import json
import urllib.parse
from typing import Any

import requests

VERSION = "1.7.0.17"


def encoded(urn: str) -> str:
    return urllib.parse.quote(urn, safe="")


class Caller(requests.Session):
    """A session with the headers of the client and relative addresses."""

    def __init__(self, base: str, token: str | None, mode: str = "SDK"):
        super().__init__()
        self.base = base
        self.headers.update(
            {
                "Content-Type": "application/json",
                "X-RestLi-Protocol-Version": "2.0.0",
                "User-Agent": f"DataHub-Client/1.0 ({mode.lower()}; datahub/e2e; {VERSION}) python-requests/2",
                "X-DataHub-Client-Mode": mode,
                "X-DataHub-Py-Cli-Version": VERSION,
            }
        )
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def request(self, method, url, **options):  # type: ignore[override]
        options.setdefault("timeout", 30)
        return super().request(method, self.base + url, **options)

    def act(self, path: str, action: str, **parameters: Any) -> requests.Response:
        """Calls a Rest.li action."""
        return self.post(f"{path}?action={action}", data=json.dumps(parameters))

    def ingest(self, *proposals: dict, asynchronous: str = "false") -> requests.Response:
        return self.act(
            "/aspects", "ingestProposalBatch", proposals=list(proposals), **{"async": asynchronous}
        )

    def aspect(self, urn: str, name: str) -> dict | None:
        """The latest value of an aspect; None if there is none."""
        answer = self.get(f"/aspects/{encoded(urn)}?aspect={name}&version=0")
        if answer.status_code == 404:
            return None
        assert answer.status_code == 200, f"{urn} {name}: {answer.status_code} {answer.text}"
        body = answer.json()
        assert body["version"] == 0
        (value,) = body["aspect"].values()
        return value

    def series(self, urn: str, aspect: str, **parameters: Any) -> list[dict]:
        """The documents of a time series, newest first."""
        answer = self.act(
            "/aspects",
            "getTimeseriesAspectValues",
            urn=urn,
            entity=urn.split(":")[2],
            aspect=aspect,
            **parameters,
        )
        assert answer.status_code == 200, f"{urn} {aspect}: {answer.status_code} {answer.text}"
        return [json.loads(v["aspect"]["value"]) for v in answer.json()["value"]["values"]]


def proposal(urn: str, aspect: str, value: Any, change: str = "UPSERT", **more: Any) -> dict:
    """A change proposal. Its value is JSON in a string."""
    content = more.pop("contentType", "application/json")
    return {
        "entityType": urn.split(":")[2],
        "entityUrn": urn,
        "changeType": change,
        "aspectName": aspect,
        "aspect": {"value": json.dumps(value), "contentType": content},
        "systemMetadata": {
            "lastObserved": 1765000000000,
            "runId": "e2e-2026_01_01-00_00_00-abc123",
            "lastRunId": "no-run-id-provided",
            "properties": {"clientId": "acryl-datahub", "clientVersion": VERSION},
        },
        **more,
    }


def dataset(name: str, platform: str = "hive") -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:{platform},{name},PROD)"
