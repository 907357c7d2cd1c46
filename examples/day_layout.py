"""What the examples' data have in common: one folder a UTC day with a marker, made all or nothing."""

import datetime
import hashlib
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile

# Whoever calls a script by hand may do so without the environment that has pyarrow.
_PYTHON = pathlib.Path(__file__).resolve().parents[1] / ".venv/bin/python"
if importlib.util.find_spec("pyarrow") is None:
    if not _PYTHON.exists():
        raise SystemExit("this Python has no pyarrow: run `make setup` first")
    os.execv(_PYTHON, [_PYTHON, *sys.argv])

SECONDS_PER_DAY = 86_400
MARKER = "_SUCCESS"
STAMP = ".prepared"


def day_name(day: int) -> str:
    """YYYY-MM-DD of a day since 1970-01-01."""
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def recipe_of(script: str, *parameters) -> str:
    """What a prepared folder depends on: the programs that wrote it and their parameters."""
    whole = hashlib.sha256(repr(parameters).encode())
    for path in (pathlib.Path(script), pathlib.Path(__file__)):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def is_prepared(folder: pathlib.Path, recipe: str) -> bool:
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text() == recipe


def write_table(path: pathlib.Path, table) -> None:
    import pyarrow.parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(table, path, compression="zstd")


def mark_day(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).touch()


class Replacement:
    """A folder that is written aside and takes the place of `folder` when all is in it.

    What stood there before must be of this kind (it carries a stamp), or be empty.
    """

    def __init__(self, folder: pathlib.Path, recipe: str):
        self._folder = folder
        self._recipe = recipe
        if folder.exists() and any(folder.iterdir()) and not (folder / STAMP).exists():
            raise SystemExit(f"{folder} holds something else; name an empty folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._aside = pathlib.Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))

    def __enter__(self) -> pathlib.Path:
        os.chmod(self._aside, 0o755)
        return self._aside

    def __exit__(self, kind, *_):
        if kind is None:
            (self._aside / STAMP).write_text(self._recipe)
            shutil.rmtree(self._folder, ignore_errors=True)
            os.rename(self._aside, self._folder)
        else:
            shutil.rmtree(self._aside, ignore_errors=True)
