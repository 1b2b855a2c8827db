"""The life cycle of access tokens, with the stock client and plain HTTP, through the proxy and directly."""

import collections
import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading

import pytest
import requests
from datahub.configuration.common import OperationalError
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata.schema_classes import DatasetPropertiesClass

from caller import Caller, dataset, encoded, proposal
from stack import ADMIN, Stack

PASSWORD = "correct horse battery"
EDITOR = "urn:li:dataHubRole:Editor"
DENIED = "Unauthorized to perform this action. Please contact your DataHub administrator."
ADMIN_PATH = f"/entities/{encoded(ADMIN)}"

CREATE = """mutation($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { accessToken metadata { id name actorUrn ownerUrn } }
}"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory):
    running = Stack(tmp_path_factory.mktemp("tokens"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def root(catalog: Stack) -> Caller:
    return Caller(catalog.service, catalog.create_token("operator"))


@pytest.fixture(params=["proxy", "direct"])
def door(request, catalog: Stack) -> str:
    return address_of(catalog, request.param)


def address_of(catalog: Stack, door: str) -> str:
    return catalog.gms if door == "proxy" else catalog.service


def named(stem: str, door: str) -> str:
    """A name that differs between proxy and service, because they share a catalog."""
    return f"{stem}-{'proxy' if 'api/gms' in door else 'direct'}"


def ask(session: requests.Session, address: str, query: str, **variables) -> dict:
    answer = session.post(address, json={"query": query, "variables": variables}, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def create(session: requests.Session, address: str, actor: str, kind: str = "PERSONAL", **more) -> dict:
    """The response to the creation of a token by the user of the session."""
    return ask(session, address, CREATE, input={"type": kind, "actorUrn": actor, "duration": "ONE_HOUR", "name": "e2e", **more})


def created(session: requests.Session, address: str, actor: str, **more) -> tuple[str, str]:
    """The secret and the id of a new token."""
    answer = create(session, address, actor, **more)
    assert "errors" not in answer, answer
    made = answer["data"]["createAccessToken"]
    assert made["metadata"]["actorUrn"] == actor
    return made["accessToken"], made["metadata"]["id"]


def bearer(token: str) -> requests.Session:
    session = requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    return session


def signed_in(catalog: Stack, user: str, password: str) -> requests.Session:
    session = requests.Session()
    answer = session.post(f"{catalog.proxy}/logIn", json={"username": user, "password": password}, timeout=30)
    assert answer.status_code == 200, answer.text
    return session


def joined(catalog: Stack, root: Caller, user: str) -> requests.Session:
    """The session of a user created by an invitation without a role."""
    invited = root.post("/api/graphql", json={"query": "{ getInviteToken(input: {}) { inviteToken } }"}).json()
    session = requests.Session()
    body = {"fullName": "Guest", "email": user, "password": PASSWORD, "inviteToken": invited["data"]["getInviteToken"]["inviteToken"]}
    answer = session.post(f"{catalog.proxy}/signUp", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    return session


def grant(root: Caller, name: str, actor: str, *privileges: str) -> None:
    """Creates a platform policy for one user. It applies from the next request on."""
    value = {
        "displayName": name,
        "description": "",
        "type": "PLATFORM",
        "state": "ACTIVE",
        "privileges": list(privileges),
        "actors": {"users": [actor], "allUsers": False, "allGroups": False, "resourceOwners": False},
    }
    answer = root.ingest(proposal(f"urn:li:dataHubPolicy:{name}", "dataHubPolicyInfo", value))
    assert answer.status_code == 200, answer.text


def ingest(folder: pathlib.Path, server: str, token: str | None, urn: str) -> subprocess.CompletedProcess:
    """Runs the client with a file of one proposal and the REST sink."""
    content = [
        {
            "entityType": "dataset",
            "entityUrn": urn,
            "changeType": "UPSERT",
            "aspectName": "datasetProperties",
            "aspect": {"json": {"customProperties": {}, "tags": [], "description": "by a pipeline"}},
        }
    ]
    source, recipe = folder / "source.json", folder / "recipe.yml"
    source.write_text(json.dumps(content))
    credential = f", token: '{token}'" if token else ""
    recipe.write_text(
        f"source: {{type: file, config: {{path: '{source}'}}}}\nsink: {{type: datahub-rest, config: {{server: '{server}'{credential}}}}}\n"
    )
    return subprocess.run(
        [pathlib.Path(sys.executable).parent / "datahub", "ingest", "-c", recipe],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=120,
    )


def text_of(process: subprocess.CompletedProcess) -> str:
    return process.stdout + process.stderr


def description(root: Caller, urn: str) -> str | None:
    return (root.aspect(urn, "datasetProperties") or {}).get("description")


def client(server: str, token: str | None) -> DataHubGraph:
    return DataHubGraph(DatahubClientConfig(server=server, token=token, retry_max_times=1))


def described(urn: str, text: str) -> MetadataChangeProposalWrapper:
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=DatasetPropertiesClass(description=text))


def test_a_token_is_created_by_a_session_and_by_a_token_and_used_in_the_sink(catalog: Stack, root: Caller, door: str, tmp_path):
    session = signed_in(catalog, "datahub", catalog.admin_password())
    by_session, first = created(session, f"{catalog.proxy}/api/v2/graphql", ADMIN)
    by_token, second = created(bearer(by_session), f"{door}/api/graphql", ADMIN)
    for number, token in enumerate((by_session, by_token)):
        urn = dataset(named(f"tokens.sink{number}", door))
        done = ingest(tmp_path, door, token, urn)
        assert done.returncode == 0, text_of(done)
        assert description(root, urn) == "by a pipeline"

    assert ask(bearer(by_token), f"{door}/api/graphql", "mutation($id: String!) { revokeAccessToken(tokenId: $id) }", id=first)["data"]
    for address in (catalog.gms, catalog.service):
        assert Caller(address, by_session).get(ADMIN_PATH).status_code == 401
        assert Caller(address, by_token).get(ADMIN_PATH).status_code == 200
    urn = dataset(named("tokens.revoked", door))
    refused = ingest(tmp_path, door, by_session, urn)
    assert refused.returncode != 0 and "401" in text_of(refused), text_of(refused)
    assert description(root, urn) is None

    ids = ask(session, f"{catalog.proxy}/api/v2/graphql", "{ listAccessTokens(input: {start: 0, count: 100}) { tokens { id } } }")
    listed = [token["id"] for token in ids["data"]["listAccessTokens"]["tokens"]]
    assert second in listed and first not in listed


def test_without_a_token_nothing_is_ingested(catalog: Stack, root: Caller, door: str, tmp_path):
    urn = dataset(named("tokens.anonymous", door))
    done = ingest(tmp_path, door, None, urn)
    assert done.returncode != 0 and "401" in text_of(done), text_of(done)
    assert description(root, urn) is None
    answer = Caller(door, None).ingest(proposal(urn, "datasetProperties", {"description": "x"}))
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer") and "insufficient_scope" not in answer.headers["WWW-Authenticate"]
    assert description(root, urn) is None


def test_a_token_has_the_rights_of_its_user_and_a_refusal_names_what_is_missing(catalog: Stack, root: Caller, door: str, tmp_path):
    user = named("reader", door) + "@example.org"
    actor, urn = f"urn:li:corpuser:{user}", dataset(named("tokens.reader", door))
    session = joined(catalog, root, user)
    token, _ = created(session, f"{catalog.proxy}/api/v2/graphql", actor)

    done = ingest(tmp_path, door, token, urn)
    assert done.returncode != 0
    for part in (actor, "EDIT_ENTITY", urn):
        assert part in text_of(done), text_of(done)
    assert description(root, urn) is None
    answer = Caller(door, token).ingest(proposal(urn, "datasetProperties", {"description": "x"}))
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'
    body = answer.json()
    assert (body["code"], body["actor"]) == ("FORBIDDEN", actor)
    assert [(missing["resource"], "EDIT_ENTITY" in missing["privileges"]) for missing in body["missing"]] == [(urn, True)]
    value = [{"urn": urn, "datasetProperties": {"value": {"description": "x"}}}]
    assert Caller(door, token).post("/openapi/v3/entity/dataset?async=false", json=value).status_code == 403
    assert Caller(door, token).get(ADMIN_PATH).status_code == 200, "a refusal ends nothing"
    assert session.get(catalog.gms + ADMIN_PATH, timeout=30).status_code == 200


def test_a_token_for_somebody_else_takes_the_privilege_over_all_tokens(catalog: Stack, root: Caller, door: str, tmp_path):
    user = named("clerk", door) + "@example.org"
    actor = f"urn:li:corpuser:{user}"
    session = joined(catalog, root, user)
    own, _ = created(session, f"{catalog.proxy}/api/v2/graphql", actor)
    ways = ((session, f"{catalog.proxy}/api/v2/graphql"), (bearer(own), f"{door}/api/graphql"))
    for way, address in ways:
        answer = create(way, address, ADMIN)
        (error,) = answer["errors"]
        assert error["message"] == DENIED and error["extensions"]["code"] == 403, answer
        missing = error["extensions"]["missing"]
        assert any("MANAGE_ACCESS_TOKENS" in one["privileges"] for one in missing), answer

    # The privileges to manage users and their credentials do not include it.
    grant(root, named("clerk-users", door), actor, "MANAGE_USERS_AND_GROUPS", "MANAGE_USER_CREDENTIALS")
    assert "errors" in create(bearer(own), f"{door}/api/graphql", ADMIN)

    grant(root, named("clerk-tokens", door), actor, "MANAGE_ACCESS_TOKENS")
    for way, address in ways:
        token, identity = created(way, address, ADMIN)
        urn = dataset(named("tokens.clerk", door))
        done = ingest(tmp_path, door, token, urn)
        assert done.returncode == 0, text_of(done)
        assert (client(door, token).execute_graphql("{ me { corpUser { urn } } }"))["me"]["corpUser"]["urn"] == ADMIN
        assert ask(way, address, "mutation($id: String!) { revokeAccessToken(tokenId: $id) }", id=identity)["data"]
        assert Caller(door, token).get(ADMIN_PATH).status_code == 401


def test_a_token_that_only_reads_writes_nothing_with_the_client(root: Caller, door: str, tmp_path):
    urn = dataset(named("tokens.readonly", door))
    assert root.ingest(proposal(urn, "datasetProperties", {"description": "before"})).status_code == 200
    token, _ = created(root, "/api/graphql", ADMIN, scope={"readOnly": True})
    graph = client(door, token)
    found = graph.get_aspect(urn, DatasetPropertiesClass)
    assert found is not None and found.description == "before"
    with pytest.raises(OperationalError) as refused:
        graph.emit(described(urn, "after"))
    assert "read" in str(refused.value).lower(), refused.value
    done = ingest(tmp_path, door, token, urn)
    assert done.returncode != 0, text_of(done)
    assert description(root, urn) == "before"
    assert "errors" in create(bearer(token), f"{door}/api/graphql", ADMIN), "a token that only reads makes no others"


def test_a_token_of_named_privileges_does_what_these_allow(root: Caller, door: str):
    urn = dataset(named("tokens.privileges", door))
    assert root.ingest(proposal(urn, "datasetProperties", {"description": "before"})).status_code == 200
    token, _ = created(root, "/api/graphql", ADMIN, scope={"privileges": ["VIEW_ENTITY_PAGE", "EDIT_ENTITY_TAGS"]})
    graph = client(door, token)
    found = graph.get_aspect(urn, DatasetPropertiesClass)
    assert found is not None and found.description == "before"
    with pytest.raises(OperationalError) as refused:
        graph.emit(described(urn, "after"))
    assert "EDIT_ENTITY" in str(refused.value), refused.value
    assert root.ingest(proposal("urn:li:tag:scoped", "tagProperties", {"name": "scoped"})).status_code == 200
    graph.execute_graphql(
        "mutation($input: TagAssociationInput!) { addTag(input: $input) }", {"input": {"tagUrn": "urn:li:tag:scoped", "resourceUrn": urn}}
    )
    assert [tag["tag"] for tag in (root.aspect(urn, "globalTags") or {})["tags"]] == ["urn:li:tag:scoped"]
    assert description(root, urn) == "before"


def test_a_token_of_some_resources_touches_no_others(root: Caller, door: str):
    inside, outside = dataset(named("tokens.inside", door)), dataset(named("tokens.outside", door))
    for urn in (inside, outside):
        assert root.ingest(proposal(urn, "datasetProperties", {"description": "before"})).status_code == 200
    criterion = {"field": "URN", "values": [inside], "condition": "EQUALS"}
    token, _ = created(root, "/api/graphql", ADMIN, scope={"resources": [criterion]})
    graph = client(door, token)
    graph.emit(described(inside, "after"))
    with pytest.raises(OperationalError) as refused:
        graph.emit(described(outside, "after"))
    assert outside in str(refused.value), refused.value
    assert (description(root, inside), description(root, outside)) == ("after", "before")
    assert list(graph.get_urns_by_filter(entity_types=["dataset"], query="*")) == [inside]


def test_a_service_account_ingests_with_a_token_that_ends_with_it(root: Caller, door: str, tmp_path):
    query = "mutation($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { urn } }"
    account = ask(root, "/api/graphql", query, input={"displayName": named("nightly", door)})["data"]["createServiceAccount"]["urn"]
    assert account.startswith("urn:li:corpuser:service_")
    token, _ = created(root, "/api/graphql", account, kind="SERVICE_ACCOUNT")
    urn = dataset(named("tokens.service", door))
    refused = ingest(tmp_path, door, token, urn)
    assert refused.returncode != 0 and account in text_of(refused), text_of(refused)

    assign = "mutation($input: BatchAssignRoleInput!) { batchAssignRole(input: $input) }"
    assert "errors" not in ask(root, "/api/graphql", assign, input={"roleUrn": EDITOR, "actors": [account]})
    done = ingest(tmp_path, door, token, urn)
    assert done.returncode == 0, text_of(done)
    assert description(root, urn) == "by a pipeline"

    assert ask(root, "/api/graphql", "mutation($urn: String!) { deleteServiceAccount(urn: $urn) }", urn=account)["data"]
    assert Caller(door, token).get(ADMIN_PATH).status_code == 401
    refused = ingest(tmp_path, door, token, dataset(named("tokens.afterwards", door)))
    assert refused.returncode != 0 and "401" in text_of(refused)


class Crowd:
    """Sends requests with a token to proxy and service continuously, and counts the responses to
    requests that started after the revocation of the token."""

    WORKERS = 8

    def __init__(self, doors: list[str], token: str, tries: int):
        self.answers: collections.Counter = collections.Counter()
        self.before: collections.Counter = collections.Counter()
        self._doors, self._token, self._left = doors, token, tries
        self._gone = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._work, args=(doors[i % len(doors)],)) for i in range(self.WORKERS)]
        self._asked = threading.Semaphore(0)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        for _ in self._threads:
            self._asked.acquire()  # each thread has sent a request with a valid token

    def revoked(self) -> None:
        self._gone.set()
        for thread in self._threads:
            thread.join()

    def _work(self, address: str) -> None:
        host, _, prefix = address.removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(host, timeout=30)
        path = (f"/{prefix}" if prefix else "") + ADMIN_PATH
        first = True
        while True:
            began = self._gone.is_set()
            connection.request("GET", path, headers={"Authorization": f"Bearer {self._token}"})
            answer = connection.getresponse()
            answer.read()
            with self._lock:
                (self.answers if began else self.before)[answer.status] += 1
                self._left -= began
                done = self._left <= 0
            if first:
                first = False
                self._asked.release()
            if done:
                connection.close()
                return


def test_a_revoked_token_is_refused_from_the_next_request_on_and_after_a_restart(catalog: Stack, root: Caller, capsys):
    tries, rounds = int(os.environ["TOKEN_TRIES"]), 10
    before, after = collections.Counter(), collections.Counter()
    texts = []
    for _ in range(rounds):
        text, identity = created(root, "/api/graphql", ADMIN)
        crowd = Crowd([catalog.gms, catalog.service], text, tries // rounds)
        crowd.start()
        assert ask(root, "/api/graphql", "mutation($id: String!) { revokeAccessToken(tokenId: $id) }", id=identity)["data"]
        crowd.revoked()
        before.update(crowd.before)
        after.update(crowd.answers)
        texts.append(text)
    with capsys.disabled():
        print(f"\n{sum(after.values())} requests after {rounds} revocations: {after[401]} refused, {after[200]} leaks", end=" ")
    assert set(after) == {401} and after[401] >= tries
    assert before[200] >= rounds * Crowd.WORKERS

    kept, _ = created(root, "/api/graphql", ADMIN)
    catalog.stop()
    catalog.start()
    for address in (catalog.gms, catalog.service):
        assert [Caller(address, text).get(ADMIN_PATH).status_code for text in texts] == [401] * rounds
        assert Caller(address, kept).get(ADMIN_PATH).status_code == 200


@pytest.mark.parametrize("answer_by", ["proxy", "direct"])
def test_a_missing_privilege_is_403_where_that_is_set(answer_by: str, tmp_path):
    running = Stack(tmp_path, settings={"CARTULARY_AUTH_DENIED_STATUS": "403"})
    running.start()
    try:
        root = Caller(running.service, running.create_token("operator"))
        actor, urn = "urn:li:corpuser:plain", dataset("tokens.denied")
        assert root.ingest(proposal(actor, "corpUserInfo", {"active": True})).status_code == 200
        plain = Caller(address_of(running, answer_by), running.create_token("plain", actor))
        answer = plain.ingest(proposal(urn, "datasetProperties", {"description": "x"}))
        assert answer.status_code == 403, answer.text
        assert any(missing["resource"] == urn and "EDIT_ENTITY" in missing["privileges"] for missing in answer.json()["missing"])
        refused = ingest(tmp_path, plain.base, running.create_token("plain too", actor), urn)
        assert refused.returncode != 0 and "403" in text_of(refused), text_of(refused)
        assert Caller(plain.base, "no token").get(ADMIN_PATH).status_code == 401, "a bad credential stays one"
    finally:
        running.stop()


def test_without_authentication_all_of_it_works_without_tokens_and_says_so(tmp_path):
    running = Stack(tmp_path, auth=False)
    running.start()
    try:
        urn = dataset("tokens.open")
        done = ingest(tmp_path, running.service, None, urn)
        assert done.returncode == 0, text_of(done)
        root = Caller(running.service, None)
        assert description(root, urn) == "by a pipeline"
        session = signed_in(running, "datahub", running.admin_password())
        for by, address in ((root, "/api/graphql"), (session, f"{running.proxy}/api/v2/graphql")):
            config = ask(by, address, "{ appConfig { authConfig { tokenAuthEnabled } } }")
            assert config["data"]["appConfig"]["authConfig"]["tokenAuthEnabled"] is False
            (error,) = create(by, address, ADMIN)["errors"]
            assert "Token based authentication is disabled" in error["message"] and "administrator" in error["message"]
        # A token that a request carries anyway is ignored.
        assert Caller(running.service, "no token").get(ADMIN_PATH).status_code == 200
        assert session.get(running.gms + ADMIN_PATH, timeout=30).status_code == 200
        made = running.command("token", "create", "--actor", "datahub", "--name", "later", "--duration", "ONE_HOUR")
        assert len(made.splitlines()[-1].split(".")) == 3
    finally:
        running.stop()
