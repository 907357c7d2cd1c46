#!/usr/bin/env python3
"""Reads part files as docs/formats/part.md describes them; standard library only.

read_part.py FILE...                    what is in the parts
read_part.py --table NAME FILE...       one line an entry: key, tab, values parted by spaces
"""

import argparse
import pathlib
import struct
import sys
from dataclasses import dataclass, field

_MAGIC = b"PRIMPART"
_END = b"PRIMPEND"


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _crc_table()


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class Damaged(Exception):
    """The file is not a whole part."""


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Damaged(what)


class Cursor:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def raw(self, size: int) -> bytes:
        expect(self.at + size <= len(self.data), "it ends too early")
        self.at += size
        return self.data[self.at - size:self.at]

    def numbers(self, form: str) -> tuple:
        return struct.unpack("<" + form, self.raw(struct.calcsize("<" + form)))

    def number(self, form: str) -> int:
        return self.numbers(form)[0]

    def text(self) -> str:
        return self.raw(self.number("I")).decode()


@dataclass
class Table:
    name: str
    width: int
    optimizer: str
    state_size: int
    rows: dict[int, tuple[float, ...]] = field(default_factory=dict)


@dataclass
class Part:
    job: str
    stamp: tuple[int, int, int]
    first_shard: int
    last_shard: int
    tables: list[Table]
    dense_values: int
    dense_optimizer: str
    dense: dict[int, tuple[float, ...]] = field(default_factory=dict)  # by block
    steps: dict[int, int] = field(default_factory=dict)


def read_header(data: bytes) -> tuple[Part, int]:
    cursor = Cursor(data)
    expect(cursor.raw(8) == _MAGIC, "no part file at all")
    version, size = cursor.numbers("II")
    expect(version == 1, f"format version {version}, this reads version 1")
    header = Cursor(cursor.raw(size))
    end = cursor.at + 4
    expect(cursor.number("I") == crc32c(data[:end - 4]), "checksum of its header")
    job, stamp = header.text(), header.numbers("QQQ")
    shards, first, last = header.numbers("III")
    expect(shards == 256 and first <= last < 256, "its shards")
    tables = []
    for _ in range(header.number("I")):
        name = header.text()
        dim, first_order = header.numbers("II")
        tables.append(Table(name, dim + first_order, header.text(), header.number("I")))
    values, block = header.numbers("QI")
    expect(block == 1024, "its dense blocks")
    part = Part(job, stamp, first, last, tables, values, header.text())
    expect(header.at == size, "its header has another length")
    return part, end


def read_rows(table: Table, shard: int, count: int, body: Cursor) -> None:
    keys = body.numbers(f"{count}Q")
    for key in keys:
        expect(key >> 56 == shard, "shard of a key")
        expect(not table.rows or key > next(reversed(table.rows)), "order of its keys")
        table.rows[key] = body.numbers(f"{table.width}f")
    body.numbers(f"{count * table.state_size}f")


def read_block(part: Part, block: bytes, entry: tuple) -> None:
    cursor = Cursor(block)
    kind, table, shard, count, number, steps, size = cursor.numbers("IIIIQQQ")
    expect((kind, table, shard, count) == entry, "a block differs from the index")
    body = Cursor(cursor.raw(size))
    expect(cursor.number("I") == crc32c(block[:-4]) and cursor.at == len(block),
           "checksum of a block")
    expect(part.first_shard <= shard <= part.last_shard, "a block of another shard")
    if kind == 1:
        expect(table < len(part.tables) and 1 <= count <= 4096, "a block of rows")
        read_rows(part.tables[table], shard, count, body)
    else:
        expect(kind == 2 and shard == number * 101 % 256, "a dense block")
        part.dense[number] = body.numbers(f"{count}f")
        part.steps[number] = steps
        body.raw((size - 4 * count) // 4 * 4)
    expect(body.at == size, "size of a block")


def read_part(data: bytes) -> Part:
    part, at = read_header(data)
    expect(len(data) >= at + 28, "it ends before its trailer")
    index, count, crc = struct.unpack("<QQI", data[-28:-8])
    expect(data[-8:] == _END, "no end mark")
    expect(at <= index and index + 32 * count + 28 == len(data), "place of its index")
    expect(crc == crc32c(data[index:-12]), "checksum of its index")
    for i in range(count):
        offset, size, *entry = struct.unpack_from("<QQIIII", data, index + 32 * i)
        expect(offset == at and at + size <= index, "place of a block")
        read_block(part, data[at:at + size], tuple(entry))
        at += size
    expect(at == index, "bytes between blocks and index")
    owned = [b for b in range((part.dense_values + 1023) // 1024)
             if part.first_shard <= b * 101 % 256 <= part.last_shard]
    expect(sorted(part.dense) == owned, "number of dense blocks")
    return part


def shortest(value: float) -> str:
    """The shortest text that is read back as the same single-precision number."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == struct.pack("<f", value):
            return text
    return repr(value)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--table")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    entries = {}
    for path in options.files:
        try:
            part = read_part(path.read_bytes())
        except Damaged as damage:
            print(f"{path}: damaged part file: {damage}", file=sys.stderr)
            return 1
        tables = {table.name: table for table in part.tables}
        if options.table is None:
            print(f"{path}: job {part.job}, shards {part.first_shard} to {part.last_shard}")
            for table in part.tables:
                print(f"  {table.name}: {len(table.rows)} rows of {table.width} values,"
                      f" {table.optimizer}")
        elif options.table not in tables:
            print(f"{path}: no table {options.table}, but {', '.join(tables)}", file=sys.stderr)
            return 1
        else:
            entries.update(tables[options.table].rows)
    for key in sorted(entries):
        print(f"{key}\t{' '.join(shortest(value) for value in entries[key])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
