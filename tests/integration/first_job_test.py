#!/usr/bin/env python3
"""Does what docs/first-job.md says, as it is written there.

first_job_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

from primus_process import Workspace

PROGRAM = ""
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/first-job.md"


def blocks() -> list[tuple[str, str]]:
    """Language and text of the page's code blocks."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


class FirstJobTest(unittest.TestCase):
    def test_page(self) -> None:
        space = Workspace(PROGRAM)
        self.addCleanup(space.close)
        for language, text in blocks():
            if language == "python":
                script = space.write("make_clicks.py", text)
                subprocess.run([sys.executable, script], cwd=space.path, check=True)
            elif language == "yaml":
                space.write("clicks.yaml", text)
            elif text.startswith("primus "):
                for line in text.splitlines():
                    self.command(space, line)
            else:
                self.assertIn(text.strip(), self.output)
        summary = json.loads(pathlib.Path(space.path, "runs/clicks/summary.json").read_text())
        self.assertGreater(summary["metrics"]["holdout"]["auc"], 0.65)
        lines = pathlib.Path(space.path, "user.tsv").read_text().splitlines()
        self.assertEqual(len(lines), 200)
        self.assertRegex(lines[0], r"^\d+\t\S+( \S+){8}$")

    def command(self, space: Workspace, line: str) -> None:
        words, _, target = line.partition(" > ")
        done = space.run(*words.split()[1:])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.output = done.stdout
        if target:
            space.write(target, done.stdout)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
