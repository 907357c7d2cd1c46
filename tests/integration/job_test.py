#!/usr/bin/env python3
"""Jobs of programs, from the command line to the exit code: success, failure, interruption, and
nothing left behind. job_test.py PROGRAM"""

import fcntl
import json
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import termios
import unittest

from primus_process import Workspace, job, read_line

PROGRAM = ""
STAYS = "echo up > {fifo}; exec tail -f /dev/null"


class JobTest(unittest.TestCase):
    def setUp(self) -> None:
        self.space = Workspace(PROGRAM)
        self.addCleanup(self.space.close)

    def run_job(self, text: str, *arguments: str):
        return self.space.run("run", self.space.write("job.yaml", text), *arguments)

    def start_staying(self, name: str = "stays"):
        """A job whose one program runs until it is stopped; it runs when this returns."""
        fifo = self.space.fifo()
        path = self.space.write("stays.yaml", job(name, {"main": STAYS.format(fifo=fifo)}))
        process = self.space.start("run", path)
        self.assertEqual(read_line(fifo), "up")
        return process

    def assert_nothing_left(self) -> None:
        self.assertEqual(self.space.wait_for_silence(), [])

    def log(self, name: str, file: str) -> str:
        path = os.path.join(self.space.path, "runs", name, "logs", file)
        with open(path, encoding="utf-8") as text:
            return text.read()


class SuccessTest(JobTest):
    def test_echo_completes_and_logs(self) -> None:
        done = self.run_job(job("echo", {"first": "echo one", "second": "echo two >&2"}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("job echo completed", done.stdout)
        self.assertEqual(self.log("echo", "first-0.1.1.out"), "one\n")
        self.assertEqual(self.log("echo", "second-0.1.1.err"), "two\n")
        self.assert_nothing_left()

    def test_json_is_one_line_on_standard_output(self) -> None:
        done = self.run_job(job("echo", {"only": "true"}), "--output", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 1)
        summary = json.loads(lines[0])
        self.assertEqual((summary["job"], summary["condition"]), ("echo", "Completed"))
        self.assertEqual(set(summary), {"job", "condition", "seconds", "rows", "metrics",
                                        "samplesPerSecond", "savePoint", "checkpoint"})

    def test_programs_know_their_place(self) -> None:
        script = "echo $PRIMUS_JOB $PRIMUS_ROLE $PRIMUS_INDEX $PRIMUS_REPLICAS; pwd"
        self.assertEqual(self.run_job(job("place", {"w": script})).returncode, 0)
        self.assertEqual(self.log("place", "w-0.1.1.out"),
                         f"place w 0 1\n{os.path.realpath(self.space.path)}\n")

    def test_failed_program_is_started_again(self) -> None:
        script = "test -e again || { touch again; exit 7; }"
        done = self.run_job(job("retry", {"w": script}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("retry   Completed   -    -          -           1",
                      self.space.run("get", "jobs").stdout)

    def test_what_a_program_leaves_behind_ends_with_it(self) -> None:
        fifo = self.space.fifo()
        script = f"setsid sh -c \"echo up > {fifo}; exec tail -f /dev/null\" & read x < {fifo}"
        self.assertEqual(self.run_job(job("leaves", {"w": script})).returncode, 0)
        self.assert_nothing_left()


class FailureTest(JobTest):
    def test_failed_job_names_replica_code_and_log(self) -> None:
        done = self.run_job(job("bad", {"w": "exit 3"}, "restart: {when: Never}"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("w-0 exited with code 3", done.stderr)
        self.assertIn("runs/bad/logs/w-0.1.1.err", done.stderr)
        self.assert_nothing_left()

    def test_budget_ends_a_crash_loop(self) -> None:
        done = self.run_job(job("loop", {"w": "echo life; exit 1"}, "restart: {limit: 2}"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed more than 2 times", done.stderr)
        lives = [name for name in os.listdir(os.path.join(self.space.path, "runs/loop/logs"))
                 if name.endswith(".out")]
        self.assertEqual(len(lives), 3)

    def test_sigkill_is_a_failure(self) -> None:
        done = self.run_job(job("killed", {"w": "kill -9 $$"}, "restart: {when: Never}"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("killed by signal 9 (SIGKILL)", done.stderr)

    def test_missing_program_is_named(self) -> None:
        text = job("missing", {"w": "true"})
        done = self.run_job(text.replace("sh, -c, 'true'", "no-such-program"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot run the program no-such-program: No such file", done.stderr)
        self.assertNotIn("see ", done.stderr)
        self.assertRegex(self.space.run("get", "jobs").stdout, r"missing +Failed +- +- +- +0 ")

    def test_failed_job_can_be_resumed(self) -> None:
        script = "test -e mended"
        self.assertEqual(
            self.run_job(job("m", {"w": script}, "restart: {when: Never}")).returncode, 1)
        self.space.write("mended", "")
        done = self.space.run("resume", "m")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)\A.*\nm +Completed.*\n\Z")
        self.assertIn("run 2", self.space.run("describe", "m").stdout)


class RefusalTest(JobTest):
    def assert_refused(self, done, *texts: str) -> None:
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_mistakes_in_the_file_leave_the_folder_as_it_was(self) -> None:
        path = self.space.write("job.yaml", job("x", {"w": "true"}).replace("replicas", "replcas"))
        before = self.space.tree()
        self.assert_refused(self.space.run("run", path), "job.yaml:8:7", "replcas")
        self.assertEqual(self.space.tree(), before)

    def test_used_storage_is_not_overwritten(self) -> None:
        text = job("twice", {"w": "true"})
        self.assertEqual(self.run_job(text).returncode, 0)
        before = self.space.tree()
        self.assert_refused(self.run_job(text), "job twice is completed", "remove ", "runs/twice,",
                            "--set spec.storage.uri=runs/twice-2")
        self.assertEqual(self.space.tree(), before)

    def test_storage_of_a_job_that_is_not_completed_is_resumed(self) -> None:
        text = job("m", {"w": "exit 3"}, "restart: {when: Never}")
        self.assertEqual(self.run_job(text).returncode, 1)
        self.assert_refused(self.run_job(text, "--workdir", self.space.path),
                            f"(`primus resume m --workdir {self.space.path}`)")

    def test_new_run_takes_the_place_of_the_last_one(self) -> None:
        text = job("again", {"w": "true"})
        self.assertEqual(self.run_job(text).returncode, 0)
        other = self.run_job(text, "--set", "spec.storage.uri=elsewhere")
        self.assertEqual(other.returncode, 0)
        self.assertRegex(other.stderr, r"what it made stays in .*/runs/again")
        shutil.rmtree(os.path.join(self.space.path, "elsewhere"))
        third = self.run_job(text, "--set", "spec.storage.uri=third")
        self.assertEqual((third.returncode, third.stderr), (0, ""))
        self.assertRegex(self.space.run("get", "jobs").stdout, r"\A.*\nagain .*\n\Z")

    def test_refused_first_job_leaves_no_state(self) -> None:
        path = self.space.write("job.yaml", job("x", {"w": "true"}))
        os.makedirs(os.path.join(self.space.path, "runs/x/something"))
        before = self.space.tree()
        self.assert_refused(self.space.run("run", path), "runs/x")
        self.assertEqual(self.space.tree(), before)

    def test_second_job_in_a_folder_names_the_first(self) -> None:
        process = self.start_staying()
        other = self.space.write("other.yaml", job("other", {"w": "true"}))
        self.assert_refused(self.space.run("run", other), "job stays runs in", str(process.pid),
                            "primus stop stays", "--workdir")
        self.assertEqual(os.listdir(os.path.join(self.space.path, "runs")), ["stays"])
        same = self.space.run("run", os.path.join(self.space.path, "stays.yaml"))
        self.assert_refused(same, "job stays runs in", str(process.pid))
        self.assertNotIn("remove", same.stderr)
        process.send_signal(signal.SIGINT)
        process.communicate()

    def test_jobs_in_several_folders_do_not_meet(self) -> None:
        process = self.start_staying("same")
        other = Workspace(PROGRAM)
        self.addCleanup(other.close)
        done = other.run("run", other.write("job.yaml", job("same", {"w": "true"})))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate()

    def test_folder_that_is_not_there(self) -> None:
        path = self.space.write("job.yaml", job("x", {"w": "true"}))
        self.assert_refused(self.space.run("run", path, "--workdir", "nowhere"), "nowhere",
                            "make it first")

    def test_folder_in_place_of_a_job_file(self) -> None:
        self.assert_refused(self.space.run("run", self.space.path), "is a directory")

    def test_save_points_of_what_has_none(self) -> None:
        self.assert_refused(self.space.run("savepoint", "list", "x"), "x is no directory and no job")
        self.assertEqual(self.run_job(job("x", {"w": "true"})).returncode, 0)
        os.mkdir(os.path.join(self.space.path, "x"))  # the job is meant all the same
        self.assert_refused(self.space.run("savepoint", "list", "x"), "runs/x: there is no save")

    def test_corrupt_object_store_is_named(self) -> None:
        os.mkdir(os.path.join(self.space.path, ".primus"))
        self.space.write(".primus/objects.db", "x" * 8192)
        path = self.space.write("job.yaml", job("x", {"w": "true"}))
        done = self.space.run("run", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(".primus/objects.db", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.space.path, "runs")))

    def test_unknown_and_completed_jobs_are_not_resumed(self) -> None:
        self.assert_refused(self.space.run("resume", "x"), "--workdir")
        self.assertEqual(self.run_job(job("done", {"w": "true"})).returncode, 0)
        self.assert_refused(self.space.run("resume", "x"), "no job x", "primus get jobs")
        self.assert_refused(self.space.run("resume", "done"), "is completed")

    def test_immutable_fields_stay(self) -> None:
        process = self.start_staying()
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assert_refused(self.space.run("resume", "stays", "--set", "spec.seed=9"), "spec.seed",
                            "start anew: remove runs/stays")


class InterruptTest(JobTest):
    def test_ctrl_c_stops_and_says_how_to_go_on(self) -> None:
        process = self.start_staying()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertIn("primus resume stays", out)
        self.assert_nothing_left()
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)^stays +Suspended")

    def test_program_that_was_stopped_has_not_failed(self) -> None:
        process = self.start_staying()
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertRegex(self.space.run("describe", "stays").stdout, r"\n  main +1 +0 +0 +0 +0\n")

    def test_advice_goes_to_the_folder_that_was_given(self) -> None:
        fifo = self.space.fifo()
        path = self.space.write("job.yaml", job("far", {"main": STAYS.format(fifo=fifo)}))
        os.mkdir(os.path.join(self.space.path, "w"))
        process = self.space.start("run", path, "--workdir", "w")
        self.assertEqual(read_line(fifo), "up")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        self.assertIn("`primus resume far --workdir w`", out)
        self.assertIn("`primus resume far --workdir w`",
                      self.space.run("describe", "far", "--workdir", "w").stdout)
        self.assertIn("`primus get jobs --workdir w`",
                      self.space.run("resume", "x", "--workdir", "w").stderr)

    def test_line_of_a_terminal_is_as_wide_as_it(self) -> None:
        path = self.space.write("job.yaml", job("n" * 60, {"main": "true"}))
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        done = subprocess.run([PROGRAM, "run", path], cwd=self.space.path, check=True,
                              stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, b"")
        os.close(slave)
        shown = os.read(master, 65536).decode().split("\x1b[K")[1]
        os.close(master)
        self.assertEqual(shown.rstrip("\r\n").split("\r")[0], "n" * 40)

    def test_second_ctrl_c_does_not_wait_for_the_program(self) -> None:
        fifo = self.space.fifo()
        script = f"trap 'echo asked > {fifo}' TERM; echo up > {fifo}; while :; do read x; done"
        script = script.replace("read x", f"read x < {self.space.fifo()}")
        process = self.space.start("run", self.space.write("job.yaml", job("s", {"w": script})))
        self.assertEqual(read_line(fifo), "up")
        process.send_signal(signal.SIGINT)
        self.assertEqual(read_line(fifo), "asked")
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assert_nothing_left()

    def test_killed_node_leaves_nothing_and_the_job_goes_on(self) -> None:
        fifo = self.space.fifo()
        script = (f"test -e second && exit 0; touch second; setsid tail -f /dev/null & "
                  f"echo up > {fifo}; trap \"\" TERM; exec tail -f /dev/null")
        process = self.space.start("run", self.space.write("job.yaml", job("k", {"w": script})))
        self.assertEqual(read_line(fifo), "up")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assert_nothing_left()
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)^k +Suspended")
        done = self.space.run("resume", "k")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("run 2", self.space.run("describe", "k").stdout)

    def test_resume_waits_for_what_the_killed_node_left(self) -> None:
        fifo = self.space.fifo()
        script = f"test -e second && exit 0; touch second; {STAYS.format(fifo=fifo)}"
        process = self.space.start("run", self.space.write("job.yaml", job("k", {"w": script})))
        self.assertEqual(read_line(fifo), "up")
        process.send_signal(signal.SIGKILL)
        done = self.space.run("resume", "k")
        self.assertEqual(done.returncode, 0, done.stderr)
        process.communicate()


class BackgroundTest(JobTest):
    def test_submitted_job_is_seen_and_stopped(self) -> None:
        fifo = self.space.fifo()
        path = self.space.write("job.yaml", job("bg", {"main": STAYS.format(fifo=fifo)}))
        submitted = self.space.run("submit", path)
        self.assertEqual(submitted.returncode, 0, submitted.stderr)
        self.assertEqual(read_line(fifo), "up")
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)^bg +Running")
        self.assertIn("Running", self.space.run("describe", "bg").stdout)
        stopped = self.space.run("stop", "bg")
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        self.assert_nothing_left()
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)^bg +Suspended")

    def test_submitted_job_completes_by_itself(self) -> None:
        path = self.space.write("job.yaml", job("bg", {"main": "echo from the background"}))
        self.assertEqual(self.space.run("submit", path).returncode, 0)
        self.assert_nothing_left()
        self.assertRegex(self.space.run("get", "jobs").stdout, r"(?m)^bg +Completed")
        self.assertIn("from the background", self.space.run("logs", "bg", "main-0").stdout)

    def test_stop_of_what_does_not_run_says_so(self) -> None:
        self.assertEqual(self.run_job(job("x", {"w": "true"})).returncode, 0)
        done = self.space.run("stop", "x")
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not run", done.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
