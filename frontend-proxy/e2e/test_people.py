"""Users and groups managed by the command-line client, and the effect on their sessions and tokens."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import requests

from caller import Caller, dataset, encoded, proposal
from datahub_command import DatahubCommand
from stack import ADMIN, Stack, paired_ports

PASSWORD = "correct horse battery"
EDITOR = "urn:li:dataHubRole:Editor"


class Client:
    """The command-line client at the proxy or the service, as the administrator if authentication is on."""

    def __init__(self, stack: Stack, address: str, token: str | None, command: DatahubCommand, folder: pathlib.Path):
        self.stack, self.address, self.token, self.command, self.folder = stack, address, token, command, folder
        self.caller = Caller(address, token)

    def run(self, *arguments: str, typed: str = "", token: str | None = None) -> subprocess.CompletedProcess:
        environment = {**os.environ, "DATAHUB_GMS_URL": self.address}
        if token or self.token:
            environment["DATAHUB_GMS_TOKEN"] = token or self.token or ""
        return self.command.run(*arguments, env=environment, cwd=self.folder, input=typed)

    def add_user(self, *arguments: str, token: str | None = None) -> subprocess.CompletedProcess:
        return self.run("user", "add", *arguments, "--password", typed=f"{PASSWORD}\n{PASSWORD}\n", token=token)


@pytest.fixture(scope="module", params=[True, False], ids=["authentication on", "authentication off"])
def catalog(request, tmp_path_factory: pytest.TempPathFactory):
    running = Stack(tmp_path_factory.mktemp("people"), auth=request.param, ports=paired_ports())
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["proxy", "direct"])
def client(request, catalog: Stack, command: DatahubCommand, tmp_path_factory: pytest.TempPathFactory) -> Client:
    if request.param == "proxy" and not catalog.auth:
        pytest.skip("without authentication the proxy takes sessions alone")
    token = catalog.create_token(f"people {request.param}") if catalog.auth else None
    address = catalog.gms if request.param == "proxy" else catalog.service
    return Client(catalog, address, token, command, tmp_path_factory.mktemp("client"))


def text_of(process: subprocess.CompletedProcess) -> str:
    return process.stdout + process.stderr


def name(client: Client, stem: str) -> str:
    """A name that differs between proxy and service, because they share a catalog."""
    return f"{stem}.{'proxy' if 'api/gms' in client.address else 'direct'}"


def signs_in(stack: Stack, user: str, password: str = PASSWORD) -> requests.Session:
    session = requests.Session()
    answer = session.post(f"{stack.proxy}/logIn", json={"username": user, "password": password}, timeout=30)
    assert answer.status_code == 200, answer.text
    return session


def test_a_user_is_added_with_a_role_under_its_id(client: Client, catalog: Stack):
    user = name(client, "nora")
    urn = f"urn:li:corpuser:{user}"
    added = client.add_user("--id", user, "--email", f"{user}@example.org", "--display-name", "Nora", "--role", "editor")
    assert added.returncode == 0, text_of(added)
    assert "role" in added.stdout and urn in added.stdout and "failed" not in text_of(added).lower()

    assert client.caller.aspect(urn, "roleMembership") == {"roles": [EDITOR]}
    info = client.caller.aspect(urn, "corpUserInfo") or {}
    assert (info["fullName"], info["displayName"], info["email"], info["title"]) == ("Nora", "Nora", f"{user}@example.org", "Other")
    assert client.caller.aspect(f"urn:li:corpuser:{user}@example.org", "corpUserInfo") is None
    assert signs_in(catalog, user).cookies["actor"].strip('"') == urn

    again = client.add_user("--id", user, "--email", f"{user}@example.org", "--display-name", "Nora")
    assert again.returncode == 1 and "already exists" in again.stdout


def test_a_user_is_added_under_its_address_without_a_role(client: Client, catalog: Stack):
    user = name(client, "olaf") + "@example.org"
    added = client.add_user("--email", user, "--email-as-id", "--display-name", "Olaf")
    assert added.returncode == 0, text_of(added)
    assert client.caller.aspect(f"urn:li:corpuser:{user}", "roleMembership") is None
    signs_in(catalog, user)


@pytest.mark.parametrize("taken", ["DataHub", "__datahub_system", "service_etl"])
def test_names_of_the_system_are_not_added(client: Client, taken: str):
    added = client.add_user("--id", taken, "--email", "x@example.org", "--display-name", "X")
    assert added.returncode == 1, text_of(added)


def test_the_address_of_somebody_else_in_another_case_is_taken(client: Client):
    user = name(client, "petra") + "@example.org"
    assert client.add_user("--email", user, "--email-as-id", "--display-name", "Petra").returncode == 0
    added = client.add_user("--email", user.upper(), "--email-as-id", "--display-name", "Petra")
    assert added.returncode == 1 and "another spelling" in added.stdout, text_of(added)


def test_who_may_not_manage_credentials_adds_nobody(client: Client, catalog: Stack):
    if not catalog.auth:
        pytest.skip("without authentication everybody may")
    reader = f"urn:li:corpuser:{name(client, 'quinn')}"
    assert client.caller.ingest(proposal(reader, "corpUserInfo", {"active": True, "displayName": "Quinn"})).status_code == 200
    added = client.add_user(
        "--id", name(client, "rita"), "--email", "rita@example.org", "--display-name", "Rita", token=catalog.create_token("quinn", reader)
    )
    assert added.returncode == 1 and "Failed to retrieve invite token" in added.stdout, text_of(added)
    assert client.caller.aspect(f"urn:li:corpuser:{name(client, 'rita')}", "corpUserKey") is None


def test_users_and_groups_are_upserted(client: Client, tmp_path: pathlib.Path):
    user, group = name(client, "sven"), name(client, "writers")
    (tmp_path / "user.json").write_text(json.dumps({"id": user, "display_name": "Sven", "email": "sven@example.org", "groups": [group]}))
    (tmp_path / "group.json").write_text(json.dumps({"id": group, "display_name": "Writers", "members": [user]}))
    upserted = client.run("user", "upsert", "-f", tmp_path / "user.json")
    assert upserted.returncode == 0 and "Update succeeded" in upserted.stdout, text_of(upserted)
    upserted = client.run("group", "upsert", "-f", tmp_path / "group.json")
    assert upserted.returncode == 0 and "Update succeeded" in upserted.stdout, text_of(upserted)

    assert (client.caller.aspect(f"urn:li:corpGroup:{group}", "corpGroupInfo") or {})["displayName"] == "Writers"
    assert client.caller.aspect(f"urn:li:corpuser:{user}", "groupMembership") == {"groups": [f"urn:li:corpGroup:{group}"]}


SINK = """
import sys
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter
from datahub.metadata.schema_classes import DatasetPropertiesClass

server, token, urn = sys.argv[1:]
emitter = DatahubRestEmitter(server, token=token or None)
emitter.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=DatasetPropertiesClass(description="by the sink")))
"""


def sink(client: Client, urn: str, token: str | None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", SINK, client.address, token or "", urn], cwd=client.folder, capture_output=True, text=True, timeout=120
    )


def test_the_sink_writes_with_a_token_and_not_without(client: Client, catalog: Stack):
    urn = dataset(name(client, "people.sink"))
    written = sink(client, urn, client.token)
    assert written.returncode == 0, text_of(written)
    assert (client.caller.aspect(urn, "datasetProperties") or {})["description"] == "by the sink"
    if catalog.auth:
        refused = sink(client, dataset("people.refused"), None)
        assert refused.returncode != 0 and "401" in text_of(refused)


def test_a_role_opens_what_it_is_for_and_a_refusal_names_what_is_missing(client: Client, catalog: Stack):
    if not catalog.auth:
        pytest.skip("without authentication everybody may")
    user, urn = name(client, "tara"), dataset(name(client, "people.role"))
    assert client.add_user("--id", user, "--email", f"{user}@example.org", "--display-name", "Tara").returncode == 0
    token = catalog.create_token("tara", f"urn:li:corpuser:{user}")
    refused = sink(client, urn, token)
    assert refused.returncode != 0
    for part in (f"urn:li:corpuser:{user}", "EDIT_ENTITY", urn):
        assert part in text_of(refused)
    answer = Caller(client.address, token).ingest(proposal(urn, "datasetProperties", {"description": "x"}))
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'
    body = answer.json()
    assert (body["code"], body["actor"]) == ("FORBIDDEN", f"urn:li:corpuser:{user}")
    assert any(missing["resource"] == urn and "EDIT_ENTITY" in missing["privileges"] for missing in body["missing"])

    query = "mutation($input: BatchAssignRoleInput!) { batchAssignRole(input: $input) }"
    assigned = client.caller.post(
        "/api/graphql", json={"query": query, "variables": {"input": {"roleUrn": EDITOR, "actors": [f"urn:li:corpuser:{user}"]}}}
    )
    assert "errors" not in assigned.json(), assigned.text
    written = sink(client, urn, token)
    assert written.returncode == 0, text_of(written)


@pytest.fixture
def guest(stack: Stack, caller: Caller, request):
    """A user with a session, created by an invitation."""
    user = f"guest-{abs(hash(request.node.name))}@example.org"
    invited = caller.post("/api/graphql", json={"query": "{ getInviteToken(input: {}) { inviteToken } }"}).json()
    session = requests.Session()
    answer = session.post(
        f"{stack.proxy}/signUp",
        json={
            "fullName": "Guest",
            "email": user,
            "password": PASSWORD,
            "title": " ",
            "inviteToken": invited["data"]["getInviteToken"]["inviteToken"],
        },
        timeout=30,
    )
    assert answer.status_code == 200 and answer.content == b"", answer.text
    return user, session


def me(stack: Stack, session: requests.Session) -> requests.Response:
    return session.post(f"{stack.proxy}/api/v2/graphql", json={"query": "{ me { corpUser { urn } } }"}, timeout=30)


def operate(caller: Caller, document: str) -> dict:
    answer = caller.post("/api/graphql", json={"query": document}).json()
    assert "errors" not in answer, answer
    return answer["data"]


def test_a_suspended_user_is_signed_out_at_the_next_request(stack: Stack, caller: Caller, guest):
    user, session = guest
    assert me(stack, session).json()["data"]["me"]["corpUser"]["urn"] == f"urn:li:corpuser:{user}"
    operate(caller, f'mutation {{ updateUserStatus(urn: "urn:li:corpuser:{user}", status: SUSPENDED) }}')
    answer = me(stack, session)
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    assert "PLAY_SESSION" not in session.cookies and "actor" not in session.cookies
    refused = requests.post(f"{stack.proxy}/logIn", json={"username": user, "password": PASSWORD}, timeout=30)
    assert refused.status_code == 400 and "PLAY_SESSION" not in refused.cookies

    operate(caller, f'mutation {{ updateUserStatus(urn: "urn:li:corpuser:{user}", status: ACTIVE) }}')
    signs_in(stack, user)


def test_a_user_who_is_deleted_while_signed_in_is_out(stack: Stack, caller: Caller, guest):
    user, session = guest
    operate(caller, f'mutation {{ removeUser(urn: "urn:li:corpuser:{user}") }}')
    assert me(stack, session).status_code == 401
    assert caller.get(f"/entities/{encoded(f'urn:li:corpuser:{user}')}").status_code in (200, 404)
    assert caller.aspect(f"urn:li:corpuser:{user}", "corpUserInfo") is None


def test_a_missing_privilege_leaves_the_session(stack: Stack, guest):
    _, session = guest
    answer = session.post(f"{stack.gms}/entities?action=delete", json={"urn": ADMIN}, timeout=30)
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"', answer.text
    assert answer.json()["code"] == "FORBIDDEN"
    assert me(stack, session).status_code == 200 and "PLAY_SESSION" in session.cookies


def test_a_reset_link_sets_a_password_once(stack: Stack, caller: Caller, guest):
    user, _ = guest
    query = f'mutation {{ createNativeUserResetToken(input: {{userUrn: "urn:li:corpuser:{user}"}}) {{ resetToken }} }}'
    reset = operate(caller, query)["createNativeUserResetToken"]["resetToken"]
    assert len(reset) == 32 and reset.isalpha() and reset.islower()
    body = {"email": user, "password": "another password", "resetToken": reset}
    session = requests.Session()
    assert session.post(f"{stack.proxy}/resetNativeUserCredentials", json=body, timeout=30).status_code == 200
    assert me(stack, session).status_code == 200
    assert requests.post(f"{stack.proxy}/resetNativeUserCredentials", json=body, timeout=30).status_code == 400
    signs_in(stack, user, "another password")


def test_the_role_of_an_invitation_is_accepted_with_the_new_session(stack: Stack, caller: Caller):
    query = "query($input: GetInviteTokenInput!) { getInviteToken(input: $input) { inviteToken } }"
    answer = caller.post("/api/graphql", json={"query": query, "variables": {"input": {"roleUrn": EDITOR}}})
    invitation = answer.json()["data"]["getInviteToken"]["inviteToken"]
    session = requests.Session()
    user = "ursula@example.org"
    body = {"fullName": "Ursula", "email": user, "password": PASSWORD, "inviteToken": invitation}
    assert session.post(f"{stack.proxy}/signUp", json=body, timeout=30).status_code == 200
    assert caller.aspect(f"urn:li:corpuser:{user}", "roleMembership") is None

    accept = "mutation($input: AcceptRoleInput!) { acceptRole(input: $input) }"
    answer = session.post(
        f"{stack.proxy}/api/v2/graphql", json={"query": accept, "variables": {"input": {"inviteToken": invitation}}}, timeout=30
    )
    assert answer.json()["data"] == {"acceptRole": True}, answer.text
    assert caller.aspect(f"urn:li:corpuser:{user}", "roleMembership") == {"roles": [EDITOR]}
