"""The rows of the main example in memory, as numpy arrays of key ordinals."""

import dataclasses
import datetime
import json
import pathlib
import subprocess

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]

GENRES = ("unknown Action Adventure Animation Children's Comedy Crime Documentary Drama Fantasy "
          "Film-Noir Horror Musical Mystery Romance Sci-Fi Thriller War Western").split()
CATEGORIES = ("movie_id", "user_id", "age5", "gender", "occupation", "zip_code", "release_date",
              "hour")
SECONDS_PER_DAY = 86_400


def seconds(text: str) -> int:
    """A time such as 1998-03-07T02:21:09Z in seconds since 1970."""
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


@dataclasses.dataclass
class Ratings:
    """Rows in order of time. Keys are ordinals of their feature from 1; 0 is no key."""

    time: numpy.ndarray
    label: numpy.ndarray  # float32, 0 or 1
    categories: numpy.ndarray  # [rows, len(CATEGORIES)]
    genres: numpy.ndarray  # [rows, most genres of a movie], filled up with 0
    sizes: dict[str, int]  # feature: its ordinals, 0 included

    def column(self, name: str) -> numpy.ndarray:
        return self.categories[:, CATEGORIES.index(name)]

    def rows_before(self, time: int) -> int:
        return int(numpy.searchsorted(self.time, time))


class _Keys:
    """Ordinals from 1 for the values of each feature, in order of appearance."""

    def __init__(self):
        self._of = {}

    def of(self, feature: str, value) -> int:
        if value is None:
            return 0
        values = self._of.setdefault(feature, {})
        return values.setdefault(value, len(values) + 1)

    def sizes(self) -> dict[str, int]:
        return {feature: len(values) + 1 for feature, values in self._of.items()}


# Debian's numpy, which its PyTorch needs, is too old for pyarrow: another Python reads the files.
_READ = """
import json, sys
import pyarrow.parquet
for path in sys.argv[1:]:
    print(json.dumps(pyarrow.parquet.ParquetFile(path).read().to_pylist()))
"""


def _rows(*paths: pathlib.Path) -> list[dict]:
    done = subprocess.run([ROOT / ".venv/bin/python", "-c", _READ, *paths], check=True,
                          stdout=subprocess.PIPE)
    return [row for line in done.stdout.splitlines() for row in json.loads(line)]


def _genre_lists(movies: dict, keys: _Keys) -> dict[int, list[int]]:
    width = max(sum(1 for genre in GENRES if movie[genre]) for movie in movies.values())
    found = {}
    for movie_id, movie in movies.items():
        ordinals = [keys.of("genres", genre) for genre in GENRES if movie[genre]]
        found[movie_id] = ordinals + [0] * (width - len(ordinals))
    return found


def load(folder: pathlib.Path) -> Ratings:
    """Reads what examples/movielens/prepare wrote."""
    if not folder.is_dir():
        raise SystemExit(f"{folder} is not there; run examples/movielens/prepare")
    users = {row["user_id"]: row for row in _rows(folder / "users.parquet")}
    movies = {row["movie_id"]: row for row in _rows(folder / "movies.parquet")}
    ratings = _rows(*sorted(folder.glob("ratings/*/*.parquet")))
    keys = _Keys()
    genres = _genre_lists(movies, keys)
    categories = []
    for row in ratings:
        user, movie = users[row["user_id"]], movies[row["movie_id"]]
        values = (row["movie_id"], row["user_id"], user["age"] // 5, user["gender"],
                  user["occupation"], user["zip_code"], movie["release_date"],
                  row["timestamp"] % SECONDS_PER_DAY // 3600)
        categories.append([keys.of(name, value) for name, value in zip(CATEGORIES, values)])
    return Ratings(
        time=numpy.array([row["timestamp"] for row in ratings]),
        label=numpy.array([row["rating"] >= 4 for row in ratings], dtype=numpy.float32),
        categories=numpy.array(categories),
        genres=numpy.array([genres[row["movie_id"]] for row in ratings]),
        sizes=keys.sizes())


def auc(score: numpy.ndarray, label: numpy.ndarray) -> float:
    """Exact; equal scores count half."""
    _, inverse, counts = numpy.unique(score, return_inverse=True, return_counts=True)
    rank = (numpy.cumsum(counts) - (counts - 1) / 2)[inverse]
    positive = label > 0.5
    n, p = len(label), int(positive.sum())
    return float((rank[positive].sum() - p * (p + 1) / 2) / (p * (n - p)))


def logloss(probability: numpy.ndarray, label: numpy.ndarray) -> float:
    p = numpy.clip(probability.astype(numpy.float64), 1e-15, 1 - 1e-15)
    return float(-numpy.mean(label * numpy.log(p) + (1 - label) * numpy.log(1 - p)))


class Counts:
    """The item-mean and counting baselines: f(k) = (likes + 5 μ) / (rows + 5)."""

    _SIDES = ("movie_id", "user_id")

    def __init__(self, data: Ratings, rows: int):
        self._data = data
        self._likes = {name: numpy.zeros(data.sizes[name]) for name in self._SIDES}
        self._rows = {name: numpy.zeros(data.sizes[name]) for name in self._SIDES}
        self.mean = float(data.label[:rows].mean())
        self.add(slice(0, rows))

    def add(self, rows: slice) -> None:
        for name in self._SIDES:
            keys = self._data.column(name)[rows]
            numpy.add.at(self._likes[name], keys, self._data.label[rows])
            numpy.add.at(self._rows[name], keys, 1)

    def share(self, name: str, rows: slice) -> numpy.ndarray:
        keys = self._data.column(name)[rows]
        return (self._likes[name][keys] + 5 * self.mean) / (self._rows[name][keys] + 5)

    def predict(self, rows: slice) -> numpy.ndarray:
        def logit(p):
            return numpy.log(p / (1 - p))

        score = (logit(self.share("movie_id", rows)) + logit(self.share("user_id", rows))
                 - logit(self.mean))
        return 1 / (1 + numpy.exp(-score))
