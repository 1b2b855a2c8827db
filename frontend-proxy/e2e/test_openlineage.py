"""A stock OpenLineage producer, dbt on DuckDB. Its runs appear as jobs, datasets and lineage."""

import json
import os
import pathlib
import subprocess

import pytest

from caller import Caller
from stack import Stack

VENV = pathlib.Path(os.environ.get("DBT_VENV") or "/nowhere")

pytestmark = pytest.mark.skipif(
    not (VENV / "bin" / "dbt-ol").exists(),
    reason="OpenLineage of dbt: frontend-proxy/e2e/venv.sh dbt requirements-dbt.txt has not been run",
)

PROJECT = {
    "dbt_project.yml": "name: shop\nversion: '1.0'\nprofile: shop\nmodels: {shop: {+materialized: table}}\n",
    "profiles.yml": "shop: {target: dev, outputs: {dev: {type: duckdb, path: shop.duckdb, threads: 1}}}\n",
    "seeds/raw_orders.csv": "id,customer,amount\n1,anna,10\n2,ben,20\n",
    "models/stg_orders.sql": "select id, customer, amount from {{ ref('raw_orders') }}\n",
    "models/customer_totals.sql": "select customer, sum(amount) as total from {{ ref('stg_orders') }} group by customer\n",
    "models/schema.yml": "models: [{name: customer_totals, columns: [{name: customer, tests: [not_null, unique]}]}]\n",
}

LINEAGE = """
query($u: String!, $d: LineageDirection!) {
  searchAcrossLineage(input: {urn: $u, direction: $d, types: [DATASET, DATA_JOB], query: "*", count: 20}) {
    searchResults { degree entity { urn } }
  }
}
"""


@pytest.fixture(scope="module")
def built(stack: Stack, token: str, tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess:
    """A regular run of `dbt build`: events are sent through the proxy with a token."""
    folder = tmp_path_factory.mktemp("dbt")
    for name, text in PROJECT.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (folder / "openlineage.yml").write_text(
        json.dumps(
            {
                "transport": {
                    "type": "http",
                    "url": f"{stack.proxy}/openapi/openlineage/",
                    "endpoint": "api/v1/lineage",
                    "auth": {"type": "api_key", "apiKey": token},
                }
            }
        )
    )
    return subprocess.run(
        [VENV / "bin" / "dbt-ol", "build", "--no-use-colors", "--profiles-dir", "."],
        cwd=folder,
        env={
            "PATH": f"{VENV / 'bin'}:{os.environ['PATH']}",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "OPENLINEAGE_CONFIG": str(folder / "openlineage.yml"),
            "OPENLINEAGE_NAMESPACE": "shop-prod",
            "OPENLINEAGE_CLIENT_LOGGING": "INFO",
        },
        capture_output=True,
        text=True,
        timeout=180,
    )


def ask(caller: Caller, query: str, **variables) -> dict:
    answer = caller.post("/api/graphql", data=json.dumps({"query": query, "variables": variables})).json()
    assert not answer.get("errors"), answer
    return answer["data"]


def find(caller: Caller, kind: str, text: str) -> list[str]:
    query = "query($i: SearchInput!) { search(input: $i) { searchResults { entity { urn } } } }"
    found = ask(caller, query, i={"type": kind, "query": text, "start": 0, "count": 20})
    return [hit["entity"]["urn"] for hit in found["search"]["searchResults"]]


JOB = "urn:li:dataJob:(urn:li:dataFlow:(dbt,shop,shop-prod),shop.main.shop.{}.build.{})"


def table(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:duckdb,shop.main.{name},PROD)"


def lineage(caller: Caller, urn: str, direction: str) -> dict[str, int]:
    """The transitive upstream or downstream assets of a dataset, with their number of hops."""
    found = ask(caller, LINEAGE, u=urn, d=direction)["searchAcrossLineage"]["searchResults"]
    return {hit["entity"]["urn"]: hit["degree"] for hit in found}


def test_dbt_sends_its_events(built: subprocess.CompletedProcess, token: str) -> None:
    assert built.returncode == 0, built.stdout + built.stderr
    assert "Emitted 8 OpenLineage events" in built.stdout, built.stdout
    # Only the client reports events that it could not send; dbt succeeds anyway.
    assert "Failed to emit" not in built.stdout + built.stderr, built.stdout + built.stderr
    assert token not in built.stdout + built.stderr


def test_datasets_and_jobs_are_found(built: subprocess.CompletedProcess, caller: Caller) -> None:
    for name in ("raw_orders", "stg_orders", "customer_totals"):
        assert table(name) in find(caller, "DATASET", name)
    assert JOB.format("stg_orders", "run") in find(caller, "DATA_JOB", "stg_orders")
    assert {JOB.format("customer_totals", kind) for kind in ("run", "test")} <= set(find(caller, "DATA_JOB", "customer_totals"))
    assert "urn:li:dataFlow:(dbt,shop,shop-prod)" in find(caller, "DATA_FLOW", "shop")
    (column,) = caller.aspect(table("customer_totals"), "schemaMetadata")["fields"]  # dbt sends only documented columns
    assert column["fieldPath"] == "customer"


def test_lineage_leads_from_the_seed_to_the_totals(built: subprocess.CompletedProcess, caller: Caller) -> None:
    staged, totals = JOB.format("stg_orders", "run"), JOB.format("customer_totals", "run")
    up = lineage(caller, table("customer_totals"), "UPSTREAM")
    # No list of inputs contains the seed; it appears because columns of the next table derive from
    # its columns.
    assert up.keys() >= {totals, table("stg_orders"), staged, table("raw_orders")}, up
    down = lineage(caller, table("raw_orders"), "DOWNSTREAM")
    assert down.keys() >= {staged, table("stg_orders"), totals, table("customer_totals")}, down
    pairs = caller.aspect(totals, "dataJobInputOutput")["fineGrainedLineages"]
    made = {pair["downstreams"][0]: pair["upstreams"] for pair in pairs}
    assert made[f"urn:li:schemaField:({table('customer_totals')},total)"] == [f"urn:li:schemaField:({table('stg_orders')},amount)"]


def test_runs_tell_how_they_ended(built: subprocess.CompletedProcess, caller: Caller) -> None:
    query = """query($u: String!) { dataJob(urn: $u) { runs(start: 0, count: 5) { total runs {
        inputs: relationships(input: {types: ["Consumes"], direction: OUTGOING}) { relationships { entity { urn } } }
        state(startTimeMillis: 0, limit: 1) { status result { resultType } } } } } }"""
    runs = ask(caller, query, u=JOB.format("customer_totals", "run"))["dataJob"]["runs"]
    assert runs["total"] == 1
    (state,) = runs["runs"][0]["state"]
    assert (state["status"], state["result"]["resultType"]) == ("COMPLETE", "SUCCESS")
    read = [edge["entity"]["urn"] for edge in runs["runs"][0]["inputs"]["relationships"]]
    assert read == [table("stg_orders")]
