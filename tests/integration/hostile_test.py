#!/usr/bin/env python3
"""What a hostile user, a full disk and damaged data do to a job: refused or failed with place and
cure, nothing half-written that a later run would trust, nothing left behind.

hostile_test.py PROGRAM [TEST...]
"""

import ctypes
import datetime
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import pyarrow
import pyarrow.parquet

from primus_process import DEADLINE_SECONDS, Deadline, Workspace

PROGRAM = ""
DAYS = ("2024-01-01", "2024-01-02", "2024-01-03")
ROWS = 40  # of a day
NOBODY = 65534
UNLIMITED = resource.RLIM_INFINITY

JOB = """apiVersion: primus.io/v1alpha1
kind: Job
metadata:
  name: {name}
spec:
  seed: 1
  storage:
    uri: {storage}
  data:
    timeZone: UTC
    range: {{from: 2024-01-01, to: 2024-01-03}}
    streams:
      - name: rows
        window: Day
        base: rows
        sources:
          - name: rows
            files: {{path: "data/{{{{YYYY}}}}-{{{{MM}}}}-{{{{DD}}}}", format: {{parquet: {{}}}}}}
            ready: {ready}
            eventTime: {{column: timestamp, unit: Second}}
  model:
{model}
  train:
    batchSize: 16
    passes: {passes}
    mode: {mode}
{train}
  savePoint: {{every: {every}, keep: {{last: 3}}}}
  roles:
    - {{name: ps, replicas: 1, ps: {{}}}}
    - {{name: executor, replicas: 1, executor: {{}}}}
    - {{name: trainer, replicas: 1, trainer: {{}}}}
"""
COUNTER = {
    "model": """    tables:
      - {name: row, dim: 1, init: {normal: {std: 0}}}
    features:
      - {name: row, column: row, table: row}
    network: {counter: {}}""",
    "train": "    optimizer: {tables: {sgd: {learningRate: 1}}}",
    "mode": "Async",
}
LEARNER = {
    "model": """    label: {column: label}
    features:
      - {name: row, column: row, dim: 2}
      - {name: price, column: price, dense: {}}
    network: {deepFm: {hidden: [4]}}""",
    "train": """    loss: {bce: {}}
    optimizer:
      tables: {adagrad: {learningRate: 0.05}}
      dense: {adam: {learningRate: 0.001}}""",
    "mode": "Sync",
}


def job(parts: dict[str, str], **changes) -> str:
    values = {"name": "job", "storage": "runs/job", "ready": "{marker: _SUCCESS}", "passes": 1,
              "every": "30s", **parts, **changes}
    return JOB.format(**values)


def columns(day: int, count: int = ROWS) -> dict:
    """The columns of a day; rows are numbered over all days."""
    start = int(datetime.datetime.fromisoformat(DAYS[day] + "T00:00:00+00:00").timestamp())
    return {
        "row": pyarrow.array(range(ROWS * day, ROWS * day + count), pyarrow.int64()),
        "timestamp": pyarrow.array(range(start, start + count), pyarrow.int64()),
        "label": pyarrow.array([i % 2 for i in range(count)], pyarrow.int64()),
        "price": pyarrow.array([i / 8 for i in range(count)], pyarrow.float64()),
    }


class HostileTest(unittest.TestCase):
    def setUp(self) -> None:
        self.space = Workspace(PROGRAM)
        self.addCleanup(self.space.close)
        # Sockets go here, in a folder of this test alone.
        self.sockets = tempfile.mkdtemp(prefix="p", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.sockets, ignore_errors=True)
        self.space.set_environment("XDG_RUNTIME_DIR", self.sockets)
        for day in range(len(DAYS)):
            self.write_day(day)

    def path(self, name: str) -> str:
        return os.path.join(self.space.path, name)

    def part(self, day: int) -> str:
        return self.path(f"data/{DAYS[day]}/part-0.parquet")

    def write_day(self, day: int, table: dict | None = None, **options) -> None:
        folder = self.path(f"data/{DAYS[day]}")
        os.makedirs(folder, exist_ok=True)
        pyarrow.parquet.write_table(pyarrow.table(columns(day) if table is None else table),
                                    self.part(day), **options)
        with open(os.path.join(folder, "_SUCCESS"), "w", encoding="utf-8"):
            pass

    def hold_back_last_day(self) -> None:
        """A job waits for it, so that it does not end before it is ended."""
        os.rename(self.last_marker(), self.last_marker() + ".held")

    def give_last_day(self) -> None:
        os.rename(self.last_marker() + ".held", self.last_marker())

    def last_marker(self) -> str:
        return self.path(f"data/{DAYS[-1]}/_SUCCESS")

    def write_column(self, day: int, name: str, values) -> None:
        """The day's rows with other values in one column; None takes the column away."""
        table = columns(day)
        del table[name]
        if values is not None:
            table[name] = values
        self.write_day(day, table)

    def run_job(self, text: str, *arguments: str, **limits):
        path = self.space.write("job.yaml", text)
        return self.space.run("run", path, *arguments, **limits)

    def counts(self, storage: str = "runs/job") -> dict[int, int]:
        """Value to number of keys that have it, in the counter's table."""
        done = self.space.run("savepoint", "dump", storage, "--table", "row")
        self.assertEqual(done.returncode, 0, done.stderr)
        found: dict[int, int] = {}
        for line in done.stdout.splitlines():
            value = int(float(line.split("\t")[1]))
            found[value] = found.get(value, 0) + 1
        return found

    def assert_exact(self, passes: int = 1, storage: str = "runs/job") -> None:
        self.assertEqual(self.counts(storage), {passes: ROWS * len(DAYS)})

    def assert_ends(self, done, code: int, *texts: str) -> None:
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assert_nothing_left()

    def assert_nothing_left(self) -> None:
        self.assertEqual(self.space.wait_for_silence(), [])
        left = [os.path.join(top, name) for top, folders, files in os.walk(self.sockets)
                for name in folders + files if top != self.sockets]
        self.assertEqual(left, [])

    def assert_untouched(self, run, code: int, *texts: str) -> None:
        """`run` is refused, and everything is as it was."""
        before = self.space.tree()
        done = run()
        self.assertEqual(self.space.tree(), before)
        self.assert_ends(done, code, *texts)


class DataTest(HostileTest):
    def test_whole_data_train_exactly(self) -> None:
        self.assert_ends(self.run_job(job(COUNTER)), 0)
        self.assert_exact()

    def test_footer_cut_on_the_first_day(self) -> None:
        os.truncate(self.part(0), os.path.getsize(self.part(0)) - 10)
        path = self.space.write("job.yaml", job(COUNTER))
        self.assert_untouched(lambda: self.space.run("run", path), 2, self.part(0))

    def test_footer_cut_on_a_later_day(self) -> None:
        os.truncate(self.part(2), os.path.getsize(self.part(2)) - 10)
        self.assert_fails_at(2)

    def test_file_of_no_bytes(self) -> None:
        os.truncate(self.part(1), 0)
        self.assert_fails_at(1)

    def test_page_bytes_flipped(self) -> None:
        self.write_day(1, compression="zstd", write_page_checksum=True)
        with open(self.part(1), "r+b") as file:
            file.seek(120)
            old = file.read(8)
            file.seek(120)
            file.write(bytes(byte ^ 0xFF for byte in old))
        self.assert_fails_at(1)

    def test_page_bytes_flipped_without_compression(self) -> None:
        self.write_day(1, compression="none", write_page_checksum=True, use_dictionary=False)
        with open(self.part(1), "r+b") as file:
            file.seek(120)
            file.write(b"\xff\xff")
        self.assert_fails_at(1)

    def test_column_absent_on_a_later_day(self) -> None:
        self.write_column(2, "row", None)
        self.assert_fails_at(2, "row")

    def test_column_of_another_type_on_a_later_day(self) -> None:
        self.write_column(2, "row", pyarrow.array([str(i) for i in range(ROWS)]))
        self.assert_fails_at(2, "row")

    def assert_fails_at(self, day: int, *texts: str) -> None:
        """The job fails, names the file and how to go on once it is mended; that is then exact."""
        failed = self.run_job(job(COUNTER))
        self.assert_ends(failed, 1, self.part(day), *texts)
        self.write_day(day)
        again = ("resume", "job")
        if "start anew: remove the job's storage" in failed.stderr:  # it was planned
            shutil.rmtree(self.path("runs/job"))
            again = ("run", self.path("job.yaml"))
        self.assert_ends(self.space.run(*again), 0)
        self.assert_exact()

    def test_file_mended_after_it_was_planned(self) -> None:
        self.write_column(2, "row", None)
        self.assert_ends(self.run_job(job(COUNTER)), 1, self.part(2), "start anew")
        self.write_day(2)
        self.assert_ends(self.space.run("resume", "job"), 1, self.part(2), "put the old file back",
                         "start anew")

    def test_file_whose_name_is_no_text(self) -> None:
        odd = self.path(f"data/{DAYS[2]}/").encode() + b"\xff.parquet"
        os.rename(self.part(2), odd)
        self.assert_ends(self.run_job(job(COUNTER)), 1, f"{DAYS[2]}/\\xff.parquet", "rename")
        os.rename(odd, self.part(2))
        self.assert_ends(self.space.run("resume", "job"), 0)
        self.assert_exact()

    def test_no_files_at_all(self) -> None:
        shutil.rmtree(self.path("data"))
        path = self.space.write("job.yaml", job(COUNTER))
        self.assert_untouched(lambda: self.space.run("run", path), 2, "data/")

    def test_days_of_no_rows(self) -> None:
        for day in range(len(DAYS)):
            self.write_day(day, columns(day, 0))
        self.assert_ends(self.run_job(job(COUNTER)), 0)
        self.assertEqual(self.counts(), {})

    def test_day_without_marker_fails_at_its_timeout(self) -> None:
        os.remove(self.path(f"data/{DAYS[1]}/_SUCCESS"))
        ready = "{marker: _SUCCESS, timeout: 100ms, onTimeout: Fail}"
        self.assert_ends(self.run_job(job(COUNTER, ready=ready)), 1, self.path(f"data/{DAYS[1]}"), "marker", "onTimeout")

    def test_job_that_waits_for_a_day_says_so(self) -> None:
        self.hold_back_last_day()
        path = self.space.write("job.yaml", job(COUNTER, ready="{marker: _SUCCESS, timeout: 1h}"))
        process = self.space.start("run", path)
        waits = f"rows {DAYS[-1]} waits for {self.last_marker()} until 20"
        deadline = Deadline()
        while waits not in (shown := self.space.run("describe", "job").stdout):
            self.assertGreater(deadline.left(), 0, shown)
        self.assertIn("then Fail (ready.timeout, ready.onTimeout)", shown)
        self.give_last_day()
        output = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertEqual(process.returncode, 0, output)
        shown = self.space.run("describe", "job").stdout
        self.assertRegex(shown, "Stalled +False.*(JobEnded|WindowReady)")

    def test_day_without_marker_is_skipped(self) -> None:
        os.remove(self.path(f"data/{DAYS[1]}/_SUCCESS"))
        ready = "{marker: _SUCCESS, timeout: 100ms, onTimeout: Skip}"
        self.assert_ends(self.run_job(job(COUNTER, ready=ready)), 0)
        self.assertEqual(self.counts(), {1: 2 * ROWS})

    def test_day_without_marker_is_used_as_it_is(self) -> None:
        os.remove(self.path(f"data/{DAYS[1]}/_SUCCESS"))
        ready = "{marker: _SUCCESS, timeout: 100ms, onTimeout: UsePartial}"
        self.assert_ends(self.run_job(job(COUNTER, ready=ready)), 0)
        self.assert_exact()


class ValueTest(HostileTest):
    def test_whole_values_train(self) -> None:
        self.assert_ends(self.run_job(job(LEARNER)), 0)

    def test_label_of_2(self) -> None:
        self.write_column(1, "label", pyarrow.array([0, 1, 1, 2] * (ROWS // 4), pyarrow.int64()))
        self.assert_ends(self.run_job(job(LEARNER)), 1, "label", self.part(1), "row 3")

    def test_label_of_null(self) -> None:
        self.write_column(1, "label", pyarrow.array([0, None] * (ROWS // 2), pyarrow.int64()))
        self.assert_ends(self.run_job(job(LEARNER)), 1, "label", self.part(1), "row 1")

    def test_nan_and_infinity_in_a_feature(self) -> None:
        for bad in (float("nan"), float("inf"), float("-inf"), 1e300, None):
            with self.subTest(bad=bad):
                values = [0.5] * ROWS
                values[5] = bad
                self.write_column(1, "price", pyarrow.array(values, pyarrow.float64()))
                done = self.run_job(job(LEARNER))
                self.assert_ends(done, 1, "price", self.part(1), "row 5")
                shutil.rmtree(self.path("runs"))

    def test_times_of_other_days_lose_no_row(self) -> None:
        start = columns(0)["timestamp"][0].as_py()
        for day in (0, 2):  # milliseconds where seconds are declared, and a day too early
            times = [1000 * start + i if day == 0 else start + 86400 + i for i in range(ROWS)]
            self.write_column(day, "timestamp", pyarrow.array(times, pyarrow.int64()))
        cut = f"  evaluate: {{from: {DAYS[1]}T00:00:10Z, holdout: {{}}}}\n  savePoint:"
        done = self.run_job(job(LEARNER).replace("  savePoint:", cut))
        self.assert_ends(done, 0)
        self.assertRegex(done.stdout, "read 120, trained 50, evaluated 70")

    def test_gradient_that_is_not_finite(self) -> None:
        text = job(LEARNER, passes=8).replace("learningRate: 0.05", "learningRate: 3e38")
        done = self.run_job(text)
        self.assert_ends(done, 1, "not finite", "smaller learning rate", "refused/")
        saved = [os.path.join(top, name) for top, _, files in os.walk(self.path("runs/job/refused"))
                 for name in files]
        self.assertEqual(len(saved), 1)
        dump = self.space.run("savepoint", "dump", "runs/job", "--table", "row")
        self.assertNotRegex(dump.stdout, "(?i)nan|inf")


def limited(size: int):
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, UNLIMITED))}


def mortal():
    """Root without the right to write where others own."""
    def drop() -> None:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) != 0:  # PR_CAPBSET_DROP
                raise OSError("a capability cannot be dropped")
    return {"preexec_fn": drop}


class DiskTest(HostileTest):
    def assert_survives(self, done, *texts: str) -> None:
        """What is there after a failed write is not trusted: the job is exact without the fault."""
        self.assertIn(done.returncode, (0, 1, 2), done.stdout + done.stderr)
        if done.returncode != 0:
            self.assertTrue(any(text in done.stderr for text in texts), done.stderr)
        self.assert_nothing_left()
        if done.returncode == 0:
            self.assert_exact()
            return
        again = self.space.run("resume", "job")
        if again.returncode == 2:  # it never started
            again = self.space.run("run", self.path("job.yaml"))
        self.assert_ends(again, 0)
        self.assert_exact()

    def test_files_that_may_not_grow(self) -> None:
        for size in (0, 16, 200, 4096, 8192, 20000, 100_000, 1_000_000):
            with self.subTest(size=size):
                done = self.run_job(job(COUNTER, every="50ms"), **limited(size))
                self.assert_survives(done, "ulimit -f", "File too large", "full")
                shutil.rmtree(self.path("runs"), ignore_errors=True)
                shutil.rmtree(self.path(".primus"), ignore_errors=True)

    @unittest.skipIf(os.geteuid() != 0, "only root mounts")
    def test_full_disk_of_the_storage(self) -> None:
        folder = self.path("disk")
        os.mkdir(folder)
        self.mount(folder)
        for pages in (1, 4, 16, 24):
            with self.subTest(pages=pages):
                subprocess.run(["mount", "-o", f"remount,size={4 * pages}k", folder], check=True)
                text = job(COUNTER, every="50ms", storage="disk/job", passes=4)
                done = self.run_job(text)
                self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
                if done.returncode == 1:
                    self.assertRegex(done.stderr, "disk/job.*No space left")
                self.assert_nothing_left()
                subprocess.run(["mount", "-o", "remount,size=4m", folder], check=True)
                if done.returncode == 1:
                    again = self.space.run("resume", "job")
                    if again.returncode == 2:  # it never started
                        again = self.space.run("run", self.path("job.yaml"))
                    self.assert_ends(again, 0)
                self.assert_exact(4, storage="disk/job")
                shutil.rmtree(os.path.join(folder, "job"))

    @unittest.skipIf(os.geteuid() != 0, "only root mounts")
    def test_full_disk_of_the_state(self) -> None:
        folder = self.path(".primus")
        os.mkdir(folder)
        self.mount(folder)
        for pages in (2, 12, 24, 40):
            with self.subTest(pages=pages):
                subprocess.run(["mount", "-o", f"remount,size={4 * pages}k", folder], check=True)
                done = self.run_job(job(COUNTER, every="50ms"))
                self.assertIn(done.returncode, (0, 1, 2), done.stdout + done.stderr)
                if done.returncode != 0:
                    self.assertRegex(done.stderr, r"\.primus.*(full|No space left)")
                self.assert_nothing_left()
                subprocess.run(["mount", "-o", "remount,size=16m", folder], check=True)
                if done.returncode != 0:
                    again = self.space.run("resume", "job")
                    if again.returncode == 2:  # it never started
                        again = self.space.run("run", self.path("job.yaml"))
                    self.assert_ends(again, 0)
                self.assert_exact()
                shutil.rmtree(self.path("runs"))
                for name in os.listdir(folder):
                    path = os.path.join(folder, name)
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def mount(self, folder: str) -> None:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder],
                                 check=False, capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest("no mounts here: " + mounted.stderr)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=False)

    @unittest.skipIf(os.geteuid() != 0, "only root gives folders away")
    def test_work_directory_of_somebody_else(self) -> None:
        os.chmod(self.space.path, 0o755)
        path = self.space.write("job.yaml", job(COUNTER))
        os.chown(self.space.path, NOBODY, NOBODY)
        self.assert_untouched(lambda: self.space.run("run", path, **mortal()), 2,
                              self.space.path, "writable")

    @unittest.skipIf(os.geteuid() != 0, "only root gives folders away")
    def test_storage_of_somebody_else(self) -> None:
        os.mkdir(self.path("runs"), 0o755)
        os.chown(self.path("runs"), NOBODY, NOBODY)
        path = self.space.write("job.yaml", job(COUNTER))
        self.assert_untouched(lambda: self.space.run("run", path, **mortal()), 2,
                              self.path("runs"), "writable")

    def test_work_directory_that_is_a_file(self) -> None:
        path = self.space.write("job.yaml", job(COUNTER))
        self.assert_untouched(lambda: self.space.run("run", path, "--workdir", path), 2, path)

    def test_storage_that_is_a_file(self) -> None:
        self.space.write("runs", "")
        path = self.space.write("job.yaml", job(COUNTER))
        self.assert_untouched(lambda: self.space.run("run", path), 2, self.path("runs"))

    def test_damaged_storage_is_not_resumed(self) -> None:
        for kind in ("records", "parts"):
            with self.subTest(kind=kind):
                self.stop_half_way(passes=200)
                newest = max((os.path.join(top, name)
                              for top, _, files in os.walk(self.path(f"runs/job/{kind}"))
                              for name in files), key=os.path.getmtime)
                with open(newest, "r+b") as file:
                    file.seek(os.path.getsize(newest) // 2)
                    byte = file.read(1)[0]
                    file.seek(-1, os.SEEK_CUR)
                    file.write(bytes([byte ^ 0x10]))
                done = self.space.run("resume", "job")
                self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
                shutil.rmtree(self.path("runs"))
                shutil.rmtree(self.path(".primus"))
                self.assert_ends(done, done.returncode,
                                 os.path.relpath(newest, self.path("runs/job")), "restore")

    def test_record_under_another_name_is_not_resumed(self) -> None:
        self.stop_half_way(passes=200)
        folder = self.path("runs/job/records")
        newest = max(os.listdir(folder))
        copy = f"{int(newest) + 1:012d}"
        shutil.copyfile(os.path.join(folder, newest), os.path.join(folder, copy))
        done = self.space.run("resume", "job")
        self.assert_ends(done, 1, f"records/{copy}", "under another name", "restore")
        os.remove(os.path.join(folder, copy))

    def test_storage_that_goes_away_while_the_job_runs(self) -> None:
        path = self.space.write("job.yaml", job(COUNTER, passes=200, every="50ms"))
        self.hold_back_last_day()
        process = self.space.start("run", path)
        for line in process.stdout:
            if "save point" in line:
                break
        os.rename(self.path("runs/job"), self.path("elsewhere"))
        errors = process.communicate(timeout=DEADLINE_SECONDS)[1]
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("storage is gone", errors)
        self.assert_nothing_left()

    def stop_half_way(self, passes: int) -> None:
        path = self.space.write("job.yaml", job(COUNTER, passes=passes, every="100ms"))
        self.hold_back_last_day()
        process = self.space.start("run", path)
        for line in process.stdout:
            if "save point" in line:
                break
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertEqual(process.returncode, 130, output)
        self.assert_nothing_left()
        self.give_last_day()


class SurroundingsTest(HostileTest):
    def test_output_that_does_not_arrive_is_an_error(self) -> None:
        self.assert_ends(self.run_job(job(COUNTER)), 0)
        for words in (("savepoint", "dump", "runs/job", "--table", "row"), ("get", "jobs"),
                      ("describe", "job"), ("--help",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, *words], cwd=self.space.path, stdout=full,
                                      stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("standard output is not complete", done.stderr)

    def test_signals_that_the_parent_blocked(self) -> None:
        blocked = {"preexec_fn": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))}
        self.assert_ends(self.run_job(job(COUNTER), **blocked), 0)

    def test_few_open_files(self) -> None:
        few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))}
        self.assert_ends(self.run_job(job(COUNTER), **few), 1, "Too many open files", "ulimit")


class EndTest(HostileTest):
    def start_half_way(self, passes: int):
        path = self.space.write("job.yaml", job(COUNTER, passes=passes, every="100ms"))
        self.hold_back_last_day()
        process = self.space.start("run", path)
        for line in process.stdout:
            if "save point" in line:
                return process
        self.fail(process.communicate())

    def end(self, process, code: int) -> str:
        output, errors = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertEqual(process.returncode, code, output + errors)
        self.assert_nothing_left()
        return output + errors

    def resume_exactly(self, passes: int, *arguments: str) -> None:
        self.give_last_day()
        self.assert_ends(self.space.run("resume", "job", *arguments), 0)
        self.assert_exact(passes)

    def test_interrupted_once(self) -> None:
        process = self.start_half_way(3)
        process.send_signal(signal.SIGINT)
        self.assertIn("primus resume job", self.end(process, 130))
        self.assert_untouched(
            lambda: self.space.run("run", self.path("job.yaml"), "--set",
                                   "spec.storage.uri=runs/other"),
            2, "not completed", "primus resume job", "metadata.name")
        refused = self.space.run("resume", "job", "--set", "spec.train.batchSize=8")
        self.assert_ends(refused, 2, "spec.train.batchSize")
        self.resume_exactly(3, "--set", "spec.roles[ps].replicas=2")

    def test_interrupted_twice(self) -> None:
        process = self.start_half_way(3)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.end(process, 130)
        self.resume_exactly(3)

    def test_terminated(self) -> None:
        process = self.start_half_way(3)
        process.send_signal(signal.SIGTERM)
        self.end(process, 130)
        self.resume_exactly(3)

    def test_hung_up(self) -> None:
        process = self.start_half_way(3)
        process.send_signal(signal.SIGHUP)
        output, _ = process.communicate(timeout=DEADLINE_SECONDS)
        self.assertNotEqual(process.returncode, 0, output)
        self.assert_nothing_left()
        self.resume_exactly(3)


class RefusalTest(HostileTest):
    def test_storage_twice(self) -> None:
        self.assert_ends(self.run_job(job(COUNTER)), 0)
        path = self.path("job.yaml")
        self.assert_untouched(lambda: self.space.run("run", path), 2, "runs/job", "job job is completed")
        self.assert_untouched(lambda: self.space.run("resume", "job"), 2, "completed")
        os.remove(self.path("runs/job/summary.json"))  # as if node was killed just before
        self.assert_ends(self.space.run("resume", "job"), 0)
        self.assertTrue(os.path.exists(self.path("runs/job/summary.json")))
        self.assert_untouched(lambda: self.space.run("resume", "nobody"), 2, "nobody", "primus get")
        other = self.space.write("other.yaml", job(COUNTER, name="other"))
        self.assert_untouched(lambda: self.space.run("run", other), 2, "runs/job", "storage.uri")

    def test_dumps_that_name_nothing(self) -> None:
        self.assert_ends(self.run_job(job(COUNTER)), 0)
        for path, table, text in (("runs/job", "rows", "there are: row"),
                                  ("runs/jobs", "row", "runs/jobs"),
                                  ("runs/job/job.yaml", "row", "runs/job/job.yaml"),
                                  ("./data", "row", "./data")):
            with self.subTest(path=path, table=table):
                self.assert_untouched(
                    lambda path=path, table=table: self.space.run(
                        "savepoint", "dump", path, "--table", table), 2, text)

    def test_mistakes_leave_everything_as_it_was(self) -> None:
        good = job(COUNTER)
        for old, new in (("batchSize", "batchsize"), ("column: row", "column: rwo"),
                         ("counter: {}", "deepfm: {}"), ("mode: Async", "mode: on"),
                         ("replicas: 1", "replicas: -1"), ("  train:", "  train: 3\n  train:"),
                         ("kind: Job", "kind: [Job"), ("2024-01-03", "2023-01-03"),
                         ("runs/job", "s3://bucket/job"), ("data/{{", "nothing/{{")):
            with self.subTest(new=new):
                self.assertIn(old, good)
                path = self.space.write("job.yaml", good.replace(old, new, 1))
                self.assert_untouched(lambda path=path: self.space.run("run", path), 2, "primus: ")

    def test_files_that_are_no_job(self) -> None:
        for name, text in (("empty.yaml", ""), ("binary.yaml", "\x00\x01"), ("folder", None)):
            path = self.path(name)
            if text is None:
                os.mkdir(path)
            else:
                self.space.write(name, text)
            self.assert_untouched(lambda path=path: self.space.run("run", path), 2, name)
        self.assert_untouched(lambda: self.space.run("run", "nowhere.yaml"), 2, "nowhere.yaml")

    def test_unknown_flags(self) -> None:
        for arguments in (("run",), ("run", "job.yaml", "--fast"), ("fly",), (),
                          ("resume", "job", "--output", "xml"), ("run", "a.yaml", "--seed", "x"),
                          ("savepoint", "dump", "runs/job")):
            with self.subTest(arguments=arguments):
                self.assert_untouched(
                    lambda arguments=arguments: self.space.run(*arguments), 2, "--help")

    def test_several_jobs_at_once(self) -> None:
        self.space.write("job.yaml", job(COUNTER))
        folders = [f"work{number}" for number in range(3)]
        processes = []
        for folder in folders:
            os.mkdir(self.path(folder))
            processes.append(self.space.start("run", "job.yaml", "--workdir", folder))
        for process in processes:
            output = process.communicate(timeout=DEADLINE_SECONDS)
            self.assertEqual(process.returncode, 0, output)
        self.assert_nothing_left()
        for folder in folders:
            done = self.space.run("savepoint", "dump", f"{folder}/runs/job", "--table", "row")
            values = [line.split("\t")[1] for line in done.stdout.splitlines()]
            self.assertEqual(values, ["1"] * ROWS * len(DAYS))

    def test_two_jobs_in_one_storage_at_once(self) -> None:
        text = job(COUNTER, storage=self.path("shared"))
        self.space.write("job.yaml", text)
        processes = []
        for folder in ("work0", "work1"):
            os.mkdir(self.path(folder))
            processes.append(self.space.start("run", "job.yaml", "--workdir", folder))
        codes = []
        for process in processes:
            process.communicate(timeout=DEADLINE_SECONDS)
            codes.append(process.returncode)
        self.assertEqual(sorted(codes), [0, 2])
        self.assert_nothing_left()


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
