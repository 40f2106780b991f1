# SPDX-License-Identifier: Apache-2.0
"""Rules, as in op_rules.py, for the ops of boosted trees that have no resource. TensorFlow 2 has no
kernels for them."""

import numpy as np

from interop.cases.case import Case, between, i32, of
from interop.rules.draws import pick, table, whole


def floats(*shape):
    return between(-2, 3, *shape, dtype="float32")


def weights(*shape):
    return between(0.25, 3, *shape, dtype="float32")


def number(rng):
    return of(pick(rng, 0.0, 0.0, 0.1, 0.5, 1.0), "float32")


def below(rng, most, *shape):
    return i32(rng.randint(most, size=shape))


def bucketize(op, rng):
    rows, count = whole(rng, 0, 1, 4), whole(rng, 0, 1, 2, 3)
    boundaries = [of(np.sort(rng.uniform(-2, 2, whole(rng, 0, 1, 3))), "float32")
                  for _ in range(count)]  # fmt: skip
    return Case(op, [floats(rows) for _ in range(count)], boundaries)


def summaries(op, rng):
    rows, count = whole(rng, 0, 1, 5, 9), whole(rng, 0, 1, 2)
    values = [floats(rows) for _ in range(count)]
    return Case(op, values, weights(pick(rng, rows, rows, 1)), of(pick(rng, 0.01, 0.3), "float32"))


def statistics(op, rng):
    """Sums of gradients by node and bucket."""
    rows, splits, buckets = whole(rng, 0, 1, 5), whole(rng, 1, 2, 4), whole(rng, 1, 2, 3)
    logits, features = (1, whole(rng, 1, 2)) if "Make" in op else (whole(rng, 1, 2), 2)
    hessians = logits if "Make" in op else whole(rng, logits, logits * logits)
    inputs = [below(rng, splits, rows), floats(rows, logits), weights(rows, hessians)]
    if "Make" in op:
        inputs.append([below(rng, buckets, rows) for _ in range(features)])
    elif "Sparse" in op:
        count = whole(rng, 0, 1, 3) if rows else 0
        places = np.stack([np.sort(rng.randint(max(rows, 1), size=count)),
                           rng.randint(features, size=count)], 1)  # fmt: skip
        inputs += [i32(places.reshape(count, 2)), below(rng, buckets, count), i32([rows, features])]
    else:
        inputs.append(below(rng, buckets, rows, features))
    return Case(op, *inputs, max_splits=splits, num_buckets=buckets, rtol=1e-4, atol=1e-4)


def best(op, rng):
    splits, buckets, features = whole(rng, 1, 2, 3), whole(rng, 1, 2, 4), whole(rng, 1, 2)
    nodes = sorted(int(n) for n in rng.randint(splits + 1, size=2))
    # Sparse sums are those of the nodes.
    nodes = i32([0, splits] if "Sparse" in op else nodes)
    numbers = [number(rng) for _ in range(4)]
    close = dict(rtol=1e-3, atol=1e-3)
    if "Gains" in op:
        sums = [weights(splits, buckets, 2) for _ in range(features)]
        return Case(op, nodes, sums, *numbers, max_splits=splits, **close)
    if "Sparse" in op:
        shape = [splits, features, buckets + 1, 2]
        count = whole(rng, 1, 3, 6)
        places = np.sort(rng.choice(int(np.prod(shape)), size=min(count, int(np.prod(shape)))))
        indices = np.stack(np.unravel_index(places, shape), 1)
        return Case(op, nodes, i32(indices), weights(len(places)), i32(shape), *numbers,
                    logits_dimension=1, **close)  # fmt: skip
    return Case(op, nodes, weights(splits, features, buckets + 1, 2), *numbers, logits_dimension=1,
                split_type=pick(rng, "inequality", "equality"), **close)  # fmt: skip


RULES = table(
    (bucketize, "BoostedTreesBucketize"),
    (summaries, "BoostedTreesMakeQuantileSummaries"),
    (
        statistics,
        "BoostedTreesAggregateStats BoostedTreesSparseAggregateStats BoostedTreesMakeStatsSummary",
    ),
    (
        best,
        "BoostedTreesCalculateBestFeatureSplit BoostedTreesSparseCalculateBestFeatureSplit "
        "BoostedTreesCalculateBestGainsPerFeature",
    ),
)
