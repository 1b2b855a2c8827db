"""Both binaries on free ports with an empty data folder, for the duration of the tests."""

import os
import pathlib
import socket
import subprocess
import time

import requests

BIN = pathlib.Path(os.environ["BIN"])
ADMIN = "urn:li:corpuser:datahub"
START_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def paired_ports() -> tuple[int, int]:
    """Ports of service and proxy that allow clients of the service to find the proxy: they replace 8080 with 9002."""
    for tens in range(1, 6):
        pair = (tens * 10000 + 8080, tens * 10000 + 9002)
        with socket.socket() as service, socket.socket() as proxy:
            try:
                service.bind(("127.0.0.1", pair[0]))
                proxy.bind(("127.0.0.1", pair[1]))
            except OSError:
                continue
        return pair
    raise AssertionError("no pair of ports is free")


class Stack:
    """The running catalog. `gms` is the address for clients, which is that of the proxy."""

    def __init__(
        self, folder: pathlib.Path, auth: bool = True, ports: tuple[int, int] | None = None, settings: dict[str, str] | None = None
    ):
        service, proxy = ports or (free_port(), free_port())
        self.folder = folder
        self.auth = auth
        self._settings = settings or {}  # for the service only, by variable name
        self.data = folder / "data"
        self.service = f"http://127.0.0.1:{service}"
        self.proxy = f"http://127.0.0.1:{proxy}"
        self.gms = f"{self.proxy}/api/gms"
        self._processes: list[subprocess.Popen] = []

    def start(self) -> None:
        secrets = self.data / "secrets"
        self._spawn(
            "metadata-service",
            CARTULARY_LISTEN=self.service.removeprefix("http://"),
            CARTULARY_DATA_DIR=str(self.data),
            **self._settings,
        )
        self._spawn(
            "frontend-proxy",
            CARTULARY_LISTEN=self.proxy.removeprefix("http://"),
            CARTULARY_UPSTREAM=self.service,
            CARTULARY_SYSTEM_SECRET_FILE=str(secrets / "system"),
            CARTULARY_SESSION_SECRET_FILE=str(secrets / "session"),
        )
        for address in (self.service, self.proxy):
            self._await_healthy(address)

    def stop(self) -> None:
        """Terminates the proxy first. Fails if a process does not exit with 0."""
        for process in reversed(self._processes):
            process.terminate()
        codes = [process.wait(timeout=30) for process in self._processes]
        self._processes.clear()
        assert codes == [0, 0], f"exit codes of service and proxy: {codes}"

    def admin_password(self) -> str:
        return (self.data / "initial-admin-password").read_text().strip()

    def command(self, *arguments: str) -> str:
        """Runs a subcommand of the service against this stack and returns its output."""
        done = subprocess.run(
            [BIN / "metadata-service", *arguments],
            env={"PATH": os.environ["PATH"], "CARTULARY_DATA_DIR": str(self.data)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout.strip()

    def create_token(self, name: str, actor: str = ADMIN) -> str:
        return self.command(
            "token", "create", "--actor", actor, "--name", name, "--duration", "ONE_DAY"
        ).splitlines()[-1]

    def logs(self) -> str:
        return "\n".join(log.read_text() for log in sorted(self.folder.glob("*.log")))

    def _spawn(self, name: str, **environment: str) -> None:
        log = (self.folder / f"{name}.log").open("a")
        self._processes.append(
            subprocess.Popen(
                [BIN / name],
                env={"PATH": os.environ["PATH"], "CARTULARY_AUTH_ENABLED": str(self.auth).lower(), **environment},
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        )

    def _await_healthy(self, address: str) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert all(p.poll() is None for p in self._processes), self.logs()
            try:
                if requests.get(f"{address}/health", timeout=2).status_code == 200:
                    return
            except (requests.ConnectionError, requests.Timeout):
                pass
            time.sleep(0.02)
        raise AssertionError(f"{address} is not healthy:\n{self.logs()}")
