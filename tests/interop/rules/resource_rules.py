# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for ops of tables and of data sets.

In place of a table stands the tensor of its keys, in place of a data set the tensor of its rows:
fuzz_resources.py makes them.
"""

import numpy as np

from interop.cases.case import Case, between, i64, of
from interop.rules.draws import full, pick, shape_of, table, whole


def keys_of(rng, dtype, *shape):
    if dtype == "string":
        return of(rng.choice([b"a", b"b", b"c", b"d", b""], size=shape).astype(object), dtype)
    return of(rng.randint(-2, 4, size=shape), dtype)


def distinct(rng, dtype, count):
    keys = rng.permutation(6)[:count]
    words = np.array([b"a", b"b", b"c", b"d", b"e", b"f"], object)
    return of(words[keys] if dtype == "string" else keys, dtype)


def lookup(op, rng):
    key, value = pick(rng, ("string", "int64"), ("string", "float32"), ("int64", "int64"),
                      ("int64", "float32"))  # fmt: skip
    contents = distinct(rng, key, whole(rng, 0, 1, 2, 3, 4, 5, 6))
    asked = keys_of(rng, key, *shape_of(rng, 0 if "Find" in op else 1, 2))
    if "Size" in op:
        return Case(op, contents)
    if "Export" in op:
        return Case(op, contents, Tkeys=key, Tvalues=value)
    if "Remove" in op:
        return Case(op, contents, asked)
    if "Find" in op:
        return Case(
            op, contents, asked, between(-3, 3, *pick(rng, (), (), (1,), (2,)), dtype=value)
        )
    count = whole(rng, 0, 1, 2, 3)
    given = distinct(rng, key, count)
    return Case(op, contents, given, between(-3, 3, whole(rng, count, count, 2), dtype=value))


def elements(rng):
    return between(-5, 5, *full(rng, 1, 3), dtype=pick(rng, "int64", "float32", "string"))


def described(rng, value, count=1):
    """Attributes of elements like the value's rows."""
    return dict(output_types=[value.dtype] * count, output_shapes=[None] * count)


def number(rng):
    return i64(whole(rng, 0, 1, 1, 2, 2, 3, 4, 7, -1))


def changed(op, rng):
    """One data set and some numbers."""
    rows = elements(rng)
    attrs = described(rng, rows)
    name = op.replace("Experimental", "")
    flag = of(bool(rng.randint(2)), "bool")
    inputs = {
        "BatchDataset": lambda: [number(rng)],
        "BatchDatasetV2": lambda: [number(rng), flag],
        "RebatchDataset": lambda: [number(rng)],
        "TakeDataset": lambda: [number(rng)],
        "SkipDataset": lambda: [number(rng)],
        "RepeatDataset": lambda: [number(rng)],
        "PrefetchDataset": lambda: [number(rng)],
        "ShardDataset": lambda: [number(rng), number(rng)],
        "ShuffleDataset": lambda: [number(rng), i64(whole(rng, 0, 3)), i64(whole(rng, 1, 5))],
        "ShuffleAndRepeatDataset": lambda: [number(rng), i64(3), i64(5), number(rng)],
        "SlidingWindowDataset": lambda: [number(rng), number(rng), number(rng)],
        "CacheDataset": lambda: [of(b"", "string")],
        "AssertCardinalityDataset": lambda: [number(rng)],
        "MaxIntraOpParallelismDataset": lambda: [number(rng)],
        "PrivateThreadPoolDataset": lambda: [number(rng)],
        "SleepDataset": lambda: [number(rng)],
        "SamplingDataset": lambda: [of(pick(rng, 0.0, 0.5, 1.0), "float32"), i64(7), i64(9)],
    }.get(name, list)()
    if name == "ShuffleDataset":
        attrs["reshuffle_each_iteration"] = bool(rng.randint(2))
    return Case(op, rows, *inputs, **attrs)


def padded(op, rng):
    rows = elements(rng)
    shape = [whole(rng, -1, -1, 2, 4) for _ in range(whole(rng, 0, 1, 2))]
    inputs = [number(rng), [i64(shape)], [between(0, 3, dtype=rows.dtype)]]
    if op.endswith("V2"):
        inputs.append(of(bool(rng.randint(2)), "bool"))
    return Case(op, rows, *inputs, output_shapes=[None])


def several(op, rng):
    first, second = elements(rng), elements(rng)
    if op == "ConcatenateDataset":
        return Case(op, first, pick(rng, first, first, second), **described(rng, first))
    if op == "ZipDataset":
        return Case(op, [first, second], output_types=[first.dtype, second.dtype],
                    output_shapes=[None, None])  # fmt: skip
    chosen = of(rng.randint(-1 if rng.rand() < 0.2 else 0, 2, size=4), "int64")
    return Case(op, chosen, [first, first], **described(rng, first))


def made(op, rng):
    if op == "RangeDataset":
        return Case(op, number(rng), i64(whole(rng, 0, 3, 5, 9)), number(rng),
                    output_types=["int64"], output_shapes=[None])  # fmt: skip
    if op == "SparseTensorSliceDataset":
        count, shape = whole(rng, 0, 1, 3, 5), [3, 2, 4][: whole(rng, 1, 2, 3)]
        places = np.sort(rng.randint(int(np.prod(shape)), size=count))
        indices = np.stack(np.unravel_index(places, shape), 1).reshape(count, len(shape))
        return Case(op, i64(indices), between(0, 9, count, dtype="float32"), i64(shape))
    parts = [elements(rng) for _ in range(whole(rng, 1, 1, 2))]
    return Case(op, parts, output_shapes=[None] * len(parts))


def asked(op, rng):
    """One answer about a data set."""
    rows = elements(rng)
    return Case(op, rows, **({} if "Cardinality" in op else described(rng, rows)))


LOOKUPS = "Find Insert Import Export Size".split()
ONE_INPUT = (
    "Batch BatchV2 Rebatch Take Skip Repeat Prefetch Shard Shuffle ShuffleAndRepeat SlidingWindow "
    "Cache AssertCardinality MaxIntraOpParallelism PrivateThreadPool Sleep Sampling Unbatch Unique "
    "IgnoreErrors NonSerializable Model"
).split()
RULES = table(
    (lookup, " ".join(f"LookupTable{name} LookupTable{name}V2" for name in LOOKUPS)),
    (lookup, "LookupTableRemoveV2"),
    (changed, " ".join(f"{name}Dataset" for name in ONE_INPUT).replace("BatchV2Dataset",
                                                                      "BatchDatasetV2")),
    (changed, "ExperimentalUnbatchDataset ExperimentalUniqueDataset ExperimentalSleepDataset "
              "ExperimentalSlidingWindowDataset ExperimentalIgnoreErrorsDataset"),
    (padded, "PaddedBatchDataset PaddedBatchDatasetV2"),
    (several, "ConcatenateDataset ZipDataset DirectedInterleaveDataset "
              "ExperimentalDirectedInterleaveDataset"),
    (made, "RangeDataset TensorDataset TensorSliceDataset SparseTensorSliceDataset"),
    (asked, "DatasetCardinality ExperimentalDatasetCardinality DatasetToSingleElement"),
)  # fmt: skip
