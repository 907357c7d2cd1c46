#!/usr/bin/env python3
"""What the examples' prepare programs write: whole days, every row once, all or nothing."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import pyarrow
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "examples"))

import day_layout  # noqa: E402


class CounterTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.output = pathlib.Path(scratch.name) / "data"

    def prepare(self, *arguments):
        return subprocess.run(
            [sys.executable, ROOT / "examples/counter/prepare", "--output", self.output, *arguments],
            capture_output=True, text=True, check=False)

    def rows(self):
        paths = sorted(self.output.glob("rows/*/*.parquet"))
        return pyarrow.concat_tables(pyarrow.parquet.ParquetFile(path).read() for path in paths)

    def test_every_row_once_in_order_of_time_with_a_marker_each_day(self):
        self.assertEqual(self.prepare("--rows", "1003", "--days", "3", "--parts", "2").returncode, 0)
        days = sorted(path.name for path in (self.output / "rows").iterdir())
        self.assertEqual(days, ["2024-01-01", "2024-01-02", "2024-01-03"])
        for day in days:
            self.assertTrue((self.output / "rows" / day / "_SUCCESS").is_file())
        table = self.rows()
        self.assertEqual(table["row"].to_pylist(), list(range(1003)))
        times = table["timestamp"].to_pylist()
        self.assertEqual(times, sorted(times))
        for path in self.output.glob("rows/*/*.parquet"):
            for time in pyarrow.parquet.ParquetFile(path).read()["timestamp"].to_pylist():
                self.assertEqual(day_layout.day_name(time // day_layout.SECONDS_PER_DAY),
                                 path.parent.name)

    def test_a_second_call_does_nothing_and_other_parameters_replace(self):
        self.prepare("--rows", "10")
        before = self.output.stat().st_mtime_ns
        again = self.prepare("--rows", "10")
        self.assertEqual((again.returncode, again.stdout), (0, ""))
        self.assertEqual(self.output.stat().st_mtime_ns, before)
        self.prepare("--rows", "20")
        self.assertEqual(self.rows().num_rows, 20)
        self.assertEqual([path.name for path in self.output.parent.iterdir()], ["data"])

    def test_a_folder_of_someone_else_is_left_alone(self):
        self.output.mkdir()
        (self.output / "thesis.txt").write_text("mine")
        done = self.prepare()
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds something else", done.stderr)
        self.assertEqual((self.output / "thesis.txt").read_text(), "mine")

    def test_a_failure_on_the_way_leaves_what_was_there(self):
        self.prepare("--rows", "10")
        with self.assertRaises(OSError):
            with day_layout.Replacement(self.output, "other") as folder:
                (folder / "half").write_text("x")
                raise OSError("disk full")
        self.assertEqual(self.rows().num_rows, 10)
        self.assertEqual([path.name for path in self.output.parent.iterdir()], ["data"])


if __name__ == "__main__":
    unittest.main()
