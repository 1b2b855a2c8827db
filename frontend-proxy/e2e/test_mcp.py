"""Tools of the Model Context Protocol: our server with a plain client, and the stock server over our GraphQL API."""

import asyncio
import json
import os
import pathlib
import sys

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from caller import Caller, dataset, proposal
from stack import BIN, Stack

ORDERS = dataset("tools.orders")
REVENUE = dataset("tools.revenue")


@pytest.fixture(scope="module", autouse=True)
def shop(caller: Caller) -> None:
    for urn, aspect, value in (
        ("urn:li:tag:tools", "tagProperties", {"name": "tools"}),
        (ORDERS, "datasetProperties", {"name": "tools.orders", "description": "Every order"}),
        (REVENUE, "upstreamLineage", {"upstreams": [{"dataset": ORDERS, "type": "TRANSFORMED"}]}),
    ):
        caller.ingest(proposal(urn, aspect, value))


def over_http(address: str, token: str):
    return streamablehttp_client(f"{address}/mcp", headers={"Authorization": f"Bearer {token}"})


def over_command(address: str, token: str):
    return stdio_client(StdioServerParameters(command=str(BIN / "metadata-service"), args=["mcp", "--address", address], env={"DATAHUB_GMS_TOKEN": token}))


def stock_server(address: str, token: str):
    command = pathlib.Path(sys.executable).parent / "mcp-server-datahub"
    environment = {**os.environ, "DATAHUB_GMS_URL": f"{address}/api/gms", "DATAHUB_GMS_TOKEN": token, "TOOLS_IS_MUTATION_ENABLED": "true"}
    return stdio_client(StdioServerParameters(command=str(command), env=environment))


def call(transport, *calls: tuple[str, dict]) -> list[str]:
    """The texts of the tool results, in the order of the calls."""

    async def run() -> list[str]:
        answers = []
        async with transport as (read, write, *_), ClientSession(read, write) as session:
            await session.initialize()
            known = {tool.name for tool in (await session.list_tools()).tools}
            for name, arguments in calls:
                assert name in known
                result = await session.call_tool(name, arguments)
                text = "".join(part.text for part in result.content)
                assert not result.isError, text
                answers.append(text)
        return answers

    return asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize("way", [over_http, over_command])
def test_a_plain_client_reads_and_changes(stack: Stack, token: str, caller: Caller, way) -> None:
    words = f"Every order, by {way.__name__}"
    found, _, read, lineage = call(
        way(stack.proxy, token),
        ("search", {"query": "tools.orders", "entity_types": ["dataset"]}),
        ("update_description", {"urn": ORDERS, "description": words}),
        ("get_entities", {"urns": [ORDERS], "aspects": ["editableDatasetProperties"]}),
        ("get_lineage", {"urn": ORDERS, "direction": "downstream"}),
    )
    assert ORDERS in [result["urn"] for result in json.loads(found)["results"]]
    assert json.loads(read)["entities"][0]["aspects"]["editableDatasetProperties"]["description"] == words
    assert [result["urn"] for result in json.loads(lineage)["results"]] == [REVENUE]


def test_a_program_without_a_token_is_refused(stack: Stack) -> None:
    with pytest.raises(BaseException) as refusal:
        call(over_http(stack.proxy, "none"), ("search", {}))
    assert any("401" in str(cause) for cause in causes(refusal.value)), refusal.value


def causes(error: BaseException):
    """An error with all its nested errors and causes."""
    yield error
    for inner in getattr(error, "exceptions", ()):
        yield from causes(inner)
    if error.__cause__:
        yield from causes(error.__cause__)


def test_the_stock_server_reads_and_changes(stack: Stack, token: str) -> None:
    found, read, lineage, tagged, after = call(
        stock_server(stack.proxy, token),
        ("search", {"query": "/q tools.orders"}),
        ("get_entities", {"urns": [ORDERS]}),
        ("get_lineage", {"urn": ORDERS, "column": None, "upstream": False, "max_hops": 1}),
        ("add_tags", {"tag_urns": ["urn:li:tag:tools"], "entity_urns": [ORDERS]}),
        ("get_entities", {"urns": [ORDERS]}),
    )
    assert ORDERS in found
    assert "Every order" in read
    assert REVENUE in lineage
    assert json.loads(tagged)["success"]
    assert "urn:li:tag:tools" in after
