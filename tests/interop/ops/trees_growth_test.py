# SPDX-License-Identifier: Apache-2.0
"""Ensembles of boosted trees that grow, in TensorFlow and on our server."""

import numpy as np
import pytest

from interop.tools.tables import LATER, any_shape, raw, tf
from interop.tools.trees import check, floats, ints, longs, run, uniform

JOBS = {"worker": 1}


# ---- ensembles


def ensemble(program, name, serialized=b"", stamp=0):
    handle = raw.BoostedTreesEnsembleResourceHandleOp(shared_name=name)
    run(
        program,
        raw.BoostedTreesCreateEnsemble,
        tree_ensemble_handle=handle,
        stamp_token=longs(stamp),
        tree_ensemble_serialized=any_shape(tf.constant(serialized)),
    )
    return handle


def observe(program, handle):
    run(program, raw.BoostedTreesGetEnsembleStates, tree_ensemble_handle=handle)
    run(program, raw.BoostedTreesSerializeEnsemble, tree_ensemble_handle=handle)


def predict(program, rng, handle, cache, batch=30, features=3):
    """Predicts, with the nodes at which the last call ended. `cache` keeps them."""
    features = [ints(rng.randint(0, 5, batch)) for _ in range(features)]
    if cache.setdefault("features", features) is not features:
        features = cache["features"]
    inputs = {"tree_ensemble_handle": handle, "bucketized_features": features}
    run(program, raw.BoostedTreesPredict, logits_dimension=1, **inputs)
    found = raw.BoostedTreesTrainingPredict(
        cached_tree_ids=ints(cache.get("trees", np.zeros(batch))),
        cached_node_ids=ints(cache.get("nodes", -np.ones(batch))),
        logits_dimension=1,
        **inputs,
    )
    program.run(list(found))
    _, cache["trees"], cache["nodes"] = program.results[-3:]
    if cache.get("explain"):  # TensorFlow hangs if the first root had no bias
        run(program, raw.BoostedTreesExampleDebugOutputs, logits_dimension=1, **inputs)


def candidates(rng, nodes, features, whole):
    """Splits of some of the nodes, by feature."""
    lists = {"node_ids": [], "gains": [], "thresholds": [], "left": [], "right": []}
    for _ in range(features):
        some = [n for n in nodes if rng.rand() < 0.8]
        count = len(some)
        lists["node_ids"].append(ints(np.array(some, np.int32).reshape(count)))
        gains = rng.randint(-1, 2, count) if whole else uniform(rng, count)
        lists["gains"].append(floats(gains))
        lists["thresholds"].append(ints(rng.randint(0, 4, count)))
        lists["left"].append(floats(uniform(rng, count, 1)))
        lists["right"].append(floats(uniform(rng, count, 1)))
    return lists


def grow(program, rng, handle, nodes, pruning, depth, v2):
    features = rng.randint(0, 4) if rng.rand() < 0.2 else 3
    lists = candidates(rng, nodes, features, rng.rand() < 0.4)
    inputs = {
        "tree_ensemble_handle": handle,
        "feature_ids": ints(rng.permutation(3)[:features]),
        "node_ids": lists["node_ids"],
        "gains": lists["gains"],
        "thresholds": lists["thresholds"],
        "left_node_contribs": lists["left"],
        "right_node_contribs": lists["right"],
        "max_depth": ints(depth),
        "learning_rate": floats(0.3),
    }
    if not v2:
        run(program, raw.BoostedTreesUpdateEnsemble, pruning_mode=pruning, **inputs)
        return
    types = ["INEQUALITY_DEFAULT_LEFT", "INEQUALITY_DEFAULT_RIGHT"]
    if pruning != 2:  # TensorFlow dies when it prunes equality splits
        types.append("EQUALITY_DEFAULT_RIGHT")
    counts = [len(program.session.run(ids)) for ids in lists["node_ids"]]
    if LATER:
        inputs["feature_ids"] = [inputs["feature_ids"]]
    run(
        program,
        raw.BoostedTreesUpdateEnsembleV2,
        pruning_mode=ints(pruning),
        dimension_ids=[ints(np.zeros(n)) for n in counts],
        split_types=[
            any_shape(tf.constant([types[rng.randint(len(types))] for _ in range(n)], tf.string))
            for n in counts
        ],
        **inputs,
    )


def growth(program, pruning, v2):
    rng = np.random.RandomState(10 + pruning + 5 * v2)
    for case in range(3):
        handle = ensemble(program, "grown%d%d%d" % (pruning, v2, case))
        cache, depth = {}, rng.randint(1, 5)
        states = raw.BoostedTreesGetEnsembleStates(tree_ensemble_handle=handle)
        if rng.rand() < 0.5:
            center(program, rng, handle)
            cache["explain"] = not v2  # TensorFlow says feature 0 for equality splits
        for _ in range(8):
            first, last = program.session.run(states.last_layer_nodes_range)
            grow(program, rng, handle, range(first, last), pruning, depth, v2)
            observe(program, handle)
            predict(program, rng, handle, cache)


def center(program, rng, handle):
    for _ in range(rng.randint(1, 4)):
        run(
            program,
            raw.BoostedTreesCenterBias,
            tree_ensemble_handle=handle,
            mean_gradients=floats(uniform(rng, 1, 1)),
            mean_hessians=floats(rng.rand(1, 1)),
            l1=floats([0, 0.1][rng.randint(2)]),
            l2=floats([0, 0.1][rng.randint(2)]),
        )
        observe(program, handle)


def grown_without_pruning(program):
    growth(program, 0, False)


def grown_with_pruning_first(program):
    growth(program, 1, False)


def grown_with_pruning_last(program):
    growth(program, 2, False)


def grown_by_v2(program):
    growth(program, 0, True)


def grown_by_v2_with_pruning_first(program):
    growth(program, 1, True)


def grown_by_v2_with_pruning_last(program):
    growth(program, 2, True)


def centered(program):
    rng = np.random.RandomState(30)
    for case in range(10):
        center(program, rng, ensemble(program, "centered%d" % case))
    handle = ensemble(program, "not centered")
    for gradient, hessian in ((0, 0), (0, 1), (1, 0), (1, 1)):
        run(
            program,
            raw.BoostedTreesCenterBias,
            tree_ensemble_handle=handle,
            mean_gradients=floats([[gradient]]),
            mean_hessians=floats([[hessian]]),
            l1=floats(0),
            l2=floats(0),
        )
        observe(program, handle)


def restored(program):
    rng = np.random.RandomState(31)
    first = ensemble(program, "first")
    grow(program, rng, first, [0], 0, 3, False)
    grow(program, rng, first, [1, 2], 0, 3, False)
    _, serialized = program.session.run(
        list(raw.BoostedTreesSerializeEnsemble(tree_ensemble_handle=first))
    )
    for name in ("second", "second", "third"):
        observe(program, ensemble(program, name, serialized, 17))
    third = raw.BoostedTreesEnsembleResourceHandleOp(shared_name="third")
    for value in (b"", serialized, b"\xff\xff", serialized):
        run(
            program,
            raw.BoostedTreesDeserializeEnsemble,
            tree_ensemble_handle=third,
            stamp_token=longs(3),
            tree_ensemble_serialized=any_shape(tf.constant(value)),
        )
        observe(program, third)
    predict(program, rng, third, {})
    with tf.Session(program.target) as session:  # another session finds the same ensemble
        found = raw.BoostedTreesSerializeEnsemble(tree_ensemble_handle=third)
        program.run(list(found), session=session)


def not_there(program):
    handle = raw.BoostedTreesEnsembleResourceHandleOp(shared_name="not there")
    stream = raw.BoostedTreesQuantileStreamResourceHandleOp(shared_name="not there")
    program.run(raw.IsBoostedTreesEnsembleInitialized(tree_ensemble_handle=handle))
    observe(program, handle)
    program.run(
        raw.BoostedTreesPredict(
            tree_ensemble_handle=handle, bucketized_features=[ints([1])], logits_dimension=1
        )
    )
    program.run(
        raw.BoostedTreesQuantileStreamResourceGetBucketBoundaries(
            quantile_stream_resource_handle=stream, num_features=1
        )
    )


CASES = [
    grown_without_pruning,
    grown_with_pruning_first,
    grown_with_pruning_last,
    grown_by_v2,
    grown_by_v2_with_pruning_first,
    grown_by_v2_with_pruning_last,
    centered,
    restored,
    not_there,
]
# Of the results of TensorFlow 1.15.
DIGESTS = {
    "grown_without_pruning": 3423784754,
    "grown_with_pruning_first": 1978852051,
    "grown_with_pruning_last": 2835772834,
    "grown_by_v2": 2308696015,
    "grown_by_v2_with_pruning_first": 2916560135,
    "grown_by_v2_with_pruning_last": 2392265419,
    "centered": 1850140578,
    "restored": 2570188913,
    "not_there": 1246739247,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(ours, case, request):
    check(case, ours, lambda: request.getfixturevalue("theirs"), DIGESTS)
