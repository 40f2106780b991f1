# SPDX-License-Identifier: Apache-2.0
"""Sums, splits and quantiles of boosted trees, in TensorFlow and on our server."""

import numpy as np
import pytest

from interop.tools.tables import raw
from interop.tools.trees import check, floats, ints, longs, run, uniform

JOBS = {"worker": 1}


def run_lists(program, found):
    """An op whose outputs are lists of tensors."""
    program.run([tensor for part in found for tensor in part])


# ---- sums of gradients and hessians, and the best splits of them


def examples(rng, batch, splits, columns=1, hessian_columns=1):
    return {
        "node_ids": ints(rng.randint(0, splits, batch)),
        "gradients": floats(uniform(rng, batch, columns)),
        "hessians": floats(rng.rand(batch, hessian_columns)),
        "max_splits": splits,
    }


def stats(program):
    rng = np.random.RandomState(1)
    for batch, splits, buckets in ((50, 3, 4), (1, 1, 1), (0, 2, 2), (500, 7, 30)):
        features = [ints(rng.randint(0, buckets, batch)) for _ in range(3)]
        run(
            program,
            raw.BoostedTreesMakeStatsSummary,
            bucketized_features_list=features,
            num_buckets=buckets,
            **examples(rng, batch, splits),
        )
        for columns, more in ((1, 1), (2, 2), (2, 4)):
            run(
                program,
                raw.BoostedTreesAggregateStats,
                feature=ints(rng.randint(-1, buckets, (batch, 2))),
                num_buckets=buckets,
                **examples(rng, batch, splits, columns, more),
            )


def one_bucket_too_many(program):
    """It is the first bucket of the next node, or that of missing values."""
    sums = floats([[1], [2], [4], [8], [16]])
    inputs = {"node_ids": ints([0, 1, 2, 0, 1]), "gradients": sums, "hessians": sums}
    buckets = np.array([0, 1, 0, 2, 2])
    run(
        program,
        raw.BoostedTreesMakeStatsSummary,
        bucketized_features_list=[ints(buckets)],
        max_splits=3,
        num_buckets=2,
        **inputs,
    )
    run(
        program,
        raw.BoostedTreesAggregateStats,
        feature=ints(buckets[:, np.newaxis]),
        max_splits=3,
        num_buckets=2,
        **inputs,
    )


def sparse_feature(rng, batch, dimensions, buckets, density):
    rows = np.argwhere(rng.rand(batch, dimensions) < density).reshape(-1, 2)
    return {
        "feature_indices": ints(rows),
        "feature_values": ints(rng.randint(0, buckets, len(rows))),
        "feature_shape": ints([batch, dimensions]),
    }


def sparse_stats(program):
    rng = np.random.RandomState(2)
    for batch, splits, buckets, dimensions, density in (
        (50, 3, 4, 3, 0.3),
        (50, 3, 4, 3, 0.0),
        (50, 3, 4, 3, 1.0),
        (200, 9, 5, 20, 0.01),
        (10, 30, 2, 1, 0.5),
    ):
        for columns, more in ((1, 1), (2, 4)):
            run(
                program,
                raw.BoostedTreesSparseAggregateStats,
                num_buckets=buckets,
                **sparse_feature(rng, batch, dimensions, buckets, density),
                **examples(rng, batch, splits, columns, more),
            )


def limits(rng):
    def pick(*values):
        return floats(values[rng.randint(len(values))])

    return {
        "l1": pick(0, 0, 0.3),
        "l2": pick(0, 0.1, 1),
        "tree_complexity": pick(0, 0.2),
        "min_node_weight": pick(0, 0, 0.5, 2),
    }


def summary(rng, *shape):
    """Gradients and hessians. Whole numbers make equal gains."""
    if rng.rand() < 0.4:
        values = rng.randint(-2, 3, shape).astype(np.float32)
        values[..., 1] = rng.randint(0, 3, shape[:-1])
    else:
        values = uniform(rng, *shape)
        values[..., 1] = rng.rand(*shape[:-1])
    if rng.rand() < 0.3:
        values *= 1e-9
    return values * (rng.rand(*shape[:-1], 1) < rng.choice([0.5, 1]))


def best_gains(program):
    rng = np.random.RandomState(3)
    for _ in range(40):
        splits, buckets = rng.randint(1, 6), rng.randint(1, 9)
        run_lists(
            program,
            raw.BoostedTreesCalculateBestGainsPerFeature(
                node_id_range=ints(np.sort(rng.randint(0, splits + 1, 2))),
                stats_summary_list=[floats(summary(rng, splits, buckets, 2)) for _ in range(2)],
                max_splits=splits,
                **limits(rng),
            ),
        )


def best_splits(program):
    rng = np.random.RandomState(4)
    for _ in range(60):
        splits, buckets, dimensions = rng.randint(1, 6), rng.randint(1, 9), rng.randint(1, 4)
        sums = summary(rng, splits, dimensions, buckets + 1, 2)
        nodes = ints(np.sort(rng.randint(0, splits + 1, 2)))
        for split_type in ("inequality", "equality"):
            run(
                program,
                raw.BoostedTreesCalculateBestFeatureSplit,
                node_id_range=nodes,
                stats_summary=floats(sums),
                logits_dimension=1,
                split_type=split_type,
                **limits(rng),
            )


def sparse_best_splits(program):
    rng = np.random.RandomState(5)
    for _ in range(60):
        splits, buckets, dimensions = rng.randint(1, 6), rng.randint(1, 9), rng.randint(1, 4)
        sums = summary(rng, splits, dimensions, buckets + 1, 2).astype(np.float32)
        rows = np.argwhere(sums).reshape(-1, 4)
        run(
            program,
            raw.BoostedTreesSparseCalculateBestFeatureSplit,
            node_id_range=ints([0, splits]),
            stats_summary_indices=ints(rows),
            stats_summary_values=floats(sums[tuple(rows.T)]),
            stats_summary_shape=ints([splits, dimensions, buckets + 1, 2]),
            logits_dimension=1,
            **limits(rng),
        )


# ---- quantiles


def bucketize(program):
    rng = np.random.RandomState(6)
    odd = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0]
    for boundaries in ([0.0, 1.0, 2.0], [0.5], [0.0, 0.0, 1.0, 1.0]):
        values = np.concatenate([odd, rng.uniform(-1, 3, 20)])
        program.run(
            raw.BoostedTreesBucketize(
                float_values=[floats(values), floats(values[::-1])],
                bucket_boundaries=[floats(boundaries), floats(boundaries)],
            )
        )


def feature_values(rng, count):
    kind = rng.randint(3)
    if kind == 0:
        return rng.randint(-20, 20, count).astype(np.float32)
    return rng.randn(count) if kind == 1 else np.exp(3 * rng.randn(count))


def example_weights(rng, count):
    kind = rng.randint(3)
    if kind == 0:
        return [0.7]
    return rng.rand(count) if kind == 1 else rng.randint(-1, 4, count).astype(np.float32)


def summaries(program):
    rng = np.random.RandomState(7)
    for count in (0, 1, 2, 3, 10, 100, 1000, 5000, 20000):
        for epsilon in (1e-4, 0.01, 0.1, 0.6):
            program.run(
                raw.BoostedTreesMakeQuantileSummaries(
                    float_values=[floats(feature_values(rng, count)) for _ in range(2)],
                    example_weights=floats(example_weights(rng, count) if count else [1.0]),
                    epsilon=floats(epsilon),
                )
            )


def streams(program):
    rng = np.random.RandomState(8)
    for case in range(8):
        handle = raw.BoostedTreesQuantileStreamResourceHandleOp(shared_name="stream%d" % case)
        epsilon = floats([0.001, 0.01, 0.1][rng.randint(3)])
        elements = [1 << 40, 1000, 10][rng.randint(3)]
        initialized = raw.IsBoostedTreesQuantileStreamResourceInitialized(
            quantile_stream_resource_handle=handle
        )
        boundaries = raw.BoostedTreesQuantileStreamResourceGetBucketBoundaries(
            quantile_stream_resource_handle=handle, num_features=2
        )
        program.run([initialized])
        run(
            program,
            raw.BoostedTreesCreateQuantileStreamResource,
            quantile_stream_resource_handle=handle,
            epsilon=epsilon,
            num_streams=longs(2),
            max_elements=elements,
        )
        program.run([initialized] + boundaries)
        for _ in range(2):
            add_to_streams(program, rng, handle, epsilon)
            flush(program, rng, handle)
            program.run(boundaries)
        run(
            program,
            raw.BoostedTreesQuantileStreamResourceDeserialize,
            quantile_stream_resource_handle=handle,
            bucket_boundaries=[floats([1, 2]), floats([])],
        )
        program.run(boundaries)


def add_to_streams(program, rng, handle, epsilon):
    for _ in range(rng.randint(1, 12)):
        count = rng.randint(1, 300)
        made = raw.BoostedTreesMakeQuantileSummaries(
            float_values=[floats(feature_values(rng, count)) for _ in range(2)],
            example_weights=floats(example_weights(rng, count)),
            epsilon=epsilon,
        )
        run(
            program,
            raw.BoostedTreesQuantileStreamResourceAddSummaries,
            quantile_stream_resource_handle=handle,
            summaries=made,
        )


def flush(program, rng, handle):
    """TensorFlow dies for quantiles of an empty stream, and for fewer than three."""
    quantiles = bool(rng.randint(2))
    if not quantiles and rng.rand() < 0.2:
        program.run(
            raw.BoostedTreesFlushQuantileSummaries(
                quantile_stream_resource_handle=handle, num_features=2
            )
        )
    run(
        program,
        raw.BoostedTreesQuantileStreamResourceFlush,
        quantile_stream_resource_handle=handle,
        num_buckets=longs([1 + 2 * quantiles, 3, 10, 100][rng.randint(4)]),
        generate_quantiles=quantiles,
    )


def mistakes(program):
    """Those that do not end TensorFlow's process."""
    for weights in ([1, 2], [], [1] * 6):
        program.run(
            raw.BoostedTreesMakeQuantileSummaries(
                float_values=[floats([3, 1, 2])],
                example_weights=floats(weights),
                epsilon=floats(0.1),
            )
        )
    program.run(
        raw.BoostedTreesBucketize(float_values=[floats([1])], bucket_boundaries=[floats(2)])
    )
    for epsilon in (0, -1):
        run(
            program,
            raw.BoostedTreesCreateQuantileStreamResource,
            quantile_stream_resource_handle=raw.BoostedTreesQuantileStreamResourceHandleOp(
                shared_name="not made"
            ),
            epsilon=floats(epsilon),
            num_streams=longs(1),
        )


CASES = [
    stats,
    one_bucket_too_many,
    sparse_stats,
    best_gains,
    best_splits,
    sparse_best_splits,
    bucketize,
    summaries,
    streams,
    mistakes,
]
# Where sums are rounded in another order.
RTOL = {sparse_best_splits: 1e-6}
# Of the results of TensorFlow 1.15.
DIGESTS = {
    "stats": 2864009022,
    "one_bucket_too_many": 3106737573,
    "sparse_stats": 2848132706,
    "best_gains": 1899056382,
    "best_splits": 938969676,
    "sparse_best_splits": 1713083674,
    "bucketize": 2118872347,
    "summaries": 2340056419,
    "streams": 1156809183,
    "mistakes": 3965635644,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(ours, case, request):
    check(case, ours, lambda: request.getfixturevalue("theirs"), DIGESTS, RTOL.get(case, 0))
