"""The command-line client `datahub` without its start-up time.

Importing the client takes several seconds, far longer than most commands. Therefore one
process imports it and forks for each call. A fork has its own arguments, environment,
working folder, input and output, and runs the same code as the installed command.
"""

import importlib.metadata
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

COMMAND = pathlib.Path(sys.executable).parent / "datahub"
CALL_SECONDS = 120


class DatahubCommand:
    """A process with the client imported. It starts with the first call and ends with the tests."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._one_at_a_time = threading.Lock()

    def run(self, *arguments: object, env: dict[str, str], cwd: pathlib.Path, input: str = "") -> subprocess.CompletedProcess:
        """Runs `datahub` with the arguments and returns the completed process."""
        with tempfile.TemporaryDirectory() as folder, self._one_at_a_time:
            files = {name: str(pathlib.Path(folder, name)) for name in ("stdin", "stdout", "stderr")}
            pathlib.Path(files["stdin"]).write_text(input)
            call = {"arguments": [*map(str, arguments)], "env": env, "cwd": str(cwd), **files}
            code = self._exchange(json.dumps(call))
            return subprocess.CompletedProcess(
                [str(COMMAND), *call["arguments"]], code, pathlib.Path(files["stdout"]).read_text(), pathlib.Path(files["stderr"]).read_text()
            )

    def _exchange(self, call: str) -> int:
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdin.write(call + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the process that has imported the client is gone"
        code = int(answer)
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(json.loads(call)["arguments"], CALL_SECONDS)
        return code

    def close(self) -> None:
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait(timeout=30)
            self._process = None


def serve() -> None:
    """Forks for each call, one per line, and responds with the exit code of the fork."""
    (command,) = importlib.metadata.entry_points(group="console_scripts", name="datahub")
    main = command.load()
    # Modules that the commands in the tests import when they run.
    for module in ("datahub.ingestion.run.pipeline", "datahub.ingestion.source.file", "datahub.ingestion.sink.datahub_rest"):
        importlib.import_module(module)
    assert threading.active_count() == 1, "a fork would lose threads that importing has started"
    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            become(json.loads(line))
            sys.exit(main())  # like the installed command
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become(call: dict) -> None:
    os.setsid()  # without a terminal, the command reads passwords from standard input
    signal.alarm(CALL_SECONDS)
    for number, (name, flags) in enumerate(
        (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY | os.O_CREAT), ("stderr", os.O_WRONLY | os.O_CREAT))
    ):
        os.dup2(os.open(call[name], flags, 0o600), number)
    sys.stdin = open(0)  # without input that the parent has buffered
    os.environ.clear()
    os.environ.update(call["env"])
    os.chdir(call["cwd"])
    sys.argv = [str(COMMAND), *call["arguments"]]


if __name__ == "__main__":
    serve()
