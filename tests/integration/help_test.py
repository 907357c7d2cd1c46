#!/usr/bin/env python3
"""Help texts are what tests/golden/help says. help_test.py PROGRAM [--write]"""

import os
import subprocess
import sys
import unittest

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "golden", "help")
COMMANDS = ("", "run", "submit", "resume", "stop", "get", "get jobs", "describe", "logs",
            "savepoint", "savepoint list", "savepoint inspect", "savepoint dump", "config",
            "config check", "version")
PROGRAM = ""


def help_of(command: str) -> str:
    done = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True,
                          check=True)
    return done.stdout


def golden_path(command: str) -> str:
    return os.path.join(GOLDEN, (command.replace(" ", "_") or "primus") + ".txt")


class HelpTest(unittest.TestCase):
    def test_help_is_the_golden_text(self) -> None:
        for command in COMMANDS:
            with self.subTest(command=command), open(golden_path(command), encoding="utf-8") as text:
                self.assertEqual(help_of(command), text.read())

    def test_inner_commands_are_in_no_help(self) -> None:
        for inner in ("replica", "node ", "reaper"):
            self.assertNotIn(f"\n  {inner}", help_of(""))

    def test_unknown_commands_and_options_are_user_errors(self) -> None:
        for arguments in (["nonsense"], ["run", "--nonsense"], [], ["run"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 2)
                self.assertNotEqual(done.stderr, "")

    def test_unknown_commands_are_named(self) -> None:
        for arguments, text in ((["submitt"], "got submitt; did you mean submit?"),
                                (["get", "pods"], "expected jobs, got pods")):
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)

    def test_version_is_an_option_too(self) -> None:
        told = [subprocess.check_output([PROGRAM, word]) for word in ("version", "--version")]
        self.assertEqual(told[0], told[1])


def write() -> None:
    os.makedirs(GOLDEN, exist_ok=True)
    for command in COMMANDS:
        with open(golden_path(command), "w", encoding="utf-8") as text:
            text.write(help_of(command))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    if "--write" in sys.argv:
        write()
    else:
        unittest.main()
