"""GraphQL requests of the command-line client, of the SDK, and without a client."""

import json
import pathlib
import subprocess
import sys

import pytest
from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.ingestion.graph.filters import RemovedStatusFilter
from datahub.sdk import DataHubClient, Dataset, FilterDsl

from caller import Caller, dataset, proposal

REFUSED = "Unauthorized to perform this action. Please contact your DataHub administrator."


@pytest.fixture(scope="module")
def graph(stack, token) -> DataHubGraph:
    return DataHubGraph(DatahubClientConfig(server=stack.gms, token=token))


@pytest.fixture(scope="module")
def client(stack, token) -> DataHubClient:
    return DataHubClient(server=stack.gms, token=token)


@pytest.fixture(scope="module")
def shop(caller: Caller) -> dict[str, str]:
    """A chain of three datasets with tags and a container."""
    urns = {name: dataset(f"gql.{name}") for name in ("orders", "clean", "report")}
    container = "urn:li:container:gql-raw"
    facts = [
        proposal(container, "containerProperties", {"name": "GQL raw"}),
        proposal("urn:li:tag:gql-pii", "tagProperties", {"name": "PII"}),
        proposal("urn:li:corpuser:gql-jo", "corpUserInfo", {"active": True, "displayName": "Jo"}),
        proposal("urn:li:domain:gql", "domainProperties", {"name": "GQL domain"}),
        proposal("urn:li:glossaryTerm:gql-order", "glossaryTermInfo", {"name": "GQL order", "definition": "", "termSource": "INTERNAL"}),
    ]
    for name, urn in urns.items():
        facts.append(proposal(urn, "datasetProperties", {"name": f"gql {name}", "description": f"{name} of the graphql tests"}))
        facts.append(proposal(urn, "container", {"container": container}))
        facts.append(proposal(urn, "browsePathsV2", {"path": [{"id": container, "urn": container}]}))
    stamp = {"time": 0, "actor": "urn:li:corpuser:gql-jo"}
    for down, up in (("clean", "orders"), ("report", "clean")):
        upstreams = [{"dataset": urns[up], "type": "TRANSFORMED", "auditStamp": stamp}]
        facts.append(proposal(urns[down], "upstreamLineage", {"upstreams": upstreams}))
    assert caller.ingest(*facts).status_code == 200
    return {**urns, "container": container}


def shown(process: subprocess.CompletedProcess):
    assert process.returncode == 0, process.stdout + process.stderr
    return json.loads(process.stdout[process.stdout.index("{") :])


def said(process: subprocess.CompletedProcess) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout + process.stderr


def post(caller: Caller, query: str, **variables):
    answer = caller.post("/api/graphql", data=json.dumps({"query": query, "variables": variables}))
    assert answer.status_code == 200, answer.text
    return answer.json()


def data(caller: Caller, query: str, **variables):
    body = post(caller, query, **variables)
    assert "errors" not in body, body
    return body["data"]


# The command-line client.


def test_the_client_lists_and_describes_operations(datahub):
    listed = said(datahub("graphql", "--list-operations"))
    assert "createTag" in listed and "searchAcrossEntities" in listed
    assert "me" in said(datahub("graphql", "--list-queries"))
    assert "createAccessToken" in said(datahub("graphql", "--list-mutations"))
    assert "CreateTagInput" in said(datahub("graphql", "--describe", "createTag"))
    whole = said(datahub("graphql", "--describe", "searchAcrossEntities", "--recurse"))
    assert "SearchFlags" in whole and "FacetFilterInput" in whole


def test_the_client_runs_queries(datahub):
    query = "query whoami($n: Int!) { me { corpUser { urn } } getEntityCounts(input: {types: [TAG]}) { counts { count @include(if: true) } } searchAcrossEntities(input: {query: \"*\", count: $n}) { total } }"
    got = shown(datahub("graphql", "--query", query, "--variables", '{"n": 1}'))
    assert got["me"]["corpUser"]["urn"] == "urn:li:corpuser:datahub"


@pytest.mark.parametrize(
    ("operation", "variables"),
    [
        ("me", None),
        ("corpUser", {"urn": "urn:li:corpuser:gql-jo"}),
        ("dataset", {"urn": dataset("gql.orders")}),
        ("dashboard", {"urn": "urn:li:dashboard:(looker,gql)"}),
        ("chart", {"urn": "urn:li:chart:(looker,gql)"}),
        ("listUsers", {"input": {"start": 0, "count": 3}}),
        ("listGroups", {"input": {"start": 0, "count": 3}}),
        ("listDomains", {"input": {"start": 0, "count": 3}}),
        ("listAccessTokens", {"input": {"start": 0, "count": 3}}),
        ("listIngestionSources", {"input": {"start": 0, "count": 3}}),
        ("listOwnershipTypes", {"input": {"start": 0, "count": 3}}),
        ("listQueries", {"input": {"start": 0, "count": 3}}),
        ("listSecrets", {"input": {"start": 0, "count": 3}}),
    ],
)
def test_the_client_runs_operations_by_name(datahub, shop, operation, variables):
    arguments = ["--variables", json.dumps(variables)] if variables else []
    assert operation in shown(datahub("graphql", "--operation", operation, *arguments))


def test_a_dry_run_sends_nothing(datahub):
    arguments = ["--operation", "createTag", "--variables", '{"input": {"id": "gql-never", "name": "x"}}', "--dry-run"]
    said(datahub("graphql", *arguments))
    assert "false" in said(datahub("exists", "--urn", "urn:li:tag:gql-never")).lower()


def test_unknown_fields_are_stripped(datahub):
    query = "query { me { corpUser { urn nobodyKnows } } }"
    got = shown(datahub("graphql", "--query", query, "--strip-unknown-fields"))
    assert got["me"]["corpUser"] == {"urn": "urn:li:corpuser:datahub"}


def test_search(datahub, shop):
    found = shown(datahub("search", "graphql tests", "--limit", "5", "--format", "json"))
    urns = [row["entity"]["urn"] for row in found["searchResults"]]
    assert shop["orders"] in urns
    projected = shown(datahub("search", "graphql tests", "--projection", "urn type ... on Dataset { name }", "--format", "json"))
    assert "gql orders" in [row["entity"].get("name") for row in projected["searchResults"]]
    assert shop["report"] in said(datahub("search", "graphql tests", "--urns-only"))


def test_search_diagnose_says_that_meaning_is_not_searched(datahub):
    process = datahub("search", "diagnose")
    assert "Semantic search is not enabled" in process.stdout + process.stderr


def test_lineage(datahub, shop):
    down = said(datahub("lineage", "--urn", shop["orders"], "--direction", "downstream", "--format", "json"))
    assert shop["clean"] in down and shop["report"] in down
    near = said(datahub("lineage", "--urn", shop["orders"], "--direction", "downstream", "--hops", "1", "--format", "json"))
    assert shop["clean"] in near and shop["report"] not in near


def test_delete_and_undo_by_filter(datahub, caller):
    urns = [dataset(f"gql.gone.{n}", platform="gqlgone") for n in range(3)]
    assert caller.ingest(*[proposal(urn, "datasetProperties", {"name": urn}) for urn in urns]).status_code == 200
    said(datahub("delete", "--platform", "gqlgone", "--soft", "--force"))
    assert all(caller.aspect(urn, "status") == {"removed": True} for urn in urns)
    said(datahub("delete", "undo-by-filter", "--platform", "gqlgone", "--force"))
    assert all(caller.aspect(urn, "status") == {"removed": False} for urn in urns)
    said(datahub("delete", "--platform", "gqlgone", "--hard", "--force"))
    assert all(caller.aspect(urn, "datasetProperties") is None for urn in urns)


def test_container(datahub, caller, shop):
    said(datahub("container", "tag", "--container-urn", shop["container"], "--tag-urn", "urn:li:tag:gql-pii"))
    tags = caller.aspect(shop["orders"], "globalTags")
    assert [t["tag"] for t in tags["tags"]] == ["urn:li:tag:gql-pii"]
    said(datahub("container", "domain", "--container-urn", shop["container"], "--domain-urn", "urn:li:domain:gql"))
    assert caller.aspect(shop["clean"], "domains")["domains"] == ["urn:li:domain:gql"]


def test_dataset_file(datahub, shop, tmp_path: pathlib.Path):
    file = tmp_path / "dataset.yml"
    said(datahub("dataset", "get", "--urn", shop["orders"], "--to-file", file))
    assert "gql orders" in file.read_text()
    file.write_text("- id: gql.from.file\n  platform: hive\n  env: PROD\n  description: from a file\n")
    said(datahub("dataset", "upsert", "-f", file))


def test_properties(datahub, caller, tmp_path: pathlib.Path):
    file = tmp_path / "properties.yml"
    file.write_text("- id: gql.team\n  qualified_name: gql.team\n  type: string\n  cardinality: SINGLE\n  display_name: Team\n  entity_types: [dataset]\n")
    said(datahub("properties", "upsert", "-f", file))
    assert "gql.team" in said(datahub("properties", "list"))
    assert "Team" in said(datahub("properties", "get", "--urn", "urn:li:structuredProperty:gql.team"))


def test_group(datahub, caller, tmp_path: pathlib.Path):
    file = tmp_path / "group.yml"
    file.write_text("id: gql-team\ndisplay_name: GQL team\nadmins: []\nmembers: []\n")
    said(datahub("group", "upsert", "-f", file))
    got = data(caller, '{ corpGroup(urn: "urn:li:corpGroup:gql-team") { properties { displayName } } }')
    assert got["corpGroup"]["properties"]["displayName"] == "GQL team"


def test_recipes_are_deployed_and_their_runs_listed(datahub, caller, tmp_path: pathlib.Path):
    recipe = tmp_path / "recipe.yml"
    recipe.write_text("source:\n  type: demo-data\n  config: {}\nsink:\n  type: datahub-rest\n  config: {}\n")
    out = said(datahub("ingest", "deploy", "-c", recipe, "--name", "gql nightly", "--schedule", "5 * * * *"))
    assert "urn:li:dataHubIngestionSource:" in out
    listed = data(caller, "{ listIngestionSources(input: {start: 0, count: 100}) { ingestionSources { name schedule { interval } config { recipe } } } }")
    assert {"gql nightly"} <= {s["name"] for s in listed["listIngestionSources"]["ingestionSources"]}
    said(datahub("ingest", "list-source-runs"))


def test_init_signs_in_through_the_proxy(stack, tmp_path: pathlib.Path):
    command = pathlib.Path(sys.executable).parent / "datahub"
    process = subprocess.run(
        [command, "init", "--username", "datahub", "--password", stack.admin_password(), "--host", stack.gms, "--token-duration", "ONE_HOUR", "--force"],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "DATAHUB_TELEMETRY_ENABLED": "false"},
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert "token:" in (tmp_path / ".datahubenv").read_text()


# The SDK.


def test_sdk_search(client: DataHubClient, shop):
    found = list(client.search.get_urns(query="graphql tests", filter=FilterDsl.entity_type("dataset")))
    assert {shop["orders"], shop["clean"], shop["report"]} <= {str(u) for u in found}
    by_tag = list(client.search.get_urns(filter=FilterDsl.and_(FilterDsl.platform("hive"), FilterDsl.env("PROD"))))
    assert by_tag


def test_sdk_entities(client: DataHubClient):
    one = Dataset(platform="hive", name="gql.sdk", description="by the SDK", tags=["urn:li:tag:gql-pii"])
    client.entities.upsert(one)
    got = client.entities.get(one.urn)
    assert got.description == "by the SDK" and [str(t.tag) for t in got.tags] == ["urn:li:tag:gql-pii"]


def test_sdk_lineage(client: DataHubClient, shop):
    client.entities.upsert(Dataset(platform="hive", name="gql.sdk.down"))
    client.lineage.add_lineage(upstream=shop["report"], downstream=dataset("gql.sdk.down"))
    down = client.lineage.get_lineage(source_urn=shop["orders"], direction="downstream", max_hops=3)
    assert {shop["clean"], shop["report"], dataset("gql.sdk.down")} <= {row.urn for row in down}


def test_graph_methods(graph: DataHubGraph, shop):
    assert graph.execute_graphql("{ me { corpUser { urn } } }")["me"]["corpUser"]["urn"] == "urn:li:corpuser:datahub"
    urns = list(graph.get_urns_by_filter(entity_types=["dataset"], platform="hive", query="graphql tests"))
    assert shop["orders"] in urns
    assert list(graph.get_urns_by_filter(entity_types=["tag"], status=RemovedStatusFilter.ALL))
    with pytest.raises(Exception, match="FieldUndefined"):
        graph.execute_graphql("{ me { nobody } }")


def test_graph_tags(graph: DataHubGraph, shop, caller):
    tag = graph.create_tag("GQL made by graph")
    assert tag.startswith("urn:li:tag:")
    data(caller, "mutation($t: String!, $r: String!) { addTag(input: {tagUrn: $t, resourceUrn: $r}) }", t=tag, r=shop["report"])
    graph.remove_tag(tag_urn=tag, resource_urn=shop["report"])
    assert caller.aspect(shop["report"], "globalTags")["tags"] in ([], [{"tag": "urn:li:tag:gql-pii"}])


def test_graph_assertions(graph: DataHubGraph, shop):
    made = graph.upsert_custom_assertion(
        urn="urn:li:assertion:gql-custom", entity_urn=shop["orders"], type="My type", description="by hand", platform_name="gqltool"
    )
    assert made["urn"] == "urn:li:assertion:gql-custom"
    assert graph.report_assertion_result(urn="urn:li:assertion:gql-custom", timestamp_millis=0, type="SUCCESS")


def test_graph_connections(graph: DataHubGraph, caller: Caller, stack):
    # As in the reference implementation, the policies of the administrator do not include
    # connections.
    data(caller, "mutation($i: PolicyUpdateInput!) { createPolicy(input: $i) }", i={
        "type": "PLATFORM", "name": "connections", "state": "ACTIVE", "privileges": ["MANAGE_CONNECTIONS"],
        "actors": {"users": ["urn:li:corpuser:datahub"], "allUsers": False, "allGroups": False, "resourceOwners": False},
    })
    connection = "urn:li:dataHubConnection:gql"
    graph.set_connection_json(connection, platform_urn="urn:li:dataPlatform:slack", config={"bot": "s3cret-of-gql"}, name="bot")
    assert graph.get_connection_json(connection) == {"bot": "s3cret-of-gql"}
    assert "s3cret-of-gql" not in json.dumps(caller.aspect(connection, "dataHubConnectionDetails"))
    assert "s3cret-of-gql" not in stack.logs()


def test_secrets_are_encrypted(caller: Caller, stack):
    made = data(caller, "mutation($i: CreateSecretInput!) { createSecret(input: $i) }", i={"name": "GQL_PASSWORD", "value": "s3cret-of-recipes", "description": "of a recipe"})
    assert made["createSecret"] == "urn:li:dataHubSecret:GQL_PASSWORD"
    got = data(caller, '{ getSecretValues(input: {secrets: ["GQL_PASSWORD", "NOBODY"]}) { name value } }')
    assert got["getSecretValues"] == [{"name": "GQL_PASSWORD", "value": "s3cret-of-recipes"}]
    assert "s3cret-of-recipes" not in stack.logs()
    assert b"s3cret-of-recipes" not in b"".join(f.read_bytes() for f in stack.data.rglob("*") if f.is_file())


# Scripts in the style of the client's examples.


def test_what_scripts_do_with_an_asset(caller, shop):
    u = shop["clean"]
    term, tag, owner = "urn:li:glossaryTerm:gql-order", "urn:li:tag:gql-pii", "urn:li:corpuser:gql-jo"
    assert data(caller, "mutation($i: AddTagsInput!) { addTags(input: $i) }", i={"tagUrns": [tag], "resourceUrn": u})["addTags"]
    assert data(caller, "mutation($i: AddTermsInput!) { addTerms(input: $i) }", i={"termUrns": [term], "resourceUrn": u})["addTerms"]
    assert data(caller, "mutation($i: AddOwnerInput!) { addOwner(input: $i) }",
                i={"ownerUrn": owner, "ownerEntityType": "CORP_USER", "type": "TECHNICAL_OWNER", "resourceUrn": u})["addOwner"]
    assert data(caller, "mutation { setDomain(entityUrn: \"%s\", domainUrn: \"urn:li:domain:gql\") }" % u)["setDomain"]
    assert data(caller, "mutation($i: DescriptionUpdateInput!) { updateDescription(input: $i) }", i={"description": "told by a script", "resourceUrn": u})["updateDescription"]
    assert data(caller, "mutation($i: UpdateDeprecationInput!) { updateDeprecation(input: $i) }", i={"urn": u, "deprecated": True, "note": "use report"})["updateDeprecation"]
    assert data(caller, "mutation($i: UpdateLineageInput!) { updateLineage(input: $i) }",
                i={"edgesToAdd": [{"downstreamUrn": u, "upstreamUrn": shop["report"]}], "edgesToRemove": []})["updateLineage"]
    got = data(caller, """query($u: String!) { dataset(urn: $u) { editableProperties { description } deprecation { deprecated note }
        tags { tags { tag { urn } } } glossaryTerms { terms { term { urn } } } domain { domain { properties { name } } }
        ownership { owners { owner { ... on CorpUser { username } } } }
        lineage(input: {direction: UPSTREAM}) { relationships { entity { urn } } } } }""", u=u)["dataset"]
    assert got["editableProperties"]["description"] == "told by a script"
    assert got["deprecation"] == {"deprecated": True, "note": "use report"}
    assert tag in [t["tag"]["urn"] for t in got["tags"]["tags"]]
    assert [t["term"]["urn"] for t in got["glossaryTerms"]["terms"]] == [term]
    assert got["domain"]["domain"]["properties"]["name"] == "GQL domain"
    assert [o["owner"]["username"] for o in got["ownership"]["owners"]] == ["gql-jo"]
    assert {r["entity"]["urn"] for r in got["lineage"]["relationships"]} == {shop["orders"], shop["report"]}


def test_structured_properties_of_an_asset(caller, shop):
    property = "urn:li:structuredProperty:gql.tier"
    value = {"qualifiedName": "gql.tier", "valueType": "urn:li:dataType:datahub.string", "entityTypes": ["urn:li:entityType:datahub.dataset"], "cardinality": "SINGLE"}
    assert caller.ingest(proposal(property, "propertyDefinition", value)).status_code == 200
    got = data(caller, """mutation($i: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $i) {
        properties { structuredProperty { urn } values { ... on StringValue { stringValue } } } } }""",
        i={"assetUrn": shop["orders"], "structuredPropertyInputParams": [{"structuredPropertyUrn": property, "values": [{"stringValue": "gold"}]}]})
    assert {"structuredProperty": {"urn": property}, "values": [{"stringValue": "gold"}]} in got["upsertStructuredProperties"]["properties"]


# Plain requests: the examples of the product documentation.


def test_create_tag_as_the_product_document_writes_it(caller):
    body = {"query": 'mutation createTag($input: CreateTagInput!) { createTag(input: $input) }', "variables": {"input": {"name": "Deprecated", "description": "Having this tag means this column or table is deprecated."}}}
    answer = caller.post("/api/graphql", data=json.dumps(body))
    assert answer.status_code == 200, answer.text
    urn = answer.json()["data"]["createTag"]
    assert caller.aspect(urn, "tagProperties")["name"] == "Deprecated"


def test_tokens_live_until_they_are_revoked(stack, caller):
    made = data(caller, """mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:gql-jo", duration: ONE_HOUR, name: "gql"}) {
        accessToken metadata { id actorUrn ownerUrn } } }""")["createAccessToken"]
    jo = Caller(stack.gms, made["accessToken"])
    assert data(jo, "{ me { corpUser { username } } }")["me"]["corpUser"]["username"] == "gql-jo"
    refused = post(jo, 'mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:datahub", duration: ONE_HOUR, name: "x"}) { accessToken } }')
    (error,) = refused["errors"]
    assert error["message"] == REFUSED and error["extensions"]["code"] == 403 and error["extensions"]["type"] == "UNAUTHORIZED"
    listed = data(caller, '{ listAccessTokens(input: {filters: [{field: "actorUrn", values: ["urn:li:corpuser:gql-jo"]}]}) { total tokens { id } } }')
    assert made["metadata"]["id"] in [t["id"] for t in listed["listAccessTokens"]["tokens"]]
    assert data(caller, "mutation($id: String!) { revokeAccessToken(tokenId: $id) }", id=made["metadata"]["id"])["revokeAccessToken"]
    assert jo.post("/api/graphql", data='{"query": "{ __typename }"}').status_code == 401


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
def test_only_post_is_answered(stack, caller, method):
    for base in (stack.proxy, stack.service):
        answer = getattr(Caller(base, caller.headers["Authorization"].split()[1]), method)("/api/graphql?query={me{corpUser{urn}}}")
        assert answer.status_code == 405 and answer.headers["Allow"] == "POST", answer.text
        assert "POST" in answer.text and answer.json()


@pytest.mark.parametrize("path", ["/api/graphql", "/api/v2/graphql", "/api/gms/api/graphql", "/gms/api/graphql", "/api/gms/api/v2/graphql"])
def test_paths_on_both_listeners(stack, token, path):
    for base in (stack.proxy, stack.service):
        assert data_of(Caller(base, token), path)["me"]["corpUser"]["urn"] == "urn:li:corpuser:datahub"


def data_of(caller: Caller, path: str):
    answer = caller.post(path, data='{"query": "{ me { corpUser { urn } } }"}')
    assert answer.status_code == 200, f"{caller.base}{path}: {answer.status_code} {answer.text}"
    return answer.json()["data"]


def test_who_is_not_known_gets_401(stack):
    for base in (stack.proxy, stack.service):
        assert Caller(base, None).post("/api/graphql", data='{"query": "{ __typename }"}').status_code == 401


