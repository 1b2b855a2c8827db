"""Authentication at the proxy and at the service."""

import os
import subprocess

import pytest
import requests

from caller import Caller, dataset, encoded, proposal
from stack import ADMIN, BIN

ADMIN_PATH = f"/entitiesV2/{encoded(ADMIN)}"


@pytest.fixture
def signed_in(stack) -> requests.Session:
    session = requests.Session()
    answer = session.post(
        f"{stack.proxy}/logIn", json={"username": "datahub", "password": stack.admin_password()}, timeout=30
    )
    assert answer.status_code == 200, answer.text
    return session


@pytest.mark.parametrize("path", [ADMIN_PATH, "/openapi/v3/entity/tag/urn%3Ali%3Atag%3Ax", "/aspects?action=ingestProposal"])
@pytest.mark.parametrize("token", [None, "not-a-token"])
def test_without_a_token_nothing_is_answered(stack, path, token):
    for base in (stack.gms, stack.service):
        method = "POST" if "action" in path else "GET"
        answer = Caller(base, token).request(method, path, data="{}" if method == "POST" else None)
        assert answer.status_code == 401, f"{base}{path}"


def test_a_refusal_says_what_to_send(stack):
    answer = Caller(stack.service, None).get(ADMIN_PATH)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert "Authorization" in answer.json()["message"] or "token" in answer.json()["message"]


@pytest.mark.parametrize("path", ["/health", "/config"])
def test_health_and_config_need_no_token(stack, path):
    for base in (stack.gms, stack.service):
        assert requests.get(base + path, timeout=30).status_code == 200


def test_the_first_password_signs_in_and_out(stack, signed_in):
    assert {"PLAY_SESSION", "actor"} <= set(signed_in.cookies.keys())
    assert signed_in.cookies["actor"].strip('"') == ADMIN
    assert signed_in.get(stack.gms + ADMIN_PATH, timeout=30).json()["urn"] == ADMIN

    signed_in.get(f"{stack.proxy}/logOut", allow_redirects=False, timeout=30)
    assert signed_in.get(stack.gms + ADMIN_PATH, timeout=30).status_code == 401


def test_the_path_that_the_client_guesses_signs_in_too(stack):
    answer = requests.post(
        f"{stack.proxy}/api/logIn", json={"username": "datahub", "password": stack.admin_password()}, timeout=30
    )
    assert answer.status_code == 200 and "PLAY_SESSION" in answer.cookies


def test_a_wrong_password_is_refused_without_saying_why(stack):
    for user in ("datahub", "nobody-by-that-name"):
        answer = requests.post(f"{stack.proxy}/logIn", json={"username": user, "password": "wrong"}, timeout=30)
        assert answer.status_code == 400
        assert answer.json()["message"] == "Invalid Credentials"
        assert "PLAY_SESSION" not in answer.cookies


def test_a_cookie_that_was_changed_is_no_session(stack, signed_in):
    encrypted = signed_in.cookies["PLAY_SESSION"]
    middle = len(encrypted) // 2
    changed = encrypted[:middle] + ("A" if encrypted[middle] != "A" else "B") + encrypted[middle + 1 :]
    answer = requests.get(
        stack.gms + ADMIN_PATH, cookies={"PLAY_SESSION": changed, "actor": signed_in.cookies["actor"]}, timeout=30
    )
    assert answer.status_code == 401


def test_a_token_in_the_header_wins_over_the_session(stack, signed_in):
    answer = signed_in.get(stack.gms + ADMIN_PATH, headers={"Authorization": "Bearer no-token"}, timeout=30)
    assert answer.status_code == 401


def test_a_revoked_token_is_dead_at_once(stack):
    name = "to be revoked"
    token = stack.create_token(name)
    callers = [Caller(stack.gms, token), Caller(stack.service, token)]
    assert [c.get(ADMIN_PATH).status_code for c in callers] == [200, 200]

    (line,) = [line for line in stack.command("token", "list").splitlines() if name in line]
    stack.command("token", "revoke", line.split()[0])
    assert [c.get(ADMIN_PATH).status_code for c in callers] == [401, 401]


def test_a_token_acts_as_its_user_and_no_more(stack, caller):
    user = "urn:li:corpuser:e2e-reader"
    assert caller.ingest(proposal(user, "corpUserInfo", {"active": True, "displayName": "Reader"})).status_code == 200
    reader = Caller(stack.gms, stack.create_token("reader", user))
    assert reader.get("/openapi/operations/identity/user/urn", params={"email": "x"}).status_code != 401
    assert reader.get(ADMIN_PATH).status_code == 200
    denied = reader.act("/entities", "delete", urn=dataset("auth.delete"))
    assert denied.status_code in (401, 403) and denied.json()["message"]


def test_basic_credentials_from_outside_are_ignored(stack):
    secret = (stack.data / "secrets" / "system").read_text().strip()
    system = {"Authorization": f"Basic __datahub_system:{secret}"}
    for path in ("/api/gms" + ADMIN_PATH, "/openapi/v3/entity/corpuser/" + encoded(ADMIN)):
        assert requests.get(stack.proxy + path, headers=system, timeout=30).status_code == 401


@pytest.mark.parametrize("header", ["X-DataHub-Actor", "X-DataHub-Impersonated-Actor"])
def test_identity_headers_from_outside_are_ignored(stack, header):
    for base in (stack.gms, stack.service):
        answer = requests.get(base + ADMIN_PATH, headers={header: ADMIN}, timeout=30)
        assert answer.status_code == 401


@pytest.mark.parametrize("prefix", ["/api/gms", "/gms"])
@pytest.mark.parametrize(
    "path", ["/auth/verifyNativeUserCredentials", "/auth/generateSessionTokenForUser", "/actuator/prometheus", "/metrics"]
)
def test_inner_paths_do_not_exist_outside(stack, token, prefix, path):
    for method in ("GET", "POST"):
        for caller in (Caller(stack.proxy, token), Caller(stack.proxy, None)):
            answer = caller.request(method, prefix + path, data="{}" if method == "POST" else None)
            assert answer.status_code == 404, f"{method} {prefix}{path}: {answer.status_code} {answer.text[:200]}"


def test_tricks_with_the_path_reach_no_inner_path(stack, token):
    for path in ("/api/gms/%61uth/signUp", "/api/gms//auth/signUp", "/api/gms/x/../auth/signUp", "/api/gms/x/%2e%2e/auth/signUp"):
        request = requests.Request("POST", stack.proxy, data="{}", headers={"Authorization": f"Bearer {token}"}).prepare()
        request.url = stack.proxy + path
        answer = requests.Session().send(request, timeout=30)
        assert answer.status_code in (400, 404), f"{path}: {answer.status_code} {answer.text[:200]}"


def test_secrets_are_readable_by_their_owner_alone(stack):
    private = [stack.data / "initial-admin-password", *(stack.data / "secrets").iterdir()]
    assert len(private) >= 3
    for path in private:
        assert path.stat().st_mode & 0o077 == 0, path


def test_no_secret_is_in_a_log(stack, token):
    log = stack.logs()
    assert log and token not in log and stack.admin_password() not in log
    for path in (stack.data / "secrets").iterdir():
        assert path.read_text().strip() not in log, path.name


def test_without_authentication_the_service_stays_on_loopback(tmp_path):
    process = subprocess.run(
        [BIN / "metadata-service"],
        env={
            "PATH": os.environ["PATH"],
            "CARTULARY_AUTH_ENABLED": "false",
            "CARTULARY_LISTEN": "0.0.0.0:0",
            "CARTULARY_DATA_DIR": str(tmp_path / "data"),
        },
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert process.returncode != 0
    assert "allow_insecure_listen" in process.stderr
