"""The program under test, in a folder of its own, with everything that it starts found again.

Nothing here sleeps: it waits for ends of pipes and for processes (pidfd), each with a deadline.
"""

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

DEADLINE_SECONDS = 60


class Deadline:
    def __init__(self, seconds: float = DEADLINE_SECONDS) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())


class Workspace:
    """A work directory with job files in it, and the processes that were started for it."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.path = tempfile.mkdtemp(prefix="primus-test-")
        self._mark = "PRIMUS_TEST_MARK=" + uuid.uuid4().hex
        name, value = self._mark.split("=")
        self._environment = dict(os.environ, **{name: value})
        self._fifos = 0

    def close(self) -> None:
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.path, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def fifo(self) -> str:
        self._fifos += 1
        path = os.path.join(self.path, f"fifo{self._fifos}")
        os.mkfifo(path)
        return path

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen([self.program, *arguments], cwd=self.path, text=True,
                                env=self._environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def set_environment(self, name: str, value: str) -> None:
        self._environment[name] = value

    def run(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([self.program, *arguments], cwd=self.path, text=True,
                              env=self._environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=DEADLINE_SECONDS, check=False,
                              **options)

    def processes(self) -> list[int]:
        """Living processes that were started from here, however many forks away."""
        found = []
        needle = self._mark.encode() + b"\0"
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as environ:
                    if needle in environ.read() + b"\0":
                        found.append(int(name))
            except OSError:
                pass  # gone, or another user's
        return found

    def wait_for_silence(self) -> list[int]:
        """Waits until nothing that was started here lives; what still does."""
        deadline = Deadline()
        while (pids := self.processes()) and deadline.left() > 0:
            wait_for_end(pids[0], deadline)
        return pids

    def tree(self) -> set[str]:
        """Everything in the folder, with what it holds."""
        found = set()
        for folder, folders, files in os.walk(self.path):
            for name in folders:
                found.add(os.path.join(folder, name))
            for name in files:
                path = os.path.join(folder, name)
                if not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    found.add(f"{path} {hash(file.read())}")
        return found


def wait_for_end(pid: int, deadline: Deadline) -> bool:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(deadline.left() * 1000))
    finally:
        os.close(descriptor)


def read_line(fifo: str) -> str:
    """The next line that a program writes into `fifo`."""
    descriptor = os.open(fifo, os.O_RDWR)  # so that opening does not block
    deadline = Deadline()
    text = b""
    try:
        while not text.endswith(b"\n"):
            ready, _, _ = select.select([descriptor], [], [], deadline.left())
            if not ready:
                raise TimeoutError(f"nothing came through {fifo}")
            text += os.read(descriptor, 1)
    finally:
        os.close(descriptor)
    return text.decode().strip()


def job(name: str, roles: dict[str, str], extra: str = "") -> str:
    """A job file of programs: role name to shell script."""
    text = f"""apiVersion: primus.io/v1alpha1
kind: Job
metadata:
  name: {name}
spec:
  roles:
"""
    for role, script in roles.items():
        quoted = script.replace("'", "''")
        text += f"""    - name: {role}
      replicas: 1
      program:
        command: [sh, -c, '{quoted}']
"""
        if extra:
            text += "".join(f"      {line}\n" for line in extra.splitlines())
    return text
