"""Runs schemathesis over the OpenAPI documents of a service with the sample company."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import requests
from stack import Stack

MOST_SECONDS = 600  # for one document, unless FUZZ_SECONDS is set
FAILED = 500


def documents(stack: Stack, headers: dict) -> dict[str, dict]:
    """The selected OpenAPI documents of the service by name."""
    base = f"{stack.service}/openapi/v3/api-docs"
    config = requests.get(f"{base}/swagger-config", headers=headers, timeout=30)
    config.raise_for_status()
    found = {}
    for name in (group["name"] for group in config.json()["urls"]):
        if not re.fullmatch(os.environ["FUZZ_DOCUMENTS"], name):
            continue
        answer = requests.get(f"{base}/{name}", headers=headers, timeout=30)
        answer.raise_for_status()
        found[name] = answer.json()
    return found


def fuzz(stack: Stack, token: str, name: str, document: dict) -> bool:
    """Sends generated requests for one document. Reports whether all responses were below 500 and
    had a documented status."""
    file = pathlib.Path(f"{name}.json")
    file.write_text(json.dumps(document))
    options = ["--checks", "not_a_server_error,status_code_conformance", "--phases", os.environ["FUZZ_PHASES"], "--mode", "all"]
    options += ["--max-examples", os.environ["FUZZ_EXAMPLES"], "--seed", os.environ["FUZZ_SEED"]]
    options += ["--continue-on-failure", "--generation-database", "none", "--request-timeout", "30"]
    # Slow responses on a shared machine are not failures, nor are parameters that accept no
    # generated text. A single worker makes runs with the same seed identical.
    options += ["--suppress-health-check", "all", "--warnings", "off", "--workers", "1", "--no-color"]
    most = MOST_SECONDS
    if seconds := int(os.environ["FUZZ_SECONDS"]):
        options += ["--max-time", str(seconds)]
        most += seconds  # to load the document and to finish
    if name == "openapi-v3":
        types = os.environ["FUZZ_TYPES"]
        options += ["--include-path-regex", rf"^/openapi/(relationships|v2|v3/(?!entity/)|v3/entity/({types})(/|$))"]
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", f"{stack.service}/", *options,
         "--header", f"Authorization: Bearer {token}"],
        env=os.environ | {"SCHEMATHESIS_HOOKS": "fuzz_hooks"},
        timeout=most,
    )
    return done.returncode == 0


def failures(stack: Stack) -> list[str]:
    """The log lines of the service about responses of 5xx, regardless of the client."""
    found = []
    for line in (stack.folder / "metadata-service.log").read_text().splitlines():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if entry.get("msg") == "panic" or entry.get("msg") == "request" and entry["status"] >= FAILED:
            found.append(line)
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(pathlib.Path(folder))
        stack.start()
        try:
            token = stack.create_token("fuzz")
            secret = stack.folder / "token"
            secret.write_text(token)
            stack.command("load", "-server", stack.service, "-token-file", str(secret), os.environ["DEMO"])
            headers = {"Authorization": f"Bearer {token}"}
            passed = [fuzz(stack, token, *pair) for pair in documents(stack, headers).items()]
        finally:
            stack.stop()
        failed = failures(stack)
        print(*failed[:20], sep="\n")
        print(f"fuzz: {len(passed)} documents, {len(failed)} answers of 5xx")
        return 0 if passed and all(passed) and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
