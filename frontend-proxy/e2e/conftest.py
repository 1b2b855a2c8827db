import atexit
import functools
import os
import pathlib
import subprocess
import tempfile

import pytest

import families
from caller import Caller
from datahub_command import DatahubCommand
from expected import Expected
from stack import Stack


def files(variable: str) -> list[pathlib.Path]:
    folder = os.environ.get(variable)
    return sorted(pathlib.Path(folder).glob("*.json")) if folder else []


@functools.cache
def ingested() -> list[pathlib.Path]:
    """The ingested files: those of the sample company, one for each connector family, and recorded ones."""
    folder = tempfile.TemporaryDirectory(prefix="families-")
    atexit.register(folder.cleanup)
    return files("DEMO") + families.write(pathlib.Path(folder.name)) + files("CORPUS")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "file" in metafunc.fixturenames:
        paths = ingested()
        metafunc.parametrize("file", paths, ids=[path.name for path in paths])


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory):
    running = Stack(tmp_path_factory.mktemp("stack"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def token(stack: Stack) -> str:
    return stack.create_token("e2e")


@pytest.fixture(scope="session")
def caller(stack: Stack, token: str) -> Caller:
    return Caller(stack.gms, token)


@pytest.fixture(scope="session")
def command():
    running = DatahubCommand()
    yield running
    running.close()


@pytest.fixture(scope="session")
def datahub(stack: Stack, token: str, command: DatahubCommand, tmp_path_factory: pytest.TempPathFactory):
    """Runs the command-line client against the proxy and returns the completed process."""
    folder = tmp_path_factory.mktemp("client")
    environment = {**os.environ, "DATAHUB_GMS_URL": stack.gms, "DATAHUB_GMS_TOKEN": token}

    def run(*arguments: str) -> subprocess.CompletedProcess:
        return command.run(*arguments, env=environment, cwd=folder)

    return run


class Ingestion:
    """The results of ingesting all files in order, and the expected contents of the catalog."""

    def __init__(self) -> None:
        self.recipes: dict[pathlib.Path, pathlib.Path] = {}
        self.processes: dict[pathlib.Path, subprocess.CompletedProcess] = {}
        self.expected = Expected()


@pytest.fixture(scope="session")
def ingestion(stack: Stack, token: str, datahub, tmp_path_factory: pytest.TempPathFactory) -> Ingestion:
    folder = tmp_path_factory.mktemp("recipes")
    done = Ingestion()
    for path in ingested():
        recipe = folder / f"{path.stem}.yml"
        recipe.write_text(
            f"source: {{type: file, config: {{path: '{path}'}}}}\n"
            f"sink: {{type: datahub-rest, config: {{server: '{stack.gms}', token: '{token}'}}}}\n"
        )
        done.recipes[path] = recipe
        done.processes[path] = datahub("ingest", "-c", recipe)
        done.expected.add_file(path)
    return done
