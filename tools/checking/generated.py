"""The mark of a generated file: `generated from <sha256>: <inputs>` in one of its first lines.

The hash is over the names and contents of the inputs, so that a check needs no build.
"""

import hashlib
import pathlib
import re

MARK = re.compile(r"generated from ([0-9a-f]{64}): ([^\n]*?)\s*(?:-->|\*/)?$", re.MULTILINE)
HEAD_LINES = 10


def digest(root: pathlib.Path, inputs: list[str]) -> str:
    whole = hashlib.sha256()
    for name in sorted(inputs):
        data = (root / name).read_bytes()
        whole.update(f"{name} {len(data)}\n".encode())
        whole.update(data)
    return whole.hexdigest()


def stamp(root: pathlib.Path, inputs: list[str]) -> str:
    return f"generated from {digest(root, inputs)}: {' '.join(sorted(inputs))}"
