#!/usr/bin/env python3
"""The Parquet library of the wheel carries an OpenSSL of its own, without versions.

Every library has to bind to its own: a search order that mixes them crashes at the first TLS
handshake, far from the cause. Runs a program with all symbols bound at once.

binding_test.py PROGRAM [ARGUMENT...]
"""

import os
import re
import subprocess
import sys
import tempfile

_BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: \w+ symbol `([^']+)'")
# (library whose symbol is looked up, library that must not answer)
_FORBIDDEN = (
    ("libssl", "libparquet"),
    ("libcurl", "libparquet"),
    ("libgrpc", "libparquet"),
)


def bindings(program: list[str]) -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as scratch:
        environment = dict(os.environ, LD_DEBUG="bindings", LD_BIND_NOW="1",
                           LD_DEBUG_OUTPUT=os.path.join(scratch, "bindings"))
        subprocess.run(program, env=environment, check=True, stdout=subprocess.DEVNULL)
        found = []
        for name in os.listdir(scratch):
            with open(os.path.join(scratch, name), encoding="utf-8", errors="replace") as lines:
                found += [match.groups() for match in map(_BINDING.search, lines) if match]
    return found


def library(path: str) -> str:
    return os.path.basename(path)


def main() -> int:
    found = bindings(sys.argv[1:])
    present = {library(source) for source, _, _ in found}
    for needed in ("libparquet", "libgrpc"):
        if not any(name.startswith(needed) for name in present):
            print(f"{sys.argv[1]} does not load {needed}: this test would see nothing")
            return 1
    wrong = [(library(source), library(target), symbol) for source, target, symbol in found
             if any(library(source).startswith(s) and library(target).startswith(t)
                    for s, t in _FORBIDDEN)]
    for source, target, symbol in wrong[:20]:
        print(f"{source} binds {symbol} to {target}")
    print(f"{len(found)} bindings, {len(wrong)} to a wrong library")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
