"""The files of the source tree that the checks look at, and how they report."""

import argparse
import pathlib
import subprocess

CPP_SUFFIXES = (".cc", ".h")


class Tree:
    """A checkout: every file that is tracked, or new and not ignored, by its relative path."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        names = sorted({name for name in listed.split("\0") if name})
        self.files = [name for name in names if (root / name).is_file()]
        self.findings: list[str] = []
        self._texts: dict[str, str] = {}

    def cpp(self) -> list[str]:
        return [name for name in self.files if name.endswith(CPP_SUFFIXES)]

    def text(self, name: str) -> str:
        """The file's text; empty for a binary file."""
        if name not in self._texts:
            data = (self.root / name).read_bytes()
            self._texts[name] = "" if b"\0" in data else data.decode("utf-8", "replace")
        return self._texts[name]

    def exists(self, name: str) -> bool:
        return (self.root / name).exists()

    def find(self, name: str, line: int, message: str) -> None:
        self.findings.append(f"{name}:{line}: {message}")

    def report(self) -> int:
        for finding in self.findings:
            print(finding)
        return 1 if self.findings else 0


def tree_from_arguments(description: str) -> Tree:
    parser = argparse.ArgumentParser(description=description)
    here = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--root", type=pathlib.Path, default=here, help="checkout to look at")
    return Tree(parser.parse_args().root.resolve())
