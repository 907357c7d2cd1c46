"""One run of the counter job in a folder of its own: what it does, seen from outside, and its end.

Nothing here knows a schedule. It waits by polling files and processes, each time with a deadline.
"""

import collections
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
READ_PART = pathlib.Path(__file__).resolve().parent / "read_part.py"
STEP_SECONDS = 90  # for any one thing to happen on a busy machine
LOG_LINES = 8

Note = collections.namedtuple("Note", "time log text")
_LINE = re.compile(r"(\S+)Z (?:INFO|WARN|ERROR) \S+ (.*)")
_PART = re.compile(r"a\d+\.v\d+\.c(\d+)")
_ROLLBACK = re.compile(r"rollback to save point (\d+)")


class Wrong(Exception):
    """The job did what it must not do."""


class Over(Exception):
    """The job ended before what was waited for."""


def poll(condition, what: str, seconds: float = STEP_SECONDS, pause: float = 0.003):
    """The first true value of `condition`."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Wrong(f"{what}: not within {seconds:.0f} s")
        time.sleep(pause)
    return value


def cmdline(pid: int) -> list[str]:
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    except OSError:
        return []


def state_and_parent(pid: int) -> tuple[str, int]:
    """("Z", …) or ("", 0) of what is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "", 0
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


class Log:
    """The notes of a folder's log files, read on from where the last look ended."""

    def __init__(self, folder: pathlib.Path, pattern: str) -> None:
        self._folder, self._pattern = folder, pattern
        self._offsets = collections.defaultdict(int)
        self.notes: list[Note] = []

    def read(self) -> list[Note]:
        for path in sorted(self._folder.glob(self._pattern)):
            with open(path, "rb") as file:
                file.seek(self._offsets[path])
                whole = file.read().rpartition(b"\n")[0]
            self._offsets[path] += len(whole) + 1 if whole else 0
            for line in whole.decode(errors="replace").splitlines():
                if match := _LINE.match(line):
                    when = datetime.datetime.fromisoformat(match[1] + "+00:00")
                    self.notes.append(Note(when.timestamp(), path.name, match[2]))
        return self.notes


class World:
    """The job, its processes and its storage. `hits` counts what was done to it."""

    def __init__(self, binary: str, data: pathlib.Path, rows: int) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="primus-kill-"))
        self.work = self.folder / "work"
        self.storage = self.work / "runs/counter"
        self.rows = rows
        self.hits: collections.Counter = collections.Counter()
        self.story: list[str] = []
        self.lost_cuts: list[int] = []
        self.last_blow = 0.0  # of a process whose loss needs a rollback or a new attempt
        self._binary = binary
        self._sockets = self.folder / "r"
        self._sockets.mkdir(mode=0o700)
        self.work.mkdir()
        text = (ROOT / "examples/counter/job.yaml").read_text(encoding="utf-8")
        path = "path: data/rows/"
        if path not in text:
            raise SystemExit("examples/counter/job.yaml has another path than this expects")
        self._job = self.folder / "job.yaml"
        self._job.write_text(text.replace(path, f"path: {data}/rows/"), encoding="utf-8")
        self._master_log = Log(self.storage / "logs", "master-*.err")
        self._node_log = Log(self.work / ".primus", "node.log")
        self._starts = 0
        self.start("run", str(self._job))

    # Processes.

    def start(self, *command: str) -> None:
        self._starts += 1
        out = self.folder / f"out.{self._starts}"
        with open(out, "wb") as stdout, open(out.with_suffix(".err"), "wb") as stderr:
            self.node = subprocess.Popen(
                [self._binary, *command, "--workdir", str(self.work), "--output", "json"],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=self.folder,
                env=dict(os.environ, XDG_RUNTIME_DIR=str(self._sockets)))
        self._output = out

    def resume(self) -> None:
        self.start("resume", "counter")

    def replicas(self) -> dict[str, tuple[int, str]]:
        """Living replicas of this node: "ps-0" -> (pid, container)."""
        found = {}
        for pid in processes():
            words = cmdline(pid)
            if words[1:2] != ["replica"] or str(self.work) not in words:
                continue
            container = words[words.index("--container") + 1]
            state, parent = state_and_parent(pid)
            if parent == self.node.pid and state not in ("Z", ""):
                found[container.split("/")[1]] = (pid, container)
        return found

    def replica(self, name: str) -> tuple[int, str]:
        return self.until(lambda: self.replicas().get(name), f"{name} runs")

    def left(self) -> list[int]:
        """Whatever was started from here and lives, node or not."""
        needle = f"XDG_RUNTIME_DIR={self._sockets}\0".encode()
        found = []
        for pid in processes():
            try:
                mine = needle in pathlib.Path(f"/proc/{pid}/environ").read_bytes() + b"\0"
            except OSError:
                continue
            if (mine or str(self.work) in cmdline(pid)) and state_and_parent(pid)[0] not in "Z":
                found.append(pid)
        return found

    # What the job does.

    def until(self, condition, what: str, pause: float = 0.003):
        def look():
            if value := condition():
                return value
            if self.node.poll() is not None:
                raise Over(what)
            return None
        return poll(look, what, pause=pause)

    def notes(self, pattern: str, since: float = 0.0) -> list[Note]:
        return [note for note in self._master_log.read()
                if note.time >= since and pattern in note.text]

    def node_notes(self, pattern: str, since: float = 0.0) -> list[Note]:
        return [note for note in self._node_log.read()
                if note.time >= since and pattern in note.text]

    def record(self) -> int:
        """Number of the newest record: a save point's or a `begin`."""
        try:
            return max((int(name) for name in os.listdir(self.storage / "records")
                        if name.isdigit()), default=0)
        except FileNotFoundError:
            return 0

    def part_cuts(self) -> set[int]:
        try:
            names = os.listdir(self.storage / "parts")
        except FileNotFoundError:
            return set()
        return {int(match[1]) for match in map(_PART.match, names) if match}

    def settle(self) -> None:
        """Waits until the job runs again with all its replicas."""
        self.until(lambda: self.notes("the job runs from", self.last_blow), "the job runs again")
        self.until(lambda: len(self.replicas()) == 7, "all replicas are there", 0.02)

    def wait_for_save_points(self, count: int) -> None:
        first = self.record()
        self.until(lambda: self.record() >= first + count, f"{count} more save points")

    def save_points(self) -> dict[int, int]:
        """Number -> cut of those that are kept."""
        lines = self._tool("list").splitlines()[1:]
        return {int(words[0]): int(words[3]) for words in map(str.split, lines)}

    def _tool(self, command: str, *options: str) -> str:
        done = subprocess.run([self._binary, "savepoint", command, str(self.storage), *options],
                              capture_output=True, text=True, timeout=STEP_SECONDS, check=False)
        if done.returncode != 0:
            raise Wrong(f"savepoint {command} says: {done.stderr.strip()}")
        return done.stdout

    def rollbacks(self) -> tuple[int, int]:
        """All, and those to a save point that was surely not the first of the job.

        Of the records up to save point N at most one a rollback or attempt is a `begin`.
        """
        begins = every = later = 0
        for note in sorted(self.notes("")):
            if note.text.startswith("attempt taken"):
                begins += 1
            elif match := _ROLLBACK.search(note.text):
                every += 1
                later += int(match[1]) - begins >= 2
                begins += 1
        return every, later

    # Its end.

    def finish(self) -> None:
        """Lets the job end, by `resume` where node was killed, and checks everything."""
        poll(lambda: self.node.poll() is not None, "the job ends", 2 * STEP_SECONDS, 0.02)
        poll(lambda: not self.left(), "nothing is left running", pause=0.05)
        left = [str(path) for path in self._sockets.glob("*/*")]
        if left:
            raise Wrong(f"run directories are left: {left}")
        self._check_summary()
        self._check_table()
        again = set(self.lost_cuts) & set(self.save_points().values())
        if again:
            raise Wrong(f"lost cuts have a manifest: {sorted(again)}")

    def _check_summary(self) -> None:
        error = self._output.with_suffix(".err").read_text(encoding="utf-8").strip()
        if self.node.returncode != 0:
            raise Wrong(f"exit code {self.node.returncode}: {error}")
        summary = json.loads(self._output.read_text(encoding="utf-8"))
        if summary["condition"] != "Completed":
            raise Wrong(f"condition {summary['condition']}")
        wanted = dict.fromkeys(summary["rows"], 0) | {"read": 2 * self.rows,
                                                      "trained": 2 * self.rows}
        if summary["rows"] != wanted:
            raise Wrong(f"rows {summary['rows']}")

    def _check_table(self) -> None:
        dump = self._tool("dump", "--table", "row")
        entries = [line.split("\t") for line in dump.splitlines()]
        counts = collections.Counter(value for _, value in entries)
        if counts != {"2": self.rows} or len(dict(entries)) != self.rows:
            raise Wrong(f"rows by times counted: {dict(counts)}")
        parts = [self.storage / line.split()[1] for line in self._tool("inspect").splitlines()
                 if line.startswith("part: ")]
        read = subprocess.run([sys.executable, str(READ_PART), "--table", "row", *map(str, parts)],
                              capture_output=True, text=True, timeout=STEP_SECONDS, check=False)
        if read.returncode != 0 or read.stdout != dump:
            raise Wrong(f"read_part.py and savepoint dump do not agree {read.stderr.strip()}")

    def last_lines(self) -> str:
        logs = [self._output.with_suffix(".err"), self.work / ".primus/node.log"]
        logs += sorted((self.storage / "logs").glob("*.err"), key=lambda path: path.stat().st_mtime)
        text = []
        for path in dict.fromkeys(logs[:2] + logs[-8:]):
            if path.is_file():
                lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
                text += [f"--- {path}", *lines[-LOG_LINES:]]
        return "\n".join(text)

    def close(self, keep: bool) -> None:
        for pid in self.left():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.node.wait()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
