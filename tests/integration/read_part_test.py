#!/usr/bin/env python3
"""The reader that was written from docs/formats/part.md alone reads the golden part file, finds
what was changed in it, and agrees with `primus savepoint dump` (whose test has the same text)."""

import contextlib
import io
import pathlib
import sys
import unittest
from unittest import mock

import read_part

_GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"


class ReadPart(unittest.TestCase):
    def setUp(self):
        self.bytes = (_GOLDEN / "part_v1.bin").read_bytes()

    def test_golden_part(self):
        part = read_part.read_part(self.bytes)
        self.assertEqual(part.job, "golden")
        self.assertEqual(part.stamp, (2, 5, 9))
        self.assertEqual((part.first_shard, part.last_shard), (0, 127))
        self.assertEqual([table.name for table in part.tables], ["movie", "row"])
        self.assertEqual(sorted(part.tables[0].rows), [1, 3, 1 << 56])
        self.assertEqual(part.dense_values, 2600)
        self.assertEqual({block: len(values) for block, values in part.dense.items()},
                         {0: 1024, 1: 1024})
        self.assertEqual(part.steps, {0: 1, 1: 1})

    def test_dump(self):
        out = io.StringIO()
        arguments = ["read_part.py", "--table", "movie", str(_GOLDEN / "part_v1.bin")]
        with contextlib.redirect_stdout(out), mock.patch.object(sys, "argv", arguments):
            self.assertEqual(read_part.main(), 0)
        self.assertEqual(out.getvalue(), (_GOLDEN / "part_v1_movie.txt").read_text())

    def test_damage(self):
        for size in range(0, len(self.bytes), 97):
            with self.assertRaises(read_part.Damaged):
                read_part.read_part(self.bytes[:size])
        for at in range(0, len(self.bytes), 97):
            damaged = bytearray(self.bytes)
            damaged[at] ^= 1 << at % 8
            with self.assertRaises(read_part.Damaged):
                read_part.read_part(bytes(damaged))


if __name__ == "__main__":
    unittest.main()
