#!/usr/bin/python3
"""The main example in plain PyTorch, on one thread, with all rows in memory: what Primus is
measured against. bench/README.md says how it is set up.

  bench/reference.py --model deepFm --seeds 8
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import numpy
import torch
import torch.nn.functional as functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from ratings import CATEGORIES, ROOT, SECONDS_PER_DAY, Counts, Ratings, auc, load, logloss, seconds

DIM = 8
BATCH = 256
DENSE_RATE = 1e-3
CUTS = {  # name: (first row of evaluation, rows of evaluation at most)
    "test": ("1998-03-07T02:21:09Z", None),
    "validation": ("1998-01-24T22:47:11Z", 16_000),
}
TABLE_RATE = {"deepFm": 0.05, "matrixFactorization": 0.1}


FEATURES = {"deepFm": CATEGORIES + ("genres",), "matrixFactorization": ("user_id", "movie_id")}


def new_table(rows: int, std: float) -> torch.nn.Parameter:
    """A row is DIM values of a vector and a first-order weight; row 0 is for no key."""
    table = torch.empty(rows, DIM + 1)
    torch.nn.init.normal_(table, std=std)
    table[:, DIM] = 0
    table[0] = 0
    return torch.nn.Parameter(table)


class Tables(torch.nn.Module):
    """The features' vectors. `groups` says which features share a table."""

    def __init__(self, sizes: list[int], groups: list[list[int]], std: float):
        super().__init__()
        self._groups = groups
        rows = [1 + sum(sizes[feature] for feature in group) for group in groups]
        self.weights = torch.nn.ParameterList(new_table(count, std) for count in rows)
        self._seen = [torch.zeros(count, 1) for count in rows]

    def forward(self, keys: list[torch.Tensor]) -> torch.Tensor:
        """Keys [rows, width] of each group -> [rows, width of all, DIM + 1]."""
        found = []
        for group, weight, seen in zip(keys, self.weights, self._seen):
            rows = functional.embedding(group, weight, padding_idx=0, sparse=self.training)
            if self.training:
                seen[group.flatten()] = 1
            else:  # evaluation reads zeros for keys that training never met
                rows = rows * functional.embedding(group, seen)
            found.append(rows)
        return torch.cat(found, dim=1)


class Model(torch.nn.Module):
    """The categories are the first columns, then those of the genres."""

    def __init__(self, kind: str, tables: Tables):
        super().__init__()
        features = FEATURES[kind]
        self.tables = tables
        self._categories = len(features) - ("genres" in features)
        self.bias = torch.nn.Parameter(torch.zeros(1))
        self.mlp = None
        if kind == "deepFm":
            self.mlp = torch.nn.Sequential(
                torch.nn.Linear(len(features) * DIM, 128), torch.nn.ReLU(),
                torch.nn.Linear(128, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))

    def dense(self) -> list[torch.nn.Parameter]:
        return [value for name, value in self.named_parameters() if not name.startswith("tables.")]

    def forward(self, keys: list[torch.Tensor]) -> torch.Tensor:
        fields = self.tables(keys)
        if fields.shape[1] > self._categories:
            pooled = fields[:, self._categories:].sum(dim=1, keepdim=True)
            fields = torch.cat([fields[:, :self._categories], pooled], dim=1)
        vectors = fields[:, :, :DIM]
        total = vectors.sum(dim=1)
        pairs = (total * total - (vectors * vectors).sum(dim=1)).sum(dim=1) / 2
        logit = self.bias + fields[:, :, DIM].sum(dim=1) + pairs
        return logit if self.mlp is None else logit + self.mlp(vectors.flatten(1)).squeeze(1)


def grouped_keys(data: Ratings, features, groups: list[list[int]]) -> list[torch.Tensor]:
    """The keys of all rows for each group, its features' ordinals one after the other."""
    found = []
    for group in groups:
        columns, offset = [], 0
        for feature in (features[at] for at in group):
            keys = data.genres if feature == "genres" else data.column(feature)[:, None]
            columns.append(numpy.where(keys == 0, 0, keys + offset))
            offset += data.sizes[feature]
        found.append(torch.from_numpy(numpy.concatenate(columns, axis=1)))
    return found


class Run:
    """One seed: two passes, the hold-out, then predict-and-train."""

    def __init__(self, data: Ratings, options, seed: int):
        torch.manual_seed(seed)
        self._random = numpy.random.default_rng(seed)
        self._data = data
        self._options = options
        features = FEATURES[options.model]
        ordinals = list(range(len(features)))
        groups = [ordinals] if options.tables == "merged" else [[at] for at in ordinals]
        tables = Tables([data.sizes[name] for name in features], groups, options.std)
        self._model = Model(options.model, tables)
        self._sparse = torch.optim.Adagrad(tables.parameters(), lr=options.rate,
                                           initial_accumulator_value=options.accumulator,
                                           eps=options.epsilon)
        self._dense = torch.optim.Adam(self._model.dense(), lr=DENSE_RATE)
        self._keys = grouped_keys(data, features, groups)
        self._label = torch.from_numpy(data.label)

    def step(self, keys: list[torch.Tensor], label: torch.Tensor) -> None:
        self._model.train()
        # Summed for the tables; the mean for what is dense.
        loss = functional.binary_cross_entropy_with_logits(self._model(keys), label,
                                                           reduction="sum")
        self._sparse.zero_grad()
        self._dense.zero_grad()
        loss.backward()
        for value in self._model.dense():
            value.grad /= len(label)
        self._sparse.step()
        self._dense.step()

    def one_pass(self, rows: int) -> None:
        """Days in order, shuffled inside a day; a batch may span days."""
        day = self._data.time[:rows] // SECONDS_PER_DAY
        order = torch.from_numpy(numpy.lexsort((self._random.random(rows), day)))
        # The rows are laid out in order first, as a data loader would hand them over.
        keys, label = [group[order] for group in self._keys], self._label[order]
        for at in range(0, rows, BATCH):
            batch = slice(at, min(at + BATCH, rows))
            self.step([group[batch] for group in keys], label[batch])

    @torch.no_grad()
    def predict(self, rows: slice) -> numpy.ndarray:
        self._model.eval()
        logit = self._model([group[rows] for group in self._keys])
        return torch.sigmoid(logit).numpy()

    def measure(self, rows: int, end: int) -> dict:
        start = time.perf_counter()
        for _ in range(self._options.passes):
            self.one_pass(rows)
        took = time.perf_counter() - start
        label = self._data.label[rows:end]
        held_out = self.predict(slice(rows, end))
        progressive = []
        for at in range(rows, end, BATCH):
            block = slice(at, min(at + BATCH, end))
            progressive.append(self.predict(block))
            self.step([group[block] for group in self._keys], self._label[block])
        progressive = numpy.concatenate(progressive)
        return {
            "holdout": {"auc": auc(held_out, label), "logloss": logloss(held_out, label)},
            "progressive": {"auc": auc(progressive, label), "logloss": logloss(progressive, label)},
            "samplesPerSecond": self._options.passes * rows / took,
        }


def baselines(data: Ratings, rows: int, end: int) -> dict:
    counts = Counts(data, rows)
    label = data.label[rows:end]
    item_mean = auc(counts.share("movie_id", slice(rows, end)), label)
    held_out = auc(counts.predict(slice(rows, end)), label)
    progressive = []
    for at in range(rows, end, BATCH):
        block = slice(at, min(at + BATCH, end))
        progressive.append(counts.predict(block))
        counts.add(block)
    return {"itemMean": {"holdout": item_mean, "progressive": None},
            "counts": {"holdout": held_out, "progressive": auc(numpy.concatenate(progressive), label)}}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=sorted(TABLE_RATE), default="deepFm")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "examples/movielens/data")
    parser.add_argument("--seeds", type=int, default=1, help="how many, from --first-seed on")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--cut", choices=sorted(CUTS), default="test",
                        help="validation: the rows that settings are chosen on")
    parser.add_argument("--tables", choices=("separate", "merged"), default="separate",
                        help="one for each feature, or one for all (the same model, less overhead)")
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--rate", type=float, help="learning rate of the tables")
    parser.add_argument("--std", type=float, default=0.01, help="of initial vectors")
    parser.add_argument("--accumulator", type=float, default=0.0, help="Adagrad's initial value")
    parser.add_argument("--epsilon", type=float, default=1e-10, help="Adagrad's")
    parser.add_argument("--json", action="store_true", help="one JSON line in place of the table")
    options = parser.parse_args()
    options.rate = options.rate or TABLE_RATE[options.model]
    return options


def mean_and_sd(values: list[float]) -> str:
    sd = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.4f} ± {sd:.4f}"


def main() -> int:
    options = arguments()
    torch.set_num_threads(1)
    data = load(options.data)
    start, most = CUTS[options.cut]
    rows = data.rows_before(seconds(start))
    end = len(data.time) if most is None else rows + most
    known = baselines(data, rows, end)
    runs = []
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        runs.append({"seed": seed} | Run(data, options, seed).measure(rows, end))
        if not options.json:
            last = runs[-1]
            print(f"seed {seed}: hold-out {last['holdout']['auc']:.4f}, progressive "
                  f"{last['progressive']['auc']:.4f}, {last['samplesPerSecond']:.0f} rows/s",
                  flush=True)
    if options.json:
        print(json.dumps({"model": options.model, "rows": rows, "baselines": known, "runs": runs}))
        return 0
    print(f"{rows} rows, then {end - rows}: item mean {known['itemMean']['holdout']:.4f}, counts "
          f"{known['counts']['holdout']:.4f} held out, {known['counts']['progressive']:.4f} "
          f"progressive")
    for metric in ("auc", "logloss"):
        print(f"{options.model} {metric}: hold-out "
              f"{mean_and_sd([run['holdout'][metric] for run in runs])}, progressive "
              f"{mean_and_sd([run['progressive'][metric] for run in runs])}")
    print(f"{options.model}: {statistics.median(r['samplesPerSecond'] for r in runs):.0f} rows/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
